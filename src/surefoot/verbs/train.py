"""
``surefoot train``: what failed becomes data, the data a model, and the model is measured again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from surefoot.api.options import (
    AnyPath,
    BenchArgument,
    SeedOption,
    SelfCheckOption,
    path_or_none,
    paths,
)
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb
from surefoot.core.errors import InvalidInputError

if TYPE_CHECKING:
    from surefoot.run.engine.outcome import Outcome
    from surefoot.train.fitting import Training
    from surefoot.train.mended import LoopOutcome

LOCAL = "hf:"
LocalModelArgument: TypeAlias = Annotated[
    str, CliArgument("The folder of the model that is trained.", metavar="hf:PATH")
]
DataArgument: TypeAlias = Annotated[
    AnyPath,
    CliArgument(
        "The folder that `surefoot train data` wrote; for grpo also `surefoot forms build`.",
        shell=Path,
    ),
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
        CliArgument("Benchmarks, diagnoses, and runs whose hits are learned.", shell=list[Path]),
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
    layout: Annotated[
        str, CliOption("What is written besides: trl, llama-factory or verl.")
    ] = "trl",
    seed: SeedOption = 0,
) -> Outcome:
    """
    Write examples to learn from: of benchmarks with the right replies, of runs those that hit.

    A diagnosis gives what it asked about its confirmed causes, and as many other questions.

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
    tell: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """
    Train a model on the replies of examples, by TRL, and write OUT/model or OUT/adapter.

    Given again after a kill it goes on from the last checkpoint, to the same weights. Under
    torchrun all processes train together.

    Raises MissingComponentError without TRL, InvalidInputError for an argument that it refuses.
    """
    from surefoot.train.sft import train_sft as train

    chosen: dict[str, Any] = {"adapter": adapter, "device": device, "dtype": dtype, "seed": seed}
    training = _training(model, "sft", recipe, arguments, format, **chosen)
    return _with_card(train(training, Path(data), Path(out), say=tell), model, data)


def train_grpo(  # noqa: PLR0913 - one argument an option
    model: LocalModelArgument,
    data: DataArgument,
    *,
    out: OutOption,
    format: FormatOption,  # noqa: A002 - the option's name
    recipe: Annotated[str, CliOption("A recipe's name or .toml file.")] = "click-grpo",
    arguments: ArgumentsOption = None,
    adapter: AdapterOption = None,
    device: DeviceOption = "auto",
    dtype: DtypeOption = "auto",
    seed: SeedOption = 0,
    tell: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """
    Train a model by the rewards of its own replies to examples' questions, by TRL's GRPO.

    Rewards read a reply as `surefoot run` does. Forms are filled in call by call, by the recipe
    form-grpo. Otherwise as `surefoot train sft`.

    Raises as ``train_sft`` does, and InvalidInputError for a recipe without rewards.
    """
    from surefoot.train.grpo import train_grpo as train

    chosen: dict[str, Any] = {"adapter": adapter, "device": device, "dtype": dtype, "seed": seed}
    training = _training(model, "grpo", recipe, arguments, format, **chosen)
    return _with_card(train(training, Path(data), Path(out), say=tell), model, data)


def print_training(work: Any, *, model: str, out: Path) -> None:  # noqa: ANN401 - takes tell
    """Train, and name how the trained model is asked."""
    from surefoot.cli.output import complain, conclude

    outcome = work(tell=complain)
    given = (
        (model, "--adapter", out / "adapter")
        if (out / "adapter").is_dir()
        else (f"{LOCAL}{out / 'model'}",)
    )
    conclude(outcome, "run", "BENCH", "--model", *given, "--out", f"{out}-run")


@in_thread
def train_loop(  # noqa: PLR0913 - one argument an option
    model: LocalModelArgument,
    bench: BenchArgument,
    *,
    fresh: Annotated[
        AnyPath,
        CliOption("A benchmark of other sites, to draw what is learned from.", shell=Path),
    ],
    out: OutOption,
    format: FormatOption,  # noqa: A002 - the option's name
    measure: Annotated[
        AnyPath | Iterable[AnyPath],
        CliOption(
            "A benchmark to measure on, before and after; BENCH if not given; may be repeated.",
            shell=list[Path] | None,
        ),
    ] = (),
    count: Annotated[
        int, CliOption("Examples of confirmed causes, and as many of none.", minimum=1)
    ] = 1000,
    limit: Annotated[
        int, CliOption("Elements that are diagnosed at most; 0 for all.", minimum=0)
    ] = 0,
    generated: Annotated[
        int,
        CliOption(
            "At most this many generated instructions an element, besides the benchmarks' own.",
            minimum=0,
        ),
    ] = 0,
    recipe: Annotated[str, CliOption("A recipe's name or .toml file.")] = "sft",
    arguments: ArgumentsOption = None,
    device: DeviceOption = "auto",
    dtype: DtypeOption = "auto",
    max_tokens: Annotated[int, CliOption("The longest reply, in tokens.", minimum=1)] = 64,
    seed: SeedOption = 0,
    self_check: SelfCheckOption = True,
    tell: Callable[[str], None] = lambda _: None,
) -> LoopOutcome:
    """
    Diagnose a model, train it on fresh questions of what was confirmed, and measure it again.

    OUT/results.md says, condition by condition, what was mended and what was damaged. No picture
    of BENCH or of --measure is learned. The same command resumes at the step that was stopped.

    Raises NothingKeptError where the diagnosis confirms nothing that can be taught.
    """
    from surefoot.api.asking import asking_options
    from surefoot.core.canonical import readable_json
    from surefoot.core.files import write_atomic
    from surefoot.diagnose.lesson import write_lesson
    from surefoot.report.training import write_card
    from surefoot.run.asking.run import ask_model
    from surefoot.train.fitting import trained_model
    from surefoot.train.mended import LoopOutcome, compare_training, conclusion, table
    from surefoot.verbs.diagnose import diagnose

    folder, benches = Path(out), [Path(path) for path in paths(measure) or [Path(bench)]]
    asking: dict[str, Any] = {
        "format": format,
        "device": device,
        "max_tokens": max_tokens,
        "seed": seed,
    }
    tell("diagnosing")
    diagnose(
        bench,
        model=model,
        out=folder / "diagnosis",
        limit=limit,
        generated=generated,
        self_check=self_check,
        **asking,
    )
    lesson = folder / "lesson"
    write_lesson(
        folder / "diagnosis", Path(fresh), lesson, count=count, seed=seed, generated=generated
    )
    tell("asking what is not of a cause: of what is hit, the model's own replies are learned")
    own = folder / "own-replies"
    ask_model(
        lesson / "outside",
        model,
        own,
        format_name=format,
        check=False,
        keep_going=True,
        options=asking_options(asking),
    )
    train_data(
        [lesson / "inside", own],
        out=folder / "data",
        format=format,
        seed=seed,
        against=[Path(bench), *benches],
    )
    tell("training")
    train_sft(
        model,
        folder / "data",
        out=folder / "trained",
        format=format,
        recipe=recipe,
        arguments=arguments,
        device=device,
        dtype=dtype,
        seed=seed,
        tell=tell,
    )
    trained = trained_model(model, folder / "trained")
    pairs = []
    for number, path in enumerate(benches, start=1):
        runs = []
        for when, (spec, adapter) in (("before", (model, "")), ("after", trained)):
            tell(f"measuring {when} on {path}")
            run = folder / f"{when}-{number}"
            ask_model(
                path,
                spec,
                run,
                format_name=format,
                check=False,
                keep_going=True,
                options=asking_options({**asking, "adapter": adapter}),
            )
            runs.append(run)
        pairs.append((runs[0], runs[1]))
    found = compare_training(pairs)
    said = conclusion(found)
    write_card(folder / "trained", model, folder / "data", table(found))
    write_atomic(folder / "results.md", f"{said}\n\n{table(found)}\n".encode())
    write_atomic(folder / "results.json", readable_json(found))
    return LoopOutcome(folder, said, found)


def print_loop(
    work: Any,  # noqa: ANN401 - takes tell
    *,
    out: Path,
    json: Annotated[bool, CliOption("Print each condition as JSON.")] = False,
) -> None:
    """Go round the loop, and print what it came to."""
    from surefoot.cli.output import complain, print_json, say, say_written

    outcome = work(tell=complain)
    if json:
        print_json(outcome.conditions)
        return
    say(outcome.conclusion)
    say_written(out / "results.md")


def _training(
    model: str,
    method: str,
    recipe: str,
    arguments: Mapping[str, Any] | None,
    format_name: str,
    *,
    adapter: AnyPath | None,
    **chosen: Any,  # noqa: ANN401
) -> Training:
    from surefoot.models import FORMATS
    from surefoot.train.fitting import Training
    from surefoot.train.recipe import recipe_named

    if not model.startswith(LOCAL) or model == LOCAL:
        raise InvalidInputError(
            "a model's folder as hf:PATH",
            found=f"'{model}'",
            remedy="write hf:./Qwen2.5-VL-7B; only weights at hand can be trained",
        )
    return Training(
        Path(model.removeprefix(LOCAL)),
        recipe_named(recipe, method, dict(arguments or {})),
        FORMATS.get(format_name),
        adapter=str(path_or_none(adapter) or ""),
        **chosen,
    )


def _with_card(outcome: Outcome, model: str, data: AnyPath) -> Outcome:
    from surefoot.report.training import write_card
    from surefoot.train.fitting import is_first

    if is_first():
        write_card(outcome.folder, model, Path(data))
    return outcome


TRAIN = CliVerb(
    "train",
    "Explain",
    "Train on what failed, and measure what that mends.",
    examples=(
        "surefoot train data out/bench --format qwen3-vl --against out/held --out out/data",
        "surefoot train sft hf:models/tiny out/data --format qwen3-vl --out out/trained",
        "surefoot train grpo hf:models/tiny out/data --format qwen3-vl --out out/rewarded",
        (
            "surefoot train loop hf:models/tiny out/bench --fresh out/other-sites "
            "--measure out/held --format qwen3-vl --out out/loop"
        ),
    ),
)
LOOP = CliVerb("train/loop", "", "", train_loop, print_loop)
DATA = CliVerb("train/data", "", "", train_data, print_data)
SFT = CliVerb("train/sft", "", "", train_sft, print_training)
GRPO = CliVerb("train/grpo", "", "", train_grpo, print_training)
