"""
Instructions from a model that sees the picture, and what becomes of each.

After "Do GUI Grounders Truly Understand UI Elements?": a writer is shown each target, framed and
close, and asked for instructions by four identifiers, at three levels of specificity. What says
only where the target is goes back for a visual cue, which the judge has to see on the crop.

A phrase is read by rule and proven by the resolver where that can be. A judge is asked about what
no rule reads. On detected elements, on which less can be proven, it is also asked about what the
resolver does not prove but which, read leniently, fits the target alone. It is never told the
target, and overrules no resolver else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import msgspec

from surefoot.benchmarks.benchmark import (
    BuildOptions,
    Candidate,
    Fall,
    ImageStore,
    PageResult,
    Phrase,
    WrittenPages,
)
from surefoot.benchmarks.hardest import hardest
from surefoot.benchmarks.seeing.drafts import IDENTIFIERS, DraftReader, Need, PhraseDraft
from surefoot.benchmarks.seeing.pictures import SeeingRequest, ShownPicture, framed, spell
from surefoot.benchmarks.seeing.prompts import filled
from surefoot.benchmarks.seeing.replies import LEVELS, read_answer
from surefoot.benchmarks.seeing.sight import Sight
from surefoot.benchmarks.sensitivity_page import crop_of
from surefoot.benchmarks.sensitivity_parameters import parameters_of
from surefoot.benchmarks.writing import Chat
from surefoot.benchmarks.written import STAGE, PageScenes, in_views
from surefoot.core.canonical import canonical_json
from surefoot.core.instruction import Instruction

SMALL_PX: Final = 24.0  # a shorter side at scale 1, for appendix C
Replies: TypeAlias = Mapping[str, str]


def write_seeing(
    pages: Sequence[PageResult], sight: Sight, store: ImageStore, options: BuildOptions
) -> WrittenPages:
    """
    Have the hardest targets described by a model that sees them, and keep what is proven.

    Asked are English instructions about originals. Each request is made once. What the resolver
    proves is asked in every view in which it is proven again; what a judge vouches for, on the
    original alone. Screens that the writer calls dull are left out before (section 3.2).
    """
    pages = _lively(pages, sight, options)
    works = [
        _Page(page, {candidate.target for candidate in chosen}, sight, store, options)
        for page, chosen in zip(pages, hardest(pages, options), strict=True)
    ]
    steps: tuple[tuple[Need, Chat | None], ...] = (
        ("write", sight.write),
        ("judge", sight.judge),
        ("cue", sight.write),
        ("check", sight.judge),
        ("judge", sight.judge),
    )
    for need, chat in steps:
        if chat is None:
            continue
        requests = list(dict.fromkeys(text for work in works for text in work.requests(need)))
        replies = dict(zip(requests, chat(requests), strict=True))
        for work in works:
            work.take(need, replies)
    written = tuple(work.written() for work in works)
    return WrittenPages(written, tuple(phrase for work in works for phrase in work.phrases))


def _lively(pages: Sequence[PageResult], sight: Sight, options: BuildOptions) -> list[PageResult]:
    """Leave out the targets of screens that the writer calls dull; what it leaves open stays."""
    if not parameters_of(options.parameters).dull:
        return list(pages)
    asked = {
        page.page: spell(SeeingRequest((ShownPicture(page.screens[0].image),), sight.prompts.dull))
        for page in pages
        if page.candidates
    }
    requests = list(dict.fromkeys(asked.values()))
    replies = dict(zip(requests, sight.write(requests), strict=True))
    found = []
    for page in pages:
        verdict = read_answer(replies[asked[page.page]], "dull") if page.candidates else False
        falls = page.falls
        if verdict is True:
            falls += (
                Fall("targets", "on a screen that the writer calls dull", len(page.candidates)),
            )
        elif verdict:
            falls += (Fall(STAGE, f"does not say whether a screen is dull: {verdict}", 1),)
        left = () if verdict is True else page.candidates
        found.append(msgspec.structs.replace(page, candidates=left, falls=falls))
    return found


class _Page:
    """
    Hold what one page's targets share while its phrases are written and judged.

    Its pictures are decoded for each step anew, so that those of all pages need no memory.
    """

    def __init__(
        self,
        page: PageResult,
        targets: set[str],
        sight: Sight,
        store: ImageStore,
        options: BuildOptions,
    ) -> None:
        self.phrases: list[Phrase] = []
        self._page = page
        self._sight = sight
        self._options = options
        self._parameters = parameters_of(options.parameters)
        self._original = page.screens[0].id if page.screens else ""
        self._scenes = PageScenes(page, store)
        self._falls: Counter[tuple[str, str]] = Counter()
        self._drafts = [
            PhraseDraft(target=candidate.target, asked=asked, identifier=identifier, level=level)
            for candidate in page.candidates
            if candidate.target in targets
            for asked in self._asked(candidate)
            for identifier in IDENTIFIERS
            for level in LEVELS
        ]

    def _asked(self, candidate: Candidate) -> Iterator[Instruction]:
        """Yield the instruction whose action and value the writer is told, if it is English."""
        instructions = candidate.instructions.get(self._original, ())
        yield from [item for item in instructions if item.language == "en" and not item.wording][
            :1
        ]

    def requests(self, need: Need) -> list[str]:
        """Return what is to be asked for the drafts that need it."""
        wanted = [draft for draft in self._drafts if draft.needs == need]
        if not wanted:
            return []
        reader = self._reader()
        return [self._request(draft, reader) for draft in wanted]

    def take(self, need: Need, replies: Replies) -> None:
        """Take the replies in."""
        if not any(draft.needs == need for draft in self._drafts):
            return
        reader = self._reader()
        self._drafts = [
            reader.take(draft, replies[self._request(draft, reader)])
            if draft.needs == need
            else draft
            for draft in self._drafts
        ]

    def _reader(self) -> DraftReader:
        """Return what reads replies, on a scene that is not kept."""
        scene = self._scenes[self._original]
        self._scenes.clear()
        return DraftReader(scene, self._sight.judge_name if self._sight.judge else None)

    def _request(self, draft: PhraseDraft, reader: DraftReader) -> str:
        """Spell what is asked about a draft next."""
        scene, prompts = reader.scene, self._sight.prompts
        screen, element = scene.screen, scene.elements[scene.place[draft.target]]
        part = crop_of(screen, element.id, self._parameters)
        whole, close = framed(screen, element.box, part)
        if draft.needs == "judge":
            boxes = tuple(scene.elements[place].box for place in reader.marked)
            slots = {"instruction": draft.phrase, "count": str(len(boxes))}
            shown = (
                ShownPicture(screen.image),
                ShownPicture(screen.image, numbered=boxes),
            )
            return spell(SeeingRequest(shown, filled(prompts.judge, slots)))
        if draft.needs == "check":
            return spell(SeeingRequest((close,), filled(prompts.check, {"cue": draft.cue})))
        if draft.needs == "cue":
            words = filled(prompts.cue, {"instruction": draft.phrase})
        else:
            way = getattr(prompts.identifiers, draft.identifier)
            words = filled(prompts.write, {"task": _task(draft.asked), "identifier": way})
        return spell(SeeingRequest((whole, close), words))

    def written(self) -> PageResult:
        """Return the page's result with the phrases that were kept, counting all others."""
        by_target: dict[str, list[PhraseDraft]] = {}
        for draft in self._drafts:
            by_target.setdefault(draft.target, []).append(draft)
        candidates = tuple(
            self._candidate(candidate, by_target.get(candidate.target, ()))
            for candidate in self._page.candidates
        )
        falls = tuple(Fall(*key, count) for key, count in sorted(self._falls.items()))
        self._scenes.clear()
        return msgspec.structs.replace(
            self._page, candidates=candidates, falls=(*self._page.falls, *falls)
        )

    def _candidate(self, candidate: Candidate, drafts: Iterable[PhraseDraft]) -> Candidate:
        kept: list[Instruction] = []
        screen = self._page.screens[0]
        box = next(element.box for element in screen.elements if element.id == candidate.target)
        small = min(box.width, box.height) < SMALL_PX * screen.scale
        sized = f"targets {'under' if small else 'of at least'} {SMALL_PX:g} px"
        for draft in _once(candidate.instructions.get(self._original, ()), drafts):
            self._falls[STAGE, draft.fate] += 1
            self._falls[f"{STAGE}, {sized}", draft.fate] += 1
            self.phrases.append(self._phrase(draft))
            if draft.instruction is not None:
                kept.append(draft.instruction)
        if not kept:
            return candidate
        hidden = self._options.hidden_names
        views = in_views(candidate, kept, self._original, self._scenes, self._falls, hidden=hidden)
        return msgspec.structs.replace(candidate, instructions=views)

    def _phrase(self, draft: PhraseDraft) -> Phrase:
        kept = draft.instruction
        return Phrase(
            pair=f"{self._page.page}#{draft.target}",
            asked=f"{draft.identifier}, {draft.level}",
            phrase=draft.phrase,
            fate=draft.fate,
            detail=draft.detail,
            proof="" if kept is None else kept.proof or "resolver",
            loose=draft.loose,
            before=draft.before,
            cue=draft.cue,
        )


def _task(asked: Instruction) -> str:
    """Say what is to be done with the target."""
    match asked.action:
        case "type":
            return f"type '{asked.value}' into the framed element"
        case "select":
            return f"select '{asked.value}' in the framed element"
    return "click the framed element"


def _once(
    instructions: Sequence[Instruction], drafts: Iterable[PhraseDraft]
) -> Iterator[PhraseDraft]:
    """Yield the drafts, but keep no words that were said before, and no read meaning twice."""
    words = {instruction.text.casefold() for instruction in instructions}
    meanings: set[bytes] = set()
    for draft in drafts:
        kept = draft.instruction
        if kept is None:
            yield draft
            continue
        text = kept.text.casefold()
        meaning = b"" if kept.proof else canonical_json(kept.expression)
        if text in words or meaning in meanings:
            yield draft.dropped("said before")
            continue
        yield draft
        words.add(text)
        meanings |= {meaning} - {b""}
