"""
A model in a folder of this machine, in Hugging Face's layout, run by transformers.
"""

from __future__ import annotations

from pathlib import Path

from surefoot.core.errors import InvalidInputError
from surefoot.models.backend import Backend, Options
from surefoot.models.weights.responder import WeightsResponder


def _open(rest: str, options: Options) -> WeightsResponder:
    if not rest:
        raise InvalidInputError(
            "hf:PATH with a model's folder", found="hf: alone", remedy="write hf:./Qwen2.5-VL-7B"
        )
    return WeightsResponder(Path(rest), options)


HF = Backend(
    name="hf",
    version=1,
    summary="a vision-language model in a folder, run here by transformers, on CPU or GPU",
    usage="hf:PATH",
    open=_open,
    checkable=True,
    several=True,
)
