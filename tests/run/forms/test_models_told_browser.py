"""
A model that was told boxes and values, and types options into lists, in every language and look.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final

import msgspec
import pytest

from surefoot.core.geometry import Point
from surefoot.forms.catalogue.reading import catalogue, find_form
from surefoot.forms.driver.actions import Action, Click, Press, Scroll, Type
from surefoot.forms.driver.executor import Effect
from surefoot.forms.driver.language import ACTION_LANGUAGES
from surefoot.forms.rendering import Rendering
from surefoot.forms.specification import LANGUAGES, Field, Form, Kind, said
from surefoot.models import FORMATS, Options
from surefoot.run.engine.worker import UnitFunction
from surefoot.run.forms.models import AskOptions
from surefoot.run.forms.prompts import placed
from surefoot.run.forms.units import FormChoices, FormResult, Turn, units_of
from surefoot.run.forms.workers import filler
from tests.run.forms.test_models_browser import completion

if TYPE_CHECKING:
    from tests.run.forms.test_models_browser import MakeStep, Server

ASKED: Final = AskOptions("page", "browsergym", "json")
OPTIONS: Final = Options(attempts=1)
LOOKS: Final = (
    *(("plain", ""), ("surveyjs", ""), ("rjsf", "core"), ("rjsf", "bootstrap")),
    *(("rjsf", "mui"), ("rjsf", "antd")),
)
FEW: Final = (
    ("A15", "plain", "", "ru"),
    ("G12", "surveyjs", "", "ja"),
    ("A14", "rjsf", "core", "fr"),
)
LISTED: Final = sorted(
    form.code
    for form in catalogue().values()
    if any(field.kind is Kind.DROP_DOWN for page in form.pages for field in page.fields)
)
# Every form with a list in every look, languages taking turns.
MANY: Final = tuple(
    (code, *look, LANGUAGES[(at + along) % len(LANGUAGES)])
    for at, code in enumerate(LISTED)
    for along, look in enumerate(LOOKS)
)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Iterator[UnitFunction]:
    """Return what a worker process does with a unit, with one browser for all tests."""
    folder = tmp_path_factory.mktemp("told")
    with filler(folder=str(folder), options=msgspec.to_builtins(OPTIONS)) as function:
        yield function


def result(work: UnitFunction, agent: str, form: Form, look: Rendering) -> FormResult:
    """Let an agent fill a form in."""
    asked = ASKED if ":" in agent else AskOptions()
    chosen = FormChoices((form,), (agent,), (look,), asked=asked, options=OPTIONS)
    (unit,) = units_of(chosen)
    return msgspec.json.decode(work(dict(unit.body)), type=FormResult)


def replies(oracle: FormResult, form: Form, look: Rendering) -> list[str]:
    """Spell in one reply a page what the oracle did, options typed where it clicked on them."""
    said: dict[int, list[str]] = {}
    left: set[str] = set()
    space, write = FORMATS.get(ASKED.format).space, ACTION_LANGUAGES.get(ASKED.actions).write
    for turn in oracle.turns:

        def own(x: float, y: float, turn: Turn = turn) -> tuple[float, float]:
            return space.from_image(Point(x, y), width=turn.width, height=turn.height)

        done = [*typed(turn, form, look.language, left, words_alone=look.theme == "mui")]
        if look.theme == "antd":
            left |= {effect.field for effect in turn.effects if is_date(form, effect)}
            done += [Press("Tab")] * any(is_date(form, effect) for effect in turn.effects)
        calls = [write(placed(action, own)) for action in done]
        said.setdefault(turn.page, []).extend(calls)
    return ["```\n" + "\n".join(calls) + "\n```" for calls in said.values()]


def chosen(field: Field, value: str, language: str, *, words_alone: bool) -> Iterable[Action]:
    """
    Yield what chooses an option of an open list: its text, and Enter.

    A list with ``words_alone`` searches no further than a space: the first word is typed, and
    the arrow goes on from the first option that begins with it.
    """
    labels = [said(option.label, language) for option in field.options]
    label = labels[[option.value for option in field.options].index(value)]
    if words_alone:
        first = label.split()[0]
        alike = [one for one in labels if one.casefold().startswith(first.casefold())]
        yield Type(first)
        yield from [Press("ArrowDown")] * alike.index(label)
    else:
        yield Type(label)
    yield Press("Enter")


def is_date(form: Form, effect: Effect) -> bool:
    """Tell whether a date was typed, which antd takes when the focus goes on."""
    field = form.field(effect.field)
    return isinstance(effect.action, Type) and field is not None and field.kind is Kind.DATE


def typed(
    turn: Turn, form: Form, language: str, left: Collection[str], *, words_alone: bool
) -> Iterable[Action]:
    """
    Yield the actions of a turn for one who sees no list: its options are typed.

    Fields that were ``left`` rightly are not filled in again.
    """
    for effect in turn.effects:
        field = form.field(effect.field)
        if effect.field in left:
            continue
        if field is None or field.kind is not Kind.DROP_DOWN:
            if effect.button not in {"next", "submit"}:
                yield effect.action
        elif isinstance(effect.action, Click) and effect.option:
            yield from chosen(field, effect.option, language, words_alone=words_alone)
        elif not isinstance(effect.action, Scroll):
            yield effect.action


@pytest.mark.browser
@pytest.mark.parametrize(
    ("code", "renderer", "theme", "language"),
    [
        *FEW,
        *(pytest.param(*case, marks=pytest.mark.long) for case in MANY if case not in FEW),
    ],
)
def test_options_typed_into_lists_are_chosen(
    code: str,
    renderer: str,
    theme: str,
    language: str,
    work: UnitFunction,
    server: Server,
    step: MakeStep,
) -> None:
    """One reply a page, over HTTP, fills in everything rightly, whatever the page's letters."""
    form, look = find_form(code), Rendering(renderer, theme, language=language)
    oracle = result(work, "oracle", form, look)
    server.steps = [step(completion(text)) for text in replies(oracle, form, look)]
    found = result(work, f"openai:vl@{server.base}", form, look)

    assert oracle.score.right
    wrong = [item.field for item in found.score.fields if item.asked and not item.submitted]
    assert (wrong, found.score.right) == ([], True)
