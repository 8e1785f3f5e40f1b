"""
How many of a benchmark's instructions the second resolver finds valid, too.

``python bench/agreement_of_resolvers.py BENCH`` judges every expression of a folder that
``surefoot build`` wrote, each once for each element and picture, without the code that
generated it. Where a target is hidden, the expression must mean nothing else that is seen.
It prints the share that is judged valid with Wilson's 95 % interval, by kind of instruction,
and every disagreement: page, words, expression and why.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from surefoot.benchmarks.hidden_seen import seen
from surefoot.core.edit import Hide, Mask
from surefoot.core.instruction import Expression
from surefoot.core.question import Question
from surefoot.core.screen import INTERACTIVE_ROLES, Element, Screen
from surefoot.core.store import ObjectStore
from surefoot.phrasing.words import interval_words
from surefoot.refer.judge import Judge, Verdict
from surefoot.run.folders.folder import read_questions, read_screens
from surefoot.score.conditions.scores import mean_of
from surefoot.score.metric import GivenMetric

Judged = tuple[Question, Verdict]
VALID = GivenMetric(name="valid", title="judged valid", summary="the second resolver agrees")


def judged(folder: Path) -> Iterator[Judged]:
    """Yield each of a benchmark's instructions, once, with its verdict."""
    store = ObjectStore(folder)
    questions: dict[str, list[Question]] = defaultdict(list)
    for question in read_questions(folder):
        questions[question.screen].append(question)
    for screen in read_screens(folder):
        if not questions[screen.id]:
            continue
        with Image.open(store.path(screen.image)) as image:
            pixels = np.asarray(image.convert("RGB"))
        judge = Judge(screen, pixels)
        done: set[tuple[str, Expression]] = set()
        for question in questions[screen.id]:
            instruction = question.instruction
            key = (instruction.target, instruction.expression)
            if key in done:
                continue
            done.add(key)
            if screen.edits and isinstance(screen.edits[-1], Mask | Hide):
                yield question, judged_hidden(question, screen, pixels)
            else:
                yield question, judge.judge(instruction.expression, instruction.target)


def judged_hidden(question: Question, shown: Screen, pixels: NDArray[np.uint8]) -> Verdict:
    """Judge an instruction about a hidden target by the screen as it is shown."""
    instruction, edit = question.instruction, shown.edits[-1]
    target = Element(instruction.target, question.role, question.truth)
    ids = edit.elements if isinstance(edit, Hide) else ()
    boxes = edit.boxes if isinstance(edit, Mask) else ()
    others = (
        element
        for element in shown.elements
        if element.id in ids or (element.box in boxes and element.role in INTERACTIVE_ROLES)
    )
    hidden = [target, *(other for other in others if other.id != target.id)]
    left = seen(shown, pixels, target, hidden, masked=isinstance(edit, Mask))
    rivals = Judge(left.screen, pixels).others(instruction.expression, target.id)
    why = "true of another once hidden" if rivals else ""
    return Verdict(valid=not rivals, why=why, rivals=rivals)


def share(found: Iterable[Judged]) -> str:
    """Return the share that is valid, in per cent, with its interval over sites."""
    score = mean_of(VALID, ((one.cluster, verdict.valid) for one, verdict in found), "")
    ends = interval_words(score.interval, digits=2)
    return f"{score.total:.0f}/{score.n} = {score.amount:.2%} [{ends}]"


def main() -> int:
    """Judge a benchmark's folder and print what came out; 1 where anything was not valid."""
    if len(sys.argv) != 2:  # noqa: PLR2004
        print(f"usage: {sys.argv[0]} BENCH")
        return 2
    found = list(judged(Path(sys.argv[1])))
    if not found:
        print("no instructions")
        return 1
    kinds = Counter(question.instruction.kind for question, _ in found)
    print(f"judged valid: {share(found)}")
    for kind, _ in kinds.most_common():
        print(f"  {kind}: {share(one for one in found if one[0].instruction.kind == kind)}")
    for question, verdict in found:
        if not verdict.valid:
            expression = msgspec.json.encode(question.instruction.expression).decode()
            print(f"{question.cluster} {question.cell.variant} {question.instruction.target}")
            print(f"  {question.instruction.text}\n  {expression}\n  {verdict.why}", end=" ")
            print(", ".join(verdict.rivals))
    return int(not all(verdict.valid for _, verdict in found))


if __name__ == "__main__":
    sys.exit(main())
