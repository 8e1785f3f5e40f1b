"""
What a model is told about a form.
"""

from __future__ import annotations

import pytest

from surefoot.forms.driver.actions import (
    Click,
    Drag,
    MouseUp,
    NextPage,
    Press,
    Scroll,
    Type,
    Upload,
)
from surefoot.forms.driver.agent import FormTask, Policy
from surefoot.forms.driver.language import ACTION_LANGUAGES
from surefoot.forms.driver.observation import ActionOutcome, Observation
from surefoot.models.spaces import IMAGE_PIXELS, PER_MILLE, UNIT, Space, resized_pixels
from surefoot.run.forms.prompts import FormPrompt, placed, prompt_identity

SEEN = Observation(b"", 1280, 1410, 0)
RESIZED = resized_pixels(28, 3136, 12845056)
TASK = FormTask("Name: {width} Ann\nNote: {files}", files=("cv.pdf", 'odd "one".png'))


def prompt(
    policy: Policy = "page",
    language: str = "browsergym",
    space: Space = IMAGE_PIXELS,
    ruler: int = 0,
) -> FormPrompt:
    """Return the prompt of one way to ask."""
    return FormPrompt(TASK, policy, ACTION_LANGUAGES.get(language), space, ruler)


@pytest.mark.parametrize("policy", ["page", "step"])
@pytest.mark.parametrize("language", ["browsergym", "paper"])
@pytest.mark.parametrize("space", [IMAGE_PIXELS, RESIZED, PER_MILLE, UNIT])
def test_a_prompt_holds_task_files_and_every_verb(
    policy: Policy, language: str, space: Space
) -> None:
    """The text stands there as it is, and nothing of a template is left over."""
    said = prompt(policy, language, space, ruler=100).messages(SEEN)
    assert TASK.text in said.user
    assert '- "cv.pdf"\n- "odd \\"one\\".png"' in said.user
    told = [verb for verb in ACTION_LANGUAGES.get(language).verbs if verb.told]
    assert told
    for verb in told:
        assert f"- {verb.usage}: {verb.does}" in said.user
    assert "one fenced block" in said.system
    assert "double quotes" in said.user
    rest = said.system + said.user.replace(TASK.text, "")
    assert "{" not in rest
    assert "}" not in rest


@pytest.mark.parametrize("language", ["ui-tars", "qwen", "computer-use"])
def test_a_language_of_its_own_says_how_it_is_written(language: str) -> None:
    """No fenced block and no quotes are asked for; each line of the language stands there."""
    said = prompt("step", language).messages(SEEN)
    own = ACTION_LANGUAGES.get(language)
    assert own.manner in said.system
    assert all(f"- {line}" in said.user for line in own.lines)
    assert "fenced block" not in said.system + said.user
    assert "double quotes" not in said.user
    assert own.write(NextPage()) in said.user


@pytest.mark.parametrize(
    ("space", "said", "unsaid"),
    [
        (IMAGE_PIXELS, "1280 x 1410 pixels. Points are pixels", "multiply"),
        (RESIZED, "1288 x 1400 pixels. Points are pixels", "1280 x 1410 pixels. Points"),
        (PER_MILLE, "from 0 at its left edge to 1000 at", "Points are pixels"),
        (UNIT, "from 0 at its left edge to 1 at", "Points are pixels"),
    ],
)
def test_the_space_is_said(space: Space, said: str, unsaid: str) -> None:
    """A model hears of the picture's size as it sees it, and in what its points count."""
    text = prompt(space=space, ruler=100).messages(SEEN).user
    assert said in text
    assert unsaid not in text
    assert "numbered tick each 100 pixels" in text
    assert "ruler" not in prompt(space=space).messages(SEEN).user


def test_the_ruler_of_another_space_is_converted() -> None:
    """A tick at 640 of 1,280 pixels is 500 thousandths: the factors say so."""
    text = prompt(space=PER_MILLE, ruler=50).messages(SEEN).user
    assert "across by 0.7812 and down by 0.7092" in text
    assert round(640 * 0.7812) == 500


def test_policies_ask_for_a_page_or_for_a_step() -> None:
    """Page-wise, the driver turns the page; step by step, the model's own calls do."""
    assert "Afterwards the page is turned" in prompt("page").messages(SEEN).user
    step = prompt("step", "paper").messages(SEEN).user
    assert "turn it with NextPage()" in step
    assert "hand the form in with Submit()" in step


def test_past_actions_are_told_in_the_models_own_space() -> None:
    """Each line holds the call as the model would write it, and what came of it."""
    own = prompt("step", "paper", PER_MILLE)
    told = [
        own.told(ActionOutcome(Click(640, 200)), 1280, 800),
        own.told(ActionOutcome(Type("Ann"), (("Ann",),)), 1280, 800),
        own.told(ActionOutcome(Press("Delete"), ((), ("cs102",))), 1280, 800),
        own.told(ActionOutcome(Upload(0, 0, "x"), refused="no-file-chooser"), 1280, 800),
        own.told(ActionOutcome(NextPage(), turned=True), 1280, 800),
    ]
    assert told == [
        "- Click(500, 250): no field changed",
        '- Type("Ann"): 1 field changed',
        '- Press("Delete"): 2 fields changed',
        '- Upload(0, 0, "x"): refused (no-file-chooser)',
        "- NextPage(): another page came",
    ]
    assert "\n".join(told) in own.messages(SEEN, told).user
    many = own.messages(SEEN, [f"- line {number} of it" for number in range(99)]).user
    assert "line 98 of" in many
    assert "line 3 of" not in many


def test_an_unread_reply_is_told() -> None:
    """A model whose last reply held no action hears so."""
    assert "no call that could" in prompt("step").messages(SEEN, unread=True).user
    assert "no call that could" not in prompt("step").messages(SEEN).user


def test_only_points_are_converted() -> None:
    """Distances to scroll and words stay; all points go through the conversion."""

    def double(x: float, y: float) -> tuple[float, float]:
        return 2 * x, 2 * y

    assert placed(Click(1, 2, "right", 2), double) == Click(2, 4, "right", 2)
    assert placed(Upload(1, 2, "a"), double) == Upload(2, 4, "a")
    assert placed(Scroll(1, 2, 3, 4), double) == Scroll(1, 2, 6, 8)
    assert placed(Drag(1, 2, 3, 4), double) == Drag(2, 4, 6, 8)
    assert placed(MouseUp(1, 2, "right"), double) == MouseUp(2, 4, "right")
    assert placed(Scroll(1, 2), double) == Scroll(1, 2)
    assert placed(Type("1, 2"), double) == Type("1, 2")


def test_the_prompts_have_an_identity() -> None:
    """The plan of a run says which prompts were used."""
    assert prompt_identity()["version"] == 3
    assert len(str(prompt_identity()["texts"])) == 64
