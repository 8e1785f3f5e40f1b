"""
``surefoot build``: screens become a benchmark.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Final

import typer

from surefoot.cli.options import (
    BrowsersOption,
    DetectorOption,
    HiddenNamesOption,
    JsonOption,
    JudgeOption,
    KeyVariableOption,
    KindsOption,
    LanguageOption,
    ParametersOption,
    RetryOption,
    SeeingPromptFileOption,
    SiteTargetsOption,
    TargetsOption,
    UnconfinedOption,
    VariantsOption,
    WriterOption,
    WriterSeesOption,
)
from surefoot.core.errors import InvalidInputError

EXAMPLES: Final = (
    "surefoot build perturbed --screens out/screens --out out/bench",
    "surefoot build perturbed --screens out/screens --out out/zoom --variants original,zoom:1.5",
    "surefoot build perturbed --screens out/screens --out out/anew --set relation=anew",
    "surefoot build perturbed --screens out/screens --out out/bench --json",
    "surefoot build perturbed --screens out/screens --out out/spoken --language own",
    "surefoot build sensitivity --screens out/screens --out out/words",
    "surefoot build sensitivity --screens out/screens --out out/hard --set top=100",
    (
        "surefoot build sensitivity --screens out/screens --out out/said "
        "--writer openai:qwen3@http://127.0.0.1:8000/v1"
    ),
    (
        "surefoot build sensitivity --screens out/screens --out out/seen --writer-sees picture "
        "--writer openai:qwen3-vl@http://127.0.0.1:8000/v1 "
        "--judge openai:internvl3@http://127.0.0.1:8000/v1"
    ),
    "surefoot build multilingual --screens out/trac --screens out/fava --out out/languages",
    (
        "surefoot build multilingual --screens out/screens --out out/reworded "
        "--writer openai:m@http://127.0.0.1:8000/v1"
    ),
    "surefoot build sensitivity --screens out/set --out out/found --detector pixels",
    "surefoot build hidden --screens out/screens --out out/hidden",
    "surefoot build hidden --screens out/screens --out out/masks --variants static,low-contrast",
    "surefoot build hidden --screens out/spot --screens out/screenqa --out out/forms",
)


def build(  # noqa: PLR0913 - one argument an option
    benchmark: Annotated[str, typer.Argument(help="The benchmark's name, such as perturbed.")],
    *,
    screens: Annotated[
        list[Path],
        typer.Option(help="The folder SCREENS, or an imported set; may be repeated, of one kind."),
    ],
    out: Annotated[
        Path, typer.Option(file_okay=False, help="The folder BENCH to write or resume.")
    ],
    variants: VariantsOption = "",
    kinds: KindsOption = "",
    targets: TargetsOption = None,
    site_targets: SiteTargetsOption = 0,
    seed: Annotated[int, typer.Option(help="The seed that everything random derives from.")] = 0,
    hidden_names: HiddenNamesOption = False,
    language: LanguageOption = "en",
    parameters: ParametersOption = None,
    detector: DetectorOption = "",
    writer: WriterOption = "",
    writer_sees: WriterSeesOption = "words",
    judge: JudgeOption = "",
    prompt_file: SeeingPromptFileOption = None,
    key_variable: KeyVariableOption = "",
    recapture: Annotated[
        bool,
        typer.Option(
            "--recapture",
            help="Capture the screens again first, where the browser or the fonts are others now.",
        ),
    ] = False,
    workers: BrowsersOption = 2,
    retry_failed: RetryOption = False,
    unconfined: UnconfinedOption = False,
    json: JsonOption = False,
) -> None:
    """
    Build a benchmark: variants of every screen, and instructions with proof.

    Prints the funnel: how many candidates there were, and how many fell at each check. A
    writer's phrase is kept only where reading it gives the same element alone, or, where no rule
    reads it, a judge says so; its question, where the interface's words stand as they did and
    the answer is proven again.
    """
    from surefoot.api.verbs import build as build_benchmark
    from surefoot.cli.output import conclude, console

    built = build_benchmark(
        benchmark,
        screens=screens,
        out=out,
        variants=variants,
        kinds=kinds,
        targets=targets,
        site_targets=site_targets,
        seed=seed,
        hidden_names=hidden_names,
        language=language,
        parameters=read_parameters(parameters or ()),
        detector=detector,
        writer=writer,
        writer_sees=writer_sees,
        judge=judge,
        prompt_file=prompt_file,
        key_variable=key_variable,
        recapture=recapture,
        workers=workers,
        retry_failed=retry_failed,
        unconfined=unconfined,
        progress=console(),
    )
    asked = ("run", out, "--model", "ocr", "--out", f"{out}-ocr")
    conclude(built.outcome, *asked, json=json)


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
