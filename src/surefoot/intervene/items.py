"""
Parallel items of a benchmark, and which of them share a screen.

An item is one question in several languages. Items that show a page or a picture in common are
of one group, and a group is never parted: what is remembered, chosen by and tested on have no
screen in common.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.benchmarks.matching import with_reasoning
from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.perturbation import ORIGINAL
from surefoot.core.question import Question
from surefoot.intervene.steering import PromptTurn
from surefoot.models import worded
from surefoot.models.format import ChatMessages
from surefoot.models.replies.letters import asks_letter
from surefoot.run.folders.folder import read_questions

ENGLISH: Final = "en"
SEQUENCES: Final = frozenset({"ri", "si"})  # of several screens each
ReasoningMode: TypeAlias = Literal["off", "on"]


class ParallelItem(msgspec.Struct, frozen=True):
    """
    Hold one question in several languages, English among them, and the group of its screens.
    """

    pair: str
    dimension: str
    group: str
    questions: dict[str, Question]

    @property
    def pages(self) -> set[str]:
        """Return the names of the pages that are shown."""
        return {question.page_name for question in self.questions.values()}

    @property
    def images(self) -> set[str]:
        """Return the hashes of all pictures that are shown."""
        return {sha for question in self.questions.values() for sha in question.images if sha}


class UsedScreens(msgspec.Struct, frozen=True):
    """Hold the screens that an earlier step has seen: names of pages, and hashes of pictures."""

    pages: frozenset[str] = frozenset()
    images: frozenset[str] = frozenset()

    def with_items(self, items: Iterable[ParallelItem]) -> UsedScreens:
        """Return these and those that items show."""
        found = tuple(items)
        return UsedScreens(
            self.pages.union(*(item.pages for item in found)),
            self.images.union(*(item.images for item in found)),
        )

    def meets(self, item: ParallelItem) -> bool:
        """Tell whether an item shows one of them."""
        return not (self.pages.isdisjoint(item.pages) and self.images.isdisjoint(item.images))


def parallel_items(bench: Path, languages: Sequence[str] = ()) -> tuple[ParallelItem, ...]:
    """
    Return the items of a benchmark that are asked in English and in another language.

    ``languages`` are those that count, all where none is named. Raises InvalidInputError for a
    benchmark without any, or without one of the languages.
    """
    asked: defaultdict[str, dict[str, Question]] = defaultdict(dict)
    for question in read_questions(bench):
        if question.asks == "option" and question.sample == 1 and "shown" not in question.facts:
            asked[question.pair][_language(question)] = question
    there = sorted({language for found in asked.values() for language in found})
    for language in languages:
        if language not in there:
            raise InvalidInputError(
                f"questions in '{language}' in {bench}",
                found=f"those in {', '.join(there) or 'no language'}",
            )
    wanted = {ENGLISH, *(languages or there)}
    parts = {
        pair: {language: found[language] for language in sorted(wanted & found.keys())}
        for pair, found in asked.items()
    }
    kept = {pair: found for pair, found in parts.items() if ENGLISH in found and len(found) > 1}
    if not kept:
        raise InvalidInputError(
            f"questions with options in English and another language in {bench}",
            found="none",
            remedy="build or import a benchmark of several languages, see docs/multilingual.md",
        )
    bare = sum(not all(item.images) for found in kept.values() for item in found.values())
    if bare:
        raise InvalidInputError(
            f"a picture for each question in {bench}",
            found=f"none for {bare:,}",
            remedy="import the set again with --images FOLDER, where its pictures are",
        )
    groups = _groups(kept)
    return tuple(
        ParallelItem(pair, found[ENGLISH].cell.instruction, groups[pair], found)
        for pair, found in sorted(kept.items())
    )


def in_mode(items: Iterable[ParallelItem], reasoning: ReasoningMode) -> tuple[ParallelItem, ...]:
    """Return items whose questions are those of a reasoning mode, as ``surefoot run`` has them."""
    if reasoning == "off":
        return tuple(items)
    return tuple(
        msgspec.structs.replace(
            item,
            questions=dict(
                zip(item.questions, with_reasoning(item.questions.values()), strict=True)
            ),
        )
        for item in items
    )


def unused(items: Iterable[ParallelItem], used: UsedScreens) -> tuple[ParallelItem, ...]:
    """Return the items of groups that show no screen of those that are used."""
    found = tuple(items)
    taken = {item.group for item in found if used.meets(item)}
    return tuple(item for item in found if item.group not in taken)


def draw_items(items: Sequence[ParallelItem], share: float, seed: int) -> tuple[ParallelItem, ...]:
    """
    Return the items of a share of the groups, drawn by the seed; of one group at least.

    Raises InvalidInputError for a share that is none, and where there is nothing to draw from.
    """
    if not 0 < share <= 1:
        raise InvalidInputError("a share above 0 and up to 1", found=f"{share:g}")
    if not items:
        raise InvalidInputError(
            "items on screens that no earlier step has seen",
            found="none",
            remedy="leave screens over with a lower --share, or name another benchmark",
        )
    groups = sorted({item.group for item in items}, key=lambda name: digest([seed, "xli", name]))
    kept = set(groups[: max(1, round(share * len(groups)))])
    return tuple(item for item in items if item.group in kept)


def turn_of(
    question: Question,
    images: Callable[[str], bytes],
    *,
    messages: ChatMessages | None = None,
    chain: str = "",
) -> PromptTurn:
    """
    Return a question as ``surefoot run`` sends it, or with other ``messages``.

    A ``chain`` of reasoning stands behind the question's words.
    """
    messages_of_turn = messages or worded.messages(question)
    if chain:
        messages_of_turn = msgspec.structs.replace(
            messages_of_turn, user=f"{messages_of_turn.user}\n\n{chain}"
        )
    shown = tuple(images(sha) for sha in question.images if sha)
    labels = question.options if asks_letter(question) else ()
    return PromptTurn(messages_of_turn, shown, tuple(labels))


def _language(question: Question) -> str:
    return ENGLISH if question.cell.variant == ORIGINAL else question.cell.variant


def _groups(items: Mapping[str, Mapping[str, Question]]) -> dict[str, str]:
    """Return the group of each item: those that any page or picture leads to, by their first."""
    leader: dict[str, str] = {}

    def find(name: str) -> str:
        while leader.setdefault(name, name) != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name

    for pair, questions in sorted(items.items()):
        for question in questions.values():
            shown = (f"page {question.page_name}", *(f"image {sha}" for sha in question.images))
            for name in shown:
                if name != "image ":
                    first, second = sorted((find(f"item {pair}"), find(name)))
                    leader[second] = first
    return {pair: find(f"item {pair}") for pair in items}
