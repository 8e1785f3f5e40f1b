"""
``surefoot train``: what failed becomes data, the data a model, and the model is measured again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from surefoot.api.options import AnyPath, SeedOption, path_or_none, paths
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb
from surefoot.core.errors import InvalidInputError

if TYPE_CHECKING:
    from surefoot.models.format import Format
    from surefoot.run.engine.outcome import Outcome
    from surefoot.train.fitting import Training
    from surefoot.train.recipe import TrainingRecipe

LOCAL = "hf:"
LocalModelArgument: TypeAlias = Annotated[
    str, CliArgument("The folder of the model that is trained.", metavar="hf:PATH")
]
DataArgument: TypeAlias = Annotated[
    AnyPath, CliArgument("The folder that `surefoot train data` wrote.", shell=Path)
]
FormatOption: TypeAlias = Annotated[
    str, CliOption("The format that replies are learned in; see surefoot models.")
]
OutOption: TypeAlias = Annotated[
    AnyPath, CliOption("The folder to write or resume.", shell=Path, only="folder")
]
DeviceOption: TypeAlias = Annotated[
    str, CliOption("Where the model is trained.", metavar="auto|cpu|cuda")
]
DtypeOption: TypeAlias = Annotated[
    str, CliOption("What its numbers are kept in.", metavar="auto|float32|bfloat16")
]
AdapterOption: TypeAlias = Annotated[
    AnyPath | None,
    CliOption("A LoRA adapter to begin with, merged.", shell=Path | None, only="folder"),
]


def read_arguments(given: Iterable[str]) -> dict[str, Any]:
    """
    Read arguments of TRL written NAME=VALUE, values as TOML has them, else text.

    >>> read_arguments(["max_steps=12", "learning_rate=2e-4", "optim=adamw_torch"])
    {'max_steps': 12, 'learning_rate': 0.0002, 'optim': 'adamw_torch'}
    """
    import tomllib

    found: dict[str, Any] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise InvalidInputError(
                "an argument written NAME=VALUE",
                found=f"'{text}'",
                remedy="write --set max_steps=200",
            )
        try:
            found[name.strip()] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            found[name.strip()] = value
    return found


ArgumentsOption: TypeAlias = Annotated[
    Mapping[str, Any] | None,
    CliOption(
        "An argument of TRL's configuration in place of the recipe's; may be repeated.",
        shell=list[str] | None,
        read=read_arguments,
        flag="--set",
        metavar="NAME=VALUE",
    ),
]


@in_thread
def train_data(  # noqa: PLR0913 - one argument an option
    sources: Annotated[
        AnyPath | Iterable[AnyPath],
        CliArgument("Benchmarks, and runs whose hits are learned.", shell=list[Path]),
    ],
    *,
    out: OutOption,
    format: FormatOption,  # noqa: A002 - the option's name
    mixture: Annotated[
        str, CliOption("A mixture's name or .toml file: how many examples of what; all if none.")
    ] = "",
    against: Annotated[
        AnyPath | Iterable[AnyPath],
        CliOption(
            "A benchmark that will be scored: no picture of it is learned; may be repeated.",
            shell=list[Path] | None,
        ),
    ] = (),
    validation: Annotated[
        float, CliOption("The share of sites kept for validation.", metavar="SHARE")
    ] = 0.0,
    layout: Annotated[str, CliOption("What is written besides: trl, ...")] = "trl",
    seed: SeedOption = 0,
) -> Outcome:
    """
    Write examples to learn from: of benchmarks with the right replies, of runs those that hit.

    Sites with pictures that are nearly the same are on one side of the split. A picture that is
    nearly one of --against is an error.

    Raises InvalidInputError for other folders, a mixture that asks for more than there is, and
    a picture that will be scored.
    """
    from surefoot.models import FORMATS
    from surefoot.train.data import build_data
    from surefoot.train.layout import LAYOUTS
    from surefoot.train.mixture import mixture_named

    if not 0 <= validation < 1:
        raise InvalidInputError("a share from 0 to below 1", found=f"{validation}")
    return build_data(
        paths(sources),
        Path(out),
        form=FORMATS.get(format),
        mixture=mixture_named(mixture),
        layout=LAYOUTS.get(layout),
        against=paths(against),
        validation=validation,
        seed=seed,
    )


def print_data(work: Callable[[], Outcome], *, out: Path, format: str) -> None:  # noqa: A002
    """Write the examples, and name the training."""
    from surefoot.cli.output import conclude

    model = ("hf:MODEL", out, "--format", format, "--out", f"{out}-trained")
    conclude(work(), "train", "sft", *model)


def train_sft(  # noqa: PLR0913 - one argument an option
    model: LocalModelArgument,
    data: DataArgument,
    *,
    out: OutOption,
    format: FormatOption,  # noqa: A002 - the option's name
    recipe: Annotated[str, CliOption("A recipe's name or .toml file.")] = "sft",
    arguments: ArgumentsOption = None,
    adapter: AdapterOption = None,
    device: DeviceOption = "auto",
    dtype: DtypeOption = "auto",
    seed: SeedOption = 0,
    say: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """
    Train a model on the replies of examples, by TRL, and write OUT/model or OUT/adapter.

    Given again after a kill it goes on from the last checkpoint, to the same weights. Under
    torchrun all processes train together.

    Raises MissingComponentError without TRL, InvalidInputError for an argument that it refuses.
    """
    from surefoot.models import FORMATS
    from surefoot.train.recipe import recipe_named
    from surefoot.train.sft import train_sft as train

    training = _training(
        model,
        recipe_named(recipe, "sft", dict(arguments or {})),
        FORMATS.get(format),
        adapter=str(path_or_none(adapter) or ""),
        device=device,
        dtype=dtype,
        seed=seed,
    )
    return train(training, Path(data), Path(out), say=say)


def print_sft(work: Any, *, model: str, out: Path) -> None:  # noqa: ANN401 - takes say
    """Train, and name how the trained model is asked."""
    from surefoot.cli.output import complain, conclude

    outcome = work(say=complain)
    given = (
        (model, "--adapter", out / "adapter")
        if (out / "adapter").is_dir()
        else (f"{LOCAL}{out / 'model'}",)
    )
    conclude(outcome, "run", "BENCH", "--model", *given, "--out", f"{out}-run")


def _training(model: str, recipe: TrainingRecipe, form: Format, **chosen: Any) -> Training:  # noqa: ANN401
    from surefoot.train.fitting import Training

    if not model.startswith(LOCAL) or model == LOCAL:
        raise InvalidInputError(
            "a model's folder as hf:PATH",
            found=f"'{model}'",
            remedy="write hf:./Qwen2.5-VL-7B; only weights at hand can be trained",
        )
    return Training(Path(model.removeprefix(LOCAL)), recipe, form, **chosen)


TRAIN = CliVerb(
    "train",
    "Explain",
    "Train on what failed: data, supervised or by rewards, measured again.",
    examples=(
        "surefoot train data out/bench --format qwen3-vl --against out/held --out out/data",
        "surefoot train sft hf:models/tiny out/data --format qwen3-vl --out out/trained",
    ),
)
DATA = CliVerb("train/data", "", "", train_data, print_data)
SFT = CliVerb("train/sft", "", "", train_sft, print_sft)
