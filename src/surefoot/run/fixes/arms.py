"""
One page under fixes: it is rendered anew, and its controls are asked for again where they can be.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.benchmarks.benchmark import ImageStore, PageRenderer
from surefoot.capture.captured import ControlChange
from surefoot.core.edit import Edit
from surefoot.core.instruction import Instruction
from surefoot.core.pictures import pixels_of
from surefoot.core.screen import Screen
from surefoot.core.seeds import derive_seed
from surefoot.refer.generate.generate import check_target, direct, name_visible
from surefoot.refer.generate.hold import holds
from surefoot.refer.generate.speak import speak
from surefoot.refer.resolve.rejection import Rejection
from surefoot.refer.scene.scene import Scene
from surefoot.run.fixes.rules import ControlFacts, control_facts

ArmName: TypeAlias = Literal["fix", "elsewhere", "again"]
FIX: Final = "fix"
ELSEWHERE: Final = "elsewhere"
AGAIN: Final = "again"


class WantedAnswer(msgspec.Struct, frozen=True):
    """
    Name a control by its id, and what it is asked for by.

    Without an instruction it has another name since the fix, by which it is asked for.
    """

    element: str
    instruction: Instruction | None = None


class FixArm(msgspec.Struct, frozen=True):
    """
    State one rendering of a page: a fix at its controls, or the same one elsewhere.

    ``variant`` is the change that the page is under besides, and ``edits`` are of both.
    """

    page: str
    variant: str
    kind: str
    arm: ArmName
    edits: tuple[Edit, ...]
    wanted: tuple[WantedAnswer, ...]
    seed: int = 0

    @property
    def name(self) -> str:
        """Return what the rendered screen is called."""
        return f"{self.variant}+{self.kind}{'-elsewhere' * (self.arm == ELSEWHERE)}"


class AskedAgain(msgspec.Struct, frozen=True):
    """
    Hold how a control is asked for under an arm, or why it cannot be: "" where it can.

    ``facts`` are those with the fix, None under other arms and of what is not there any more.
    """

    element: str
    instruction: Instruction | None = None
    unaskable: str = ""
    facts: ControlFacts | None = None


class MendedPage(msgspec.Struct, frozen=True):
    """Hold one arm as it was rendered: its screen, what its edits came to, and what is asked."""

    page: str
    variant: str
    kind: str
    arm: ArmName
    screen: Screen
    changes: tuple[ControlChange, ...]
    asked: tuple[AskedAgain, ...]


def render_arm(
    arm: FixArm, original: Screen, renderer: PageRenderer, store: ImageStore
) -> MendedPage:
    """Render an arm of a page, and find out how its controls can be asked for there."""
    captured = renderer.render(original, arm.name, arm.edits)
    store.put(captured.png)
    pixels = pixels_of(captured.png)
    scene = Scene(captured.screen, pixels)
    measured = control_facts(captured.screen, pixels) if arm.arm == FIX else ()
    facts = {item.element: item for item in measured}
    return MendedPage(
        page=arm.page,
        variant=arm.variant,
        kind=arm.kind,
        arm=arm.arm,
        screen=captured.screen,
        changes=captured.changes,
        asked=tuple(
            msgspec.structs.replace(_asked(scene, wanted, arm), facts=facts.get(wanted.element))
            for wanted in arm.wanted
        ),
    )


def as_seen(scene: Scene, wanted: WantedAnswer) -> AskedAgain:
    """Return an instruction as it stands on a screen, or why it cannot be asked there."""
    if wanted.instruction is None:
        rejection = check_target(scene, wanted.element)
        return AskedAgain(wanted.element, None, rejection.reason if rejection else "")
    expression = wanted.instruction.expression
    rejection = holds(expression, wanted.element, scene, hidden_names=True)
    if rejection is not None:
        return AskedAgain(wanted.element, None, rejection.reason)
    seen = name_visible(scene, wanted.element)
    instruction = msgspec.structs.replace(wanted.instruction, name_visible=seen)
    return AskedAgain(wanted.element, instruction)


def _asked(scene: Scene, wanted: WantedAnswer, arm: FixArm) -> AskedAgain:
    if wanted.instruction is not None or arm.arm != FIX:
        return as_seen(scene, wanted)
    found = direct(scene, wanted.element, hidden_names=True)
    if isinstance(found, Rejection):
        return AskedAgain(wanted.element, None, found.reason)
    instruction = speak(
        found,
        scene.elements[scene.place[wanted.element]],
        scene,
        language="en",
        seed=derive_seed(arm.seed, "value", arm.page, wanted.element),
        name_visible=name_visible(scene, wanted.element),
    )
    if isinstance(instruction, Rejection):
        return AskedAgain(wanted.element, None, instruction.reason)
    return AskedAgain(wanted.element, instruction)
