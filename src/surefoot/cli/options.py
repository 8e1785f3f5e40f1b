"""
Options that several verbs share, or that are long to declare.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

from surefoot.benchmarks.sensitivity_parameters import SensitivityParameters

__all__ = [
    "BenchOption",
    "BrowsersOption",
    "FormNamesOption",
    "FormatOption",
    "FormsCountOption",
    "HiddenNamesOption",
    "JsonOption",
    "KeyVariableOption",
    "KindsOption",
    "LabelOption",
    "LanguageOption",
    "LettersOption",
    "MetricsOption",
    "PagesOption",
    "ParametersOption",
    "PromptFileOption",
    "RetryOption",
    "SelfCheckOption",
    "SharedOption",
    "SiteTargetsOption",
    "SourcesArgument",
    "SpreadOption",
    "StandardOption",
    "TablesOption",
    "TargetsOption",
    "ToleranceOption",
    "UnconfinedOption",
    "VariantsOption",
    "WriterOption",
]

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
        help="The environment variable that holds the server's key. OPENAI_API_KEY goes to "
        "OpenAI's own server unless it is named here.",
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
        help="A parameter of the benchmark; may be repeated. Those of sensitivity: "
        f"{', '.join(SensitivityParameters.__struct_fields__)}.",
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
        "app:NAME, desktop:COMMAND, android:DIR, screens:DIR, or a source of an installed package",
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
    typer.Option("--standard", help="Runs whose hit rates order the models (sensitivity)."),
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
VariantsOption: TypeAlias = Annotated[
    str,
    typer.Option(
        help="Variants (views, for sensitivity), separated by commas, the original first. "
        "Default: original,style,theme,order,precision,text_shrink; for sensitivity "
        "original,crop,background."
    ),
]
WriterOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--writer",
        metavar="openai:NAME@BASE_URL",
        help="A language model that also phrases the instructions of sensitivity.",
    ),
]
