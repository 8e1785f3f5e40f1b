"""
The failures of finished runs, read once more and told by their mode.

A table of answers holds where each click lies, and neither words nor screens. So what is
looked at is read again: the questions, then the answers, then the screens one by one, each
with its picture; no more is held than the failures that were drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec
import numpy as np

from surefoot.core.canonical import digest
from surefoot.core.geometry import Box
from surefoot.core.perturbation import ORIGINAL
from surefoot.core.pictures import pixels_of
from surefoot.core.question import Answer, Question
from surefoot.core.screen import Element, Screen
from surefoot.core.store import ObjectStore
from surefoot.failures.classify import ON_NOTHING, MissVerdict, classify
from surefoot.failures.modes import MODES, FailureMode
from surefoot.failures.shares import NOT_JUDGED, DrawnFailures, JudgedRows
from surefoot.failures.thought import thought_of
from surefoot.refer.scene.scene import Scene
from surefoot.run.asking.runs import RunFolder, by_name, group_runs, stream_questions
from surefoot.run.folders.folder import read_manifest
from surefoot.run.folders.tables import stream_table
from surefoot.run.ratings import ITEM, read_lines
from surefoot.score.outcomes import AskedQuestions, Outcomes, Status
from surefoot.score.stats.arrays import Bools
from surefoot.score.truths import place_of

EXAMPLES: Final = 2  # of a mode and a model
PLACES: Final[dict[FailureMode, int]] = {mode: place for place, mode in enumerate(MODES)}


class FailureExample(msgspec.Struct, frozen=True):
    """Hold one failure to look at: what was asked of whom, the answer, and its mode."""

    model: str
    bench: Path
    question: Question
    answer: Answer
    screen: Screen
    verdict: MissVerdict


class _Missed(msgspec.Struct, frozen=True):
    row: int
    model: str
    question: Question
    answer: Answer


def read_verdicts(files: Iterable[Path]) -> dict[tuple[str, str], FailureMode]:
    """
    Return the modes that somebody told of replies, by model ("" for any) and question.

    Each file is CSV or JSON Lines with the columns ``item`` (the question) and ``mode``, and
    ``model`` where there are several. Raises InvalidInputError for what is no mode, and for two
    of one reply.
    """
    found: dict[tuple[str, str], FailureMode] = {}
    for line in read_lines(files).lines:
        given = " ".join(line.cells.get("mode", "").casefold().split())
        reply = line.cells.get("model", "").strip(), line.cells[ITEM]
        mode = next((item for item in MODES if item == given), None)
        if given and mode is None:
            raise line.fault(f"one of {', '.join(MODES)}", f"'{given[:40]}'")
        if mode is not None and found.setdefault(reply, mode) != mode:
            raise line.fault("one mode of a reply", f"'{found[reply]}' and '{mode}'")
    return found


def judge_failures(
    runs: Sequence[RunFolder],
    outcomes: Outcomes,
    failures: DrawnFailures,
    *,
    seed: int = 0,
    verdicts: Mapping[tuple[str, str], FailureMode] = MappingProxyType({}),
    most: int = EXAMPLES,
) -> tuple[JudgedRows, tuple[FailureExample, ...]]:
    """
    Tell the mode of each drawn failure, and give examples of each mode, chosen by the seed.

    ``outcomes`` is the table of these runs, as ``tabulate_folders`` made it for a scoring
    that takes questions as they are. A click is judged only where it was to be on one element
    of a screen; where no element of it is known, only the rules are asked that need none.
    ``verdicts`` stand in place of what a rule says. The examples, ``most`` of a mode and a model,
    are in the order of the modes.
    """
    drawn = failures.drawn
    mode = np.full(len(outcomes), NOT_JUDGED, dtype=np.int8)
    thoughtful, moved, is_landed, alone = (np.zeros(len(outcomes), np.bool_) for _ in range(4))
    former_box = _former_boxes(outcomes.asked)
    mode[drawn & (outcomes.status == Status.UNPARSED)] = PLACES["unparsed"]
    mode[drawn & (outcomes.status == Status.REFUSAL)] = PLACES["refused"]
    kept: dict[tuple[FailureMode, str], dict[str, FailureExample]] = {}
    for bench, missed, scene in _with_their_scenes(runs, outcomes, drawn):
        question, answer = missed.question, missed.answer
        thoughtful[missed.row] = bool(thought_of(answer.raw))
        bare = scene is None or not scene.elements
        scene = _bare_scene(question, bench) if bare else scene  # noqa: PLW2901 - where none is
        if scene is None or not _judgeable(question, answer, scene):
            continue
        former = former_box(outcomes.question[missed.row])
        moved[missed.row] = former is not None
        verdict = classify(scene, question, answer, former)
        alone[missed.row] = bare
        if bare and verdict.why == ON_NOTHING and scene.pixels is None:
            verdict = MissVerdict("undecided", "", "")
        given = verdicts.get((missed.model, question.id)) or verdicts.get(("", question.id))
        if given is not None:
            is_landed[missed.row] = True
            verdict = MissVerdict(given, "as somebody judged", verdict.landed)
        mode[missed.row] = PLACES[verdict.mode]
        several = kept.setdefault((verdict.mode, missed.model), {})
        example = FailureExample(missed.model, bench, question, answer, scene.screen, verdict)
        drawn_by = question.pair if most == EXAMPLES else question.id
        several.setdefault(digest([seed, drawn_by]), example)
        if len(several) > most:
            del several[max(several)]
    examples = sorted(kept.items(), key=lambda item: (PLACES[item[0][0]], item[0][1]))
    return (
        JudgedRows(failures, mode, thoughtful, moved, is_landed, alone),
        tuple(several[name] for _, several in examples for name in sorted(several)),
    )


def _former_boxes(asked: AskedQuestions) -> Callable[[int], Box | None]:
    """
    Return what tells the target's box on the original of a picture as large, if another.

    Benchmarks may call different targets by one name; the original of such a one is unknown.
    """
    truth, size = (np.full((len(asked.pair.names), sides), np.nan) for sides in (4, 2))
    if ORIGINAL in asked.variant.names:
        first = asked.variant.codes == asked.variant.names.index(ORIGINAL)
        pairs = asked.pair.codes[first]
        truth[pairs] = asked.truth[first]
        size[pairs] = asked.size[first]
        size[pairs[(truth[pairs] != asked.truth[first]).any(axis=1)]] = np.nan

    def former_box(row: int) -> Box | None:
        pair = asked.pair.codes[row]
        same = bool((truth[pair] == asked.truth[row]).all())
        alike = bool((size[pair] == asked.size[row]).all())
        return Box(*truth[pair].tolist()) if alike and not same else None

    return former_box


def _judgeable(question: Question, answer: Answer, scene: Scene) -> bool:
    """Tell whether the reply names no place, or one where a single element was asked for."""
    if place_of(answer.parsed) is None:
        return True
    several = question.boxes or question.polygon or question.asks != "place"
    known = question.instruction.target in scene.place
    return known and question.answerable and not several


def _bare_scene(question: Question, bench: Path) -> Scene | None:
    """Return a scene that knows the target alone, of a question about a place."""
    target = Element(question.instruction.target, question.role, question.truth)
    if question.asks != "place":
        return None
    screen = Screen(
        question.screen, question.page, "", question.image, question.width, question.height, 1.0,
        question.platform, "", (target,), variant=question.cell.variant,
    )  # fmt: skip
    return _scene(screen, bench)


def _with_their_scenes(
    runs: Sequence[RunFolder], outcomes: Outcomes, drawn: Bools
) -> Iterator[tuple[Path, _Missed, Scene | None]]:
    """Yield what is drawn of each benchmark, screen by screen, without one where it has none."""
    wanted = np.zeros(len(outcomes.asked), dtype=np.bool_)
    wanted[outcomes.question[drawn]] = True
    asked = row = 0
    for same, group in group_runs(runs).items():
        bench = same.bench
        questions: dict[str, tuple[int, Question]] = {}
        first = asked
        for question in stream_questions(same):
            if wanted[asked]:
                questions[question.id] = asked - first, question
            asked += 1
        waiting: dict[str, list[_Missed]] = {}
        for shards in by_name(group).values():
            for run in shards:
                for missed in _drawn_of(run, questions, drawn, row):
                    waiting.setdefault(missed.question.screen, []).append(missed)
            row += asked - first
        if waiting and _has_screens(bench):
            shown = stream_table(bench, "screens.jsonl", Screen, kind="bench", wanted=set(waiting))
            for screen in shown:
                scene = _scene(screen, bench)
                yield from ((bench, missed, scene) for missed in waiting.pop(screen.id))
        for several in waiting.values():
            yield from ((bench, missed, None) for missed in several)


def _has_screens(bench: Path) -> bool:
    screens = read_manifest(bench, "bench").files.get("screens.jsonl")
    return screens is not None and screens.count > 0


def _drawn_of(
    run: RunFolder, questions: dict[str, tuple[int, Question]], drawn: Bools, first: int
) -> Iterator[_Missed]:
    answers = stream_table(run.tables, "answers.jsonl", Answer, kind="run", wanted=questions)
    for answer in answers:
        place, question = questions[answer.question]
        if drawn[first + place]:
            yield _Missed(first + place, run.name, question, answer)


def _scene(screen: Screen, bench: Path) -> Scene:
    """Return a screen's scene, whose picture is decoded only where a rule looks at pixels."""
    store = ObjectStore(bench)
    there = bool(screen.image) and store.path(screen.image).is_file()
    return Scene(screen, (lambda: pixels_of(store.get(screen.image))) if there else None)
