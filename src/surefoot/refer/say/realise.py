"""
From an expression to words, and from a target to a whole instruction.
"""

from __future__ import annotations

from functools import partial

from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import Action, Expression, Instruction
from surefoot.core.screen import Element, Screen
from surefoot.refer.languages.known import language_of
from surefoot.refer.languages.phrases import Language, filled, quoted
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.resolve.wellformed import require_wellformed
from surefoot.refer.say.kinds import kind_of, specificity_of
from surefoot.refer.say.reference import apart, contained, referred, without_container
from surefoot.refer.say.values import value_for
from surefoot.refer.scene.scene import Scene, scene_of

__all__ = ["action_for", "instruct", "realise"]

_TYPED = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})


def realise(
    expression: Expression,
    action: Action = "click",
    value: str = "",
    *,
    language: str | Language = "en",
) -> str:
    """
    Say an expression and what to do with it, in a language by its code or its table.

    A landmark is said by its text, or as a target is. A container that would stand between
    the target and its landmark is said first. Raises InvalidInputError for parts that make
    no reference (``wellformed``), and UnknownNameError for a language or a role without
    words.

    >>> realise(Expression(role="textbox", name="City"), "type", "Berlin")
    "Type 'Berlin' in the 'City' field"
    >>> realise(Expression(role="button", direction="left of",
    ...                    landmark=Expression(text="Total")))
    "Click the button directly to the left of 'Total'"
    >>> from surefoot.core.instruction import Ordinal
    >>> realise(Expression(role="control", ordinal=Ordinal(3, "list"),
    ...                    container=Expression(role="section", name="Clipboard")))
    "Click the third item in the 'Clipboard' section"
    """
    if bool(value) == (action == "click"):
        raise InvalidInputError(
            "a value to type or to select, and none to click", found=f"{action} '{value}'"
        )
    require_wellformed(expression)
    table = language_of(language) if isinstance(language, str) else language
    fronted = apart(expression)
    target = partial(referred, table, without_container(expression) if fronted else expression)
    said = filled(table.actions[action], {"target": target, "value": lambda _: quoted(value)})
    if fronted:
        parts = {"container": contained(table, expression), "said": lambda _: said}
        said = filled(table.fronted, parts)
    return said[0].upper() + said[1:]


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
        kind=kind_of(expression),
        specificity=specificity_of(expression),
        expression=expression,
        target=target.id,
        action=action,
        value=value,
        landmark=landmark,
        name_visible=name_visible,
    )
