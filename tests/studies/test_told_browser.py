"""
A model that was told boxes and values, and types options into lists, in every look and language.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
import pytest

from surefoot.forms.catalogue.reading import catalogue, find_form
from surefoot.forms.rendering import Rendering
from surefoot.forms.specification import LANGUAGES
from surefoot.models import Options
from surefoot.run.engine.worker import UnitFunction
from surefoot.run.forms.workers import filler
from surefoot_studies.perfect import looks, play
from surefoot_studies.told import ScriptedServer, scripted_server

RIGHT: Final[dict[str, tuple[str, ...]]] = {"oracle": (), "page": (), "step": ()}
FEW: Final = (
    ("A15", Rendering("plain", language="ru")),
    pytest.param("A14", Rendering("rjsf", "core", language="fr"), marks=pytest.mark.long),
    # Three options begin with one word, and another one stands between them.
    ("E13", Rendering("rjsf", "mui", language="ru")),
)
LOOKS: Final = looks([""])
# Every form in every look, languages taking turns; `make forms-oracle` has them all.
MANY: Final = tuple(
    (form.code, msgspec.structs.replace(look, language=LANGUAGES[(at + along) % len(LANGUAGES)]))
    for at, form in enumerate(catalogue().values())
    for along, look in enumerate(LOOKS)
)


@pytest.fixture(scope="module")
def fill_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[UnitFunction]:
    """Return what a worker process does with a unit, with one browser for all tests."""
    folder = tmp_path_factory.mktemp("told")
    options = msgspec.to_builtins(Options(attempts=1))
    with filler(folder=str(folder), options=options) as function:
        yield function


@pytest.fixture(scope="module")
def told() -> Iterator[ScriptedServer]:
    """Serve what the model says."""
    with scripted_server() as server:
        yield server


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.parametrize(("code", "look"), FEW)
def test_options_typed_into_lists_are_chosen(
    code: str, look: Rendering, fill_in: UnitFunction, told: ScriptedServer
) -> None:
    """Replies over HTTP, by page and by step, arrive whole in whatever letters a page has."""
    assert play(fill_in, told, find_form(code), look).wrong == RIGHT


@pytest.mark.browser
@pytest.mark.long
@pytest.mark.parametrize(("code", "look"), MANY)
def test_every_form_can_be_filled_in_perfectly(
    code: str, look: Rendering, fill_in: UnitFunction, told: ScriptedServer
) -> None:
    """The oracle and the told model get every form wholly right in every look."""
    assert play(fill_in, told, find_form(code), look).wrong == RIGHT
