"""
What becomes of a phrase that a model wrote of what it sees: read, judged, given a cue, or dropped.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias, get_args

import msgspec
import numpy as np

from surefoot.benchmarks.seeing.replies import read_answer, read_cue, read_judged, read_written
from surefoot.benchmarks.writing import Fate, judged
from surefoot.core.instruction import Expression, Instruction, InstructionKind, Specificity
from surefoot.refer.generate.generate import name_visible
from surefoot.refer.read.free_parse import free_parse
from surefoot.refer.resolve.resolve import fits
from surefoot.refer.resolve.things import outermost, same_thing
from surefoot.refer.say.kinds import kind_of, specificity_of
from surefoot.refer.scene.roles import TARGETS
from surefoot.refer.scene.scene import Scene

Identifier: TypeAlias = Literal["appearance", "location", "function", "text"]
IDENTIFIERS: Final[tuple[Identifier, ...]] = get_args(Identifier)
JUDGED: Final = "judged"  # the wording of what a judge alone vouches for
_KINDS: Final[Mapping[Identifier, InstructionKind]] = {
    "appearance": "visual",
    "location": "relational",
    "function": "functional",
    "text": "direct",
}
Need: TypeAlias = Literal["", "write", "judge", "cue", "check"]


class PhraseDraft(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold one phrase on its way: what it ``needs`` next, "" once its fate is known.

    ``before`` is what was said before the visual ``cue`` was put in; ``loose`` counts the
    elements that it fits leniently, None where nobody counted them.
    """

    target: str
    asked: Instruction
    identifier: Identifier
    level: Specificity
    phrase: str = ""
    before: str = ""
    cue: str = ""
    needs: Need = "write"
    fate: Fate = "none written"
    detail: str = ""
    loose: int | None = None
    instruction: Instruction | None = None

    def dropped(self, fate: Fate, detail: str = "") -> PhraseDraft:
        """Return the draft with the fate for which no instruction is made of it."""
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


class DraftReader:
    """
    Read the replies about a page's drafts, on the scene of its original.

    ``judge`` names the model that judges, None where nobody does.
    """

    def __init__(self, scene: Scene, judge: str | None) -> None:
        self.scene = scene
        self._judge = judge

    @functools.cached_property
    def marked(self) -> list[int]:
        """Return the places of the elements that a judge sees numbered, one for each thing."""
        scene = self.scene
        guessed = bool(scene.screen.guessed_by)
        seen = [
            place
            for place in np.flatnonzero(scene.glimpsed).tolist()
            if scene.elements[place].role in TARGETS or (guessed and scene.elements[place].hits)
        ]
        return outermost(scene, seen)

    def take(self, draft: PhraseDraft, reply: str) -> PhraseDraft:
        """Return a draft after the reply to what it needed, "" for none."""
        match draft.needs:
            case "write":
                return self._written(draft, reply)
            case "judge":
                return self._judged(draft, reply)
            case "cue":
                return self._cued(draft, reply)
            case "check":
                return self._checked(draft, reply)
            case "":
                return draft

    def _written(self, draft: PhraseDraft, reply: str) -> PhraseDraft:
        if not reply:
            return draft.dropped("no reply")
        found = read_written(reply)
        if isinstance(found, str):
            return draft.dropped("unreadable", found)
        phrase = found[draft.level]
        if not phrase:
            return draft.dropped("none written")
        return self._read(msgspec.structs.replace(draft, phrase=phrase))

    def _read(self, draft: PhraseDraft) -> PhraseDraft:
        """Read a phrase by rule, and say what it needs next."""
        found = judged(draft.asked, draft.phrase, self.scene)
        read = free_parse(draft.phrase)
        if read is not None and found.fate in ("kept", "not proven"):
            if is_relative_only(read.expression):
                if draft.cue:
                    return draft.dropped("no visual cue", "it still says only where")
                return msgspec.structs.replace(draft, needs="cue")
            loose = self._loosely(read.expression)
            draft = msgspec.structs.replace(draft, loose=len(loose))
            bare = bool(self.scene.screen.guessed_by)
            if found.fate == "not proven" and bare and self._alone(draft, loose):
                return self._to_judge(draft, found.fate, found.detail)
        if found.fate == "not understood":
            if draft.asked.value not in draft.phrase:
                return draft.dropped("another action", f"without '{draft.asked.value}'")
            return self._to_judge(draft, found.fate)
        if found.instruction is None:
            return draft.dropped(found.fate, found.detail)
        needs: Need = "check" if draft.cue and self._judge else ""
        return msgspec.structs.replace(
            draft, needs=needs, fate="kept", instruction=found.instruction
        )

    def _to_judge(self, draft: PhraseDraft, fate: Fate, detail: str = "") -> PhraseDraft:
        if self._judge is None:
            return draft.dropped(fate, detail)
        needs: Need = "check" if draft.cue else "judge"
        return msgspec.structs.replace(draft, needs=needs)

    def _judged(self, draft: PhraseDraft, reply: str) -> PhraseDraft:
        marked = self.marked
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
            name_visible=name_visible(self.scene, draft.target),
            wording=JUDGED,
            proof=f"judge {self._judge}",
        )
        return msgspec.structs.replace(draft, needs="", fate="kept", instruction=kept)

    def _cued(self, draft: PhraseDraft, reply: str) -> PhraseDraft:
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

    def _checked(self, draft: PhraseDraft, reply: str) -> PhraseDraft:
        seen = read_answer(reply, "seen") if reply else "no reply"
        if seen is not True:
            why = f"judge: {seen}" if isinstance(seen, str) else "judge: it is not seen"
            return draft.dropped("no visual cue", why)
        return msgspec.structs.replace(draft, needs="" if draft.instruction else "judge")

    def _loosely(self, expression: Expression) -> list[int]:
        """Return the places of the things that an expression fits leniently."""
        scene = self.scene
        return outermost(scene, np.flatnonzero(fits(scene, expression, "lenient")).tolist())

    def _alone(self, draft: PhraseDraft, places: Sequence[int]) -> bool:
        """Tell whether places are all the target, and there is one."""
        target = self.scene.place[draft.target]
        return bool(places) and all(same_thing(self.scene, target, place) for place in places)
