"""
Options that several verbs share, or that are long to declare.

Those that every verb has which asks models say how they sample, and how long is waited.
"""

from __future__ import annotations

import functools
import inspect
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import typer

from surefoot.benchmarks.sensitivity_parameters import SensitivityParameters
from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.units import Unit

BenchOption: TypeAlias = Annotated[
    Path | None, typer.Option("--bench", help="The benchmark's folder, if it was moved.")
]
BrowsersOption: TypeAlias = Annotated[
    int, typer.Option("--workers", min=1, help="How many browsers work in parallel.")
]
FormNamesOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--form", help="A form's id, its code, or a .toml file; may be repeated."),
]
FormatOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--format",
        help="The format of the model's replies; chosen by the model's name if not given.",
    ),
]
FormsCountOption: TypeAlias = Annotated[
    int, typer.Option("--forms", min=1, help="How many forms of the catalogue, from its first on.")
]
HiddenNamesOption: TypeAlias = Annotated[
    bool, typer.Option(help="Keep instructions whose name cannot be read in the picture.")
]
JsonOption: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print the outcome as JSON, for programs.")
]
KeyVariableOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--key-variable",
        help="The environment variable that holds the server's key. OPENAI_API_KEY, "
        "ANTHROPIC_API_KEY and GEMINI_API_KEY go to their makers' own servers unless one is named "
        "here.",
    ),
]
KindsOption: TypeAlias = Annotated[
    str, typer.Option(help="Kinds of instruction, separated by commas; all if not given.")
]
LanguageOption: TypeAlias = Annotated[
    str, typer.Option(help="What instructions are in: en, fr, ...; own for each screen's own.")
]
LettersOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--writer",
        metavar="openai:NAME@BASE_URL",
        help="A language model that writes the documents; the grammar replaces any that cannot be "
        "verified.",
    ),
]
MetricsOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--metric", help="A further metric to compute and compare; may be repeated."),
]
PagesOption: TypeAlias = Annotated[
    int,
    typer.Option(
        "--limit", min=0, help="At most this many pages, taken from all sites in turn; 0 for all."
    ),
]
ParametersOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A parameter of the benchmark; may be repeated. That of perturbed: relation, kept or "
        f"anew. Those of sensitivity: {', '.join(SensitivityParameters.__struct_fields__)}.",
    ),
]
PromptFileOption: TypeAlias = Annotated[
    Path | None, typer.Option("--prompt-file", help="A file with the family's official prompt.")
]
RetryOption: TypeAlias = Annotated[
    bool, typer.Option("--retry-failed", help="Retry what failed before.")
]
SiteTargetsOption: TypeAlias = Annotated[
    int,
    typer.Option(
        "--site-targets",
        min=0,
        help="At most this many targets per site, taken from its pages in turn; 0 for all.",
    ),
]
SourcesArgument: TypeAlias = Annotated[
    list[str],
    typer.Argument(
        metavar="SOURCE...",
        help="URL, .html, .mhtml, folder:DIR, npm:PACKAGE@VERSION, django-admin:, demo:, "
        "app:NAME, desktop:COMMAND, android:DIR, screens:DIR, pictures:DIR, or a source of an "
        "installed package",
    ),
]
SelfCheckOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--self-check/--no-self-check",
        help="First check that the model's coordinates are in the format's space.",
    ),
]
SpreadOption: TypeAlias = Annotated[
    Literal["centroid", "pairwise"],
    typer.Option("--spread", help="What a click's deviation is measured from (sensitivity)."),
]
StandardOption: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--standard",
        help="Runs on a standard set, to stand beside these (sensitivity: to order the models).",
    ),
]
LabelOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--label", help="What a run is called; once for every run, in their order."),
]
SharedOption: TypeAlias = Annotated[
    bool, typer.Option("--shared-only", help="Score only what all runs were asked.")
]
TablesOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--tables",
        metavar="FOLDER",
        file_okay=False,
        help="Also write every table of the report as CSV and parquet.",
    ),
]
TargetsOption: TypeAlias = Annotated[
    int | None, typer.Option(min=1, show_default="16", help="At most this many targets per page.")
]
ToleranceOption: TypeAlias = Annotated[
    float,
    typer.Option("--tolerance", help="Total growth of each side of a target's box, in pixels."),
]
UnconfinedOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--unconfined", help="Open pages of others even where no sandbox confines the browser."
    ),
]
UnitOption: TypeAlias = Annotated[
    Unit,
    typer.Option(
        "--unit",
        help="What the questions are a sample of, and intervals are over: sites, pages of these "
        "sites, or just these elements. Of one site always its elements or pages.",
    ),
]
VariantsOption: TypeAlias = Annotated[
    str,
    typer.Option(
        help="Variants (views, for sensitivity), separated by commas, the original first. "
        "Default: original,style,theme,order,precision,text_shrink; for sensitivity "
        "original,crop,background."
    ),
]
DetectorOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--detector",
        metavar="NAME[:ARGUMENT]",
        help="What finds elements in pictures that come without any: pixels, pixels:rapidocr, "
        "omniparser:DIR, hugging-face:DIR.",
    ),
]
WriterOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--writer",
        metavar="openai:NAME@BASE_URL",
        help="A language model that also phrases the instructions of sensitivity, or rewords the "
        "questions of multilingual.",
    ),
]
WriterSeesOption: TypeAlias = Annotated[
    Literal["words", "picture"],
    typer.Option(
        "--writer-sees",
        help="What the writer of sensitivity is shown: an instruction in words, or the picture "
        "with the target framed.",
    ),
]
JudgeOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--judge",
        metavar="openai:NAME@BASE_URL",
        help="A model that sees the picture and says what a writer's instruction means, where no "
        "rule can tell.",
    ),
]
SeeingPromptFileOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--prompt-file",
        help="A TOML file with prompts of a writer and a judge that see, in place of ours.",
    ),
]

TemperatureOption: TypeAlias = Annotated[
    float | None,
    typer.Option(
        min=0,
        show_default="0; the server's own with --top-p",
        help="How freely replies are drawn.",
    ),
]
TopPOption: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--top-p", min=0, max=1, show_default="the server's own", help="Draw from this share."
    ),
]
MaxTokensOption: TypeAlias = Annotated[
    int, typer.Option("--max-tokens", min=0, help="Most tokens of a reply; 0 for the format's.")
]
ImagePixelsOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--image-pixels",
        metavar="LEAST:MOST",
        help="The server's own limits of a picture's pixels, where they are not the format's; "
        "LEAST:MOST:SIDE where it limits the longest side.",
    ),
]
TimeoutOption: TypeAlias = Annotated[
    float, typer.Option("--timeout", min=0.1, help="Seconds that are waited for one reply.")
]
RetriesOption: TypeAlias = Annotated[
    int, typer.Option("--retries", min=0, help="How often a request that failed is sent again.")
]
ExtraBodyOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--extra-body",
        metavar="JSON",
        help="Further fields of each request, as a JSON object; null takes a field out. "
        "They are part of the plan.",
    ),
]
DeviceOption: TypeAlias = Annotated[
    Literal["auto", "cpu", "cuda"], typer.Option("--device", help="Where hf: runs a model.")
]
DtypeOption: TypeAlias = Annotated[
    Literal["auto", "float32", "bfloat16", "float16"],
    typer.Option("--dtype", help="What hf: computes in; auto: float32 on a processor."),
]
QuantizationOption: TypeAlias = Annotated[
    Literal["none", "4bit", "8bit"],
    typer.Option("--quantization", help="How hf: packs the weights, on a GPU alone."),
]
AdapterOption: TypeAlias = Annotated[
    Path | None,
    typer.Option("--adapter", file_okay=False, help="A folder with a LoRA adapter for hf:."),
]
HeaderOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--header",
        metavar="'NAME: VALUE'",
        help="A header of each request; '$VARIABLE' in place of the value reads it from the "
        "environment. Values are kept as secret as keys. May be repeated.",
    ),
]

Sampling: TypeAlias = dict[str, Any]

_NAME: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_RESERVED: Final = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "host",
        "transfer-encoding",
    }
)
_SECRET_FIELD: Final = re.compile(
    r"(^|[_-])(api[_-]?key|key|secret|password|authorization)$", re.IGNORECASE
)


def asks_models(verb: Callable[..., None]) -> Callable[..., None]:
    """
    Give a verb the options of models; it takes them together as ``sampling``.

    ``sampling`` are arguments of the verb's function in `surefoot.api`.
    """
    own = inspect.signature(verb, eval_str=True)
    added = inspect.signature(_sampling, eval_str=True).parameters
    kept = [item for name, item in own.parameters.items() if name != "sampling"]
    parameters = [*kept, *added.values()]

    @functools.wraps(verb)
    def with_sampling(**given: Any) -> None:  # noqa: ANN401 - whatever the verb takes
        sampling = _sampling(**{name: given.pop(name) for name in added})
        verb(**given, sampling=sampling)

    # What typer reads options from.
    vars(with_sampling)["__signature__"] = own.replace(parameters=parameters)
    with_sampling.__annotations__ = {item.name: item.annotation for item in parameters}
    return with_sampling


def _sampling(  # noqa: PLR0913 - one argument an option
    *,
    temperature: TemperatureOption = None,
    top_p: TopPOption = None,
    max_tokens: MaxTokensOption = 0,
    timeout: TimeoutOption = 120.0,
    retries: RetriesOption = 5,
    extra_body: ExtraBodyOption = "",
    header: HeaderOption = None,
    image_pixels: ImagePixelsOption = "",
    device: DeviceOption = "auto",
    dtype: DtypeOption = "auto",
    quantization: QuantizationOption = "none",
    adapter: AdapterOption = None,
) -> Sampling:
    given = {
        "temperature": temperature,
        "top_p": top_p,
        "max_tokens": max_tokens,
        "timeout": timeout,
        "retries": retries,
        "extra_body": read_body(extra_body),
        "header": read_headers(header or ()),
        "image_pixels": image_pixels,
        "device": device,
        "dtype": dtype,
        "quantization": quantization,
        "adapter": adapter,
    }
    return {name: value for name, value in given.items() if value is not None}


def read_body(text: str) -> Mapping[str, object]:
    """
    Read further fields of a request from a JSON object, "" for none.

    Raises InvalidInputError for anything else, and for a field that would hold a secret:
    plans are published. Nothing of the text is repeated.

    >>> read_body('{"top_k": 5, "seed": null}')
    {'top_k': 5, 'seed': None}
    """
    import msgspec

    if not text:
        return {}
    try:
        found = msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise InvalidInputError(
            "a JSON object after --extra-body", found=error, remedy="""write '{"top_k": 5}'"""
        ) from error
    for name in _fields(found):
        if _SECRET_FIELD.search(name):
            raise InvalidInputError(
                "fields after --extra-body that may stand in a plan",
                found=f"'{name}'",
                remedy="give a key with --key-variable, another secret with --header",
            )
    return found


def read_headers(given: Sequence[str]) -> dict[str, str]:
    """
    Read headers written 'NAME: VALUE' or NAME=VALUE; '$VARIABLE' is read from the environment.

    Raises InvalidInputError without repeating a value.

    >>> read_headers(["X-Tenant: blue", "x-team=red"])
    {'X-Tenant': 'blue', 'x-team': 'red'}
    """
    found: dict[str, str] = {}
    for number, text in enumerate(given, start=1):
        name, value, *_ = (part.strip() for part in (*re.split("[:=]", text, maxsplit=1), ""))
        variable = value.removeprefix("$") if value.startswith("$") else ""
        value = os.environ.get(variable, "").strip() if variable else value
        fits = _NAME.fullmatch(name) and name.casefold() not in _RESERVED
        if not (fits and value and value.isascii() and value.isprintable()):
            shown = f"'{name}'" if _NAME.fullmatch(name) and ":" in text else f"number {number}"
            empty = f", whose variable {variable} is not set" if variable and not value else ""
            raise InvalidInputError(
                "headers written 'NAME: VALUE', of printable ASCII, that are not our own",
                found=f"the header {shown}{empty} (its value is not shown)",
                remedy="write --header 'X-Tenant: $TENANT_KEY'",
            )
        found[name] = value
    return found


def _fields(value: object) -> list[str]:
    """Return the names of all fields, at any depth."""
    if isinstance(value, dict):
        return [*map(str, value), *(name for part in value.values() for name in _fields(part))]
    if isinstance(value, list):
        return [name for part in value for name in _fields(part)]
    return []
