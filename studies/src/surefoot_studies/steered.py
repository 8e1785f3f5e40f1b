"""
GUI-XLI on a small model with a real gap between languages: what of it comes back.

Screens are drawn; memory, choice and test are three splits that share none. Layer and strength
are chosen held out, then the test is looked at; last, the paper's own protocol is run on the same
test, to show what choosing on the scored items seems to add.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from surefoot.core.files import write_atomic
from surefoot.intervene.application import apply_settings, read_results
from surefoot.intervene.memory import build_memory
from surefoot.intervene.picture import placed_states
from surefoot.intervene.results import InterventionResults
from surefoot.intervene.search import search_settings
from surefoot.intervene.steering import Steerable
from surefoot.intervene.tables import results_tables
from surefoot.report.states.drawing import write_picture
from surefoot_studies.tiny.bench import write_choices
from surefoot_studies.tiny.recipe import TINY, DrawnRecipe

if TYPE_CHECKING:
    from rich.console import Console


BEGIN: Final = "<!-- measured by surefoot-studies steer -->"
END: Final = "<!-- end of what is measured -->"
PICTURE: Final = "xli-states.svg"
ALPHAS: Final = (0.1, 0.2, 0.4, 0.8, 1.6)
TOKENS: Final = 16  # a reply is a word or two, and a letter


def steer(  # noqa: PLR0913 - what the study is made of, all by name
    model: Steerable,
    out: Path,
    *,
    seed: int,
    screens: Mapping[str, int],
    recipe: DrawnRecipe = TINY,
    top_k: int = 5,
    batch: int = 32,
    console: Console | None = None,
) -> tuple[InterventionResults, InterventionResults]:
    """
    Return what came of both protocols, the held-out one first.

    ``screens`` are counts by split: "memory", "validation", "test"; ``recipe`` says what is on
    them. What is finished below
    ``out`` is kept.
    """
    benches = {
        split: write_choices(
            out / split,
            split,
            seed=seed,
            screens=count,
            layout=recipe.layout,
        )
        for split, count in screens.items()
    }
    memory = out / "states"
    build_memory(
        benches["memory"], model, memory, share=1, seed=seed, batch=batch, console=console
    )
    found = []
    for protocol, asked in (("held-out", "validation"), ("paper", "test")):
        search, applied = out / f"search-{protocol}", out / f"applied-{protocol}"
        search_settings(
            memory,
            benches[asked],
            model,
            search,
            alphas=ALPHAS,
            first_alpha=ALPHAS[2],
            top_k=top_k,
            protocol=protocol,
            share=1,
            seed=seed,
            max_tokens=TOKENS,
            batch=batch,
            console=console,
        )
        apply_settings(
            memory,
            search,
            benches["test"],
            model,
            applied,
            seed=seed,
            max_tokens=TOKENS,
            batch=batch,
            console=console,
        )
        found.append(read_results(applied))
    write_picture(placed_states(out / "applied-held-out", memory), out / PICTURE)
    held_out, paper = found
    return held_out, paper


def steered_page(
    page: str, results: tuple[InterventionResults, InterventionResults], screens: Mapping[str, int]
) -> str:
    """Return a page with what was measured between its marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    told = "\n\n".join(_parts(results, screens))
    return f"{before}{BEGIN}\n\n{told}\n\n{END}{after}"


def _parts(
    results: tuple[InterventionResults, InterventionResults], screens: Mapping[str, int]
) -> Iterable[str]:
    held_out, paper = results
    yield (
        f"{held_out.items} items on {held_out.clusters} screens were tested, "
        f"{screens['memory']} further screens remembered and {screens['validation']} chosen on; "
        f"all decoder layers at the strength {ALPHAS[2]:g}, then the strengths "
        f"{', '.join(f'{alpha:g}' for alpha in ALPHAS)} at the best, "
        f"the {held_out.top_k} nearest items, at {held_out.at}."
    )
    names = ("Layer and strength", "Is it a gain?", "Right answers, %")
    shares = "Share of the gap to English that comes back, %"
    own = results_tables(held_out)
    for name in (*names, shares, "What was added"):
        yield f"### {name}\n\n{own[name]}"
    yield f"![States before and after, in each language]({PICTURE})"
    theirs = results_tables(paper)
    yield (
        "### Chosen on the scored items\n\nThe paper's own protocol on the same test. "
        "What it has more than above is what choosing on the test seems to add."
        f"\n\n{theirs[names[0]]}\n\n{theirs[shares]}"
    )


def write_steered(
    page: Path,
    out: Path,
    results: tuple[InterventionResults, InterventionResults],
    screens: Mapping[str, int],
) -> None:
    """Write the measured part of a page, and the picture beside it."""
    write_atomic(page, steered_page(page.read_text("utf-8"), results, screens).encode())
    write_atomic(page.parent / PICTURE, (out / PICTURE).read_bytes())
