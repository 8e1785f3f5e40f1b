"""
``surefoot xli``: what leads to English is added to the hidden states of a model that runs here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from surefoot.api.options import AnyPath, console_for, listed, path_or_none
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.cli.verb import CliVerb
from surefoot.core.errors import InvalidInputError
from surefoot.core.extras import missing_package

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.intervene.picture import PlacedStates
    from surefoot.intervene.steering import Steerable
    from surefoot.run.engine.outcome import Outcome

QuestionsArgument: TypeAlias = Annotated[
    AnyPath, CliArgument("The folder BENCH of questions in several languages.", shell=Path)
]
MemoryArgument: TypeAlias = Annotated[
    AnyPath, CliArgument("The folder that `surefoot xli build` wrote.", shell=Path)
]
LocalModelOption: TypeAlias = Annotated[
    str, CliOption("The folder of the model, which runs here.", metavar="hf:PATH")
]
OutOption: TypeAlias = Annotated[
    AnyPath, CliOption("The folder to write or resume.", shell=Path, only="folder")
]
LayersOption: TypeAlias = Annotated[
    str, CliOption("Decoder layers, counted from 0; all if not given.", metavar="A-B,C")
]
BatchOption: TypeAlias = Annotated[
    int, CliOption("How many questions are asked together.", minimum=1)
]
TokensOption: TypeAlias = Annotated[
    int,
    CliOption("The longest reply, in tokens; 0 for 64, or 1,024 with --reasoning.", minimum=0),
]
ReasoningOption: TypeAlias = Annotated[
    Literal["off", "on"], CliOption("Whether the model is asked to reason first.")
]
DrawnOption: TypeAlias = Annotated[int, CliOption("The seed that all that is drawn has.")]
DeviceOption: TypeAlias = Annotated[
    str, CliOption("Where the model runs.", metavar="auto|cpu|cuda")
]
DtypeOption: TypeAlias = Annotated[
    str, CliOption("What its numbers are kept in.", metavar="auto|float32|bfloat16|float16")
]


def build_xli(  # noqa: PLR0913 - one argument an option
    bench: QuestionsArgument,
    *,
    model: LocalModelOption,
    out: OutOption,
    languages: Annotated[
        str | Iterable[str],
        CliOption("Which languages; all if not given.", shell=str, metavar="LANGUAGE,..."),
    ] = (),
    layers: LayersOption = "",
    share: Annotated[float, CliOption("The share of the groups of screens to remember.")] = 1 / 3,
    chains: Annotated[
        AnyPath | None,
        CliOption(
            "JSON Lines of 'question', its id, and 'chain', its reasoning.",
            shell=Path | None,
            only="file",
        ),
    ] = None,
    reasoning: ReasoningOption = "off",
    seed: DrawnOption = 0,
    batch: BatchOption = 8,
    device: DeviceOption = "auto",
    dtype: DtypeOption = "auto",
    progress: bool | Console = False,
) -> Outcome:
    """
    Read the hidden states of parallel questions: the memory.

    For each question in another language it keeps the state at the last position of the prompt,
    and what leads from there to the state of the same question in English.

    Raises InvalidInputError for a benchmark without parallel questions.
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
        chains=path_or_none(chains),
        reasoning=reasoning,
        console=console_for(progress),
    )


def print_memory(work: Callable[[], Outcome], *, bench: Path, model: str, out: Path) -> None:
    """Build the memory, and name the search."""
    from surefoot.cli.output import conclude

    following = (out, bench, "--model", model, "--out", f"{out}-search")
    conclude(work(), "xli", "search", *following)


def search_xli(  # noqa: PLR0913 - one argument an option
    memory: MemoryArgument,
    bench: QuestionsArgument,
    *,
    model: LocalModelOption,
    out: OutOption,
    layers: LayersOption = "",
    alphas: Annotated[
        str | Iterable[float], CliOption("The strengths to try.", shell=str, metavar="A,B")
    ] = "0.05,0.1,0.2,0.4,0.8",
    first_alpha: Annotated[float, CliOption("The strength at which layers are compared.")] = 0.1,
    every_pair: Annotated[
        bool, CliOption("Try every layer at every strength.", flag="--every-pair")
    ] = False,
    top_k: Annotated[int, CliOption("How many nearest items are averaged.", minimum=1)] = 3,
    at: Annotated[
        Literal["last-prompt", "first-token"], CliOption("Where is added: see the documentation.")
    ] = "last-prompt",
    protocol: Annotated[
        Literal["held-out", "paper"],
        CliOption("Choose on screens of their own, or, as the paper, on those scored."),
    ] = "held-out",
    share: Annotated[
        float, CliOption("The share, of the groups of screens left, to choose on.")
    ] = 0.5,
    reasoning: ReasoningOption = "off",
    max_tokens: TokensOption = 0,
    seed: DrawnOption = 0,
    batch: BatchOption = 8,
    device: DeviceOption = "auto",
    dtype: DtypeOption = "auto",
    progress: bool | Console = False,
) -> Outcome:
    """
    Choose a layer and a strength for each language.

    It is done on screens that the memory has not seen, and that are not tested on.

    Raises InvalidInputError for another model's memory.
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
        reasoning=reasoning,
        max_tokens=max_tokens,
        batch=batch,
        console=console_for(progress),
    )


def print_search(
    work: Callable[[], Outcome], *, memory: Path, bench: Path, model: str, out: Path
) -> None:
    """Search, and name how the choice is applied."""
    from surefoot.cli.output import conclude

    following = (memory, out, bench, "--model", model, "--out", f"{out}-test")
    conclude(work(), "xli", "apply", *following)


def apply_xli(  # noqa: PLR0913 - one argument an option
    memory: MemoryArgument,
    search: Annotated[
        AnyPath, CliArgument("The folder that `surefoot xli search` wrote.", shell=Path)
    ],
    bench: QuestionsArgument,
    *,
    model: LocalModelOption,
    out: OutOption,
    baselines: Annotated[
        str | Iterable[str],
        CliOption(
            "Other wordings: translate-first, answer-in-english, think-in-language.",
            shell=str,
            metavar="NAME,...",
        ),
    ] = (),
    reasoning: ReasoningOption = "off",
    max_tokens: TokensOption = 0,
    seed: DrawnOption = 0,
    batch: BatchOption = 8,
    device: DeviceOption = "auto",
    dtype: DtypeOption = "auto",
    progress: bool | Console = False,
) -> Outcome:
    """
    Ask the test's questions before and after, and with vectors at random and shuffled.

    The test is looked at once: a second look at its screens under another choice is refused.

    Raises PlanMismatchError for such a second look.
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
        reasoning=reasoning,
        max_tokens=max_tokens,
        batch=batch,
        console=console_for(progress),
    )


def print_application(work: Callable[[], Outcome], *, memory: Path, out: Path) -> None:
    """Apply the choice, and name its picture."""
    from surefoot.cli.output import conclude

    conclude(work(), "xli", "plot", out, memory, "--out", f"{out}.svg")


def plot_xli(
    folder: Annotated[
        AnyPath, CliArgument("The folder that `surefoot xli apply` wrote.", shell=Path)
    ],
    memory: MemoryArgument,
    *,
    out: Annotated[AnyPath, CliOption("The file, .svg or .png.", shell=Path, only="file")],
    method: Annotated[
        Literal["pca", "tsne"], CliOption("Principal components, or t-SNE (openTSNE).")
    ] = "pca",
) -> list[PlacedStates]:
    """
    Draw the test's states in English, before, after, and under both controls.

    In Python, returns the points.
    """
    from surefoot.intervene.picture import placed_states
    from surefoot.report.states.drawing import write_picture

    placed = placed_states(Path(folder), Path(memory), method)
    write_picture(placed, Path(out))
    return placed


def print_picture(work: Callable[[], list[PlacedStates]], *, out: Path) -> None:
    """Draw, and name the file."""
    from surefoot.cli.output import say_written

    work()
    say_written(out)


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


XLI = CliVerb(
    "xli",
    "Explain",
    "Add to hidden states what leads to English, and measure it.",
    examples=(
        "surefoot xli build out/bench --model hf:models/tiny --out out/memory",
        "surefoot xli search out/memory out/bench --model hf:models/tiny --out out/search",
        (
            "surefoot xli search out/memory out/bench --model hf:models/tiny --layers 11-18 "
            "--at first-token --out out/search-first"
        ),
        "surefoot xli apply out/memory out/search out/bench --model hf:models/tiny --out out/xli",
        (
            "surefoot xli apply out/memory out/search out/bench --model hf:models/tiny "
            "--reasoning on --out out/xli-reasoned"
        ),
        "surefoot xli plot out/xli out/memory --out out/states.svg",
    ),
)
BUILD = CliVerb("xli/build", "", "", build_xli, print_memory)
SEARCH = CliVerb("xli/search", "", "", search_xli, print_search)
APPLY = CliVerb("xli/apply", "", "", apply_xli, print_application)
PLOT = CliVerb("xli/plot", "", "", plot_xli, print_picture)
