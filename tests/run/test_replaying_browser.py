"""
What answers rest on, done again on pages of which some are no longer what they were.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import msgspec
import pytest

from surefoot.api.threads import in_thread
from surefoot.benchmarks.benchmark import BuildOptions
from surefoot.capture.actions import Action
from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.ledger import Ledger
from surefoot.core.question import Cell, Question, ScreenImage
from surefoot.core.screen import Screen
from surefoot.run.folders.folder import export
from surefoot.run.replaying import replay_again

SMALL: Final = Settings(width=420, height=320)
PAGE: Final = """<!doctype html><meta charset=utf-8><title>Quay</title><h1>Quay</h1>
<button onclick="document.querySelector('div').hidden = false">Help</button>
<div role=dialog aria-label="First steps" hidden><p>Cast off.</p></div>
<script>
if (navigator.language.startsWith("fr")) {
  document.querySelector("button").textContent = "Aide";
  document.querySelector("div").ariaLabel = "Premiers pas";
}
</script>
"""
OPENED: Final = {"en": "First steps", "fr": "Premiers pas"}


def _captured(browser: Browser, spec: str, locale: str) -> list[Screen]:
    """Return a page in a language, before and after its button is clicked."""
    settings = msgspec.structs.replace(SMALL, locale=locale)
    (entry,) = list_addresses(spec)
    before = capture(browser, entry, settings).screen
    (button,) = (item.id for item in before.elements if item.role == "button")
    return [before, capture(browser, entry.after(Action("click", button)), settings).screen]


def _question(item: str, before: Screen, after: Screen) -> Question:
    """Ask what the click was for."""
    language = before.locale[:2]
    names = dict(zip("ABCD", (OPENED[language], "Wages", "Letters", "Stock"), strict=True))
    facts = {
        "keys": "|".join(names),
        "steps": json.dumps([[before.id, after.id]]),
        "claims": json.dumps({label: [["dialog", name, ""]] for label, name in names.items()}),
        **{label: f"Open {name}" for label, name in names.items()},
    }
    instruction = Instruction("What for?", language, "given", "high", Expression(), "")
    return Question(
        f"{item}-{language}", item, item, Cell(language, "si"), before.id, before.image,
        before.width, before.height, instruction, Box(0.0, 0.0, 0.0, 0.0),
        answers=("A",), facts=facts, asks="option", options=tuple(names),
        further=(ScreenImage(after.id, after.image, after.width, after.height),),
    )  # fmt: skip


def _bench(folder: Path, questions: list[Question], screens: list[Screen]) -> Path:
    options = msgspec.to_builtins(BuildOptions(settings=SMALL))
    plan = {"kind": "bench", "benchmark": "multilingual@1", "options": options}
    with Ledger.open(folder, plan):
        export(folder, "bench", {"screens.jsonl": screens, "questions.jsonl": questions})
    return folder


@pytest.mark.long
@pytest.mark.browser
def test_only_what_comes_again_is_proven_again(browser: Browser, tmp_path: Path) -> None:
    """In each language; another state, another effect and a lost control are told, with where."""
    questions, screens = [], []
    for name, locales in {
        "same": ("en-US", "fr-FR"),
        "other": ("en-US",),
        "lost": ("en-US",),
    }.items():
        path = tmp_path / f"{name}.html"
        path.write_text(PAGE, "utf-8")
        for locale in locales:
            both = _captured(browser, str(path), locale)
            questions.append(_question(name, *both))
            screens += both
    bench = _bench(tmp_path / "bench", questions, screens)
    (tmp_path / "other.html").write_text(PAGE.replace("First steps", "Wages"), "utf-8")
    (tmp_path / "lost.html").write_text(PAGE.replace("button", "p"), "utf-8")

    # The browser that the pages were captured with has this thread's event loop.
    checks = in_thread(replay_again)("multilingual", [bench], workers=1)
    told = {check.page.removesuffix(", replayed"): check.complaints for check in checks}
    same, other, lost = (
        [one.source for one in screens if f"{name}.html" in one.source]
        for name in ("same", "other", "lost")
    )
    assert [told.pop(source) for source in sorted(set(same))] == [(), ()]
    assert told.pop(other[0]) == ()
    assert told.pop(other[1]) == (
        "en-US: another state than when it was captured",
        "en-US: another effect: dialog 'Wages' instead of dialog 'First steps'",
    )
    assert told.pop(lost[0]) == ("en-US: another state than when it was captured",)
    (unreached,) = told.pop(lost[1])
    assert unreached.startswith("en-US: not reached again: ")
    ((proven, doubts),) = told.items()
    assert proven == f"{bench}: 8 states of 3 items replayed"
    assert doubts == (
        "item lost: not all of its states were reached",
        "question other-en: option A (dialog) is not proven right",
        "question other-en: option B (dialog) is proven right",
    )


def test_so_many_items_are_drawn_from_all_applications(tmp_path: Path) -> None:
    """Two of four items are of two applications; what the folder lacks is told of each."""
    screen = Screen("", "p", "p", "0" * 64, 10, 10, 1.0, "web", "en-US", ())
    both = [msgspec.structs.replace(screen, id=name) for name in ("one", "two")]
    asked = [
        msgspec.structs.replace(_question(name, *both), cluster=name[0])
        for name in ("a1", "a2", "a3", "b1")
    ]
    (check,) = replay_again("multilingual", [_bench(tmp_path / "b", asked, [])], count=2)
    assert check.page.endswith("0 states of 2 items replayed")
    assert sorted(told.split()[1][0] for told in check.complaints) == ["a", "b"]


def test_where_nothing_was_executed_there_is_nothing_to_replay(tmp_path: Path) -> None:
    """A benchmark of another kind is refused, and a folder without such answers is a complaint."""
    with pytest.raises(InvalidInputError, match="rest on actions"):
        replay_again("perturbed", [tmp_path])
    (check,) = replay_again("multilingual", [_bench(tmp_path / "b", [], [])])
    assert check.complaints == ("no answer rests on actions",)
