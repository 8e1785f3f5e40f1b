"""
One decoder layer whose output is changed at one position, once in each generation.

A state h becomes (h + alpha d) |h| / |h + alpha d|: it turns, and keeps its length. The arithmetic
is done in float32, whatever the model's own numbers are.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import torch

from surefoot.core.errors import InvalidInputError
from surefoot.intervene.steering import InjectedState, InjectionPlace, require_place

TensorDirections: TypeAlias = Callable[[Any], Any]


@contextlib.contextmanager
def injected(
    layer: Any,  # noqa: ANN401 - a module of the library
    directions: TensorDirections,
    *,
    alpha: float,
    at: InjectionPlace = "last-prompt",
) -> Iterator[list[InjectedState]]:
    """
    Add to a layer's output within a block, and yield a list that fills with what was added.

    ``directions`` takes the states at the last position of the prompts, (rows, width) in float32,
    and returns as many vectors. They are added at that position ("last-prompt"), whose state
    makes the first token, or at the step that takes in that token ("first-token"). Prompts are
    padded on the left and longer than one token. With ``alpha`` 0 nothing is touched. The list
    has one entry for each row of each generation, in their order.
    """
    hook = _Injecting(directions, alpha, require_place(at))
    # Before all others: what the library records by hooks of its own is then what was changed.
    handle = layer.register_forward_hook(hook, prepend=True)
    try:
        yield hook.injected
    finally:
        handle.remove()


@contextlib.contextmanager
def recorded(layers: list[Any]) -> Iterator[list[list[Any]]]:
    """
    Yield, for each layer, a list that fills with its states at the last position of prompts.

    Each is (rows, width) in float32, on the processor.
    """
    found: list[list[Any]] = [[] for _ in layers]
    with contextlib.ExitStack() as handles:
        for layer, kept in zip(layers, found, strict=True):
            handle = layer.register_forward_hook(_Recording(kept))
            handles.callback(handle.remove)
        yield found


def turned(states: Any, steps: Any) -> Any:  # noqa: ANN401 - tensors
    """
    Return states with steps added and their lengths as before, both (rows, width) in float32.

    A state that its step takes to zero stays as it is.
    """
    moved = states + steps
    before = states.norm(dim=-1, keepdim=True)
    after = moved.norm(dim=-1, keepdim=True)
    return torch.where(after > 0, moved * (before / after), states)


class _Injecting:
    def __init__(self, directions: TensorDirections, alpha: float, at: InjectionPlace) -> None:
        self._directions = directions
        self._alpha = alpha
        self._at = at
        self._vectors: Any = None
        self.injected: list[InjectedState] = []

    def __call__(self, module: Any, arguments: Any, output: Any) -> Any:  # noqa: ANN401, ARG002
        states = output[0] if isinstance(output, tuple) else output
        prompt = states.shape[1] > 1
        if prompt:
            self._vectors = self._asked(states[:, -1].detach().float()) if self._alpha else None
        if prompt != (self._at == "last-prompt") or self._vectors is None:
            return None
        vectors, self._vectors = self._vectors, None
        changed = self._changed(states, vectors)
        return (changed, *output[1:]) if isinstance(output, tuple) else changed

    def _asked(self, states: Any) -> Any:  # noqa: ANN401
        vectors = self._directions(states)
        if vectors.shape != states.shape:
            raise InvalidInputError(
                f"directions of the shape {tuple(states.shape)}", found=f"{tuple(vectors.shape)}"
            )
        return vectors.to(device=states.device, dtype=torch.float32)

    def _changed(self, states: Any, vectors: Any) -> Any:  # noqa: ANN401
        before = states[:, -1].float()
        steps = self._alpha * vectors
        after = turned(before, steps)
        cosine = torch.nn.functional.cosine_similarity(before, after, dim=-1).clamp(-1, 1)
        rows = zip(
            before.norm(dim=-1).tolist(),
            steps.norm(dim=-1).tolist(),
            torch.rad2deg(torch.acos(cosine)).tolist(),
            strict=True,
        )
        self.injected += [InjectedState(*row) for row in rows]
        changed = states.clone()
        changed[:, -1] = after.to(states.dtype)
        return changed


class _Recording:
    def __init__(self, kept: list[Any]) -> None:
        self._kept = kept

    def __call__(self, module: Any, arguments: Any, output: Any) -> None:  # noqa: ANN401, ARG002
        states = output[0] if isinstance(output, tuple) else output
        if states.shape[1] > 1:
            self._kept.append(states[:, -1].detach().float().cpu())
