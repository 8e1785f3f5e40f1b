"""
From an expression to words, and from a target to a whole instruction.

A reference is a noun phrase of any language, in the case that is asked for. What is to be typed
or selected is seeded, and fits the field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeVar

import msgspec

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.instruction import Action, Colour, Expression, Instruction
from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import random_source
from surefoot.refer.languages.phrases import (
    Forms,
    Language,
    Noun,
    Part,
    agreeing,
    filled,
    form_of,
    quoted,
)
from surefoot.refer.languages.tables import language_of
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.resolve.wellformed import require_wellformed
from surefoot.refer.say.kinds import kind_of, specificity_of
from surefoot.refer.scene.names import alike, key_of, sayable, spoken
from surefoot.refer.scene.scene import Scene, scene_of

_Key = TypeVar("_Key", bound=str)
_Words = TypeVar("_Words")
OPTION_SEPARATOR: Final = "\x1f"

_VALUES: Final[Mapping[str, tuple[str, ...]]] = {
    "text": ("Aurora", "Maple", "Harbour", "Juniper", "Quartz", "Velvet", "Lantern", "Meadow"),
    "search": ("invoice", "shipping", "calendar", "warranty", "harvest", "tickets"),
    "email": ("mia.stone@example.com", "leo.park@example.org", "ana.reyes@example.net"),
    "tel": ("555-0142", "555-0178", "555-0119", "555-0163"),
    "url": ("https://example.com/news", "https://example.org/team"),
    "number": ("3", "7", "12", "18", "25"),
    "date": ("2026-03-14", "2026-07-09", "2026-11-23"),
    "time": ("09:30", "14:15", "18:45"),
    "month": ("2026-03", "2026-07", "2026-11"),
    "week": ("2026-W11", "2026-W28", "2026-W47"),
    "datetime-local": ("2026-03-14 09:30", "2026-07-09 14:15"),
    "password": ("Harbour-27", "Meadow-84", "Quartz-53"),
    "color": ("#3366cc", "#cc6633"),
    "person": ("Mia Stone", "Leo Park", "Ana Reyes", "Tom Becker"),
    "first": ("Mia", "Leo", "Ana", "Tom"),
    "last": ("Stone", "Park", "Reyes", "Becker"),
    "user": ("miastone", "leopark", "anareyes"),
    "city": ("Berlin", "Lyon", "Osaka", "Porto"),
    "country": ("Germany", "France", "Japan", "Portugal"),
    "address": ("12 Harbour Street", "48 Maple Avenue", "7 Station Road"),
    "postcode": ("10115", "69002", "94103"),
    "company": ("Northwind", "Bluefield", "Lakeside"),
    "message": ("Please call me back", "See you on Friday", "Thank you for your help"),
}
# Words of a name that tell what it asks for, the more telling first.
_HINTS: Final[Mapping[str, str]] = {
    "email": "email", "phone": "tel", "mobile": "tel", "telephone": "tel", "website": "url",
    "url": "url", "search": "search", "find": "search", "username": "user", "login": "user",
    "first": "first", "last": "last", "surname": "last", "company": "company",
    "organisation": "company", "organization": "company", "country": "country", "city": "city",
    "town": "city", "zip": "postcode", "postal": "postcode", "postcode": "postcode",
    "street": "address", "address": "address", "message": "message", "comment": "message",
    "description": "message", "date": "date", "birthday": "date", "quantity": "number",
    "amount": "number", "age": "number", "name": "person",
}  # fmt: skip
_AUTOCOMPLETE: Final[Mapping[str, str]] = {
    "email": "email", "tel": "tel", "url": "url", "given-name": "first", "family-name": "last",
    "name": "person", "username": "user", "organization": "company", "postal-code": "postcode",
    "street-address": "address", "address-line1": "address", "address-level2": "city",
    "country-name": "country", "bday": "date",
}  # fmt: skip
_PROMPTS: Final = ("select", "choose", "pick", "please", "none")
_TYPED = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})


def referred(language: Language, expression: Expression, case: str = "") -> str:
    """
    Say a well-formed expression in a case; a text alone is said as it is.

    Raises UnknownNameError for a role without a word, and InvalidInputError for words that
    no quotes can hold.
    """
    if expression == Expression(text=expression.text):
        bare = form_of(language.bare, "", case)
        words = quoted(expression.text, language.quotes)
        return bare + language.gap(bare, words) + words
    noun = _noun(language, expression)
    agreed = ("", case) if noun is None else (noun.gender, case)
    parts = _parts(language, expression, noun, agreed)
    phrase = ""
    for part in language.parts:
        words = parts.get(part, "")
        phrase += language.gap(phrase, words) + words if words else ""
    if noun is None:
        article = form_of(language.bare, *agreed)
    else:
        article = language.article_before(phrase, *agreed) if "article" in language.parts else ""
    return article + language.gap(article, phrase) + phrase


def apart(expression: Expression) -> bool:
    """Tell whether a container would stand between a reference and what it is related to."""
    return expression.container is not None and (
        expression.landmark is not None or expression.region is not None
    )


def contained(language: Language, expression: Expression) -> Callable[[str], str]:
    """Return what says the container of an expression in a case."""
    return partial(referred, language, expression.container or Expression())


def _parts(
    language: Language, given: Expression, noun: Noun | None, agreed: tuple[str, str]
) -> Mapping[Part, str]:
    """Return all parts but the article, "" for those that the expression does not have."""

    def fill(template: str, words: str) -> str:
        slots = {key: lambda _: quoted(words, language.quotes) for key in ("name", "text")}
        return filled(agreeing(template, language, *agreed), slots) if words else ""

    def shown(template: str, part: str, say: Callable[[str], str]) -> str:
        if not template:
            raise UnknownNameError(f"a language that says {part}s", found=f"'{part}'")
        return filled(template, {part: say})

    def drawn(template: str, colour: Colour) -> str:
        forms = _word(language.colours, colour, "colour") if colour else {}
        return shown(template, "colour", partial(form_of, forms, "")) if colour else ""

    def form(words: Mapping[_Key, Forms], key: _Key, what: str) -> str:
        return form_of(_word(words, key, what), *agreed) if key else ""

    does = _word(language.functions, given.function, "function") if given.function else ""
    plain_name = bool(given.name) and not given.name_cut and "{name}" not in does
    content = "" if _is_icon(given) else given.content
    return {
        "nth": _nth(language, given, agreed),
        "size": form(language.sizes, given.size, "size"),
        "state": form(language.states, given.state, "state"),
        "colour": form(language.colours, given.colour, "colour"),
        "shape": form(language.shapes, given.shape, "shape"),
        "content": form(language.contents, content, "content"),
        "name": fill(language.name, given.name) if plain_name else "",
        "noun": "" if noun is None else _counted(given, noun, agreed[1]),
        "beginning": fill(language.beginning, given.name) if given.name_cut else "",
        "icon": shown(language.icon, "icon", lambda _: _word(language.icons, given.icon, "icon"))
        if given.icon
        else "",
        "ink": drawn(language.ink, given.ink),
        "outline": drawn(language.outline, given.outline),
        "text": fill(language.text, given.text),
        "label": fill(language.label, given.label),
        "function": fill(does, given.name or " "),
        "counting": _counting(language, given, agreed),
        "container": _container(language, given, agreed),
        "region": _region(language, given),
        "relation": _relation(language, given, agreed),
    }


def _is_icon(given: Expression) -> bool:
    return given.role == "control" and given.content == "icon"


def _noun(language: Language, given: Expression) -> Noun | None:
    if not given.role:
        return None
    key = "icon" if _is_icon(given) else given.role
    if key not in language.nouns or given.role == "icon":
        known = ", ".join(noun for noun in language.nouns if noun != "icon")
        raise UnknownNameError(f"a role among {known}", found=f"'{given.role}'")
    return language.nouns[key]


def _counted(given: Expression, noun: Noun, case: str) -> str:
    counted = given.ordinal is not None and noun.counted
    return form_of(noun.counted if counted else noun.forms, noun.gender, case)


def _word(words: Mapping[_Key, _Words], key: _Key, what: str) -> _Words:
    """Return what a table says for a key; raises UnknownNameError where it has no words."""
    if key not in words:
        raise UnknownNameError(f"a {what} among {', '.join(map(str, words))}", found=f"'{key}'")
    return words[key]


def _nth(language: Language, given: Expression, agreed: tuple[str, str]) -> str:
    ordinal = given.ordinal
    if ordinal is None:
        return ""
    turned = ordinal.order in ("row", "column")
    from_start = ordinal.position > 0 or turned
    count = language.from_start if from_start else language.from_end
    return count(abs(ordinal.position), *agreed)


def _counting(language: Language, given: Expression, agreed: tuple[str, str]) -> str:
    ordinal = given.ordinal
    if ordinal is None:
        return ""
    count = language.from_start if ordinal.row > 0 else language.from_end
    templates = _word(language.counting, ordinal.order, "way of counting")
    template = agreeing(templates[ordinal.position < 0], language, *agreed)
    return filled(template, {"row": partial(count, abs(ordinal.row), "")})


def _container(language: Language, given: Expression, agreed: tuple[str, str]) -> str:
    if given.container is None:
        return ""
    order = "" if given.ordinal is None else given.ordinal.order
    template = agreeing(_word(language.containers, order, "container"), language, *agreed)
    return filled(template, {"container": contained(language, given)})


def _region(language: Language, given: Expression) -> str:
    if given.region is None:
        return ""
    return _word(_word(language.places, given.region.place, "place"), given.region.of, "place")


def _relation(language: Language, given: Expression, agreed: tuple[str, str]) -> str:
    if given.landmark is None:
        return ""
    template = (
        _word(language.relations, given.relation, "relation")
        if given.direction is None
        else _word(language.directions, given.direction, "direction")
    )
    second = partial(referred, language, given.second or Expression())
    slots = {"landmark": partial(referred, language, given.landmark), "second": second}
    return filled(agreeing(template, language, *agreed), slots)


def without_container(expression: Expression) -> Expression:
    """Return an expression whose container is said elsewhere."""
    return msgspec.structs.replace(expression, container=None)


def value_for(element: Element, seed: int = 0) -> str:
    """
    Draw a value that fits an element, "" where nothing can be typed or selected.

    A native drop-down gives one of its own options: not the one shown, and none that only
    asks to choose. A field gives a value of the kind that its type or its name asks for.

    >>> from surefoot.core.geometry import Box
    >>> city = Element("a", "textbox", Box(0, 0, 9, 9), name="City",
    ...                attributes={"editable": "true"})
    >>> value_for(city, 4) in ("Berlin", "Lyon", "Osaka", "Porto")
    True
    """
    draw = random_source(seed, "value", element.id)
    if "options" in element.attributes:
        options = _choices(element)
        return draw.choice(options) if options else ""
    if element.attributes.get("editable") != "true":
        return ""
    shown = spoken(element.text)
    values = [value for value in _VALUES[kind_of_value(element)] if value != shown]
    return draw.choice(values)


def kind_of_value(element: Element) -> str:
    """
    Return the kind of value that a field asks for, "text" where nothing tells.

    >>> from surefoot.core.geometry import Box
    >>> kind_of_value(Element("a", "textbox", Box(0, 0, 9, 9), name="E-mail address"))
    'email'
    """
    type_ = element.attributes.get("type", "")
    if type_ in _VALUES and type_ != "text":
        return type_
    for token in element.attributes.get("autocomplete", "").split():
        if token in _AUTOCOMPLETE:
            return _AUTOCOMPLETE[token]
    words = key_of(f"{element.name} {element.attributes.get('placeholder', '')}").words
    hinted = next((kind for hint, kind in _HINTS.items() if hint in words), "")
    if hinted:
        return hinted
    return {"searchbox": "search", "spinbutton": "number"}.get(element.role, "text")


def _choices(element: Element) -> list[str]:
    labels = [spoken(part) for part in element.attributes["options"].split(OPTION_SEPARATOR)]
    return [
        fromkey
        for fromkey in dict.fromkeys(labels)
        if sayable(fromkey)
        and labels.count(fromkey) == 1
        and not alike(fromkey, element.text)
        and key_of(fromkey).words[0] not in _PROMPTS
    ]


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
    sentence = filled(
        table.actions[action], {"target": target, "value": lambda _: quoted(value, table.quotes)}
    )
    if fronted:
        parts = {"container": contained(table, expression), "said": lambda _: sentence}
        sentence = filled(table.fronted, parts)
    return sentence[0].upper() + sentence[1:].rstrip(" ,")


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
