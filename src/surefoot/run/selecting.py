"""
The work behind ``surefoot select``: a BENCH with what a teacher hits, and what people pass.

What is kept and what is rejected is a group: the questions about one target in one kind of
words, under every variant. A teacher rejects what it does not hit on the original (GUI-Perturbed
does not say by what its teacher rejects). People reject by what they wrote on a sheet, a target in
all kinds of words at once, as a step of GUI-Perturbed passes only with all its variants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from surefoot.benchmarks.benchmark import Fall, Funnel
from surefoot.benchmarks.matching import add_up
from surefoot.core.canonical import sha256
from surefoot.core.errors import InvalidInputError, NothingKeptError
from surefoot.core.ledger import Ledger, read_plan
from surefoot.core.perturbation import ORIGINAL
from surefoot.core.question import Answer, Question, Refusal, Unparsed
from surefoot.core.store import ObjectStore
from surefoot.phrasing.words import amount_words
from surefoot.run.asking.runs import FinishedRun, open_run
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.run.folders.folder import (
    export,
    manifest_digest,
    read_document,
    read_manifest,
    read_questions,
    read_screens,
    require_questions,
)
from surefoot.run.ratings import RatingLines, read_lines
from surefoot.run.verdicts import failed_columns
from surefoot.score.hits import is_hit

SELECTED: Final = "selected"  # a key of a plan
Group = tuple[str, str]


class Selected(msgspec.Struct, frozen=True):
    """Name what a benchmark was selected from, and by whom."""

    bench: str
    teachers: tuple[str, ...]
    people: int
    answers: tuple[str, ...] = ()


class RejectedGroup(msgspec.Struct, frozen=True):
    """Record a group that was rejected: its target, its kind of words, and every reason."""

    pair: str
    instruction: str
    text: str
    reasons: tuple[str, ...]
    questions: tuple[Question, ...]


def select_targets(
    bench: Path,
    out: Path,
    *,
    teachers: Sequence[Path] = (),
    answers: Sequence[Path] = (),
    whole: bool = False,
) -> Outcome:
    """
    Write the groups of a BENCH that every teacher hits and people pass; the others are kept aside.

    ``teachers`` are finished runs over the same benchmark. With ``whole`` only targets are kept
    of which people judged every variant. Raises InvalidInputError where one
    was asked another, where neither a teacher nor people are named, where a sheet names a
    question that is not in the benchmark, and NothingKeptError where nothing is kept.
    """
    if not teachers and not answers:
        raise InvalidInputError(
            "who selects", found="nobody", remedy="give --teacher RUN, --sheet FILE, or both"
        )
    require_questions(bench)
    questions = read_questions(bench)
    groups: dict[Group, list[Question]] = {}
    for question in questions:
        groups.setdefault(_group(question), []).append(question)
    runs = [open_run(folder, bench) for folder in teachers]
    for run in runs:
        if run.partial is not None:
            raise InvalidInputError(
                "teachers that were asked everything",
                found=f"{run.folder}, {run.partial.words}",
                remedy="run it to its end first",
            )
    reasons: dict[Group, list[str]] = {group: [] for group in groups}
    for run in runs:
        for group, reason in _missed_by(run, groups).items():
            reasons[group].append(f"{run.name}: {reason}")
    read = read_lines(answers)
    if answers:
        verdicts = _failed_by_people(read, questions, whole=whole)
        for group in groups:
            reasons[group] += [verdicts[group[0]]] if group[0] in verdicts else []
    kept = [item for group, found in groups.items() if not reasons[group] for item in found]
    if not kept:
        why = Counter(reason for found in reasons.values() for reason in found)
        raise NothingKeptError(
            f"one of {len(groups)} targets that is kept",
            found="; ".join(["none", *(f"{item} ({n})" for item, n in why.most_common(3))]),
            remedy="take another teacher",
        )
    rejected = [
        RejectedGroup(*group, groups[group][0].instruction.text, tuple(why), tuple(groups[group]))
        for group, why in sorted(reasons.items())
        if why
    ]
    selected = Selected(
        manifest_digest(bench, "bench"),
        tuple(run.name for run in runs),
        len(answers),
        tuple(sha256(file.read_bytes()) for file in answers),
    )
    _write(bench, out, kept, rejected, selected)
    lines = [*read.cut, *_counted(groups, reasons), *selection_words(out)]
    return Outcome(out, Tally(total=len(groups), done=len(groups)), (), tuple(lines))


def selection_words(bench: Path) -> tuple[str, ...]:
    """Say what a selected benchmark can no longer tell; nothing of any other."""
    plan = read_plan(bench)
    if SELECTED not in plan:
        return ()
    found = msgspec.convert(plan[SELECTED], Selected)
    if not found.teachers:
        return ()
    names = " and ".join(found.teachers)
    return (
        (
            f"Kept is only what {names} hit on the original: its rate there is 100 % by "
            "construction, its changes can only be losses, and other models look better on the "
            "original than they are, those akin to it most."
        ),
    )


def _group(question: Question) -> Group:
    return question.pair, question.cell.instruction


def _missed_by(run: FinishedRun, groups: Mapping[Group, Iterable[Question]]) -> dict[Group, str]:
    """Return why a teacher rejects a group: its first reply on the original that is no hit."""
    answers = {answer.question: answer for answer in run.answers}
    asked: dict[Group, list[Question]] = {}
    for question in run.questions:
        if question.cell.variant == ORIGINAL:
            asked.setdefault(_group(question), []).append(question)
    found: dict[Group, str] = {}
    for group in groups:
        replies = [(item, answers.get(item.id)) for item in asked.get(group, ())]
        wrong = next((reply for item, reply in replies if not is_hit(item, reply)), _NOTHING)
        if not replies:
            found[group] = "not asked on the original"
        elif wrong is not _NOTHING:
            found[group] = _why(wrong)
    return found


_NOTHING: Final = Answer("", "", Unparsed("nothing"))


def _why(answer: Answer | None) -> str:
    if answer is None:
        return "no reply"
    if isinstance(answer.parsed, Unparsed):
        return "unparsed"
    return "declined" if isinstance(answer.parsed, Refusal) else "missed"


def _failed_by_people(
    read: RatingLines, questions: Sequence[Question], *, whole: bool
) -> dict[str, str]:
    """Return why people reject a target, by its pair: what fails, or was not judged at all."""
    known = {question.id: question for question in questions}
    found: dict[str, set[str]] = {}
    judged: dict[str, set[str]] = {}
    for item, columns in failed_columns(read).items():
        if item not in known:
            raise InvalidInputError(
                "verdicts on questions of this benchmark", found=f"the item '{item[:60]}'"
            )
        judged.setdefault(known[item].pair, set()).add(known[item].cell.variant)
        if columns:
            found.setdefault(known[item].pair, set()).update(columns)
    reasons = {pair: f"people: {', '.join(sorted(names))}" for pair, names in found.items()}
    for question in questions if whole else ():
        if question.cell.variant not in judged.get(question.pair, ()):
            reasons.setdefault(question.pair, "people: not judged under every variant")
    return reasons


def _write(
    bench: Path,
    out: Path,
    kept: Sequence[Question],
    rejected: Sequence[RejectedGroup],
    selected: Selected,
) -> None:
    used = {item.screen for question in kept for item in question.screen_images}
    screens = [screen for screen in read_screens(bench) if screen.id in used]
    plan: dict[str, Any] = {**read_plan(bench), SELECTED: msgspec.to_builtins(selected)}
    funnel = Funnel((), {})
    if "funnel.json" in read_manifest(bench, "bench").files:
        funnel = read_document(bench, "funnel.json", Funnel, kind="bench")
    falls = [Fall("selection", reason, 1) for group in rejected for reason in group.reasons]
    counts = Counter(site for site, _ in {(item.cluster, item.pair) for item in kept})
    funnel = msgspec.structs.replace(
        funnel, falls=add_up([*funnel.falls, *falls]), sites=dict(sorted(counts.items()))
    )
    with Ledger.open(out, plan):
        source, target = ObjectStore(bench), ObjectStore(out)
        for image in sorted({item for question in kept for item in question.images if item}):
            target.put(source.get(image))
        tables: dict[str, Iterable[object]] = {
            "screens.jsonl": screens,
            "questions.jsonl": kept,
            "rejected.jsonl": rejected,
        }
        export(out, "bench", tables, {"funnel.json": funnel})


def _counted(
    groups: Mapping[Group, object], reasons: Mapping[Group, Sequence[str]]
) -> Iterable[str]:
    """Say how much was kept of each kind of words, and why the rest was not."""
    every = Counter(kind for _, kind in groups)
    kept = Counter(kind for (_, kind), why in reasons.items() if not why)
    for kind, count in sorted(every.items()):
        share = amount_words(kept[kind] / count, "share")
        yield f"{kind}: {kept[kind]} of {count} targets kept ({share})"
    why = Counter(reason for found in reasons.values() for reason in found)
    for reason, count in why.most_common():
        yield f"{count:7}  rejected: {reason}"
