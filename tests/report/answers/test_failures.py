"""
The gallery of failures: which are chosen, and how replies are told apart.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from surefoot.core.question import Parsed, Question, Refusal
from surefoot.report.answers.failures import failure_cards
from surefoot.run.asking.runs import open_run

Write = Callable[..., Path]
Replies = Callable[[Question], Parsed | None]


def test_the_gallery_shows_what_stumbled(
    drawn: Path, write_run: Write, stumble: Replies, tmp_path: Path
) -> None:
    """Each card was hit on the original, comes first, and was missed on a variant."""
    run = open_run(write_run(drawn, tmp_path / "run", stumble))
    cards = failure_cards(run, tolerance=0.0, limit=3, seed=0)

    assert len(cards) == 3
    assert len({card.page for card in cards[:2]}) == 2
    for card in cards:
        assert card.page != "site/a.html"
        first, *others = card.panes
        assert (first.variant, first.hit) == ("original", True)
        assert [pane.variant for pane in others] == ["theme and order", "browser zoom 150 %"]
        assert not any(pane.hit for pane in others)
        assert card.model == "walker"
    assert failure_cards(run, tolerance=2000.0, limit=9, seed=0) == ()


def test_failed_and_declined_are_shown_as_such(
    drawn: Path, write_run: Write, tmp_path: Path
) -> None:
    """A question without a reply, and one that was declined, are told apart on the cards."""

    def reply(question: Question) -> Parsed | None:
        if question.cell.variant == "original":
            return question.truth.center
        return None if question.cell.variant == "style" else Refusal("cannot")

    run = open_run(write_run(drawn, tmp_path / "run", reply))
    (card,) = failure_cards(run, tolerance=0.0, limit=1, seed=0)

    assert [pane.verdict for pane in card.panes] == [
        "hit",
        "no reply (failed)",
        "the model declined",
    ]


def test_a_card_tells_how_long_each_reply_took(
    drawn: Path, write_run: Write, stumble: Replies, tmp_path: Path
) -> None:
    """Seconds come from the run's ledger; where it has none worth a word, none are told."""
    slow = open_run(write_run(drawn, tmp_path / "slow", stumble, raw="there", seconds=1.25))
    fast = open_run(write_run(drawn, tmp_path / "fast", stumble, raw="there", seconds=0.001))

    for run, told in ((slow, {"Reply": "there", "Seconds": "1.25"}), (fast, {"Reply": "there"})):
        (card,) = failure_cards(run, tolerance=0.0, limit=1, seed=0)
        assert [dict(pane.reply) for pane in card.panes] == [told] * 3
