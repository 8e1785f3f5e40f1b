"""
Instructions in a screen's own language, and the reasons for which there is none.
"""

from __future__ import annotations

import pytest

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.screen import HIT_POINTS, Element, Screen
from surefoot.refer.generate.speak import language_for, speak
from surefoot.refer.resolve.rejection import REASONS, Rejection
from surefoot.refer.scene.scene import Scene

SAVE = Element("1", "button", Box(0, 0, 60, 20), name="保存", hits=(True,) * HIT_POINTS)


def screen(locale: str) -> Screen:
    """Return a screen in a locale."""
    return Screen("a", "page", "src", "", 90, 90, 1.0, "web", locale, (SAVE,))


@pytest.mark.parametrize(
    ("locale", "language"),
    [("fr-FR", "fr"), ("zh_CN", "zh"), ("zh-Hans-CN", "zh"), ("zh-TW", "zh-hant"), ("", "")],
)
def test_a_locale_says_what_to_speak(locale: str, language: str) -> None:
    """A screen's own language is that of its locale; who reads traditional signs gets none."""
    assert language_for(screen(locale), "own") == language
    assert language_for(screen(locale), "en") == "en"


def test_what_is_said_tells_its_language() -> None:
    """The sentence is in the language, the name in it is the application's own."""
    said = speak(
        Expression(role="button", name="保存"), SAVE, Scene(screen("ja")), language="ja", seed=0
    )
    assert isinstance(said, Instruction)
    assert (said.text, said.language) == ("「保存」ボタンをクリックしてください", "ja")


@pytest.mark.parametrize(
    ("expression", "language", "reason"),
    [
        (Expression(role="button", name="保存"), "de", "no-language"),
        (Expression(role="scrollbar", name="保存"), "ja", "no-words"),
        (Expression(role="button", name="「『“\"'"), "ja", "read-otherwise"),
    ],
)
def test_what_cannot_be_said_has_a_reason(
    expression: Expression, language: str, reason: str
) -> None:
    """Nothing is said in English instead: the funnel counts the reason."""
    said = speak(expression, SAVE, Scene(screen(language)), language=language, seed=0)
    assert isinstance(said, Rejection)
    assert said.reason == reason
    assert reason in REASONS
