"""
A model in memory as what can be steered: its states are read, and added to, by hooks.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image

from surefoot.core.errors import InvalidInputError, SurefootError
from surefoot.core.pictures import opened
from surefoot.intervene.hook import injected, recorded
from surefoot.intervene.steering import (
    InjectedState,
    PromptTurn,
    SingleFloats,
    SteeredReply,
    Steering,
)
from surefoot.models.model import Reply
from surefoot.models.weights.folder import fingerprint
from surefoot.models.weights.generating import Chat, generate
from surefoot.models.weights.loading import LocalModel, decoder_layers, load

_BACKEND = "hf"


class LocalSteerable:
    """Read and add to the states of a model in memory; ``weights`` names its files' contents."""

    def __init__(self, local: LocalModel, weights: str) -> None:
        self._local = local
        self._weights = weights
        self._layers = list(decoder_layers(local.model))

    @property
    def name(self) -> str:
        """Return the name of the model's folder."""
        return self._local.name

    @property
    def layers(self) -> int:
        """Return how many decoder layers there are."""
        return len(self._layers)

    def identity(self) -> dict[str, object]:
        """Return the files' fingerprint, and what the numbers are computed in."""
        return {
            "backend": _BACKEND,
            "weights": self._weights,
            "dtype": self._local.dtype,
            "device": self._local.device,
        }

    def states(self, turns: Sequence[PromptTurn], layers: Sequence[int]) -> SingleFloats:
        """Return the states at the last position of each prompt: (turns, layers, width)."""
        with recorded([self._layer(number) for number in layers]) as found:
            generate(self._local, [_chat(turn) for turn in turns], max_tokens=1)
        stacked = torch.stack([torch.cat(parts) for parts in found], dim=1).numpy()
        if len(stacked) != len(turns):  # halves were asked where the whole had no room
            raise SurefootError(
                f"memory for {len(turns)} prompts at once", found="less", remedy="lower --batch"
            )
        return np.asarray(stacked, np.float32)

    def replies(
        self, turns: Sequence[PromptTurn], *, max_tokens: int, steering: Steering | None = None
    ) -> list[SteeredReply]:
        """Return the likeliest reply to each turn, all of them in one batch."""
        labels = sorted({label for turn in turns for label in turn.labels})
        injected: list[InjectedState] = []
        with self._steered(steering, injected):
            generated = generate(
                self._local, [_chat(turn) for turn in turns], max_tokens=max_tokens, labels=labels
            )
        rows = injected if len(injected) == len(turns) else [None] * len(turns)
        return [
            SteeredReply(Reply(item.text, item.usage, item.tokens, item.cut), row)
            for item, row in zip(generated, rows, strict=True)
        ]

    @contextlib.contextmanager
    def _steered(self, steering: Steering | None, all_states: list[InjectedState]) -> Any:  # noqa: ANN401
        if steering is None:
            yield
            return

        def directions(states: Any) -> Any:  # noqa: ANN401 - tensors
            return torch.from_numpy(steering.vectors(states.cpu().numpy()))

        layer = self._layer(steering.layer)
        with injected(layer, directions, alpha=steering.alpha, at=steering.at) as rows:
            yield
        all_states += rows

    def _layer(self, number: int) -> Any:  # noqa: ANN401 - a module
        if not 0 <= number < self.layers:
            raise InvalidInputError(
                f"a decoder layer of {self.name}, 0 to {self.layers - 1}", found=str(number)
            )
        return self._layers[number]


def open_steerable(model: str, *, device: str = "auto", dtype: str = "auto") -> LocalSteerable:
    """
    Load what ``model`` names, "hf:PATH" or a path; raises as ``loading.load`` does.
    """
    path = Path(model.removeprefix(f"{_BACKEND}:"))
    return LocalSteerable(load(path, device=device, dtype=dtype), fingerprint(path))


def _chat(turn: PromptTurn) -> Chat:
    return Chat(turn.messages, tuple(map(_opened, turn.images)))


def _opened(image: bytes) -> Image.Image:
    try:
        return opened(image)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise InvalidInputError("a picture", found=f"{error}") from error
