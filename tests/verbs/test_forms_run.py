"""
What ``run_forms`` takes from its arguments, from a folder of instances, and from a replayed run.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Ledger
from surefoot.forms.catalogue.reading import catalogue, find_form
from surefoot.forms.driver.limits import EpisodeLimits
from surefoot.forms.driver.observation import FormView
from surefoot.forms.rendering import Rendering
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.run.forms import running
from surefoot.run.forms.building import build_forms
from surefoot.run.forms.units import FormChoices, renderings_of
from surefoot.verbs.forms_run import run_forms

Choose = Callable[..., FormChoices]


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Choose:
    """Return what would be filled in, without filling it in."""
    seen: list[FormChoices] = []

    def fill_in(choices: FormChoices, out: Path, **_options: object) -> Outcome:
        seen.append(choices)
        return Outcome(out, Tally())

    monkeypatch.setattr(running, "fill_in_forms", fill_in)

    def chosen(**given: object) -> FormChoices:
        run_forms(out=tmp_path / "out", **{"agent": "null", **given})  # type: ignore[arg-type]
        return seen[-1]

    return chosen


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """Return a folder with two instances of three forms."""
    build_forms([find_form(code) for code in ("D11", "A14", "A11")], tmp_path, instances=2, seed=5)
    return tmp_path


RECORDED = FormChoices(
    forms=(find_form("A15"), find_form("D11")),
    agents=("null",),
    renderings=renderings_of(["plain"], ["fr"], directions=["rtl"], seed=9),
    instances=3,
    seed=9,
    views=(FormView(ruler=100),),
    levels=("derived",),
    limits=EpisodeLimits(actions=50),
)


def record(folder: Path, choices: FormChoices = RECORDED) -> str:
    """Write the plan of a run, and return the name of the agent that replays it."""
    with Ledger.open(folder, {"kind": "forms", "choices": choices.identity()}):
        return f"replay:{folder}"


def test_without_anything_named_there_are_the_usual_forms(choose: Choose) -> None:
    """Twenty-five plain English forms, one instance each, without a ruler, from a letter."""
    choices = choose()

    assert [form.id for form in choices.forms] == list(catalogue())[:25]
    assert (choices.instances, choices.seed, choices.levels) == (1, 0, ("paraphrased",))
    assert choices.renderings == (Rendering("plain", seed=0),)
    assert (choices.views, choices.limits) == ((FormView(),), EpisodeLimits())


def test_so_many_forms_are_taken_of_a_folder(choose: Choose, built: Path) -> None:
    """Its first two of three where two are asked for, in its order; all where nothing is said."""
    found = {
        count: [form.code for form in choose(bench=built, forms=count).forms]
        for count in (2, None)
    }

    assert found == {2: ["D11", "A14"], None: ["D11", "A14", "A11"]}
    named = choose(bench=built, form=["A11"], forms=2)
    assert [form.code for form in named.forms] == ["A11"]


def test_more_forms_than_a_folder_has_are_refused(choose: Choose, built: Path) -> None:
    """Nobody is left to believe that four were filled in."""
    with pytest.raises(InvalidInputError, match=r"4 forms in .* found 3"):
        choose(bench=built, forms=4)


def test_a_replay_is_of_what_was_recorded(choose: Choose, tmp_path: Path) -> None:
    """Forms, instances, seed, looks, rulers, papers and limits are those of the run."""
    choices = choose(agent=record(tmp_path / "run"))

    for name in ("forms", "instances", "seed", "renderings", "views", "levels", "limits"):
        assert getattr(choices, name) == getattr(RECORDED, name)


def test_what_is_named_beside_a_replay_is_taken_instead(choose: Choose, tmp_path: Path) -> None:
    """A look, a form and a limit replace the recorded ones, and nothing else does."""
    agent = record(tmp_path / "run")

    choices = choose(agent=[agent, "null"], form=["D11"], language=["th"], limit={"replies": 4})

    assert [form.code for form in choices.forms] == ["D11"]
    assert choices.renderings == (Rendering("plain", language="th", seed=9),)
    assert choices.limits == EpisodeLimits(actions=50, replies=4)
    assert (choices.instances, choices.views) == (3, RECORDED.views)


def test_a_replay_of_what_is_no_longer_there_is_refused(choose: Choose, tmp_path: Path) -> None:
    """Another form of that name, letters without their folder, and two plans are told apart."""
    import msgspec

    other = msgspec.structs.replace(find_form("A15"), code="X1")
    changed = record(tmp_path / "form", msgspec.structs.replace(RECORDED, forms=(other,)))
    letters = {("bug_report", 0, "derived"): "Dear Sirs"}
    written = record(tmp_path / "letters", msgspec.structs.replace(RECORDED, letters=letters))
    with pytest.raises(InvalidInputError, match=r"student_course_registration.* by form,"):
        choose(agent=changed)
    with pytest.raises(InvalidInputError, match=r"by bench\."):
        choose(agent=written)
    with pytest.raises(InvalidInputError, match="a run of its own"):
        choose(agent=[record(tmp_path / "run"), changed])
    with pytest.raises(InvalidInputError):
        choose(agent=f"replay:{tmp_path / 'nowhere'}")
