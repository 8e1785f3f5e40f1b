"""
Forms as TRL's environment: scripted calls come through its own loop, and are paid their score.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from surefoot.capture.web.browser import Browser
from surefoot.core.errors import InvalidInputError
from surefoot.environments.desk import DeskClient
from surefoot.forms.catalogue.reading import read_form
from surefoot.forms.desk.application import serve_desk
from surefoot.forms.desk.cases import Offer
from surefoot.forms.desk.protocol import EpisodeRequest
from surefoot.forms.driver.agent import open_agent
from surefoot.forms.driver.episode import run_episode
from surefoot.forms.driver.observation import FormView
from surefoot.forms.driver.tools import tool_arguments
from surefoot.forms.scoring.cases import Case
from surefoot.forms.scoring.summary import summarise_forms
from surefoot.forms.specification import Form
from surefoot.forms.values.making import make_instance
from surefoot.models.opening import FORMATS
from surefoot.report.training import write_card
from surefoot.run.forms.building import build_forms
from surefoot.run.forms.desk import write_episodes
from surefoot.run.forms.prompts import placed
from surefoot.run.forms.running import read_results
from surefoot.run.forms.workers import prepare_task
from surefoot.train.fitting import CURVE, Training, read_curve
from surefoot.train.form_rollouts import FormRollout
from surefoot.train.grpo import train_grpo
from surefoot.train.recipe import FormPages, Lora, Reward, recipe_named
from surefoot.train.reward import REWARDS
from surefoot_studies.tiny.cli import WEIGHTS

pytest.importorskip("trl")
pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::FutureWarning")]
SEED: Final = 4
PAGES: Final = FormPages(width=384, height=512, replies=12)
SPACE: Final = FORMATS.get("qwen3-vl").space
FORM: Final = """
id = "visit"
code = "X1"
domain = "Education"
title = { en = "Visit" }
[[pages]]
title = { en = "You" }
[[pages.fields]]
id = "visitor"
kind = "string"
fill = "person.full_name"
longest = 80
label = { en = "Full name" }
[[pages.fields]]
id = "town"
kind = "string"
fill = "address.city"
longest = 80
label = { en = "Town" }
"""


@pytest.fixture(scope="module")
def form(tmp_path_factory: pytest.TempPathFactory) -> Form:
    """Return a form of two fields."""
    path = tmp_path_factory.mktemp("form") / "visit.toml"
    path.write_text(FORM)
    return read_form(path)


@pytest.fixture(scope="module")
def desk(form: Form, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """Serve a desk of its own; return its folder and its address."""
    folder = tmp_path_factory.mktemp("rollouts") / "desk"
    with serve_desk(folder, Offer((form,))) as address:
        yield folder, address


@pytest.fixture(scope="module")
def calls(form: Form, desk: tuple[Path, str], tmp_path_factory: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """Return the arguments of all calls that fill in the form rightly, in the model's space."""
    request = EpisodeRequest(form="visit", instance=0, seed=SEED, level="lines", agent="oracle")
    instance = make_instance(form, seed=SEED, index=0)
    task = prepare_task(form, instance, tmp_path_factory.mktemp("files"))
    view = FormView(width=PAGES.width, height=PAGES.height, follow="window")
    with DeskClient(desk[1]) as client, Browser() as browser:
        episode = client.open(request)
        played = run_episode(browser, episode.url, open_agent("oracle", task), task, view=view)
    size = PAGES.width / 1000, PAGES.height / 1000

    def thousandths(x: float, y: float) -> tuple[float, float]:
        return x / size[0], y / size[1]

    effects = [effect.action for step in played.steps for effect in step.effects]
    return [tool_arguments(placed(action, thousandths)) for action in effects]


def spoiled(calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the calls with something else typed first."""
    at = next(at for at, call in enumerate(calls) if call["action"] == "type")
    return [*calls[:at], {**calls[at], "text": "Nobody"}, *calls[at + 1 :]]


def test_a_rollout_is_paid_its_score(calls: list[dict[str, Any]], desk: tuple[Path, str]) -> None:
    """A form that is half right is worth what `forms score` says, to the bit."""
    # An action that there is not, and places that are none, are told before, and end nothing.
    rollout = FormRollout(desk[1], SPACE, PAGES, "half")
    picture, task = rollout.reset(form="visit", instance=0, seed=SEED, prompt=[])
    assert picture["image"].size == (PAGES.width, PAGES.height)
    assert "Full name: " in task["text"]
    assert "no action" in rollout.computer_use("fly")[1]["text"]
    assert "place on a screen" in rollout.computer_use("left_click", [1e9, 1e9])[1]["text"]
    assert rollout.computer_use("left_click", [1200, 10])[1]["text"] == "outside"
    assert REWARDS.get("form").of_form(rollout.score) == 0  # type: ignore[misc]
    for call in spoiled(calls):
        assert rollout.computer_use(**call)[1]["text"] == "Done."
    assert rollout.computer_use("submit_form")[0]["text"] == "The form is closed."
    paid = REWARDS.get("form").of_form(rollout.score)  # type: ignore[misc]
    rollout.env.close()

    write_episodes(desk[0])
    (result,) = [one for one in read_results(desk[0]) if one.score.agent == "half"]
    scores = summarise_forms([Case(result.score, seed=SEED)]).scores
    (submitted,) = [one for one in scores if one.metric == "submitted" and not one.trait]
    assert paid == submitted.amount == 0.5


@pytest.mark.slow
def test_trl_trains_on_forms(
    form: Form, calls: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A right and a half right attempt come through TRL's loop; then the toy model's own."""
    # The script stands for the model's replies alone: TRL reads the calls, shows the pictures,
    # pays, and learns. Without a template that calls tools nothing begins.
    from trl.chat_template_utils import qwen3_vl_chat_template
    from trl.trainer.grpo_trainer import GRPOTrainer

    build_forms([form], tmp_path / "bench", instances=1, seed=SEED)
    changes: dict[str, Any] = {
        "max_steps": 2,
        "num_generations": 2,
        "per_device_train_batch_size": 2,
    }
    changes |= {"gradient_accumulation_steps": 1, "max_completion_length": 4000}
    changes |= {"learning_rate": 1e-3, "generation_kwargs": {"max_new_tokens": 24}}
    preset = recipe_named("form-grpo", "grpo", changes)
    recipe = msgspec.structs.replace(preset, forms=PAGES, lora=Lora(r=4, layers="last 4"))
    plain = Training(WEIGHTS, recipe, FORMATS.get("qwen3-vl"), device="cpu")
    with pytest.raises(InvalidInputError, match="chat template calls tools"):
        train_grpo(plain, tmp_path / "bench", tmp_path / "plain")
    wrong = msgspec.structs.replace(recipe, rewards=(Reward("hit"),))
    with pytest.raises(InvalidInputError, match="that judge forms"):
        train_grpo(msgspec.structs.replace(plain, recipe=wrong), tmp_path / "bench", tmp_path)

    shutil.copytree(WEIGHTS, tmp_path / "model")
    (tmp_path / "model" / "chat_template.jinja").write_text(qwen3_vl_chat_template)
    config = json.loads((tmp_path / "model" / "config.json").read_bytes())
    config["text_config"]["max_position_embeddings"] = 2**15
    (tmp_path / "model" / "config.json").write_text(json.dumps(config))
    scripts = [[*script, None] for script in (calls, spoiled(calls))]
    turns = iter(zip(*scripts, strict=True))
    shown: list[int] = []
    generate: Any = GRPOTrainer._generate_single_turn  # noqa: SLF001

    def scripted(trainer: Any, prompts: Any, images: Any, *given: Any, **more: Any) -> Any:  # noqa: ANN401
        turn = next(turns, None)
        if turn is None:
            return generate(trainer, prompts, images, *given, **more)
        shown.extend(map(len, images))
        replies = [
            json.dumps({"name": "computer_use", "arguments": call}) if call else ""
            for call in turn
        ]
        texts = [f"<tool_call>\n{one}\n</tool_call>" if one else "It is done." for one in replies]
        spelled = trainer.processing_class.tokenizer([f"{text}<|im_end|>" for text in texts])
        return spelled["input_ids"], None

    monkeypatch.setattr(GRPOTrainer, "_generate_single_turn", scripted)
    out = tmp_path / "out"
    training = msgspec.structs.replace(plain, model=tmp_path / "model")
    train_grpo(training, tmp_path / "bench", out)
    first, second = (line for line in read_curve(out / CURVE) if "reward" in line)
    assert shown == [turn for turn in range(1, len(calls) + 2) for _ in range(2)]
    assert first["rewards/form/mean"] == first["reward"] == 0.75
    assert (first["tools/call_frequency"], first["tools/failure_frequency"]) == (len(calls), 0)
    assert first["grad_norm"] > 0
    assert second["reward"] == 0
    card = write_card(out, f"hf:{training.model}", tmp_path / "bench").read_text("utf-8")
    assert "| examples | 1 train |" in card
    write_episodes(out / "desk")
    assert {result.score.agent for result in read_results(out / "desk")} == {
        "rollout-1",
        "rollout-2",
    }
