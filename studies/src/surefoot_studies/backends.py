"""
The models of studies, by name: each is loaded where it is opened, since all commands list them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from surefoot.models.backend import Backend, Options

if TYPE_CHECKING:
    from surefoot_studies.faulty import FaultyModel
    from surefoot_studies.simulated import Simulated


def _faulty(rest: str, options: Options) -> FaultyModel:
    from surefoot_studies.faulty import open_faulty

    return open_faulty(rest, options)


def _simulated(rest: str, options: Options) -> Simulated:
    from surefoot_studies.simulated import open_simulated

    return open_simulated(rest, options)


FAULTY_MODEL = Backend(
    name="faulty",
    version=1,
    summary="is right but for what is hidden, dark or Thai: tests a check-up",
    usage="faulty or faulty:design",
    open=_faulty,
    speaks="json",
)
SIMULATED = Backend(
    name="simulated",
    version=1,
    summary="resolves the expression, but for a planted weakness: tests a diagnosis",
    usage="simulated:WEAKNESS@BENCH",
    open=_simulated,
    speaks="json",
)
