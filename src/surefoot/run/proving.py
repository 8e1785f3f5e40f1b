"""
The work behind ``surefoot check BENCHMARK BENCH``: every answer is proven once more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from surefoot.benchmarks.benchmark import BENCHMARKS
from surefoot.benchmarks.conformance import PageCheck
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import read_plan
from surefoot.core.pictures import pixels_of
from surefoot.core.question import Question
from surefoot.core.store import ObjectStore
from surefoot.run.folders.folder import read_questions, read_screens


def prove_again(name: str, folders: Iterable[Path]) -> list[PageCheck]:
    """
    Prove every answer of benchmarks once more, and return a check for each page.

    Raises InvalidInputError for a benchmark that is not proven again, for no folder, and for a
    folder that holds another benchmark.
    """
    benchmark = BENCHMARKS.get(name)
    given = list(folders)
    if benchmark.doubts is None or not given:
        raise InvalidInputError(
            "a folder BENCH of a benchmark whose answers are proven again",
            found=f"'{name}' and {len(given)} folders",
            remedy="write surefoot check multilingual BENCH",
        )
    checks: list[PageCheck] = []
    for folder in given:
        built, _, _ = str(read_plan(folder).get("benchmark", "")).partition("@")
        if built != benchmark.name:
            raise InvalidInputError(
                f"a folder of the benchmark '{benchmark.name}'", found=f"'{built}' in {folder}"
            )
        questions, store = read_questions(folder), ObjectStore(folder)
        found: defaultdict[str, list[str]] = defaultdict(list)
        asked: defaultdict[str, list[Question]] = defaultdict(list)
        for question in questions:
            asked[question.screen].append(question)
        screens = {screen.id: screen for screen in read_screens(folder)}
        for screen in screens.values():
            pixels = pixels_of(store.get(screen.image))
            found[screen.page] += benchmark.doubts(screen, pixels, asked.pop(screen.id, []))
        for question in (question for left in asked.values() for question in left):
            found[question.page_name].append(f"question {question.id}: no such screen")
        checks += (
            PageCheck(page, None, tuple(complaints)) for page, complaints in sorted(found.items())
        )
        matched = tuple(benchmark.unmatched(questions, screens)) if benchmark.unmatched else ()
        if matched or not questions:
            checks.append(PageCheck(str(folder), None, matched or ("no questions",)))
    return checks
