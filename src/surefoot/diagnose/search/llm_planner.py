"""
A language model as the planner: it proposes, the resolver disposes.

The model is shown the screen, the element, what else is there, and what has been tried; it
proposes expressions as JSON, each with a reason. One is asked only if it is an expression, and
proven to mean the element alone. Its replies go through the ledger, so that a diagnosis replays.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from importlib import resources
from typing import Final

import msgspec

from surefoot.core.canonical import canonical_json, digest, record_json
from surefoot.core.instruction import Expression
from surefoot.core.ledger import Failure, Ledger
from surefoot.core.question import Question
from surefoot.diagnose.features.vocabulary import words_of
from surefoot.diagnose.search.arms import Arm, ArmResult, Plan, Pool, Subject
from surefoot.diagnose.search.bandit import Bandit
from surefoot.diagnose.search.planning import Planner
from surefoot.models.format import ChatMessages
from surefoot.models.model import Request, Responder
from surefoot.models.reading import writable
from surefoot.refer.read.read_back import read_back
from surefoot.refer.resolve.sizes import size_of
from surefoot.refer.scene.scenes import Scenes
from surefoot.run.engine.outcome import record_of

MAX_TOKENS: Final = 2000
PROPOSED: Final = 6  # asked for in one reply, since most of them fall at the proof
OTHERS: Final = 60  # elements that are listed
LEARNED: Final = 5  # of what failed most that are told
LONGEST: Final = 2000  # characters of one proposal
LONGEST_REASON: Final = 300
_FIELDS: Final = frozenset(Expression.__struct_fields__)

_SYSTEM: Final = (
    resources.files("surefoot.diagnose.search").joinpath("planner.txt").read_text("utf-8")
)


class _Item(msgspec.Struct, frozen=True):
    expression: dict[str, object] | None = None
    text: str = ""
    why: str = ""


class Proposal(msgspec.Struct, frozen=True):
    """Hold an expression that a reply proposes, and its reason in the reply's words."""

    expression: Expression
    why: str = ""


class LlmPlanner(Planner):
    """
    Ask a model of the registry for expressions, and keep what is proven.

    ``images`` returns a picture's bytes by hash. ``asked`` and ``kept`` count proposals,
    ``unread`` are requests whose record is no reply.
    Raises ModelError where the planner's server gives no reply.
    """

    def __init__(
        self,
        responder: Responder,
        pool: Pool,
        scenes: Scenes,
        images: Callable[[str], bytes],
        ledger: Ledger,
    ) -> None:
        self._responder = responder
        self._pool = pool
        self._scenes = scenes
        self._images = images
        self._ledger = ledger
        self._bandit = Bandit()
        self.asked = 0
        self.kept = 0
        self.unread: list[Failure] = []

    async def plan(
        self, subject: Subject, left: Sequence[Arm], tried: Sequence[ArmResult], count: int
    ) -> Plan:
        """
        Return what the model proposes and the resolver proves, new instructions alone.

        Where nothing of it holds, the cheapest that are left are asked instead.
        """
        about = [*(result.arm for result in tried), *left]
        reply = await self._reply(subject, tried, about[0].question) if about else ""
        proposals = read_proposals(reply)
        self.asked += len(proposals)
        seen = {result.arm.question.id for result in tried}
        found: list[tuple[Arm, str]] = []
        for proposal in proposals:
            arm = self._pool.arm(subject, proposal.expression)
            if arm is not None and arm.question.id not in seen:
                seen.add(arm.question.id)
                found.append((arm, proposal.why))
        self.kept += len(found)
        arms = tuple(arm for arm, _ in found[:count])
        reasons = dict.fromkeys(why for _, why in found[:count] if why)
        if arms:
            return Plan(arms, why="; ".join(reasons) or "no reason was given")
        arms = tuple(left[:count])
        why = "the cheapest, as nothing new was proposed that holds" if arms else "nothing is left"
        return Plan(arms, why=why)

    def learn(self, answers: Sequence[ArmResult]) -> None:
        """Learn which features fail, of which later requests tell."""
        self._bandit.learn(
            (answer.arm.features, answer.failed) for answer in answers if answer.answered
        )

    def _learned(self) -> list[str]:
        """Say what fails most so far, about all elements: weights surely above nothing."""
        weights = self._bandit.weights().items() if self._bandit.known else ()
        sure = [(-mean, name) for name, (mean, spread) in weights if mean > spread]
        return [f"- {words_of(name)}" for _, name in sorted(sure)[:LEARNED]]

    async def _reply(self, subject: Subject, tried: Sequence[ArmResult], about: Question) -> str:
        screen = self._scenes.scene(subject.screen).screen
        user = self._words(subject, tried)
        key = digest({"planner": self._responder.identity(), "system": _SYSTEM, "user": user})
        if key not in self._ledger.finished():
            request = Request(
                question=msgspec.structs.replace(about, screen=screen.id, image=screen.image),
                image=self._images(screen.image),
                messages=ChatMessages(system=_SYSTEM, user=user),
                max_tokens=MAX_TOKENS,
            )
            reply = await self._responder.reply(request)
            text = writable(reply.text)
            self._ledger.done(key, record_json(text, str, what="a planner's reply"))
        failure_or_reply = record_of(key, self._ledger.payload(key), str)
        if isinstance(failure_or_reply, Failure):
            self.unread.append(failure_or_reply)
            return ""
        return failure_or_reply

    def _words(self, subject: Subject, tried: Sequence[ArmResult]) -> str:
        screen = self._scenes.scene(subject.screen).screen
        target = screen.element(subject.target)
        others = [
            _line(element.role, element.name, element.box.as_tuple())
            for element in screen.elements
        ]
        history = [
            f"- {result.arm.question.instruction.text}"
            f" ({'failed' if result.failed else 'too easy'})"
            for result in tried
        ]
        learned = self._learned()
        name = "" if target is None else target.name
        box = (0.0, 0.0, 0.0, 0.0) if target is None else target.box.as_tuple()
        return "\n".join([
            f"The picture is {screen.width} x {screen.height} pixels. The element:",
            _line(subject.role, name, box),
            "What is on the screen (role, name, left, top, right, bottom):",
            *others[:OTHERS],
            "Tried so far:",
            *(history or ["- nothing"]),
            *(["What failed most so far, about all elements:", *learned] if learned else ()),
            f"Propose {PROPOSED} new ones that are harder than those that were too easy.",
        ])  # fmt: skip


def read_proposals(reply: str) -> list[Proposal]:
    """
    Read the expressions that a reply proposes, smallest first; what is none is left out.

    The array may stand among other words.

    >>> found = read_proposals('Try [{"expression": {"role": "tab"}}, {"text": "Hi"}, 7]')
    >>> [item.expression.role for item in found]
    ['tab']
    """
    begin, end = reply.find("["), reply.rfind("]")
    try:
        items = json.loads(reply[begin : end + 1]) if 0 <= begin < end else []
    except (ValueError, RecursionError):
        return []
    found = [_proposal(item) for item in items if len(str(item)) <= LONGEST]
    kept: dict[bytes, Proposal] = {}
    for proposal in found:
        if proposal is not None:
            kept.setdefault(canonical_json(proposal.expression), proposal)
    return [
        kept[key] for key in sorted(kept, key=lambda key: (size_of(kept[key].expression), key))
    ]


def _proposal(item: object) -> Proposal | None:
    try:
        given = msgspec.convert(item, _Item)
        if given.expression is not None:
            found = _strictly(given.expression)
        else:
            found = read_back(given.text).expression if given.text else None
        canonical_json(found)  # half a letter can be read, and written nowhere
    except (ValueError, RecursionError):
        return None
    why = " ".join(writable(given.why).split())[:LONGEST_REASON]
    return None if found is None else Proposal(found, why)


def _strictly(fields: dict[str, object]) -> Expression | None:
    """Read an expression; a field that it does not have makes it none."""
    for item in (fields, fields.get("landmark"), fields.get("second"), fields.get("container")):
        if isinstance(item, dict) and not item.keys() <= _FIELDS:
            return None
    found = msgspec.convert(fields, Expression)
    return found if found != Expression() else None


def _line(role: str, name: str, box: tuple[float, float, float, float]) -> str:
    return f"- {role} '{name[:60]}' {' '.join(f'{side:.0f}' for side in box)}"
