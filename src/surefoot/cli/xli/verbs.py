"""
The verbs of ``surefoot xli``: build, search, apply, plot.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

EXAMPLES: Final = (
    "surefoot xli build out/bench --model hf:models/tiny --out out/memory",
    "surefoot xli search out/memory out/bench --model hf:models/tiny --out out/search",
    (
        "surefoot xli search out/memory out/bench --model hf:models/tiny --layers 11-18 "
        "--at first-token --out out/search-first"
    ),
    "surefoot xli apply out/memory out/search out/bench --model hf:models/tiny --out out/xli",
    "surefoot xli plot out/xli out/memory --out out/states.svg",
)

xli = typer.Typer(
    help="Add to a model's hidden states what leads from a language to English, and measure it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


class GivenPlace(StrEnum):
    """Name where is added."""

    LAST_PROMPT = "last-prompt"
    FIRST_TOKEN = "first-token"  # noqa: S105 - a place


class GivenProtocol(StrEnum):
    """Name what layer and strength are chosen on."""

    HELD_OUT = "held-out"
    PAPER = "paper"


class DrawnMethod(StrEnum):
    """Name how states are drawn in two dimensions."""

    PCA = "pca"
    TSNE = "tsne"


BenchArgument: TypeAlias = Annotated[
    Path, typer.Argument(help="The folder BENCH of questions in several languages.")
]
MemoryArgument: TypeAlias = Annotated[
    Path, typer.Argument(help="The folder that `surefoot xli build` wrote.")
]
ModelOption: TypeAlias = Annotated[
    str, typer.Option(metavar="hf:PATH", help="The folder of the model, which runs here.")
]
OutOption: TypeAlias = Annotated[
    Path, typer.Option(file_okay=False, help="The folder to write or resume.")
]
LayersOption: TypeAlias = Annotated[
    str, typer.Option(metavar="A-B,C", help="Decoder layers, counted from 0; all if not given.")
]
BatchOption: TypeAlias = Annotated[
    int, typer.Option(min=1, help="How many questions are asked together.")
]
TokensOption: TypeAlias = Annotated[int, typer.Option(min=1, help="The longest reply, in tokens.")]
SeedOption: TypeAlias = Annotated[int, typer.Option(help="The seed that all that is drawn has.")]
DeviceOption: TypeAlias = Annotated[
    str, typer.Option(metavar="auto|cpu|cuda", help="Where the model runs.")
]
DtypeOption: TypeAlias = Annotated[
    str,
    typer.Option(metavar="auto|float32|bfloat16|float16", help="What its numbers are kept in."),
]


@xli.command("build")
def build_states(  # noqa: PLR0913 - one argument an option
    bench: BenchArgument,
    *,
    model: ModelOption,
    out: OutOption,
    languages: Annotated[
        str, typer.Option(metavar="LANGUAGE,...", help="Which languages; all if not given.")
    ] = "",
    layers: LayersOption = "",
    share: Annotated[
        float, typer.Option(help="The share of the groups of screens to remember.")
    ] = 1 / 3,
    chains: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False, help="JSON Lines of 'question', its id, and 'chain', its reasoning."
        ),
    ] = None,
    seed: SeedOption = 0,
    batch: BatchOption = 8,
    device: DeviceOption = "auto",
    dtype: DtypeOption = "auto",
) -> None:
    """
    Read the hidden states of parallel questions: the memory.

    For each question in another language it keeps the state at the last position of the prompt,
    and what leads from there to the state of the same question in English.
    """
    from surefoot.api.intervening import build_xli
    from surefoot.cli.output import conclude, console

    built = build_xli(
        bench,
        model=model,
        out=out,
        languages=languages,
        layers=layers,
        share=share,
        chains=chains,
        seed=seed,
        batch=batch,
        device=device,
        dtype=dtype,
        progress=console(),
    )
    following = (out, bench, "--model", model, "--out", f"{out}-search")
    conclude(built, "xli", "search", *following)


@xli.command("search")
def search_layers(  # noqa: PLR0913 - one argument an option
    memory: MemoryArgument,
    bench: BenchArgument,
    *,
    model: ModelOption,
    out: OutOption,
    layers: LayersOption = "",
    alphas: Annotated[
        str, typer.Option(metavar="A,B", help="The strengths to try.")
    ] = "0.05,0.1,0.2,0.4,0.8",
    first_alpha: Annotated[
        float, typer.Option(help="The strength at which layers are compared.")
    ] = 0.1,
    every_pair: Annotated[
        bool, typer.Option("--every-pair", help="Try every layer at every strength.")
    ] = False,
    top_k: Annotated[int, typer.Option(min=1, help="How many nearest items are averaged.")] = 3,
    at: Annotated[
        GivenPlace, typer.Option(help="Where is added: see the documentation.")
    ] = GivenPlace.LAST_PROMPT,
    protocol: Annotated[
        GivenProtocol,
        typer.Option(help="Choose on screens of their own, or, as the paper, on those scored."),
    ] = GivenProtocol.HELD_OUT,
    share: Annotated[
        float, typer.Option(help="The share, of the groups of screens left, to choose on.")
    ] = 0.5,
    max_tokens: TokensOption = 64,
    seed: SeedOption = 0,
    batch: BatchOption = 8,
    device: DeviceOption = "auto",
    dtype: DtypeOption = "auto",
) -> None:
    """
    Choose a layer and a strength for each language.

    It is done on screens that the memory has not seen, and that are not tested on.
    """
    from surefoot.api.intervening import search_xli
    from surefoot.cli.output import conclude, console

    chosen = search_xli(
        memory,
        bench,
        model=model,
        out=out,
        layers=layers,
        alphas=alphas,
        first_alpha=first_alpha,
        every_pair=every_pair,
        top_k=top_k,
        at=at.value,
        protocol=protocol.value,
        share=share,
        max_tokens=max_tokens,
        seed=seed,
        batch=batch,
        device=device,
        dtype=dtype,
        progress=console(),
    )
    following = (memory, out, bench, "--model", model, "--out", f"{out}-test")
    conclude(chosen, "xli", "apply", *following)


@xli.command("apply")
def apply_chosen(  # noqa: PLR0913 - one argument an option
    memory: MemoryArgument,
    search: Annotated[Path, typer.Argument(help="The folder that `surefoot xli search` wrote.")],
    bench: BenchArgument,
    *,
    model: ModelOption,
    out: OutOption,
    baselines: Annotated[
        str,
        typer.Option(
            metavar="NAME,...",
            help="Other wordings: translate-first, answer-in-english, think-in-language.",
        ),
    ] = "",
    max_tokens: TokensOption = 64,
    seed: SeedOption = 0,
    batch: BatchOption = 8,
    device: DeviceOption = "auto",
    dtype: DtypeOption = "auto",
) -> None:
    """
    Ask the test's questions before and after, and with vectors at random and shuffled.

    The test is looked at once: a second look at its screens under another choice is refused.
    """
    from surefoot.api.intervening import apply_xli
    from surefoot.cli.output import conclude, console

    applied = apply_xli(
        memory,
        search,
        bench,
        model=model,
        out=out,
        baselines=baselines,
        max_tokens=max_tokens,
        seed=seed,
        batch=batch,
        device=device,
        dtype=dtype,
        progress=console(),
    )
    conclude(applied, "xli", "plot", out, memory, "--out", f"{out}.svg")


@xli.command("plot")
def plot_states(
    folder: Annotated[Path, typer.Argument(help="The folder that `surefoot xli apply` wrote.")],
    memory: MemoryArgument,
    *,
    out: Annotated[Path, typer.Option(dir_okay=False, help="The file, .svg or .png.")],
    method: Annotated[
        DrawnMethod, typer.Option(help="Principal components, or t-SNE (openTSNE).")
    ] = DrawnMethod.PCA,
) -> None:
    """
    Draw the test's states in English, before, after, and under both controls.
    """
    from surefoot.api.intervening import plot_xli
    from surefoot.cli.output import say_written

    plot_xli(folder, memory, out=out, method=method.value)
    say_written(out)
