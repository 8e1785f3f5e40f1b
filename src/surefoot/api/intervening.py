"""
Interventions on models that run here: ``surefoot xli`` as functions.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.api.benches import Bench
from surefoot.api.options import AnyPath, console_for, listed
from surefoot.core.errors import InvalidInputError
from surefoot.core.extras import missing_package
from surefoot.run.engine.outcome import Outcome

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.intervene.picture import PlacedStates
    from surefoot.intervene.steering import Steerable


def build_xli(  # noqa: PLR0913 - one argument an option
    bench: AnyPath | Bench,
    *,
    model: str,
    out: AnyPath,
    languages: str | Iterable[str] = (),
    layers: str = "",
    share: float = 1 / 3,
    chains: AnyPath | None = None,
    seed: int = 0,
    batch: int = 8,
    device: str = "auto",
    dtype: str = "auto",
    progress: bool | Console = False,
) -> Outcome:
    """
    Read the states of a share of a multilingual benchmark's items: the memory.

    ``model`` is "hf:PATH"; ``layers`` such as "11-18" or "3,5", "" for all. Raises
    InvalidInputError for a benchmark without parallel questions.
    """
    from surefoot.intervene.memory import build_memory

    return build_memory(
        Path(bench),
        _opened(model, device, dtype),
        Path(out),
        languages=listed(languages),
        layers=_layers(layers),
        share=share,
        seed=seed,
        batch=batch,
        chains=Path(chains) if chains else None,
        console=console_for(progress),
    )


def search_xli(  # noqa: PLR0913 - one argument an option
    memory: AnyPath,
    bench: AnyPath | Bench,
    *,
    model: str,
    out: AnyPath,
    layers: str = "",
    alphas: str | Iterable[float] = "0.05,0.1,0.2,0.4,0.8",
    first_alpha: float = 0.1,
    every_pair: bool = False,
    top_k: int = 3,
    at: str = "last-prompt",
    protocol: str = "held-out",
    share: float = 0.5,
    max_tokens: int = 64,
    seed: int = 0,
    batch: int = 8,
    device: str = "auto",
    dtype: str = "auto",
    progress: bool | Console = False,
) -> Outcome:
    """
    Choose a layer and a strength for each language, on screens that the memory has not seen.

    ``at`` is "last-prompt" or "first-token", ``protocol`` "held-out" or "paper". Raises
    InvalidInputError for another model's memory.
    """
    from surefoot.intervene.search import search_settings

    return search_settings(
        Path(memory),
        Path(bench),
        _opened(model, device, dtype),
        Path(out),
        layers=_layers(layers),
        alphas=_numbers(alphas),
        first_alpha=first_alpha,
        every_pair=every_pair,
        top_k=top_k,
        at=at,
        protocol=protocol,
        share=share,
        seed=seed,
        max_tokens=max_tokens,
        batch=batch,
        console=console_for(progress),
    )


def apply_xli(  # noqa: PLR0913 - one argument an option
    memory: AnyPath,
    search: AnyPath,
    bench: AnyPath | Bench,
    *,
    model: str,
    out: AnyPath,
    baselines: str | Iterable[str] = (),
    max_tokens: int = 64,
    seed: int = 0,
    batch: int = 8,
    device: str = "auto",
    dtype: str = "auto",
    progress: bool | Console = False,
) -> Outcome:
    """
    Ask the test's items before, after, and with both controls: the one look at the test.

    ``baselines`` are names of wordings, such as "translate-first". Raises PlanMismatchError for
    a second look at these screens under another choice.
    """
    from surefoot.intervene.application import apply_settings

    return apply_settings(
        Path(memory),
        Path(search),
        Path(bench),
        _opened(model, device, dtype),
        Path(out),
        baselines=listed(baselines),
        seed=seed,
        max_tokens=max_tokens,
        batch=batch,
        console=console_for(progress),
    )


def plot_xli(
    folder: AnyPath, memory: AnyPath, *, out: AnyPath, method: str = "pca"
) -> list[PlacedStates]:
    """
    Draw the test's states in English, before, after and under both controls; return the points.

    ``out`` ends in .svg or .png; ``method`` is "pca" or "tsne".
    """
    from surefoot.intervene.picture import placed_states
    from surefoot.report.states.drawing import write_picture

    placed = placed_states(Path(folder), Path(memory), method)
    write_picture(placed, Path(out))
    return placed


def _opened(model: str, device: str, dtype: str) -> Steerable:
    try:
        from surefoot.intervene.speaking import open_steerable
    except ModuleNotFoundError as error:
        raise missing_package(error) or error from error
    return open_steerable(model, device=device, dtype=dtype)


def _layers(text: str) -> tuple[int, ...]:
    """
    Read layers written "11-18" or "3,5"; raises InvalidInputError for anything else.

    >>> _layers("1-3,7")
    (1, 2, 3, 7)
    """
    found: list[int] = []
    for part in listed(text):
        first, _, last = part.partition("-")
        if not (first.isdecimal() and (last or first).isdecimal()):
            raise InvalidInputError("layers such as 11-18 or 3,5", found=f"'{text}'")
        found += range(int(first), int(last or first) + 1)
    return tuple(found)


def _numbers(given: str | Iterable[float]) -> tuple[float, ...]:
    if not isinstance(given, str):
        return tuple(given)
    try:
        return tuple(float(part) for part in listed(given))
    except ValueError as error:
        raise InvalidInputError("strengths such as 0.05,0.1", found=f"'{given}'") from error
