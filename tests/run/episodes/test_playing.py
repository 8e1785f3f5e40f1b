"""
Episodes as a run: what is kept, what is asked again, and what is never asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

import surefoot
from surefoot.capture.live.protocol import MOST_STEPS, EpisodeEnd, PostedStep
from surefoot.capture.live.serving import HeardActivation, MetElement, ReadyPage
from surefoot.core.errors import (
    InvalidInputError,
    PlanMismatchError,
    SurefootError,
    UnknownNameError,
)
from surefoot.core.ledger import Ledger
from surefoot.run.asking.runs import find_run
from surefoot.run.asking.traces import TRACES, TracedStep, TraceEntry, read_traces
from surefoot.run.episodes.playing import LACKING, EpisodeAnswers, LiveEpisode
from surefoot.run.folders.folder import read_answers

pytestmark = pytest.mark.browser  # the benchmark is captured, once


def heard(episode: LiveEpisode, element: str) -> None:
    """Let an episode hear of an element, as its page would tell."""
    place = (1.0, 1.0)
    episode.hear(
        HeardActivation(
            1, "pointer", home=True, chain=(element,), place=place, what="a", width=1280.0
        )
    )


def test_what_was_answered_is_kept_and_the_rest_is_asked_again(
    office: Path, tmp_path: Path
) -> None:
    """Of episodes that were stopped those that ended count, the others are open again."""
    out = tmp_path / "run"
    with EpisodeAnswers(office, "mine", out) as answers:
        count = answers.left
        ended, open_still = answers.begin(), answers.begin()
        twice = answers.begin(ended.question.id)
        heard(ended, ended.question.instruction.target)
        heard(twice, "nothing")
        twice.give_up(EpisodeEnd("not there"))
        assert answers.left == count - 1
        assert answers.find(open_still.id) is open_still
        with pytest.raises(UnknownNameError):
            answers.find("nobody")
    with EpisodeAnswers(office, "mine", out) as answers:
        assert answers.left == count - 1
        with pytest.raises(InvalidInputError):
            answers.begin(ended.question.id)
        while answers.left:
            episode = answers.begin()
            heard(episode, episode.question.instruction.target)
    run = surefoot.open_run(out)

    asked = [exchange for exchange in run if exchange.question.id not in answers.refused]
    assert len(asked) == count
    assert all(exchange.hit for exchange in asked)
    assert set(answers.refused.values()) == {
        "its picture is changed (filter), and an agent looks at the page itself"
    }


def test_another_agent_or_other_rules_are_another_run(office: Path, tmp_path: Path) -> None:
    """A folder of one agent takes no other's answers, nor those under other rules."""
    out = tmp_path / "run"
    with EpisodeAnswers(office, "mine", out):
        pass
    for name, wrong in (("yours", 3), ("mine", 0)):
        with pytest.raises(PlanMismatchError), EpisodeAnswers(office, name, out, wrong=wrong):
            pass
    with pytest.raises(InvalidInputError, match="a name of the agent"):
        EpisodeAnswers(office, "a\nb", out)


def test_how_far_the_target_moved_is_known_from_the_first_rest(
    office: Path, tmp_path: Path
) -> None:
    """A page that is opened again tells nothing new of how the episode began."""
    with EpisodeAnswers(office, "mine", tmp_path / "run") as answers:
        episode = answers.begin(
            next(one.id for one in answers.questions if one.cell.variant == "original")
        )
        target = episode.question.instruction.target
        box = episode.screen.element(target).box  # type: ignore[union-attr]
        episode.rest(ReadyPage("", 1280.0, 800.0, (MetElement(target, box.moved(0, 3)),)))
        episode.rest(ReadyPage("", 1280.0, 800.0, (MetElement(target, box),)))

        assert (episode.score.moved, episode.score.trouble) == (3.0, "")
        other = answers.begin(episode.question.id)
        other.rest(ReadyPage("", 1280.0, 800.0, ()))
        assert (other.score.moved, other.score.trouble) == (None, LACKING)
        third = answers.begin(episode.question.id)
        third.rest(ReadyPage("no group 'g'", 1280.0, 800.0, (MetElement(target, box),)))
        assert third.score.trouble == "no group 'g'"


def step_of(action: str) -> PostedStep:
    """Return a step with an action alone."""
    return PostedStep(msgspec.Raw(msgspec.json.encode(action)))


def kept_traces(run: Path) -> list[TraceEntry]:
    """Return all entries of a run's ledger."""
    with Ledger.read(run) as ledger:
        return read_traces(ledger)


def table_of(folder: Path) -> list[TraceEntry]:
    """Return the entries of a table of traces."""
    lines = (folder / TRACES).read_bytes().splitlines()
    return [msgspec.json.decode(line, type=TraceEntry) for line in lines]


def spelled(entries: Sequence[TraceEntry]) -> list[str]:
    """Return what each entry of a trace is about."""
    return [
        entry.step.action
        if entry.step
        else entry.heard.activation.element
        if entry.heard
        else f"{entry.end.ended}, {entry.end.counts}"
        if entry.end
        else ""
        for entry in entries
    ]


def test_a_trace_has_all_that_happened_in_its_order(office: Path, tmp_path: Path) -> None:
    """Steps and activations follow each other; an answer names its trace, a later one too."""
    out = tmp_path / "run"
    with EpisodeAnswers(office, "mine", out, limit=1) as answers:
        first = answers.begin()
        second, target = answers.begin(first.question.id), first.question.instruction.target
        answers.note(first, step_of("look"))
        heard(first, "nothing")
        kept = answers.note(first, step_of("click"))
        heard(first, target)
        late = answers.note(first, step_of("look back"))
        second.give_up(EpisodeEnd("not there"))
        while answers.left:
            answers.begin().give_up(EpisodeEnd())
        after = answers.note(second, step_of("after all is answered"))
    entries = kept_traces(out)
    traces = {
        episode: [entry for entry in entries if entry.episode == episode]
        for episode in (first.id, second.id)
    }
    raw = next(answer.raw for answer in read_answers(out) if first.id in answer.raw)

    assert (kept.number, late.number, after.number) == (3, 6, 2)
    assert spelled(traces[first.id]) == ["look", "", "click", target, "right, True", "look back"]
    assert spelled(traces[second.id]) == ["given-up, False", "after all is answered"]
    assert [entry.number for entry in traces[first.id]] == [1, 2, 3, 4, 5, 6]
    assert msgspec.json.decode(raw)["steps"] == 2
    assert first.score.steps == 3
    # The table has every entry of the ledger, whenever it came.
    assert table_of(out) == entries


def test_an_episode_that_broke_off_keeps_its_trace(office: Path, tmp_path: Path) -> None:
    """What was told before a stop is there after it, also when the run is looked at meanwhile."""
    out = tmp_path / "run"
    with EpisodeAnswers(office, "mine", out) as answers:
        answers.begin().give_up(EpisodeEnd())
        broken = answers.begin()
        answers.note(broken, step_of("look"))
        heard(broken, "nothing")
    partial = find_run(out)
    before = table_of(partial.tables)
    with EpisodeAnswers(office, "mine", out) as answers:
        again = answers.begin(broken.question.id)
        again.give_up(EpisodeEnd())
    entries = kept_traces(out)

    assert spelled([one for one in before if one.episode == broken.id]) == ["look", ""]
    assert [one for one in entries if one.episode == broken.id] == [
        one for one in before if one.episode == broken.id
    ]
    assert spelled([one for one in entries if one.episode == again.id]) == ["given-up, True"]


def test_an_episode_takes_so_many_steps_and_no_more(office: Path, tmp_path: Path) -> None:
    """The step after the last that is kept is refused, before its picture is looked at."""
    with EpisodeAnswers(office, "mine", tmp_path / "run") as answers:
        episode = answers.begin()
        for _ in range(MOST_STEPS):
            episode.note(TracedStep("again"))
        for refused in (
            lambda: answers.note(episode, PostedStep(screenshot=b"no picture")),
            lambda: episode.note(TracedStep("again")),
        ):
            with pytest.raises(InvalidInputError, match="at most 500 steps"):
                refused()
        heard(episode, episode.question.instruction.target)

    assert (episode.score.steps, episode.score.ended) == (MOST_STEPS, "right")


def test_what_cannot_be_kept_has_not_happened(
    office: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the disk refuses, neither a step nor an end counts; both can be told again."""

    def refuse(*_: object) -> None:
        raise SurefootError("room on the disk", found="none")

    with EpisodeAnswers(office, "mine", tmp_path / "run") as answers:
        episode, target = answers.begin(), ""
        target = episode.question.instruction.target
        with monkeypatch.context() as patch:
            patch.setattr(Ledger, "record_many", refuse)
            for work in (
                lambda: answers.note(episode, step_of("a")),
                lambda: heard(episode, target),
            ):
                with pytest.raises(SurefootError, match="room on the disk"):
                    work()
        between, left = episode.score, answers.left
        number = answers.note(episode, step_of("b")).number
        heard(episode, target)

        assert (between.steps, between.ended, between.activations) == (0, "", ())
        assert (number, episode.score.ended, answers.left) == (1, "right", left - 1)
