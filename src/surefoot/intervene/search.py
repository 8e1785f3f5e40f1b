"""
The choice of layer and strength, made on screens that neither memory nor test has.

All layers are tried at one strength, then all strengths at the best layer, in each language by
itself; or every pair of both. The paper chose on the very items that it scored: that protocol
can be had, and bears its name wherever its numbers stand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

import msgspec

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.ledger import Ledger
from surefoot.core.registry import suggest
from surefoot.intervene.asking import (
    TOKENS,
    InjectionSetting,
    SteeredAnswer,
    SteeredAsker,
    is_right,
)
from surefoot.intervene.items import (
    ParallelItem,
    ReasoningMode,
    UsedScreens,
    draw_items,
    in_mode,
    parallel_items,
    unused,
)
from surefoot.intervene.looks import PAPER, note_look
from surefoot.intervene.memory import read_memory, require_model, require_pools
from surefoot.intervene.steering import InjectionPlace, Steerable, require_place
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Progress
from surefoot.run.folders.folder import (
    export,
    manifest_digest,
    read_document,
)

if TYPE_CHECKING:
    from rich.console import Console


SearchProtocol: TypeAlias = Literal["held-out", "paper"]
PROTOCOLS: Final[tuple[str, ...]] = get_args(SearchProtocol)
RESULT: Final = "search.json"
_VERSION: Final = 2


class SearchedSetting(msgspec.Struct, frozen=True):
    """Count the right answers in one language under one layer and strength."""

    language: str
    layer: int
    alpha: float
    right: int
    n: int


class ChosenSetting(msgspec.Struct, frozen=True):
    """Hold what was chosen for a language; ``before`` counts what is right without it."""

    language: str
    layer: int
    alpha: float
    right: int
    before: int
    n: int


class SearchResult(msgspec.Struct, frozen=True):
    """
    Hold what was tried and chosen, and on which screens.

    ``used`` are the screens of memory and choice together: none of them is tested on.
    """

    protocol: SearchProtocol
    at: InjectionPlace
    top_k: int
    chosen: tuple[ChosenSetting, ...]
    searched: tuple[SearchedSetting, ...]
    used: UsedScreens


def search_settings(  # noqa: PLR0913 - what a search is made of, all by name
    memory: Path,
    bench: Path,
    model: Steerable,
    out: Path,
    *,
    layers: Sequence[int] = (),
    alphas: Sequence[float] = (0.05, 0.1, 0.2, 0.4, 0.8),
    first_alpha: float = 0.1,
    every_pair: bool = False,
    top_k: int = 3,
    at: str = "last-prompt",
    protocol: str = "held-out",
    share: float = 0.5,
    seed: int = 0,
    max_tokens: int = 0,
    reasoning: ReasoningMode = "off",
    batch: int = 8,
    console: Console | None = None,
) -> Outcome:
    """
    Choose a layer and a strength for each language of a memory, or go on choosing.

    A ``share`` of the groups of screens that the memory has not seen is asked; under the
    "paper" protocol all of them are, and tested on later.
    """
    _check(alphas, first_alpha, protocol)
    place = require_place(at)
    require_model(memory, model)
    known = read_memory(memory)
    items = unused(parallel_items(bench, known.languages), known.facts.used)
    require_pools(known, items)
    items = in_mode(draw_items(items, 1.0 if protocol == PAPER else share, seed), reasoning)
    tried = tuple(sorted(set(layers))) or known.facts.layers
    most = max_tokens or TOKENS[reasoning]
    plan = {
        "kind": "xli-search",
        "version": _VERSION,
        "memory": manifest_digest(memory, "xli-memory"),
        "bench": manifest_digest(bench, "bench"),
        "model": model.identity(),
        "layers": list(tried),
        "alphas": sorted(alphas),
        "first_alpha": first_alpha,
        "every_pair": every_pair,
        "top_k": top_k,
        "at": place,
        "protocol": protocol,
        "share": share,
        "seed": seed,
        "max_tokens": most,
        "reasoning": reasoning,
        "batch": batch,
    }
    used = known.facts.used if protocol == PAPER else known.facts.used.with_items(items)
    if protocol == PAPER:
        note_look(memory, items, plan, held_out=False)
    with Ledger.open(out, plan) as ledger:
        asker = SteeredAsker(model, known, bench, ledger, max_tokens=most, batch=batch)
        trial = _Trial(asker, items, place, top_k, seed, console)
        before = trial.ask([(language, None) for language in known.languages])
        pairs = [(layer, alpha) for layer in tried for alpha in sorted(alphas)]
        if every_pair:
            trial.ask_settings(known.languages, pairs, "trying layers and strengths")
        else:
            first = [(layer, first_alpha) for layer in tried]
            trial.ask_settings(known.languages, first, "trying layers")
            for language in known.languages:
                layer = trial.best(language).layer
                then = [(layer, alpha) for alpha in sorted(alphas)]
                trial.ask_settings((language,), then, f"trying strengths in '{language}'")
        chosen = tuple(_chosen(trial.best(language), before[language]) for language in before)
        result = SearchResult(protocol, place, top_k, chosen, trial.searched(), used)  # type: ignore[arg-type]
        export(out, "xli-search", {}, {RESULT: _plain(result)})
    return Outcome(out, trial.tally, lines=tuple(_lines(result)))


def read_search(folder: Path) -> SearchResult:
    """Read what was chosen; raises InvalidInputError."""
    return read_document(folder, RESULT, SearchResult, kind="xli-search")


class _Trial:
    """Ask the items of a search under settings, and count."""

    def __init__(
        self,
        asker: SteeredAsker,
        items: Sequence[ParallelItem],
        at: InjectionPlace,
        top_k: int,
        seed: int,
        console: Console | None,
    ) -> None:
        self._asker = asker
        self._items = items
        self._pairs = {item.pair: item for item in items}
        self._at: InjectionPlace = at
        self._top_k = top_k
        self._seed = seed
        self._console = console
        self._found: dict[tuple[str, int, float], SearchedSetting] = {}
        self.tally = Progress("").tally

    def ask(self, wanted: Sequence[tuple[str, None]]) -> dict[str, tuple[int, int]]:
        """Count what is right in each language, and of how many, while nothing is added."""
        with Progress("asking without intervention", self._console) as progress:
            found = self._asker.ask_several(
                self._items, [(language, None, None) for language, _ in wanted], progress
            )
        self._count(progress)
        return {
            language: self._right(language, answers)
            for (language, _), (answers, _) in zip(wanted, found, strict=True)
        }

    def ask_settings(
        self, languages: Sequence[str], pairs: Sequence[tuple[int, float]], title: str
    ) -> None:
        """Count what is right in each language under each layer and strength."""
        wanted = [(language, layer, alpha) for language in languages for layer, alpha in pairs]
        conditions = [
            (
                language,
                InjectionSetting(layer, alpha, self._at, self._top_k, "xli", self._seed),
                None,
            )
            for language, layer, alpha in wanted
        ]
        with Progress(title, self._console) as progress:
            found = self._asker.ask_several(self._items, conditions, progress)
        self._count(progress)
        for (language, layer, alpha), (answers, _) in zip(wanted, found, strict=True):
            right, count = self._right(language, answers)
            searched = SearchedSetting(language, layer, alpha, right, count)
            self._found[language, layer, alpha] = searched

    def best(self, language: str) -> SearchedSetting:
        """Return the setting with the most right answers, of equal ones the mildest, lowest."""
        own = [setting for setting in self._found.values() if setting.language == language]
        return min(own, key=lambda one: (-one.right, one.alpha, one.layer))

    def searched(self) -> tuple[SearchedSetting, ...]:
        """Return all that was tried, in order."""
        return tuple(self._found[key] for key in sorted(self._found))

    def _right(self, language: str, answers: Mapping[str, SteeredAnswer]) -> tuple[int, int]:
        right = sum(
            is_right(self._pairs[pair].questions[language], answer.answer)
            for pair, answer in answers.items()
        )
        return right, len(answers)

    def _count(self, progress: Progress) -> None:
        now, more = self.tally, progress.tally
        self.tally = msgspec.structs.replace(
            now, total=now.total + more.total, kept=now.kept + more.kept, done=now.done + more.done
        )


def _check(alphas: Sequence[float], first_alpha: float, protocol: str) -> None:
    if protocol not in PROTOCOLS:
        raise UnknownNameError(
            "a protocol", found=f"'{protocol}'", remedy=suggest(protocol, list(PROTOCOLS))
        )
    if not alphas or not all(0 < alpha < 100 for alpha in (*alphas, first_alpha)):  # noqa: PLR2004
        raise InvalidInputError(
            "strengths above 0, such as 0.05,0.1,0.2", found=", ".join(map(str, alphas)) or "none"
        )


def _chosen(best: SearchedSetting, before: tuple[int, int]) -> ChosenSetting:
    right, count = before
    return ChosenSetting(best.language, best.layer, best.alpha, best.right, right, count)


def _plain(result: SearchResult) -> dict[str, object]:
    """Return a result with its sets in one order."""
    used = {"pages": sorted(result.used.pages), "images": sorted(result.used.images)}
    return {**msgspec.structs.asdict(result), "used": used}


def _lines(result: SearchResult) -> list[str]:
    where = (
        "chosen on the items that will be scored, as the paper did"
        if result.protocol == PAPER
        else "chosen on screens of their own"
    )
    return [
        f"{setting.language}: layer {setting.layer}, strength {setting.alpha:g} ({where}): "
        f"{setting.right} of {setting.n} right, {setting.before} before"
        for setting in result.chosen
    ]
