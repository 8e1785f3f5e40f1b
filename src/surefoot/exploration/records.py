"""
What exploring found: states with the actions that lead to them, and what every action did.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from surefoot.capture.actions import Action

EffectKind: TypeAlias = Literal[
    "nothing", "page", "dialog", "menu", "switch", "shows", "hides", "reorders", "changes"
]


class ActionEffect(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Say what an action did, by the difference of the screens before and after it.

    "page" is another page, "dialog" and "menu" opened, "switch" changed the state of what was
    acted on and nothing else, "shows" and "hides" brought or took elements, "reorders" put the
    same elements in another order, "changes" did several of these. ``title`` is that of the
    page or the dialog; ``appeared`` and ``vanished`` are names of what a person can act on, in
    the screen's order; ``gained`` and ``lost`` are states of the element acted on.
    """

    kind: EffectKind
    title: str = ""
    appeared: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


class ExploredState(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Name a state that came back when its path was gone again.

    ``spec`` opens it; ``page`` is its name, ``screen`` the id of its screen. ``digest`` tells
    it from the site's other states. An entry page is a state without actions.
    """

    page: str
    spec: str
    site: str
    screen: str
    digest: str
    title: str = ""
    actions: tuple[Action, ...] = ()


class Transition(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Record that actions were done in a state, and what became of it.

    ``role`` and ``name`` are those of the element that the first action names. ``result`` is
    the page of the state that they led to, "" where it is none that is kept; ``effect`` is None
    where that could not be seen, or was not seen again. ``reason`` says why the state is not
    kept ("" where it is), ``found`` in more words.
    """

    site: str
    state: str
    actions: tuple[Action, ...]
    role: str
    name: str
    result: str = ""
    effect: ActionEffect | None = None
    reason: str = ""
    found: str = ""


class ExploredTrial(msgspec.Struct, frozen=True):
    """Name, by what opens it, what is carried out beside the states to compare effects."""

    spec: str
