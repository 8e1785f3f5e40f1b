"""
``surefoot site``: what a planted model misses on real pages is named, and so is what mends it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from PIL import Image

import surefoot
from surefoot.core.errors import UnknownNameError
from surefoot.core.geometry import Point
from surefoot.report.site.report import SiteReport
from surefoot.run.folders.folder import read_answers, read_questions, read_screens

HEAD: Final = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>Shop</title><style>"
    "body{font:16px sans-serif;margin:16px}button{margin:14px;min-width:60px;min-height:48px;"
    "background:#fff;border:1px solid #333;color:#111;font-size:16px}.faint{color:#ccc;"
    "border-color:#ccc}.tiny{min-width:0;min-height:0;height:18px;padding:0 4px;font-size:13px}"
    "</style>"
)
ICON: Final = '<svg width=20 height=20><path d="M2 2h16v16h-16z"/></svg>'
FAINT: Final = ("Orders", "Bills", "Letters", "Ships", "Houses", "Roads", "Towns")
TINY: Final = ("Copy", "Paste", "Undo", "Print", "Share", "Crop", "Zoom")
BOTH: Final = ("Bread", "Honey", "Salt", "Rice", "Beans", "Flour", "Sugar", "Cheese")
WORDLESS: Final = ("Reply", "Archive", "Filter", "Forward", "Snooze", "Label", "Attach", "Mute")
PLAIN: Final = ("Garden", "Kettle", "Window", "Carpet", "Mirror", "Bottle", "Basket", "Lantern")
NAMES: Final = (*FAINT, *TINY, *BOTH, *WORDLESS, *PLAIN)


def shop(folder: Path, *more: str) -> Path:
    """Write a page of buttons: plain ones, faint ones, tiny ones, ``more``, and one unnamed."""
    buttons = [f"<button class=faint>{name}</button>" for name in FAINT]
    buttons += [f"<button class=tiny>{name}</button>" for name in TINY]
    buttons += [f"<button>{name}</button>" for name in PLAIN]
    buttons += more
    rows = "".join(f"<p>{''.join(buttons[at : at + 6])}</p>" for at in range(0, len(buttons), 6))
    page = folder / "shop.html"
    page.write_text(f"{HEAD}<h1>Shop</h1>{rows}<p><button>{ICON}</button></p>", "utf-8")
    return page


@pytest.mark.browser
def test_rules_need_no_model(tmp_path: Path, surefoot: Callable[..., Any]) -> None:
    """Without a model rules are told, the same each time, and fail a build where they are to."""
    page, out = shop(tmp_path), tmp_path / "out"
    given = ("site", page, "--out", out, "--browsers", 1)

    passed, failed = (surefoot(*given, "--fail-on", rule) for rule in ("covered", "unlabelled"))

    assert (passed.code, failed.code) == (0, 1)
    assert "1 has no name at all, 7 are less than 24 px wide or high" in passed.out
    assert passed.out == failed.out
    assert "<svg" in (out / "site.html").read_text("utf-8")


@pytest.mark.browser
def test_a_build_fails_for_new_faults_alone(tmp_path: Path, surefoot: Callable[..., Any]) -> None:
    """Faults in the file pass, a new one fails and is named, and a mended one is counted."""
    (tmp_path / "a").mkdir()
    page, file = shop(tmp_path / "a"), tmp_path / "faults.jsonl"
    how = ("--against", file, "--fail-on", "unlabelled,small", "--browsers", 1)

    first = surefoot("site", page, "--out", tmp_path / "1", *how, "--update")
    assert first.code == 0
    assert "no new fault, 0 gone" in first.out
    written = page.read_text("utf-8")
    page.write_text(written.replace(f"<button>{PLAIN[0]}", f"<button class=tiny>{PLAIN[0]}"))
    failed = surefoot("site", page, "--out", tmp_path / "2", *how)
    assert failed.code == 1
    assert f"1 new fault (button '{PLAIN[0]}' on" in failed.out
    page.write_text(written.replace(f"<button class=tiny>{TINY[0]}", f"<button>{TINY[0]}"))
    passed = surefoot("site", page, "--out", tmp_path / "3", *how)
    assert passed.code == 0
    assert "no new fault, 1 gone" in passed.out


@pytest.mark.browser
def test_a_page_that_failed_has_not_passed(tmp_path: Path, surefoot: Callable[..., Any]) -> None:
    """Where a page cannot be captured the command fails, though no rule is broken."""
    page = tmp_path / "away.html"
    page.write_text(f"{HEAD}<script>location = 'other.html'</script>", "utf-8")

    ended = surefoot("site", page, "--out", tmp_path / "out", "--browsers", 1)

    assert ended.code == 1
    assert "By rules, 0 of 0 controls on 0 pages" in ended.out
    assert "failed in" in ended.err


def test_unknown_rules_are_refused(tmp_path: Path) -> None:
    """A rule that there is none of is refused before a page is opened, with the nearest name."""
    with pytest.raises(UnknownNameError, match="low-contrast"):
        surefoot.site("page.html", out=tmp_path / "out", fail_on="low-contrasts")


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[SiteReport, Path]:
    """Return the report on the shop, of a model that misses what is faint, tiny or wordless."""
    folder = tmp_path_factory.mktemp("site")
    more = [f'<button class="tiny faint">{name}</button>' for name in BOTH]
    more += [f"<button aria-label={name}>{ICON}</button>" for name in WORDLESS]
    found = surefoot.site(
        str(shop(folder, *more)),
        model="faulty:design",
        out=folder / "out",
        variants="original",
        samples=3,
        browsers=1,
        self_check=False,
    )
    return found, folder / "out"


@pytest.mark.browser
@pytest.mark.long
def test_what_was_planted_is_mended(planted: tuple[SiteReport, Path]) -> None:
    """The fixes of what was planted are proven, and come before all others; no other is."""
    found, _ = planted

    helping = {fix.kind for fix in found.fixes if fix.helps}
    planted_against = {"contrast", "size", "label", "size-and-contrast"}
    assert helping == planted_against == {fix.kind for fix in found.fixes[:4]}
    assert [fix.kind for fix in found.fixes[4:]] == ["text"]
    names = {name for name in NAMES if any(f"'{name}'" in one for one, *_ in found.missed)}
    assert names == {*FAINT, *TINY, *BOTH, *WORDLESS}
    counts = {group.faults: (group.asked, group.missed) for group in found.faults}
    assert counts == {
        ("label",): (8, 8),
        ("size",): (7, 7),
        ("contrast",): (7, 7),
        ("size", "contrast"): (8, 8),
        (): (8, 0),
    }
    best = {group.faults: group.edits[0][0] for group in found.faults if group.edits}
    assert best == {(kind,): kind for kind in ("label", "size", "contrast")} | {
        ("size", "contrast"): "size-and-contrast"
    }


@pytest.mark.browser
@pytest.mark.long
def test_fixes_are_in_the_pictures(planted: tuple[SiteReport, Path]) -> None:
    """What an edit is to do is read from the pixels of the pictures that were asked."""
    found, _ = planted
    for one in found.mended:
        before, after = (np.asarray(_part(shown)) for shown in (one.unfixed, one.fixed))
        if one.count.kind == "size":
            assert min(after.shape[:2]) >= 44 > min(before.shape[:2])
            assert "min-height: 44px" in one.css
        elif one.count.kind == "contrast":
            assert int(after.min()) < int(before.min())
            assert "color: rgb(" in one.css


@pytest.mark.browser
@pytest.mark.long
def test_counts_are_those_of_the_answers(planted: tuple[SiteReport, Path]) -> None:
    """The counts of each control are those of the run's answers, added up by hand."""
    found, out = planted
    given = {answer.question: answer for answer in read_answers(out / "run-fixes")}
    counts: dict[tuple[str, str, str], list[bool]] = {}
    for question in read_questions(out / "fixes"):
        key = question.pair, question.facts["kind"], question.facts["arm"]
        for name in (question.id, f"{question.id}~2", f"{question.id}~3"):
            place = given[name].parsed
            assert isinstance(place, Point)
            counts.setdefault(key, []).append(question.truth.contains(place))
    for one in found.mended:
        for arm, kind, said in (
            ("fix", one.count.kind, one.count.fix),
            ("elsewhere", one.count.kind, one.count.elsewhere),
            ("again", "", one.count.again),
        ):
            hits = counts[one.count.control, kind, arm]
            assert (sum(hits), len(hits)) == said


@pytest.mark.browser
def test_a_model_that_is_always_right_needs_nothing(tmp_path: Path) -> None:
    """Where nothing is missed nothing is rendered again, and the report says so."""
    found = surefoot.site(
        str(shop(tmp_path)), model="oracle", out=tmp_path / "out", variants="original", browsers=1
    )

    assert found.sentences()[0].startswith("oracle misses 0 of 22 controls")
    assert found.fixes == ()
    assert not (tmp_path / "out" / "fixes").exists()
    (screen,) = read_screens(tmp_path / "out" / "screens")
    assert found.controls == sum(one.role == "button" for one in screen.elements)


def _part(shown: Any) -> Image.Image:  # noqa: ANN401
    """Return the control's part of a picture."""
    (file,) = Path(shown.folder).rglob(f"*{shown.image}.png")
    image = Image.open(file).convert("L")
    return image.crop(tuple(map(round, shown.box.as_tuple())))
