"""
GRPO on drawn screens: rewards reach the trainer, and a kill costs nothing but time.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Answer, Parsed, Question, Unparsed
from surefoot.core.seeds import random_source
from surefoot.models import Options
from surefoot.models.opening import FORMATS
from surefoot.run.asking.run import ask_model
from surefoot.run.asking.runs import open_run
from surefoot.score.hits import judge
from surefoot.train.data import build_data
from surefoot.train.fitting import CHECKPOINTS, CURVE, Training, read_curve
from surefoot.train.grpo import train_grpo
from surefoot.train.layout import LAYOUTS
from surefoot.train.mixture import Draw, Mixture
from surefoot.train.recipe import Lora, Reward, TrainingRecipe, recipe_named
from surefoot.train.reward import REWARDS, ReplyReward
from surefoot_studies.tiny.bench import write_clicks
from surefoot_studies.tiny.cli import WEIGHTS

STEPS: Final = 4
GROUP: Final = 8
A_STEP: Final = 2 * GROUP
KILLED: Final = """
import sys
from pathlib import Path
import msgspec
from surefoot.models.opening import FORMATS
from surefoot.train.fitting import Training
from surefoot.train.grpo import train_grpo
from surefoot.train.recipe import TrainingRecipe
model, recipe, data, out = sys.argv[1:]
recipe = msgspec.json.decode(recipe, type=TrainingRecipe)
training = Training(Path(model), recipe, FORMATS.get("tiny"), device="cpu")
train_grpo(training, Path(data), Path(out))
"""
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]


class KilledError(BaseException):
    """Stand for a signal that ends a process at once."""


class SeenReply(NamedTuple):
    """Hold what a reward was given."""

    question: Question
    parsed: Parsed


def recipe_of(*rewards: Reward, **changes: Any) -> TrainingRecipe:  # noqa: ANN401
    """Return the preset, made small enough for a test."""
    small = {
        "max_steps": STEPS,
        "save_steps": 1,
        "per_device_train_batch_size": A_STEP,
        "gradient_accumulation_steps": 1,
        "learning_rate": 5e-3,
        "temperature": 2.0,
    }
    recipe = recipe_named("click-grpo", "grpo", small | changes)
    return msgspec.structs.replace(recipe, rewards=rewards, lora=Lora(r=4, layers="last 8"))


def training_of(recipe: TrainingRecipe) -> Training:
    """Return a training of the toy model."""
    return Training(WEIGHTS, recipe, FORMATS.get("tiny"), device="cpu")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a DATA of twelve clicks, on screens whose figures are hard to hit."""
    folder = tmp_path_factory.mktemp("grpo")
    bench = write_clicks(folder / "bench", seed=3, screens=4, variants=("smaller",))
    form, layout = FORMATS.get("tiny"), LAYOUTS.get("trl")
    build_data([bench], folder / "data", form=form, mixture=Mixture(), layout=layout)
    return folder / "data"


@pytest.fixture(scope="module")
def seen() -> Iterator[list[SeenReply]]:
    """Offer a reward 'spy' that pays a quarter for a hit; return all that it is given."""
    given: list[SeenReply] = []

    def pay(question: Question, parsed: Parsed) -> float:
        given.append(SeenReply(question, parsed))
        return 0.25 * judge([question], [Answer(question.id, "", parsed)])[question.id]

    with pytest.MonkeyPatch.context() as patch:
        spy = ReplyReward(name="spy", version=1, summary="", source="", judge=pay)
        patch.setitem(REWARDS.entries, "spy", spy)
        yield given


@pytest.fixture(scope="module")
def straight(data: Path, seen: list[SeenReply]) -> Path:
    """Return what a training came to that nothing ended."""
    out = data.parent / "straight"
    done = train_grpo(training_of(recipe_of(Reward("spy", 2.0), Reward("format"))), data, out)
    assert f"of {STEPS} steps" in done.lines[-1]
    assert len(seen) == STEPS * A_STEP
    return out


def test_rewards_reach_the_trainer(straight: Path, seen: list[SeenReply]) -> None:
    """Each step's curve has the mean of its rewards, weighed, and the groups without spread."""
    curve = read_curve(straight / CURVE)[:STEPS]
    for step, line in enumerate(curve):
        replies = seen[step * A_STEP : (step + 1) * A_STEP]
        groups = [replies[:GROUP], replies[GROUP:]]
        assert [len({reply.question.id for reply in group}) for group in groups] == [1, 1]
        paid = [[_pay(reply) for reply in group] for group in groups]
        assert line["reward"] == pytest.approx(sum(map(sum, paid)) / A_STEP)
        assert line["frac_reward_zero_std"] == sum(len(set(group)) == 1 for group in paid) / 2
        assert (
            line["unparsed"] == sum(isinstance(one.parsed, Unparsed) for one in replies) / A_STEP
        )
    assert any(line["frac_reward_zero_std"] < 1 for line in curve)


def _pay(reply: SeenReply) -> float:
    answer = Answer(reply.question.id, "", reply.parsed)
    read = not isinstance(reply.parsed, Unparsed)
    return 0.5 * judge([reply.question], [answer])[reply.question.id] + read


def test_a_run_takes_the_adapter(straight: Path) -> None:
    """The adapter changes the model when it is loaded as a run loads it."""
    from surefoot.models.weights.loading import load

    plain, trained = (
        dict(load(WEIGHTS, device="cpu", adapter=adapter).model.named_parameters())
        for adapter in ("", straight / "adapter")
    )
    changed = [name for name, weight in plain.items() if not weight.equal(trained[name])]
    assert 0 < len(changed) <= 8


def test_a_killed_training_ends_in_the_same_weights(
    data: Path, straight: Path, seen: list[SeenReply]
) -> None:
    """Ended in its third step and given again, it has the same rewards and the same weights."""
    out = data.parent / "resumed"
    training = training_of(recipe_of(Reward("spy", 2.0), Reward("format")))

    def end(line: str) -> None:
        if line.startswith("step 3/"):
            raise KilledError

    with pytest.raises(KilledError):
        train_grpo(training, data, out, say=end)
    assert (out / CHECKPOINTS / "checkpoint-2").is_dir()
    before = len(seen)
    train_grpo(training, data, out)
    assert len(seen) - before == 2 * A_STEP, "it began anew"
    assert_same(out, straight)


def test_a_training_killed_in_its_second_epoch_goes_on(data: Path) -> None:
    """Ended with the first epoch, or after it, it draws the second epoch's order all the same."""
    training = training_of(recipe_of(Reward("hit"), max_steps=8))
    whole = data.parent / "two-epochs"
    train_grpo(training, data, whole)
    assert read_curve(whole / CURVE)[5]["epoch"] == 1

    for ended in (6, 7):  # the steps whose checkpoints are whole
        out = data.parent / f"ended-{ended}"

        def end(line: str, last: str = f"step {ended + 1}/") -> None:
            if line.startswith(last):
                raise KilledError

        with pytest.raises(KilledError):
            train_grpo(training, data, out, say=end)
        train_grpo(training, data, out)
        assert_same(out, whole)


def assert_same(out: Path, straight: Path) -> None:
    """Check that two trainings had the same curve but for their times, and the same weights."""
    one, other = (
        [(line["step"], line["reward"], line["entropy"]) for line in read_curve(folder / CURVE)]
        for folder in (out, straight)
    )
    assert one == other
    weights = "adapter/adapter_model.safetensors"
    assert (out / weights).read_bytes() == (straight / weights).read_bytes()


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_training_killed_by_a_signal_goes_on(data: Path) -> None:
    """SIGKILL after any number of written steps costs nothing but time."""
    recipe = recipe_of(Reward("hit"), max_steps=8)

    def command(out: Path) -> list[str]:  # always in a process of its own, threads and all
        given = (WEIGHTS, msgspec.json.encode(recipe).decode(), data, out)
        return [sys.executable, "-c", KILLED, *map(str, given)]

    subprocess.run(command(data.parent / "whole"), check=True)
    steps = random_source(1, "kills").randrange(2, 6)
    out = data.parent / "killed"
    process = subprocess.Popen(command(out))
    while len(read_curve(out / CURVE)) < steps and process.poll() is None:
        time.sleep(0.05)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    subprocess.run(command(out), check=True)
    assert_same(out, data.parent / "whole")


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        (recipe_of(), r"\[\[rewards\]\].*found none"),
        (recipe_of(Reward("choice")), "12 that none judges"),
        (recipe_of(Reward("hit"), num_iterations=2), "multiple of 2.*found 1"),
        (recipe_of(Reward("hit"), num_generations=5), "divisible"),
    ],
)
def test_what_would_go_wrong_in_silence_is_refused(
    recipe: TrainingRecipe, said: str, data: Path, tmp_path: Path
) -> None:
    """Rewards that judge nothing, and checkpoints that a kill would not survive, are errors."""
    with pytest.raises(InvalidInputError, match=said):
        train_grpo(training_of(recipe), data, tmp_path / "out")


@pytest.mark.long
def test_it_stops_by_the_reward_of_the_validation(tmp_path: Path) -> None:
    """It ends at the first evaluation whose reward, not loss, is no better than the best."""
    bench = write_clicks(tmp_path / "bench", seed=5, screens=16, variants=("smaller",))
    form, layout, data = FORMATS.get("tiny"), LAYOUTS.get("trl"), tmp_path / "data"
    build_data([bench], data, form=form, mixture=Mixture(), layout=layout, validation=0.3)
    preset = recipe_of(Reward("hit"), max_steps=9, eval_steps=1, per_device_eval_batch_size=A_STEP)
    recipe = msgspec.structs.replace(preset, early_stop=1)
    train_grpo(training_of(recipe), data, tmp_path / "out")
    curve = read_curve(tmp_path / "out" / CURVE)
    found = [line["eval_reward"] for line in curve if "eval_reward" in line]
    better = [now > max(found[:at]) for at, now in enumerate(found) if at]
    assert better[:-1] == [True] * (len(better) - 1)
    assert not better[-1] or len(found) == 9


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_small_figures_are_mended(tmp_path: Path) -> None:
    """Trained on half small figures, it hits more of unseen ones than chance, at little harm."""
    variants = ("small", "original")
    fresh = write_clicks(tmp_path / "fresh", seed=2, screens=400, variants=variants)
    bench = write_clicks(tmp_path / "bench", seed=1, screens=800, clicked=1, variants=variants)
    draws = tuple(Draw(count=240, variants=(name,)) for name in variants)
    form, layout, data = FORMATS.get("tiny"), LAYOUTS.get("trl"), tmp_path / "data"
    build_data([fresh], data, form=form, mixture=Mixture(draws), layout=layout, against=[bench])
    preset = recipe_of(
        Reward("hit"),
        max_steps=60,
        save_steps=30,
        per_device_train_batch_size=64,
        learning_rate=2e-3,
        temperature=1.0,
    )
    recipe = msgspec.structs.replace(preset, lora=Lora(), frozen=())
    train_grpo(training_of(recipe), data, tmp_path / "out")

    hits: list[dict[str, bool]] = []
    for adapter in ("", str(tmp_path / "out" / "adapter")):
        run = tmp_path / f"run-{len(hits)}"
        options = Options(device="cpu", adapter=adapter)
        ask_model(bench, f"hf:{WEIGHTS}", run, format_name="tiny", options=options, check=False)
        asked = open_run(run)
        hits.append(judge(asked.questions, asked.answers))
    lowest = {}
    for name in variants:
        ids = [one.id for one in asked.questions if one.cell.variant == name]
        gains = np.array([hits[1][one] - hits[0][one] for one in ids], dtype=float)
        again = np.random.default_rng(0).choice(gains, (4000, len(gains))).mean(axis=1)
        lowest[name] = float(np.percentile(again, 2.5))
    assert lowest["small"] > 0
    assert lowest["original"] > -0.05
