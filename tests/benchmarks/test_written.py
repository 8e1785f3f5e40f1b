"""
A chat's phrases among a page's instructions: whom it is asked about, what is kept where.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from surefoot.benchmarks.benchmark import BuildOptions, PageResult, WrittenPages
from surefoot.benchmarks.hardest import assemble
from surefoot.benchmarks.sensitivity import SENSITIVITY
from surefoot.benchmarks.writing import PROMPT
from surefoot.benchmarks.written import write_pages
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore

OPTIONS = msgspec.structs.replace(SENSITIVITY.defaults, targets=3)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ObjectStore:
    """Return a store for the pictures."""
    return ObjectStore(tmp_path_factory.mktemp("written"))


@pytest.fixture(scope="module")
def page(drawn_page: tuple[Screen, bytes], store: ObjectStore) -> PageResult:
    """Return the drawn page's result with three targets, which nothing has to render."""
    screen, png = drawn_page
    store.put(png)
    nothing: Any = None
    return SENSITIVITY.page(screen, nothing, store, OPTIONS)


class Speaker:
    """Say every instruction by a rule, and remember the calls."""

    def __init__(self, say: Callable[[str], str]) -> None:
        self.say = say
        self.calls: list[list[str]] = []

    def __call__(self, prompts: Sequence[str]) -> list[str]:
        """Reply to each prompt."""
        start, _, end = PROMPT.partition("{text}")
        self.calls.append([prompt.removeprefix(start).removesuffix(end) for prompt in prompts])
        return [self.say(call) for call in self.calls[-1]]


def press(text: str) -> str:
    """Say an instruction otherwise, meaning the same."""
    return text.replace("Click", "Please press", 1).replace(", click ", ", press ", 1) + "."


def write(page: PageResult, store: ObjectStore, say: Callable[[str], str]) -> WrittenPages:
    """Have a page written with the parameters as they are."""
    return write_pages([page], Speaker(say), store, OPTIONS)


def own(page: PageResult) -> list[tuple[str, Instruction]]:
    """Return the instructions of a page's originals that nobody reworded, by target."""
    first = page.screens[0].id
    return [
        (candidate.target, instruction)
        for candidate in page.candidates
        for instruction in candidate.instructions[first]
        if not instruction.wording
    ]


def in_view(page: PageResult, target: str, variant: str, wording: str) -> set[Expression]:
    """Return what is asked about a target in one view, in one wording."""
    shown = {item.id for item in page.screens if item.variant == variant}
    (candidate,) = (item for item in page.candidates if item.target == target)
    return {
        instruction.expression
        for screen, instructions in candidate.instructions.items()
        if screen in shown
        for instruction in instructions
        if instruction.wording == wording
    }


def test_each_prompt_is_asked_once_in_one_call(page: PageResult, store: ObjectStore) -> None:
    """Two equal pages are asked about once, and each gets its phrases."""
    speaker = Speaker(press)
    other = msgspec.structs.replace(page, page="site/other.html")
    found = write_pages([page, other], speaker, store, OPTIONS)
    (asked,) = speaker.calls
    assert sorted(asked) == sorted({instruction.text for _, instruction in own(page)})
    assert len(found.phrases) == 2 * len(own(page))
    assert found.pages[0].candidates == found.pages[1].candidates


@pytest.mark.parametrize(("top", "most"), [(1, 0), (2, 3), (0, 1)])
def test_only_what_will_be_asked_about_is_written(
    page: PageResult, store: ObjectStore, top: int, most: int
) -> None:
    """Targets over the top are left as they are, and of others the cheapest are said."""
    speaker = Speaker(press)
    options = BuildOptions(parameters={"top": top, "phrases": most})
    found = write_pages([page], speaker, store, options)
    pairs = Counter(phrase.pair for phrase in found.phrases)
    kept = {question.pair for question in assemble([page], options).questions}
    assert set(pairs) == kept
    assert len(kept) == (top or 3)
    if most:
        assert set(pairs.values()) == {most}
    for before, after in zip(page.candidates, found.pages[0].candidates, strict=True):
        assert (before == after) == (f"{page.page}#{before.target}" not in kept)
        cheapest = [
            instruction.text for target, instruction in own(page) if target == before.target
        ][: most or None]
        pair = f"{page.page}#{before.target}"
        said = [phrase.asked for phrase in found.phrases if phrase.pair == pair]
        assert said == (cheapest if pair in kept else [])


def test_a_phrase_is_asked_in_the_views_where_its_original_holds(
    page: PageResult, store: ObjectStore
) -> None:
    """What only changes the verb is proven in each view that the original is proven in."""
    found = write(page, store, press)
    assert {phrase.fate for phrase in found.phrases} <= {"kept", "not understood"}
    (result,) = found.pages
    fallen = sum(fall.count for fall in result.falls if "writer's phrases on" in fall.stage)
    lost = 0
    for candidate in result.candidates:
        kept = in_view(result, candidate.target, "original", "writer")
        assert kept
        for view in ("crop", "background"):
            plain = in_view(result, candidate.target, view, "")
            said = in_view(result, candidate.target, view, "writer")
            assert said == plain & kept
            lost += len(kept - said)
    assert lost == fallen > 0


def test_no_words_and_no_meaning_come_twice(page: PageResult, store: ObjectStore) -> None:
    """Of one phrase for all, a target keeps one; words that it has already are not kept."""
    target, instruction = own(page)[0]
    single = press(instruction.text)
    found = write(page, store, lambda _: single)
    mine = [phrase.fate for phrase in found.phrases if phrase.pair == f"{page.page}#{target}"]
    assert Counter(mine) == {"kept": 1, "said before": len(mine) - 1}
    others = {phrase.fate for phrase in found.phrases if phrase.pair != f"{page.page}#{target}"}
    assert others == {"not proven"}

    again = write(page, store, lambda _: instruction.text)
    mine = [phrase.fate for phrase in again.phrases if phrase.pair == f"{page.page}#{target}"]
    assert Counter(mine) == {"unchanged": 1, "said before": len(mine) - 1}
    assert again.pages[0].candidates == page.candidates


def test_questions_in_a_models_words_are_unique(page: PageResult, store: ObjectStore) -> None:
    """Every question has an id of its own, in the cell of its kind and wording."""
    questions = assemble(write(page, store, press).pages, OPTIONS).questions
    assert len({question.id for question in questions}) == len(questions)
    said = [question for question in questions if question.instruction.wording == "writer"]
    assert len(said) > 20
    for item in said:
        assert item.cell.instruction == f"{item.instruction.kind}+writer"


def test_nothing_to_write_about_is_nothing_written(page: PageResult, store: ObjectStore) -> None:
    """No pages and a page without candidates ask nothing."""
    empty = msgspec.structs.replace(page, candidates=())
    speaker = Speaker(press)
    assert write_pages([], speaker, store, OPTIONS) == WrittenPages((), ())
    assert write_pages([empty], speaker, store, OPTIONS) == WrittenPages((empty,), ())
    assert speaker.calls == [[], []]
