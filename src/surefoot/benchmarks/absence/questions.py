"""
Questions whose element is not on the screen: only a refusal is right.

The words are those of a direct instruction about an element of another page, so the same words
are asked where the element is and where it is not. They are asked on a page only where nothing on
it could be meant, under any of its variants: neither resolver finds an element called so, read
leniently and whatever its role; and no word of the name stands anywhere on the page, seen or
unseen, in another case, with other accents or another ending, nor one that controls use for the
same (``alike.txt``). What an icon without a name shows nobody knows, so words that icons stand
for are not asked where there is one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from surefoot.benchmarks.absence.words import PageWords
from surefoot.benchmarks.benchmark import AssembledBench, Fall, PageResult
from surefoot.benchmarks.drawing import site_of
from surefoot.core.canonical import digest
from surefoot.core.geometry import Box
from surefoot.core.question import Cell, Question
from surefoot.core.seeds import derive_seed
from surefoot.score.scorings.hits import ABSENT

WORDS_OF: Final = "words of"  # a fact: the element that the words are about


def with_absent(
    assembled: AssembledBench, pages: Sequence[PageResult], number: int, seed: int
) -> AssembledBench:
    """
    Add so many questions a page about elements that it does not have.

    The words come from all other sites and from other pages of the same one, in turns, those
    first that were asked least; pages take words of their own language alone.
    """
    shown = {page.page: page for page in pages}
    direct = (
        question for question in assembled.questions if question.cell.instruction == "direct"
    )
    donors = {question.pair: question for question in direct}
    used: Counter[str] = Counter()
    falls: Counter[str] = Counter()
    made: list[Question] = []
    for page in pages if number else ():
        there = PageWords(page.screens)
        asked = 0
        language = _language(page)
        drawn = sorted(
            donors.values(), key=lambda one: derive_seed(seed, ABSENT, page.page, one.pair)
        )
        others = [
            donor
            for donor in drawn
            if donor.page_name != page.page and _language(shown[donor.page_name]) == language
        ]
        while others and asked < number:
            donor = min(others, key=lambda one: (used[one.cluster], used[one.pair]))
            # Other sites may have the same words.
            text = donor.instruction.text
            others = [other for other in others if other.instruction.text != text]
            why = there.could_mean(donor.instruction.expression)
            falls[why] += bool(why)
            if not why:
                used.update((donor.cluster, donor.pair))
                made += _questions(page, donor)
                asked += 1
        falls["no further words of another page"] += number - asked
    if not number:
        return assembled
    added = (Fall(ABSENT, why, count) for why, count in sorted(falls.items()) if count)
    words, pairs = (
        len({question.facts[WORDS_OF] for question in made}),
        len({question.pair for question in made}),
    )
    line = f"{pairs} times an element is asked for that is not there, in words of {words} others"
    return msgspec.structs.replace(
        assembled,
        questions=tuple(sorted((*assembled.questions, *made), key=lambda one: one.id)),
        funnel=msgspec.structs.replace(
            assembled.funnel, falls=tuple(sorted((*assembled.funnel.falls, *added)))
        ),
        lines=(*assembled.lines, line),
    )


def _language(page: PageResult) -> str:
    return page.screens[0].locale.replace("_", "-").partition("-")[0].lower()


def _questions(page: PageResult, donor: Question) -> Iterator[Question]:
    """Yield what is asked of a page in all its variants, in the words of an element elsewhere."""
    pair = f"{page.page}#not {donor.pair}"
    for screen in page.screens:
        cell = Cell(screen.variant, ABSENT)
        yield Question(
            id=digest([pair, cell])[:20],
            pair=pair,
            cluster=site_of(page),
            cell=cell,
            screen=screen.id,
            image=screen.image,
            width=screen.width,
            height=screen.height,
            instruction=msgspec.structs.replace(donor.instruction, target=""),
            truth=Box(0.0, 0.0, 0.0, 0.0),
            role=donor.role,
            answerable=False,
            facts={WORDS_OF: donor.pair},
            page=page.page,
        )
