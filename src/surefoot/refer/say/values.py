"""
What to type into a field or to select from its options: seeded, and fitting the field.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from surefoot.core.screen import Element
from surefoot.core.seeds import random_source
from surefoot.refer.scene.names import alike, key_of, sayable, spoken

__all__ = ["kind_of_value", "value_for"]

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
    values = [each for each in _VALUES[kind_of_value(element)] if each != shown]
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
    labels = [spoken(each) for each in element.attributes["options"].split(OPTION_SEPARATOR)]
    return [
        each
        for each in dict.fromkeys(labels)
        if sayable(each)
        and labels.count(each) == 1
        and not alike(each, element.text)
        and key_of(each).words[0] not in _PROMPTS
    ]
