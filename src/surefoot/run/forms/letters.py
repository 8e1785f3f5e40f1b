"""
Letters by a language model: asked for through a build's ledger, kept where they are proven.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.core.ledger import Ledger
from surefoot.forms.instance import TaskDocument
from surefoot.forms.letters.asking import Letter, WantedLetter, ask_documents, prompt_words
from surefoot.forms.letters.verifying import Doubt
from surefoot.forms.letters.writing import LEVELS, Level
from surefoot.models.model import TextChat
from surefoot.run.asking.writer import Writer, kept_words
from surefoot.run.engine.progress import Progress

if TYPE_CHECKING:
    from rich.console import Console


MAX_TOKENS: Final = 4096
LONGEST: Final = 40_000  # characters of a reply that are kept, reasoning and all


class AskedLetter(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Record what came of asking a model for one paper.

    ``replies`` counts those that came; where ``kept`` is false, ``doubts`` say what was
    wrong with the last one.
    """

    form: str
    index: int
    level: Level
    replies: int
    kept: bool
    doubts: tuple[Doubt, ...] = ()


class Letters(msgspec.Struct, frozen=True):
    """Hold, in the order in which they were asked for, the letters kept, and all records."""

    kept: list[TaskDocument | None]
    asked: list[AskedLetter]


def letter_writer(chat: TextChat) -> Writer:
    """Return a writer with room for letters."""
    return Writer(chat, words=prompt_words(), tokens=MAX_TOKENS, longest=LONGEST)


def ask_letters(
    wanted: Sequence[WantedLetter], writer: Writer, ledger: Ledger, console: Console | None = None
) -> Letters:
    """
    Return what came of each letter; replies come from the ledger where it has them.

    A prompt without a reply becomes a recorded failure. Raises SurefootError where the
    server cannot be reached, or refuses, before it gave any reply.
    """
    ask = writer.chat(ledger, console)

    def chat(prompts: Sequence[str]) -> Iterator[str]:
        replies = ask(prompts)
        with Progress("proving replies", console) as progress:
            progress.begin(total=len(replies), kept=0, failed=0)
            for reply in replies:
                yield reply
                progress.advance()

    letters = ask_documents(wanted, chat)
    asked = [_record(*pair) for pair in zip(wanted, letters, strict=True)]
    return Letters([letter.document for letter in letters], asked)


def letter_lines(name: str, asked: Sequence[AskedLetter]) -> Iterator[str]:
    """Say how many letters were kept, at each level, and why the others were not."""
    kept = sum(letter.kept for letter in asked)
    for level in ("", *LEVELS):
        found = [(entry.form, entry.kept) for entry in asked if level in ("", entry.level)]
        head = f"  {level}" if level else f"writer {name}"
        yield f"{head}: {kept_words(found, 'papers', 'forms')}"
    if kept < len(asked):
        silent = sum(not item.kept and not item.doubts for item in asked)
        whys = Counter(doubt.why for item in asked for doubt in item.doubts)
        parts = [f"{silent} no reply"] * bool(silent)
        parts += [f"{count} {why}" for why, count in whys.most_common()]
        yield f"  the grammar wrote the other {len(asked) - kept}: {', '.join(parts)}"


def _record(wanted: WantedLetter, letter: Letter) -> AskedLetter:
    name, index = wanted.instance.form, wanted.instance.index
    kept = letter.document is not None
    return AskedLetter(name, index, wanted.level, letter.replies, kept, letter.doubts)
