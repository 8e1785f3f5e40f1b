"""
Where states lie before and after, in two dimensions.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from surefoot.core.canonical import sha256
from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.extras import missing_package
from surefoot.core.ledger import read_plan
from surefoot.core.registry import suggest
from surefoot.core.seeds import derive_seed
from surefoot.intervene.application import STATES, read_results
from surefoot.intervene.memory import ParallelMemory, read_memory
from surefoot.intervene.results import STEERED, InterventionResults
from surefoot.intervene.retrieval import vectors
from surefoot.intervene.search import ChosenSetting
from surefoot.intervene.steering import SingleFloats, kept_length
from surefoot.run.folders.folder import manifest_digest, read_manifest

ProjectionMethod: TypeAlias = Literal["pca", "tsne"]
METHODS: Final[tuple[str, ...]] = get_args(ProjectionMethod)
NEIGHBOURS: Final = 30.0


class PlacedStates(msgspec.Struct, frozen=True, eq=False):
    """
    Hold, for a language, where the states of each condition lie: (items, 2) each.

    ``told`` is the share of the variance that both axes of "pca" show, None of "tsne".
    """

    language: str
    layer: int
    alpha: float
    points: dict[str, NDArray[np.float64]]
    told: float | None


def placed_states(folder: Path, memory: Path, method: str = "pca") -> list[PlacedStates]:
    """
    Return where the test's states lie in English, before, after, and under both controls.

    They are those of the last position of prompts at the chosen layer; what is added there is
    computed once more from the memory. Axes are those of English and before alone, so that what
    was added does not choose how it is looked at. Raises InvalidInputError for another memory,
    MissingComponentError for "tsne" without openTSNE.
    """
    if method not in METHODS:
        raise UnknownNameError(
            "a way to draw states", found=f"'{method}'", remedy=suggest(method, list(METHODS))
        )
    results = read_results(folder)
    if read_plan(folder).get("memory") != manifest_digest(memory, "xli-memory"):
        raise InvalidInputError(
            f"the memory that {folder} was made with", found=f"another one in {memory}"
        )
    known, states = read_memory(memory), _states(folder)
    seed = read_plan(folder).get("seed", 0)
    return [
        _placed(setting, _conditions(setting, results, known, states, int(str(seed))), method)
        for setting in results.chosen
        if f"before.{setting.language}" in states
    ]


def principal(states: SingleFloats) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """
    Return the mean of states, their first two principal axes (width, 2), and what these tell.

    >>> _, axes, told = principal(np.array([[0, 1], [0, -1], [0, 3]], np.float32))
    >>> abs(axes[:, 0]).round(3).tolist(), round(told, 3)
    ([0.0, 1.0], 1.0)
    """
    exact = np.asarray(states, np.float64)
    mean = exact.mean(axis=0)
    _, sizes, axes = np.linalg.svd(exact - mean, full_matrices=False)
    first = axes[:2].T
    # One sign of the two that fit, so that the picture is the same everywhere.
    first = first * np.sign(first[np.abs(first).argmax(axis=0), range(first.shape[1])])
    total = (sizes**2).sum()
    return mean, first, float((sizes[:2] ** 2).sum() / total) if total > 0 else 1.0


def _states(folder: Path) -> dict[str, SingleFloats]:
    from safetensors.numpy import load

    data = (folder / STATES).read_bytes()
    if sha256(data) != read_manifest(folder, "xli").files[STATES].sha256:
        raise InvalidInputError(f"{folder / STATES} as manifest.json has it", found="other bytes")
    return dict(load(data))


def _conditions(
    one: ChosenSetting,
    results: InterventionResults,
    memory: ParallelMemory,
    states: Mapping[str, SingleFloats],
    seed: int,
) -> dict[str, SingleFloats]:
    before = states[f"before.{one.language}"]
    found = {"english": states[f"english.{one.language}"], "before": before}
    dimensions = results.dimensions[one.language]
    for kind in STEERED:
        added = np.empty_like(before)
        for dimension in sorted(set(dimensions)):
            rows = [at for at, name in enumerate(dimensions) if name == dimension]
            own = derive_seed(seed, "xli", one.language, dimension, str(one.layer))
            pool = memory.at(one.layer, one.language, dimension)
            added[rows] = vectors(pool, before[rows], count=results.top_k, kind=kind, seed=own)
        found[kind] = kept_length(before, np.float32(one.alpha) * added)
    return found


def _placed(one: ChosenSetting, states: Mapping[str, SingleFloats], method: str) -> PlacedStates:
    mean, axes, shares = principal(np.concatenate([states["english"], states["before"]]))
    if method == "pca":
        points = {name: (rows - mean) @ axes for name, rows in states.items()}
        return PlacedStates(one.language, one.layer, one.alpha, points, shares)
    whole = _tsne(np.concatenate(list(states.values())))
    ends = np.cumsum([len(rows) for rows in states.values()])[:-1]
    parts = dict(zip(states, np.split(whole, ends), strict=True))
    return PlacedStates(one.language, one.layer, one.alpha, parts, None)


def _tsne(states: SingleFloats) -> NDArray[np.float64]:
    try:
        from openTSNE import TSNE
    except ModuleNotFoundError as error:
        raise missing_package(error) or error from error
    perplexity = min(NEIGHBOURS, (len(states) - 1) / 3)
    fitted = TSNE(perplexity=perplexity, random_state=0, n_jobs=1).fit(
        np.asarray(states, np.float64)
    )
    return np.asarray(fitted, np.float64)
