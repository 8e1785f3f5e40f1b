"""
Write the letter, the résumé, the e-mails or the notes that a person would hand over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from surefoot.core.errors import UnknownNameError
from surefoot.core.registry import suggest
from surefoot.core.seeds import random_source
from surefoot.forms.instance import Instance, OtherSpan, TaskDocument, ValueSpan
from surefoot.forms.letters.blocks import Block, blocks_of
from surefoot.forms.letters.pieces import Piece
from surefoot.forms.letters.tables import DocumentFrame, frames, paper_kinds
from surefoot.forms.letters.verifying import verify
from surefoot.forms.specification import LANGUAGES, Field, Form, said

_SIGNED: Final = 0.5
_MAILS: Final = (2, 3, 4)
_ANSWERED: Final = 0.6
_RULE: Final = "\n\n---\n\n"
_ATTEMPTS: Final = 10

Layout: TypeAlias = Callable[[Form, Sequence[Block], TaskDocument, Random], Iterator[Piece]]
"""
Yield the pieces of a document in order; those of no field are the words around values.
"""
Sort: TypeAlias = Literal["letter", "resume", "thread", "notes", "circular"]
Level: TypeAlias = Literal["labelled", "paraphrased", "derived"]
KINDS: Final[tuple[Sort, ...]] = get_args(Sort)
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
USUAL: Final[Level] = "paraphrased"
"""
The level of what is handed over where nothing else is asked for: a letter, as in the paper.
"""


def _letter(
    form: Form, blocks: Sequence[Block], document: TaskDocument, random: Random
) -> Iterator[Piece]:
    language = document.language
    frame = frames(language).letter
    name = _writer(form, "person.full_name") if document.level != "labelled" else None
    signed, kept = _taken(blocks, name) if random.random() < _SIGNED else (None, blocks)
    greeting = random.choice(frame.greetings)
    yield _words(f"{greeting}\n\n{_opening(frame, form, language, random)}\n\n")
    late = [block for block in kept if block.heading == "correction"]
    yield from _body([block for block in kept if block not in late], frame, language, random)
    yield _words(f"\n\n{random.choice(frame.closings)}\n")
    if signed is not None:
        yield Piece(signed.field, "", signed.surface, "\n")
    if late:
        yield _words(f"\n{frame.postscript} ")
        yield from _body(late, frame, language, random)
        yield _words("\n")


def _thread(
    form: Form, blocks: Sequence[Block], document: TaskDocument, random: Random
) -> Iterator[Piece]:
    """Spread the blocks over two to four e-mails, the other side's short replies between."""
    language = document.language
    frame, title = frames(language).thread, said(form.title, language)
    subject = f"{frame.subject}{frames(language).mark}"
    sender, kept = _taken(blocks, _writer(form, "person.full_name"))
    address, kept = _taken(kept, _writer(form, "person.email"))
    count = min(random.choice(_MAILS), len(kept))
    yield from _header(sender, address, f"{frame.sender}{frames(language).mark}")
    for number in range(count):
        part = kept[number * len(kept) // count : (number + 1) * len(kept) // count]
        if number:
            reply = f"{_RULE}> {random.choice(frame.replies)}\n" if _answered(random) else _RULE
            yield _words(f"{reply.rstrip()}\n\n{subject}{frame.again_subject}: {title}\n\n")
        else:
            yield _words(f"{subject}{title}\n\n")
        again = random.choice(frame.again) if number else ""
        opening = again or _opening(frame, form, language, random)
        yield _words(f"{random.choice(frame.greetings)}\n\n{opening}\n\n")
        yield from _body(part, frame, language, random)
        yield _words(f"\n\n{random.choice(frame.closings)}")
    yield _words("\n")


def _notes(
    form: Form, blocks: Sequence[Block], document: TaskDocument, random: Random
) -> Iterator[Piece]:
    """List one note a line, however formal the level."""
    yield _words(_titled(frames(document.language).notes, form, document, random) + "\n")
    for block in blocks:
        yield _words("\n")
        yield from _bullets(block, document)


def _circular(
    form: Form, blocks: Sequence[Block], document: TaskDocument, random: Random
) -> Iterator[Piece]:
    """Write a form letter: what everybody is sent, and in it what applies and what does not."""
    frame = frames(document.language).circular
    opening = _titled(frame, form, document, random)
    yield _words(f"{random.choice(frame.greetings)}\n\n{opening}\n")
    for block in blocks:
        yield _words("\n")
        yield from _bullets(block, document)
    yield _words(f"\n{random.choice(frame.closings)}\n")


def _bullets(block: Block, document: TaskDocument) -> Iterator[Piece]:
    """Give each sentence a line, and those that go together one."""
    for place, piece in enumerate(block.pieces):
        goes_on = place + 1 < len(block.pieces) and block.pieces[place + 1].joined
        yield _words("" if piece.joined else "- ")
        yield piece if goes_on else _ended(piece, frames(document.language).stop)


def _resume(
    form: Form, blocks: Sequence[Block], document: TaskDocument, random: Random
) -> Iterator[Piece]:
    """Write Markdown: the name on top, a section for each heading, a bullet for each value."""
    frame, mark = frames(document.language).resume, frames(document.language).mark
    name, kept = _taken(blocks, _writer(form, "person.full_name"))
    if name is not None:
        label = f"# {frame.name}{mark}" if document.level == "labelled" else "# "
        yield Piece(name.field, label, name.surface, "\n\n")
    yield _words(_titled(frame, form, document, random) + "\n")
    heading = ""
    for block in sorted(kept, key=lambda item: list(frame.headings).index(item.heading)):
        if block.heading != heading:
            heading = block.heading
            yield _words(f"\n## {frame.headings[heading]}\n\n")
        if block.heading != "text":
            yield from _bullets(block, document)
            continue
        for piece in block.pieces:
            yield from _text(piece, "{intro}\n\n{value}")
            yield _words("\n\n")


LAYOUTS: Final[Mapping[str, Layout]] = {
    "letter": _letter,
    "thread": _thread,
    "notes": _notes,
    "resume": _resume,
    "circular": _circular,
}


def _words(text: str) -> Piece:
    return Piece("", text)


def _titled(frame: DocumentFrame, form: Form, document: TaskDocument, random: Random) -> str:
    return random.choice(frame.openings).replace("{title}", said(form.title, document.language))


def _opening(frame: DocumentFrame, form: Form, language: str, random: Random) -> str:
    opening = random.choice(frame.openings).replace("{title}", said(form.title, language))
    return opening[:1].upper() + opening[1:]


def _answered(random: Random) -> bool:
    return random.random() < _ANSWERED


def _body(
    blocks: Sequence[Block], frame: DocumentFrame, language: str, random: Random
) -> Iterator[Piece]:
    """Write blocks as paragraphs of sentences."""
    shape = random.choice(frame.texts or frames(language).letter.texts)
    for number, block in enumerate(blocks):
        yield _words("\n\n" if number else "")
        for place, piece in enumerate(block.pieces):
            yield _words(frames(language).gap if place and not piece.joined else "")
            yield from _text(piece, shape) if block.heading == "text" else [piece]


def _text(piece: Piece, shape: str) -> Iterator[Piece]:
    """Set a long text off from the words that lead up to it."""
    before, _, behind = shape.partition("{value}")
    lead = before.replace("{intro}", piece.before.rstrip())
    yield Piece(piece.field, lead, piece.surface, piece.behind + behind)


def _header(sender: Piece | None, address: Piece | None, lead: str) -> Iterator[Piece]:
    if sender is not None:
        yield Piece(sender.field, lead, sender.surface)
    if address is not None:
        before, behind = (" <", ">") if sender is not None else (lead, "")
        yield Piece(address.field, before, address.surface, behind)
    if sender is not None or address is not None:
        yield _words("\n")


def _ended(piece: Piece, stop: str) -> Piece:
    """End a note with its line, without the full stop of a sentence."""
    return msgspec.structs.replace(piece, behind=f"{piece.behind.removesuffix(stop)}\n")


def _writer(form: Form, fill: str) -> Field | None:
    """Return the first field of a kind that is about the writer, or None."""
    able = (field for field in form.fields if field.fill == fill)
    return next((item for item in able if item.about in paper_kinds().writers), None)


def _taken(blocks: Sequence[Block], field: Field | None) -> tuple[Piece | None, tuple[Block, ...]]:
    """Take the piece of a field out of its block, and drop a block left empty."""
    found: Piece | None = None
    kept: list[Block] = []
    for block in blocks:
        mine = [piece for piece in block.pieces if field is not None and piece.field == field.id]
        # What is said beside another value stays where that is.
        mine = [] if any(piece.other for piece in mine) else mine
        found = mine[0] if mine else found
        rest = tuple(piece for piece in block.pieces if piece not in mine)
        if any(item.field for item in rest):
            kept.append(Block(block.heading, rest))
    return found, tuple(kept)


def kinds_of(form: Form) -> tuple[Sort, ...]:
    """Return the kinds of document that suit a form: a résumé for a job, notes for a bug."""
    table = paper_kinds().kinds
    return msgspec.convert(table.get(form.id) or table["default"], tuple[Sort, ...])


def write_document(
    form: Form,
    instance: Instance,
    *,
    kind: Sort | None = None,
    level: Level,
    seed: int,
    language: str = "en",
) -> TaskDocument:
    """
    Write a document that says every value of an instance, with the span of each.

    The same arguments give the same characters. "labelled" says each value in running text
    with the field's English label, or a usual other one; "paraphrased" describes what it is
    and spells it in any form; "derived" takes two sentences to tell most values: a choice
    of two, a correction, what was until lately, or a fact that leaves one option. Without
    ``kind``, the seed chooses one that suits the form. What the verifier doubts is written
    anew, at most nine times. ``language`` is that of the sentences and of the labels, English
    where the form has no title in it; names, titles and long texts are the form's in all
    languages, since values are. Raises UnknownNameError for another kind, level or language.
    """
    _check("a kind of document", kind or KINDS[0], KINDS)
    _check("a level", level, LEVELS)
    _check("a language of papers", language, LANGUAGES)
    language = language if language in form.title else "en"
    uses = ["letters", form.id, str(instance.seed), str(instance.index), level]
    uses += [language] * (language != "en")
    able = kinds_of(form)
    chosen = random_source(seed, *uses, "kind").choice(able) if kind is None else kind
    empty = TaskDocument(kind=chosen, level=level, text="", spans=(), language=language)
    made = empty
    for attempt in range(_ATTEMPTS):
        made = _drafted(form, instance, empty, random_source(seed, *uses, chosen, str(attempt)))
        if not verify(form, instance, made):
            break
    return made


def _drafted(form: Form, instance: Instance, empty: TaskDocument, random: Random) -> TaskDocument:
    blocks = blocks_of(form, instance, empty, random)
    return _assembled(empty, LAYOUTS[empty.kind](form, blocks, empty, random))


def _check(what: str, name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        raise UnknownNameError(what, found=f"'{name}'", remedy=suggest(name, list(known)))


def _assembled(empty: TaskDocument, pieces: Iterable[Piece]) -> TaskDocument:
    """Join pieces into a text, and count where each value comes to stand."""
    text: list[str] = []
    spans: list[ValueSpan] = []
    others: list[OtherSpan] = []
    length = 0
    for piece in pieces:
        start = length + len(piece.before)
        end = start + len(piece.surface.text)
        if piece.other:
            others.append(OtherSpan(piece.field, start, end))
        elif piece.field:
            spans.append(ValueSpan(piece.field, start, end, piece.surface.how))
        text += [piece.before, piece.surface.text, piece.behind]
        length = end + len(piece.behind)
    return msgspec.structs.replace(
        empty, text="".join(text), spans=tuple(spans), others=tuple(others)
    )
