"""
Surefoot finds out whether a GUI agent keeps its footing when the ground shifts.

The functions bear the names of the command line's verbs, and open what they wrote. Each is
imported when it is first used; ARCHITECTURE.md is the map of the folders below.
"""

from __future__ import annotations

# Some folders bear the name of a verb. Once imported, they do not take its place any more.
import surefoot.capture
import surefoot.diagnose
import surefoot.report
import surefoot.run
import surefoot.score  # noqa: F401 - names that functions have, too

TYPE_CHECKING = False  # for type checkers alone; importing typing would take longer than all else
if TYPE_CHECKING:
    from surefoot.api.folders import (
        Bench,
        FailedInstruction,
        FilledForms,
        ModelDiagnosis,
        ModelRun,
        Screens,
        open,  # noqa: A004 - reads best as surefoot.open
        open_bench,
        open_diagnosis,
        open_forms,
        open_run,
        open_screens,
    )
    from surefoot.api.forms import build_forms, report_forms, run_forms, score_forms
    from surefoot.api.pictures import Exchange, PicturedQuestion, PicturedScreen
    from surefoot.api.scores import Report, Scores
    from surefoot.api.verbs import build, capture, diagnose, report, run, score, transfer
    from surefoot.core.errors import SurefootError

__version__ = "0.1.0"

__all__ = [
    "Bench",
    "Exchange",
    "FailedInstruction",
    "FilledForms",
    "ModelDiagnosis",
    "ModelRun",
    "PicturedQuestion",
    "PicturedScreen",
    "Report",
    "Scores",
    "Screens",
    "SurefootError",
    "__version__",
    "build",
    "build_forms",
    "capture",
    "diagnose",
    "open",
    "open_bench",
    "open_diagnosis",
    "open_forms",
    "open_run",
    "open_screens",
    "report",
    "report_forms",
    "run",
    "run_forms",
    "score",
    "score_forms",
    "transfer",
]

_HOMES = ("api.verbs", "api.folders", "api.pictures", "api.scores", "api.forms", "core.errors")
for _name in ("capture", "diagnose", "report", "run", "score"):
    del globals()[_name]


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for."""
    import importlib

    for home in _HOMES if name in __all__ else ():
        module = importlib.import_module(f"surefoot.{home}")
        if name in module.__all__:
            return globals().setdefault(name, getattr(module, name))
    raise AttributeError(f"module 'surefoot' has no attribute '{name}'")


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
