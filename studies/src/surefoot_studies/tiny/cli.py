"""
The verbs of ``surefoot-studies tiny``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from surefoot_studies.tiny.recipe import CurvePoint, recipe_named

WEIGHTS = Path(__file__).parent / "weights" / "qwen3-vl-tiny"

tiny = typer.Typer(
    help="Train a small vision-language model on drawn screens, and measure it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@tiny.callback()
def _tiny() -> None:
    """Train a small vision-language model on drawn screens, and measure it."""


@tiny.command()
def train(
    *,
    out: Annotated[Path, typer.Option(help="The folder to train in; one begun goes on.")],
    recipe: Annotated[str, typer.Option(help="A recipe's name, or a file with one.")] = "tiny",
    seed: Annotated[int, typer.Option(help="The seed of screens and fresh weights.")] = 0,
    device: Annotated[str, typer.Option(help="Where to train: cpu or cuda.")] = "cpu",
    threads: Annotated[int, typer.Option(min=1, help="Threads on the processor.")] = 1,
    workers: Annotated[int, typer.Option(min=0, help="Processes that draw ahead.")] = 0,
    minutes: Annotated[float, typer.Option(min=0, help="Stop after so long; 0 never.")] = 0.0,
) -> None:
    """
    Train a model from nothing, and write it to OUT/model in Hugging Face's layout.

    Given again after a kill it goes on from the last checkpoint.
    """
    from surefoot.cli.output import say, say_written
    from surefoot_studies.tiny.saving import save
    from surefoot_studies.tiny.training import set_up, train_in

    given = recipe_named(recipe, seed)
    set_up(threads)
    learner, points = train_in(
        given, out, device=device, workers=workers, minutes=minutes, say=_teller(say)
    )
    command = f"surefoot-studies tiny train --recipe {recipe} --seed {seed} --out OUT"
    say_written(save(learner, points, out / "model", command=command))


def _teller(say: Callable[[str], None]) -> Callable[[CurvePoint], None]:
    def tell(point: CurvePoint) -> None:
        told = f"step {point.step:6,}  loss {point.loss:7.3f}  {point.seconds:6.0f} s"
        if point.guesses:
            choices = "  ".join(
                f"{name} {part:.2f}" for name, part in point.guesses.choice.items()
            )
            told += f"  click {point.guesses.click:.2f}  {choices}"
        say(told)

    return tell


@tiny.command()
def bench(
    *,
    out: Annotated[Path, typer.Option(help="The folder to write the benchmarks below.")],
    seed: Annotated[int, typer.Option(help="The seed of the screens.")] = 0,
    memory: Annotated[int, typer.Option(min=1, help="Screens of the split 'memory'.")] = 160,
    validation: Annotated[int, typer.Option(min=1, help="Screens of 'validation'.")] = 80,
    test: Annotated[int, typer.Option(min=1, help="Screens of 'test'.")] = 160,
    click: Annotated[int, typer.Option(min=1, help="Screens to click on, thrice each.")] = 160,
) -> None:
    """
    Write benchmarks of drawn screens: clicks, and the same choices in three languages.

    No screen is in two of them, nor among those that the model is trained on.
    """
    from surefoot.cli.output import say_written
    from surefoot_studies.tiny.bench import write_benches

    counts = {"memory": memory, "validation": validation, "test": test}
    for folder in write_benches(out, seed=seed, screens=counts, clicked=click):
        say_written(folder)


@tiny.command()
def measure(
    model: Annotated[Path, typer.Argument(help="A model's folder; the committed one if none.")] = (
        WEIGHTS
    ),
    *,
    out: Annotated[Path, typer.Option(help="The folder of the benchmarks, kept.")],
    seed: Annotated[int, typer.Option(help="The seed of the held-out screens.")] = 0,
    screens: Annotated[int, typer.Option(min=2, help="Screens of each kind.")] = 300,
    device: Annotated[str, typer.Option(help="Where to compute: cpu or cuda.")] = "cpu",
    threads: Annotated[int, typer.Option(min=1, help="Threads on the processor.")] = 1,
    write: Annotated[Path | None, typer.Option(help="A page to write the tables into.")] = None,
) -> None:
    """
    Measure a trained model on screens that it never saw, with intervals over screens.

    Clicks and choices in three languages are asked by a plain loop; tables are printed.
    """
    from surefoot.cli.output import say, say_written
    from surefoot.core.files import write_atomic
    from surefoot_studies.tiny.bench import CLICKS, write_choices, write_clicks
    from surefoot_studies.tiny.measuring import PlainModel, measured, measured_page
    from surefoot_studies.tiny.training import set_up

    set_up(threads)
    click = write_clicks(out / CLICKS, seed=seed, screens=screens)
    test = write_choices(out / "test", "test", seed=seed, screens=screens)
    recipe = recipe_named(str(model / "recipe.json"))
    table = measured(PlainModel(model, recipe.speaks, device), click, test)
    say(table)
    if write is not None:
        write_atomic(write, measured_page(write.read_text("utf-8"), table).encode())
        say_written(write)
