"""
``surefoot build``: screens become a benchmark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec

from surefoot.api.options import (
    AnyPath,
    BrowsersOption,
    DetectorOption,
    EngineOption,
    JsonOption,
    KeyVariableOption,
    RetryOption,
    SeedOption,
    ShardOption,
    UnconfinedOption,
    console_for,
    listed,
    path_or_none,
    paths,
    unconfined_pages,
)
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb
from surefoot.core.errors import InvalidInputError

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.api.benches import Bench
    from surefoot.run.suites.design import SuiteDesign


WRITER: Final = "openai:NAME@BASE_URL"
SUITE: Final = "suite"  # several benchmarks over the same elements


def read_parameters(given: Iterable[str]) -> dict[str, float | int | str | bool]:
    """
    Read parameters written NAME=VALUE: whole numbers, numbers, true and false, or text.

    Raises InvalidInputError for one without a name or given twice.

    >>> read_parameters(["top=100", "crop_distance=60.5", "desktop=meadow"])
    {'top': 100, 'crop_distance': 60.5, 'desktop': 'meadow'}
    """
    found: dict[str, float | int | str | bool] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name.strip() or name.strip() in found:
            raise InvalidInputError(
                "each parameter once, written NAME=VALUE",
                found=f"'{text}'",
                remedy="write --set top=100",
            )
        found[name.strip()] = _value(value.strip())
    return found


def _value(text: str) -> float | int | str | bool:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


@in_thread
def build(  # noqa: PLR0913 - one argument an option
    benchmark: Annotated[
        str, CliArgument("The benchmark's name, such as perturbed, or suite for several.")
    ],
    *,
    screens: Annotated[
        AnyPath | Iterable[AnyPath],
        CliOption(
            "The folder SCREENS, or an imported set; may be repeated, of one kind.",
            shell=list[Path],
        ),
    ],
    out: Annotated[
        AnyPath, CliOption("The folder BENCH to write or resume.", shell=Path, only="folder")
    ],
    variants: Annotated[
        str | Iterable[str],
        CliOption(
            "Variants (views, for sensitivity), separated by commas, the original first. "
            "Default: original,style,theme,order,precision,text_shrink; for sensitivity "
            "original,crop,background.",
            shell=str,
        ),
    ] = (),
    over: Annotated[
        str | Iterable[str],
        CliOption(
            "Changes of the screen that everything is asked over as well, separated by commas: "
            "theme,zoom:1.5,jpeg:30.",
            shell=str,
            metavar="VARIANTS",
        ),
    ] = (),
    design: Annotated[
        str,
        CliOption(
            "In which conditions a page is asked: full, one-at-a-time, fraction or fraction:6.",
        ),
    ] = "full",
    budget: Annotated[
        int,
        CliOption("About this many questions, drawn by site; 0 for all.", minimum=0),
    ] = 0,
    kinds: Annotated[
        str | Iterable[str],
        CliOption("Kinds of instruction, separated by commas; all if not given.", shell=str),
    ] = (),
    targets: Annotated[
        int | None, CliOption("At most this many targets per page.", minimum=1, shown="16")
    ] = None,
    site_targets: Annotated[
        int,
        CliOption(
            "At most this many targets per site, taken from its pages in turn; 0 for all.",
            minimum=0,
        ),
    ] = 0,
    targets_of: Annotated[
        AnyPath | None,
        CliOption(
            "A BENCH over the same screens, whose elements alone are asked for.",
            shell=Path | None,
            metavar="BENCH",
        ),
    ] = None,
    version_of: Annotated[
        AnyPath | None,
        CliOption(
            "The same pages in another version, captured by themselves: one more variant of "
            "perturbed, of the elements that both versions have.",
            shell=Path | None,
            metavar="SCREENS",
        ),
    ] = None,
    suite: Annotated[
        str,
        CliOption(
            "With the benchmark suite: quick, standard, full, or a file that may extend one.",
            metavar="SUITE",
        ),
    ] = "standard",
    seed: SeedOption = 0,
    hidden_names: Annotated[
        bool, CliOption("Keep instructions whose name cannot be read in the picture.")
    ] = False,
    language: Annotated[
        str, CliOption("What instructions are in: en, fr, ...; own for each screen's own.")
    ] = "en",
    parameters: Annotated[
        Mapping[str, float | int | str | bool] | None,
        CliOption(
            "A parameter of the benchmark; may be repeated. Those of perturbed: relation, kept, "
            "anew or all, and absent, how many questions a page ask for what is not there; of "
            "multilingual: crossed. Those of sensitivity: top, look_grid, look_distance, "
            "look_half, look_weight, crowd_distance, crowd_half, crowd_weight, overlap_name, "
            "overlap_section, overlap_half, overlap_weight, whole_area, most, crop_distance, "
            "crop_margin, crop_width, crop_height, crop_ground, desktop, scale_least, "
            "scale_most, wordings, spelling_errors, phrases, detector, dull.",
            shell=list[str] | None,
            read=read_parameters,
            flag="--set",
            metavar="NAME=VALUE",
        ),
    ] = None,
    detector: DetectorOption = "",
    writer: Annotated[
        str,
        CliOption(
            "A language model that also phrases the instructions of sensitivity, or rewords the "
            "questions of multilingual.",
            metavar=WRITER,
        ),
    ] = "",
    writer_sees: Annotated[
        Literal["words", "picture"],
        CliOption(
            "What the writer of sensitivity is shown: an instruction in words, or the picture "
            "with the target framed."
        ),
    ] = "words",
    judge: Annotated[
        str,
        CliOption(
            "A model that sees the picture and says what a writer's instruction means, where no "
            "rule can tell.",
            metavar=WRITER,
        ),
    ] = "",
    prompt_file: Annotated[
        AnyPath | None,
        CliOption(
            "A TOML file with prompts of a writer and a judge that see, in place of ours.",
            shell=Path | None,
        ),
    ] = None,
    key_variable: KeyVariableOption = "",
    recapture: Annotated[
        bool,
        CliOption(
            "Capture the screens again first, where the browser or the fonts are others now.",
            flag="--recapture",
        ),
    ] = False,
    workers: BrowsersOption = 2,
    engine: EngineOption = "",
    retry_failed: RetryOption = False,
    shard: ShardOption = "",
    unconfined: UnconfinedOption = False,
    progress: bool | Console = False,
) -> Bench:
    """
    Build a benchmark: variants of every screen, and instructions with proof.

    Prints the funnel: how many candidates there were, and how many were rejected at each check.
    A writer's phrase is kept only where reading it gives the same element alone, or, where no rule
    reads it, a judge says so; its question, where the interface's words stand as they did and
    the answer is proven again.
    A suite is a benchmark a pillar, over the same elements: those that every pillar can ask for
    come first, by the roles that the pages have.

    Raises UnknownNameError for a benchmark, variant or kind that there is none of,
    InvalidInputError where the browser or fonts are not those that captured the screens, and
    NothingKeptError where no question is left.
    """
    from surefoot.api.benches import Bench
    from surefoot.api.suites import Suite
    from surefoot.benchmarks.benchmark import BENCHMARKS
    from surefoot.core.store import ObjectStore
    from surefoot.models import Options
    from surefoot.run.building.pages import build_benchmark
    from surefoot.run.building.writers import WriterOptions, open_writer
    from surefoot.run.engine.shards import read_shard
    from surefoot.run.suites.building import build_suite

    chosen = {
        "variants": listed(variants),
        "kinds": listed(kinds),
        "targets": targets,
        "over": listed(over),
    }
    if benchmark == SUITE:
        by_file: dict[str, object] = {
            **chosen,
            "targets_of": targets_of,
            "version_of": version_of,
            "hidden_names": hidden_names,
            "shard": shard,
            "engine": engine,
        }
        by_file |= {"parameters": parameters, "detector": detector, "recapture": recapture}
        by_file |= {"language": "" if language == "en" else language}
        by_file |= {"design": "" if design == "full" else design, "budget": budget}
        given = [name for name in by_file if by_file[name]]
        chosen_suite = _design(suite, seed, site_targets, given)
        how: dict[str, Any] = {"workers": workers, "retry_failed": retry_failed}
        with unconfined_pages(allowed=unconfined):
            made = build_suite(
                paths(screens), Path(out), chosen_suite, console=console_for(progress), **how
            )
        return Suite(made.folder, made)
    options = msgspec.structs.replace(
        BENCHMARKS.get(benchmark).defaults,
        **{name: value for name, value in chosen.items() if value},
        site_targets=site_targets,
        seed=seed,
        design=design,
        budget=budget,
        hidden_names=hidden_names,
        language=language,
        parameters={**(parameters or {}), **({"detector": detector} if detector else {})},
    )
    if shard and recapture:
        raise InvalidInputError(
            "screens that all parts share, for --shard",
            found="--recapture",
            remedy="capture them again first, whole or in parts",
        )
    with unconfined_pages(allowed=unconfined):
        outcome = build_benchmark(
            benchmark,
            paths(screens),
            Path(out),
            options,
            targets_of=path_or_none(targets_of),
            version=path_or_none(version_of),
            writer=open_writer(
                BENCHMARKS.get(benchmark),
                WriterOptions(
                    writer=writer,
                    sees=writer_sees,
                    judge=judge,
                    prompt_file=path_or_none(prompt_file),
                    asking=Options(seed=seed, key_variable=key_variable),
                ),
                ObjectStore(Path(out)).get,
            ),
            recapture=recapture,
            workers=workers,
            engine=engine,
            retry_failed=retry_failed,
            shard=read_shard(shard),
            console=console_for(progress),
        )
    return Bench(outcome.folder, outcome)


def _design(suite: str, seed: int, site_targets: int, given: Sequence[str]) -> SuiteDesign:
    """Return a suite's design, seed and targets a site as given; the rest is for its file."""
    from surefoot.run.suites.design import read_suite

    if given:
        raise InvalidInputError(
            "options of a suite: --suite, --seed, --site-targets",
            found=", ".join(f"--{name.replace('_', '-')}" for name in given),
            remedy="write it into a file that extends a suite",
        )
    design = read_suite(suite)
    targets = {"site": site_targets} if site_targets else {}
    return msgspec.structs.replace(
        design,
        seed=seed or design.seed,
        targets=msgspec.structs.replace(design.targets, **targets),
    )


def command(
    work: Callable[[], Bench], *, benchmark: str, out: Path, json: JsonOption = False
) -> None:
    """Build, and name how a model is asked."""
    from surefoot.cli.output import conclude

    built = work()
    first = out / "perturbed" if benchmark == SUITE else out
    conclude(built.outcome, "run", first, "--model", "ocr", "--out", f"{out}-ocr", json=json)


VERB = CliVerb(
    "build",
    "Build",
    "Build a benchmark from screens.",
    build,
    command,
    (
        "surefoot build perturbed --screens out/screens --out out/bench",
        (
            "surefoot build perturbed --screens out/screens --out out/zoom "
            "--variants original,zoom:1.5"
        ),
        "surefoot build perturbed --screens out/screens --out out/anew --set relation=anew",
        "surefoot build perturbed --screens out/screens --out out/absent --set absent=2",
        "surefoot build perturbed --screens out/new --version-of out/old --out out/versions",
        "surefoot build perturbed --screens out/screens --out out/bench --json",
        "surefoot build perturbed --screens out/screens --out out/spoken --language own",
        "surefoot build sensitivity --screens out/screens --out out/words",
        (
            "surefoot build hidden --screens out/screens --targets-of out/bench --targets 50 "
            "--out out/gone"
        ),
        "surefoot build sensitivity --screens out/screens --out out/hard --set top=100",
        (
            "surefoot build sensitivity --screens out/screens --out out/said "
            "--writer openai:qwen3@http://127.0.0.1:8000/v1"
        ),
        (
            "surefoot build sensitivity --screens out/screens --out out/seen "
            "--writer-sees picture --writer openai:qwen3-vl@http://127.0.0.1:8000/v1 "
            "--judge openai:internvl3@http://127.0.0.1:8000/v1"
        ),
        "surefoot build multilingual --screens out/trac --screens out/fava --out out/languages",
        (
            "surefoot build multilingual --screens out/screens --out out/reworded "
            "--writer openai:m@http://127.0.0.1:8000/v1"
        ),
        "surefoot build sensitivity --screens out/set --out out/found --detector pixels",
        "surefoot build hidden --screens out/screens --out out/hidden",
        "surefoot build suite --screens out/screens --out out/suite",
        "surefoot build suite --screens out/screens --suite quick --out out/small",
        (
            "surefoot build hidden --screens out/screens --out out/masks "
            "--variants static,low-contrast"
        ),
        (
            "surefoot build hidden --screens out/screens --out out/crossed "
            "--variants original,static --over theme,zoom:1.5"
        ),
        (
            "surefoot build sensitivity --screens out/screens --out out/part "
            "--over theme,dark,zoom:1.5 --design fraction:6 --budget 1000"
        ),
        "surefoot build hidden --screens out/spot --screens out/screenqa --out out/forms",
    ),
)
