"""
Every benchmark that chooses targets leaves alone what another page of the site asks for.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from surefoot.benchmarks.benchmark import BENCHMARKS, Benchmark, PageResult
from surefoot.benchmarks.drawing import NOT_CHOSEN, REPEAT, asked_elsewhere, spread_recurring
from surefoot.benchmarks.hidden import HIDDEN
from surefoot.benchmarks.perturbed import PERTURBED
from surefoot.benchmarks.sensitivity import SENSITIVITY
from surefoot.capture.settings import Settings
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Ledger
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.run.building.pages import build_benchmark
from surefoot.run.folders.folder import export, read_questions


class Nothing:
    """Render nothing: no variant of this test needs it."""

    def render(self, *_: object) -> Any:  # noqa: ANN401 - never returns
        """Fail."""
        raise AssertionError

    render_all = render


def targets_of(result: PageResult) -> set[str]:
    """Return the ids of a page's targets."""
    asked = {question.pair.partition("#")[2] for question in result.questions}
    return asked | {candidate.target for candidate in result.candidates}


@pytest.mark.parametrize(
    ("benchmark", "variants"),
    [(PERTURBED, ("original",)), (SENSITIVITY, ("original",)), (HIDDEN, ("static",))],
    ids=lambda item: item.name if isinstance(item, Benchmark) else "",
)
def test_two_pages_that_look_alike_share_their_targets(
    benchmark: Benchmark, variants: tuple[str, ...], drawn_page: tuple[Screen, bytes],
    tmp_path: Path,
) -> None:  # fmt: skip
    """No element is a target on both pages, and the funnel counts what fell as a repeat."""
    screen, png = drawn_page
    store = ObjectStore(tmp_path)
    store.put(png)
    twin = msgspec.structs.replace(screen, id="twin", page="site/twin.html")
    options = msgspec.structs.replace(benchmark.defaults, variants=variants, targets=9)

    both = spread_recurring([screen, twin], seed=3)
    results = [benchmark.page(item, Nothing(), store, options) for item in both]

    first, second = map(targets_of, results)
    assert first
    assert second
    assert not first & second
    for page, result in zip(both, results, strict=True):
        (fell,) = [fall.count for fall in result.falls if fall.reason == REPEAT]
        assert fell == sum(map(asked_elsewhere, page.elements))


def test_what_another_benchmark_asks_for_is_asked_for_alone(
    drawn_page: tuple[Screen, bytes], tmp_path: Path
) -> None:
    """Two further builds ask for elements of the first alone, which each would not by itself."""
    screen, png = drawn_page
    folder = tmp_path / "screens"
    plan: dict[str, Any] = {"settings": msgspec.to_builtins(Settings()), "renderer": {}}
    with Ledger.open(folder, plan):
        ObjectStore(folder).put(png)
        export(folder, "screens", {"screens.jsonl": [screen]})

    def asked(benchmark: Benchmark, variants: tuple[str, ...], **given: Any) -> set[str]:  # noqa: ANN401
        out = tmp_path / f"{benchmark.name}{len(given)}"
        targets = 1 if benchmark is PERTURBED else 9
        options = msgspec.structs.replace(benchmark.defaults, variants=variants, targets=targets)
        build_benchmark(benchmark.name, folder, out, options, workers=1, **given)
        return {question.pair for question in read_questions(out)}

    chosen = asked(PERTURBED, ("original", "jpeg:30"))
    assert len(chosen) == 1
    for benchmark, variants in ((SENSITIVITY, ("original",)), (HIDDEN, ("static",))):
        alone = asked(benchmark, variants)
        assert asked(benchmark, variants, targets_of=tmp_path / "perturbed0") == alone & chosen
        assert alone - chosen
        funnel = (tmp_path / f"{benchmark.name}1" / "funnel.json").read_text("utf-8")
        assert NOT_CHOSEN in funnel
        assert REPEAT not in funnel
    with pytest.raises(InvalidInputError, match="--targets-of"):
        asked(BENCHMARKS.get("multilingual"), ("original",), targets_of=tmp_path / "perturbed0")
