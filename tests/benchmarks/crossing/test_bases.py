"""
Bases below what a benchmark does: the same elements and words, and ids that know all of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from surefoot.benchmarks.benchmark import BENCHMARKS, AssembledBench, BuildOptions, Funnel
from surefoot.benchmarks.crossing.bases import check_bases, with_bases
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.perturbation import OVER, without_base
from surefoot.core.question import Cell, Question
from surefoot.run.building.pages import build_benchmark
from surefoot.run.folders.folder import read_questions, read_screens

VIEWS: Mapping[str, tuple[str, ...]] = {
    "sensitivity": ("original", "crop", "background"),
    "hidden": ("original", "static", "low-contrast"),
    "perturbed": ("original", "blur:2"),
}


QUESTION = Question(
    id="q",
    pair="p#1",
    cluster="site",
    cell=Cell("original", "direct"),
    screen="s",
    image="",
    width=100,
    height=100,
    instruction=Instruction("Click", "en", "given", "high", Expression(), "1"),
    truth=Box(0, 0, 10, 10),
)


def built(name: str, screens: Path, out: Path, over: tuple[str, ...] = ()) -> list[Question]:
    """Build a benchmark of the drawn page, and read its questions."""
    options = msgspec.structs.replace(
        BENCHMARKS.get(name).defaults, variants=VIEWS[name], over=over, targets=2
    )
    outcome = build_benchmark(name, screens, out, options, workers=1)
    assert outcome.failures == ()
    return list(read_questions(out))


@pytest.mark.parametrize("name", sorted(VIEWS))
def test_the_same_is_asked_over_a_base(name: str, drawn_screens: Path, tmp_path: Path) -> None:
    """The original's questions stay as they are, and a base has theirs under ids of its own."""
    plain = built(name, drawn_screens, tmp_path / "plain")
    crossed = built(name, drawn_screens, tmp_path / "crossed", ("grey", "jpeg:90"))
    shown = {screen.id: screen for screen in read_screens(tmp_path / "crossed")}
    bases = Counter(one.facts.get(OVER, "") for one in crossed)
    asked = {(one.pair, one.instruction.text) for one in plain}

    first = [one for one in crossed if OVER not in one.facts]
    # What `perturbed` asks holds in all of its conditions, and so over every base.
    assert {one.pair for one in first} == {one.pair for one in crossed}
    assert first == plain or name == "perturbed"
    assert len({one.id for one in crossed}) == len(crossed)
    assert bases["grey"] > len(plain) / 2
    assert bases["jpeg:90"] > len(plain) / 2
    for question in crossed:
        base, screen = question.facts.get(OVER, ""), shown[question.screen]
        own = without_base(question.cell.variant, base)
        assert own in VIEWS[name]
        assert (question.pair, question.instruction.text) in asked or name == "perturbed"
        assert len(screen.edits) == bool(base) + (own != "original")
        target = screen.element(question.instruction.target)
        assert target is None or target.box == question.truth


@pytest.mark.parametrize(
    ("name", "variants", "over", "expected"),
    [
        ("multilingual", ("original",), ("theme",), "asks again over changed screens"),
        ("hidden", ("original", "static"), ("original",), "no two together"),
        ("hidden", ("original", "static"), ("blur+blur",), "each perturbation once"),
        ("hidden", ("original", "static"), ("zoom:1.5", "zoom@1:1.5"), "differ"),
        ("sensitivity", ("original", "background"), ("background",), "no two together"),
        ("perturbed", ("original", "dark"), ("dark",), "each perturbation once"),
        ("perturbed", ("original", "blur"), ("theme", "theme+blur"), "each perturbation once"),
        ("hidden", ("original",), ("thme",), "a perturbation or a preset"),
    ],
)
def test_what_cannot_be_crossed_is_refused(
    name: str, variants: tuple[str, ...], over: tuple[str, ...], expected: str
) -> None:
    """A benchmark that asks nothing again, one condition under two names, and unknown bases."""
    options = msgspec.structs.replace(BENCHMARKS.get(name).defaults, variants=variants, over=over)
    with pytest.raises(Exception, match=expected):
        check_bases(BENCHMARKS.get(name), options)


def test_a_writer_is_refused_over_bases() -> None:
    """What a model has written stands on the original alone."""
    options = msgspec.structs.replace(BENCHMARKS.get("sensitivity").defaults, over=("grey",))
    with pytest.raises(InvalidInputError, match="a --writer"):
        check_bases(BENCHMARKS.get("sensitivity"), options, written=True)


def test_facts_name_the_longest_base() -> None:
    """Of two bases of which one begins as the other, a question stands over its own."""
    options = BuildOptions(over=("theme", "theme+zoom:1.5"), variants=("original", "static"))
    plain = QUESTION
    named = [
        msgspec.structs.replace(plain, cell=Cell(variant, "direct"))
        for variant in ("static", "theme", "theme+static", "theme+zoom:1.5+static", "themes")
    ]
    found = with_bases(AssembledBench(tuple(named), Funnel((), {})), options)
    assert [one.facts.get(OVER) for one in found.questions] == [
        None, "theme", "theme", "theme+zoom:1.5", None,
    ]  # fmt: skip
