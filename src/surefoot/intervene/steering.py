"""
What is added to a model's states, where, and how a model that can be steered is spoken to.

It knows no PyTorch: what a model is made of stays behind `Steerable`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, Protocol, TypeAlias, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from surefoot.core.errors import UnknownNameError
from surefoot.core.registry import suggest
from surefoot.models.format import ChatMessages
from surefoot.models.model import Reply

SingleFloats: TypeAlias = NDArray[np.float32]
InjectionPlace: TypeAlias = Literal["last-prompt", "first-token"]
PLACES: Final[tuple[InjectionPlace, ...]] = get_args(InjectionPlace)


class InjectedState(msgspec.Struct, frozen=True, array_like=True):
    """
    Hold the length of a state, that of what was added to it, and the turn in degrees.
    """

    length: float
    added: float
    angle: float


class PromptTurn(msgspec.Struct, frozen=True):
    """Hold what a model is sent: words, pictures as PNG bytes, and the labels it may reply."""

    messages: ChatMessages
    images: tuple[bytes, ...] = ()
    labels: tuple[str, ...] = ()


class Steering(msgspec.Struct, frozen=True):
    """
    Say what is added: at which decoder layer, how strongly, where, and which vectors.

    ``vectors`` takes states at the last position of the prompts, (rows, width), and returns as
    many vectors; it looks at each row by itself.
    """

    layer: int
    alpha: float
    at: InjectionPlace
    vectors: Callable[[SingleFloats], SingleFloats]


class SteeredReply(msgspec.Struct, frozen=True):
    """Hold a reply and what was added on its way, None where nothing was."""

    reply: Reply
    injected: InjectedState | None = None


class Steerable(Protocol):
    """
    Ask of a model that its states can be read and added to.

    ``layers`` is how many decoder layers it has; they are counted from 0.
    """

    @property
    def name(self) -> str:
        """Return the model's name."""

    @property
    def layers(self) -> int:
        """Return how many decoder layers there are."""

    def identity(self) -> dict[str, object]:
        """Return all that determines states and replies."""

    def states(self, turns: Sequence[PromptTurn], layers: Sequence[int]) -> SingleFloats:
        """Return the states at the last position of each prompt: (turns, layers, width)."""

    def replies(
        self, turns: Sequence[PromptTurn], *, max_tokens: int, steering: Steering | None = None
    ) -> list[SteeredReply]:
        """Return the likeliest reply to each turn, all of them in one batch."""


def require_place(name: str) -> InjectionPlace:
    """Return a place by its name; raises UnknownNameError."""
    for place in PLACES:
        if place == name:
            return place
    raise UnknownNameError(
        "a place to inject at", found=f"'{name}'", remedy=suggest(name, list(PLACES))
    )


def kept_length(states: SingleFloats, steps: SingleFloats) -> SingleFloats:
    """
    Return states with steps added and their lengths as before, as the hook does.

    >>> east, north = (np.array([side], np.float32) for side in ([3, 0], [0, 3]))
    >>> kept_length(east, north).round(3).tolist()
    [[2.121000051498413, 2.121000051498413]]
    """
    moved = states + steps
    before = np.linalg.norm(states, axis=-1, keepdims=True)
    after = np.linalg.norm(moved, axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = moved * (before / after)
    return np.where(after > 0, scaled, states).astype(np.float32)
