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
from typing import Final, Literal, TypeAlias, get_args

import msgspec
import numpy as np

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
from surefoot.benchmarks.seeing.pictures import SeeingRequest, ShownPicture, framed, spell
from surefoot.benchmarks.seeing.prompts import filled
from surefoot.benchmarks.seeing.replies import (
    LEVELS,
    read_cue,
    read_judged,
    read_seen,
    read_written,
)
from surefoot.benchmarks.seeing.sight import Sight
from surefoot.benchmarks.sensitivity_page import crop_of
from surefoot.benchmarks.sensitivity_parameters import parameters_of
from surefoot.benchmarks.writing import Chat, Fate, judged
from surefoot.benchmarks.written import STAGE, PageScenes, in_views
from surefoot.core.canonical import canonical_json
from surefoot.core.instruction import Expression, Instruction, InstructionKind, Specificity
from surefoot.refer.generate.generate import name_visible
from surefoot.refer.read.free_parse import free_parse
from surefoot.refer.resolve.resolve import fits
from surefoot.refer.resolve.things import outermost, same_thing
from surefoot.refer.say.kinds import kind_of, specificity_of
from surefoot.refer.scene.roles import TARGETS
from surefoot.refer.scene.scene import Scene

__all__ = ["IDENTIFIERS", "JUDGED", "Identifier", "is_relative_only", "write_seeing"]

Identifier: TypeAlias = Literal["appearance", "location", "function", "text"]
IDENTIFIERS: Final[tuple[Identifier, ...]] = get_args(Identifier)
JUDGED: Final = "judged"  # the wording of what a judge alone vouches for
_KINDS: Final[Mapping[Identifier, InstructionKind]] = {
    "appearance": "visual",
    "location": "relational",
    "function": "functional",
    "text": "direct",
}
_Need: TypeAlias = Literal["", "write", "judge", "cue", "check"]
Replies: TypeAlias = Mapping[str, str]


class _Draft(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold one phrase on its way: what it ``needs`` next, "" once its fate is known.

    ``before`` is what was said before the visual ``cue`` was put in; ``loose`` counts the
    elements that it fits leniently, None where nobody counted them.
    """

    candidate: Candidate
    asked: Instruction
    identifier: Identifier
    level: Specificity
    phrase: str = ""
    before: str = ""
    cue: str = ""
    needs: _Need = "write"
    fate: Fate = "none written"
    detail: str = ""
    loose: int | None = None
    instruction: Instruction | None = None

    def dropped(self, fate: Fate, detail: str = "") -> _Draft:
        return msgspec.structs.replace(self, needs="", fate=fate, detail=detail, instruction=None)


def is_relative_only(expression: Expression) -> bool:
    """
    Tell whether an expression says nothing of the target but where it is, seen from another.

    A role says too little to be a visual cue.

    >>> below = Expression(role="button", direction="below", landmark=Expression(text="Total"))
    >>> is_relative_only(below), is_relative_only(msgspec.structs.replace(below, colour="red"))
    (True, False)
    """
    where = ("role", "direction", "landmark", "relation", "second")
    bare = msgspec.structs.replace(
        Expression(), **{part: getattr(expression, part) for part in where}
    )
    return expression.landmark is not None and expression == bare


def write_seeing(
    pages: Sequence[PageResult], sight: Sight, store: ImageStore, options: BuildOptions
) -> WrittenPages:
    """
    Have the hardest targets described by a model that sees them, and keep what is proven.

    Asked are English instructions about originals. Each request is made once. What the resolver
    proves is asked in every view in which it is proven again; what a judge vouches for, on the
    original alone.
    """
    works = [
        _Page(page, {candidate.target for candidate in chosen}, sight, store, options)
        for page, chosen in zip(pages, hardest(pages, options), strict=True)
    ]
    steps: tuple[tuple[_Need, Chat | None], ...] = (
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
        self._numbered: list[int] | None = None
        self._drafts = [
            _Draft(candidate=candidate, asked=asked, identifier=identifier, level=level)
            for candidate in page.candidates
            if candidate.target in targets
            for asked in self._asked(candidate)
            for identifier in IDENTIFIERS
            for level in LEVELS
        ]

    def _asked(self, candidate: Candidate) -> Iterator[Instruction]:
        """Yield the instruction whose action and value the writer is told, if it is English."""
        said = candidate.instructions.get(self._original, ())
        yield from [item for item in said if item.language == "en" and not item.wording][:1]

    @property
    def _scene(self) -> Scene:
        return self._scenes[self._original]

    def requests(self, need: _Need) -> list[str]:
        """Return what is to be asked for the drafts that need it."""
        found = [self._request(draft) for draft in self._drafts if draft.needs == need]
        self._scenes.clear()
        return found

    def take(self, need: _Need, replies: Replies) -> None:
        """Take the replies in."""
        read = {
            "write": self._written,
            "judge": self._judged,
            "cue": self._cued,
            "check": self._checked,
        }[need]
        self._drafts = [
            read(draft, replies[self._request(draft)]) if draft.needs == need else draft
            for draft in self._drafts
        ]
        self._scenes.clear()

    def _request(self, draft: _Draft) -> str:
        """Spell what is asked about a draft next."""
        screen, prompts = self._scene.screen, self._sight.prompts
        element = self._scene.elements[self._scene.place[draft.candidate.target]]
        part = crop_of(screen, element.id, self._parameters)
        whole, close = framed(screen, element.box, part)
        if draft.needs == "judge":
            boxes = tuple(self._scene.elements[place].box for place in self._marked())
            said = {"instruction": draft.phrase, "count": str(len(boxes))}
            shown = (
                ShownPicture(screen.image),
                ShownPicture(screen.image, numbered=boxes),
            )
            return spell(SeeingRequest(shown, filled(prompts.judge, said)))
        if draft.needs == "check":
            return spell(SeeingRequest((close,), filled(prompts.check, {"cue": draft.cue})))
        if draft.needs == "cue":
            words = filled(prompts.cue, {"instruction": draft.phrase})
        else:
            way = getattr(prompts.identifiers, draft.identifier)
            words = filled(prompts.write, {"task": _task(draft.asked), "identifier": way})
        return spell(SeeingRequest((whole, close), words))

    def _marked(self) -> list[int]:
        """Return the places of the elements that a judge sees numbered, one for each thing."""
        if self._numbered is None:
            scene = self._scene
            guessed = bool(scene.screen.guessed_by)
            seen = [
                place
                for place in np.flatnonzero(scene.glimpsed).tolist()
                if scene.elements[place].role in TARGETS
                or (guessed and scene.elements[place].hits)
            ]
            self._numbered = outermost(scene, seen)
        return self._numbered

    def _written(self, draft: _Draft, reply: str) -> _Draft:
        if not reply:
            return draft.dropped("no reply")
        found = read_written(reply)
        if isinstance(found, str):
            return draft.dropped("unreadable", found)
        phrase = found[draft.level]
        if not phrase:
            return draft.dropped("none written")
        return self._read(msgspec.structs.replace(draft, phrase=phrase))

    def _read(self, draft: _Draft) -> _Draft:
        """Read a phrase by rule, and say what it needs next."""
        found = judged(draft.asked, draft.phrase, self._scene)
        read = free_parse(draft.phrase)
        if read is not None and found.fate in ("kept", "not proven"):
            if is_relative_only(read.expression):
                if draft.cue:
                    return draft.dropped("no visual cue", "it still says only where")
                return msgspec.structs.replace(draft, needs="cue")
            loose = self._loosely(read.expression)
            draft = msgspec.structs.replace(draft, loose=len(loose))
            bare = bool(self._scene.screen.guessed_by)
            if found.fate == "not proven" and bare and self._alone(draft, loose):
                return self._to_judge(draft, found.fate, found.detail)
        if found.fate == "not understood":
            if draft.asked.value not in draft.phrase:
                return draft.dropped("another action", f"without '{draft.asked.value}'")
            return self._to_judge(draft, found.fate)
        if found.instruction is None:
            return draft.dropped(found.fate, found.detail)
        needs: _Need = "check" if draft.cue and self._sight.judge else ""
        return msgspec.structs.replace(
            draft, needs=needs, fate="kept", instruction=found.instruction
        )

    def _to_judge(self, draft: _Draft, fate: Fate, detail: str = "") -> _Draft:
        if self._sight.judge is None:
            return draft.dropped(fate, detail)
        needs: _Need = "check" if draft.cue else "judge"
        return msgspec.structs.replace(draft, needs=needs)

    def _judged(self, draft: _Draft, reply: str) -> _Draft:
        marked = self._marked()
        verdict = read_judged(reply, len(marked)) if reply else "no reply"
        if isinstance(verdict, str):
            return draft.dropped("not understood", f"judge: {verdict}")
        read = free_parse(draft.phrase)
        if verdict.relative and read is None:
            if draft.cue:
                return draft.dropped("no visual cue", "judge: it still says only where")
            return msgspec.structs.replace(draft, needs="cue")
        loose = [marked[number - 1] for number in verdict.fits]
        count = max(len(loose) + verdict.others, draft.loose or 0)
        draft = msgspec.structs.replace(draft, loose=count)
        meant = [] if verdict.means is None else [marked[verdict.means - 1]]
        if not self._alone(draft, meant):
            other = "another element" if meant else "none"
            return draft.dropped("not proven", f"judge: {other} is meant")
        if verdict.others or not self._alone(draft, loose):
            return draft.dropped("not proven", f"judge: {count} fit")
        known = read.expression if read is not None else None
        kept = msgspec.structs.replace(
            draft.asked,
            text=draft.phrase,
            kind=_KINDS[draft.identifier] if known is None else kind_of(known),
            specificity=draft.level if known is None else specificity_of(known),
            expression=Expression(),
            landmark="",
            name_visible=name_visible(self._scene, draft.candidate.target),
            wording=JUDGED,
            proof=f"judge {self._sight.judge_name}",
        )
        return msgspec.structs.replace(draft, needs="", fate="kept", instruction=kept)

    def _cued(self, draft: _Draft, reply: str) -> _Draft:
        found = read_cue(reply) if reply else "no reply"
        if isinstance(found, str):
            return draft.dropped("no visual cue", found)
        if found.instruction.casefold() == draft.phrase.casefold():
            return draft.dropped("no visual cue", "unchanged")
        return self._read(
            msgspec.structs.replace(
                draft, phrase=found.instruction, before=draft.phrase, cue=found.cue
            )
        )

    def _checked(self, draft: _Draft, reply: str) -> _Draft:
        seen = read_seen(reply) if reply else "no reply"
        if seen is not True:
            why = f"judge: {seen}" if isinstance(seen, str) else "judge: it is not seen"
            return draft.dropped("no visual cue", why)
        return msgspec.structs.replace(draft, needs="" if draft.instruction else "judge")

    def _loosely(self, expression: Expression) -> list[int]:
        """Return the places of the things that an expression fits leniently."""
        scene = self._scene
        return outermost(scene, np.flatnonzero(fits(scene, expression, "lenient")).tolist())

    def _alone(self, draft: _Draft, places: Sequence[int]) -> bool:
        """Tell whether places are all the target, and there is one."""
        target = self._scene.place[draft.candidate.target]
        return bool(places) and all(same_thing(self._scene, target, place) for place in places)

    def written(self) -> PageResult:
        """Return the page's result with the phrases that were kept, counting all others."""
        by_target: dict[str, list[_Draft]] = {}
        for draft in self._drafts:
            by_target.setdefault(draft.candidate.target, []).append(draft)
        candidates = tuple(
            self._candidate(candidate, by_target.get(candidate.target, ()))
            for candidate in self._page.candidates
        )
        falls = tuple(Fall(*key, count) for key, count in sorted(self._falls.items()))
        self._scenes.clear()
        return msgspec.structs.replace(
            self._page, candidates=candidates, falls=(*self._page.falls, *falls)
        )

    def _candidate(self, candidate: Candidate, drafts: Iterable[_Draft]) -> Candidate:
        kept: list[Instruction] = []
        for draft in _once(candidate.instructions.get(self._original, ()), drafts):
            self._falls[STAGE, draft.fate] += 1
            self.phrases.append(self._phrase(draft))
            if draft.instruction is not None:
                kept.append(draft.instruction)
        if not kept:
            return candidate
        hidden = self._options.hidden_names
        views = in_views(candidate, kept, self._original, self._scenes, self._falls, hidden=hidden)
        return msgspec.structs.replace(candidate, instructions=views)

    def _phrase(self, draft: _Draft) -> Phrase:
        kept = draft.instruction
        return Phrase(
            pair=f"{self._page.page}#{draft.candidate.target}",
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


def _once(said: Sequence[Instruction], drafts: Iterable[_Draft]) -> Iterator[_Draft]:
    """Yield the drafts, but keep no words that were said before, and no read meaning twice."""
    words = {instruction.text.casefold() for instruction in said}
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
