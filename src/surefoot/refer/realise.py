"""
From an expression to words, and from a target to a whole instruction.
"""

from __future__ import annotations

from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import Action, Expression, Instruction
from surefoot.core.screen import Element, Screen
from surefoot.refer.landmarks import landmark_place
from surefoot.refer.phrases import phrases_of, quoted
from surefoot.refer.roles import role_word
from surefoot.refer.scene import Scene, scene_of
from surefoot.refer.values import value_for

__all__ = ["action_for", "instruct", "realise"]

_TYPED = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})


def realise(
    expression: Expression, action: Action = "click", value: str = "", *, language: str = "en"
) -> str:
    """
    Say an expression and what to do with it.

    The expression needs a role or a name; a landmark is said by its text, or as a target
    is. Raises InvalidInputError for a form without words, and UnknownNameError for a
    language or a role without any.

    >>> realise(Expression(role="textbox", name="City"), "type", "Berlin")
    "Type 'Berlin' in the 'City' field"
    >>> realise(Expression(role="button", direction="left of",
    ...                    landmark=Expression(text="Total")))
    "Click the button directly to the left of 'Total'"
    """
    if bool(value) == (action == "click"):
        raise InvalidInputError(
            "a value to type or to select, and none to click", found=f"{action} '{value}'"
        )
    said = _reference(expression, language)
    template = phrases_of(language).actions[action]
    return template.format(target=said, value=quoted(value))


def action_for(element: Element, seed: int = 0) -> tuple[Action, str]:
    """
    Return what to do with an element, and the value to type or to select with it.

    >>> from surefoot.core.geometry import Box
    >>> action_for(Element("a", "button", Box(0, 0, 9, 9)))
    ('click', '')
    """
    value = value_for(element, seed)
    if value and "options" in element.attributes:
        return "select", value
    if value and element.role in _TYPED and element.attributes.get("editable") == "true":
        return "type", value
    return "click", ""


def instruct(
    expression: Expression,
    target: Element,
    screen: Screen | Scene,
    *,
    seed: int = 0,
    language: str = "en",
    name_visible: bool = True,
) -> Instruction:
    """Return the whole instruction for a target on a screen, the value drawn by the seed."""
    action, value = action_for(target, seed)
    landmark = ""
    if expression.landmark is not None:
        scene = scene_of(screen)
        place = landmark_place(scene, expression.landmark)
        landmark = "" if place is None else scene.elements[place].id
    return Instruction(
        text=realise(expression, action, value, language=language),
        language=language,
        kind="direct" if expression.landmark is None else "relational",
        specificity="high" if expression.landmark is None else "medium",
        expression=expression,
        target=target.id,
        action=action,
        value=value,
        landmark=landmark,
        name_visible=name_visible,
    )


def _reference(expression: Expression, language: str) -> str:
    phrases = phrases_of(language)
    said = _thing(expression, language)
    if expression.landmark is None and expression.direction is None:
        return said
    if expression.landmark is None or expression.direction is None:
        raise InvalidInputError("a direction and a landmark together", found=str(expression))
    landmark = expression.landmark
    only_text = landmark == Expression(text=landmark.text) and bool(landmark.text)
    words = quoted(landmark.text) if only_text else _reference(landmark, language)
    return phrases.directions[expression.direction].format(target=said, landmark=words)


def _thing(expression: Expression, language: str) -> str:
    role, name = expression.role, expression.name
    if expression.text or not (role or name) or (expression.name_cut and not (role and name)):
        raise InvalidInputError(
            "an expression with a role or a name, and no text", found=str(expression)
        )
    phrases = phrases_of(language)
    if not role:
        return quoted(name)
    if not name:
        return phrases.plain.format(role=role_word(role, language))
    template = phrases.beginning if expression.name_cut else phrases.named
    return template.format(role=role_word(role, language), name=quoted(name))
