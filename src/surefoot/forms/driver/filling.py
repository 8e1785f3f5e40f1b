"""
How a privileged agent fills one field in, by the places of its live controls.
"""

from __future__ import annotations

from typing import Final, assert_never

from surefoot.core.geometry import Box
from surefoot.forms.driver.actions import Action, Click, Press, Scroll, Type, Upload
from surefoot.forms.driver.observation import LiveField
from surefoot.forms.instance import FileValue, Value
from surefoot.forms.specification import RIGHT_TO_LEFT, Field, Kind
from surefoot.forms.values.dates import typed_date

EDGE: Final = 12.0
SEVERAL_LINES: Final = 44.0  # one line of a label has up to 42 pixels, two have 48 and more
WHEEL: Final = 80.0


def click_on(box: Box) -> Click:
    """Return a click in the middle of a box."""
    return Click(box.center.x, box.center.y)


def first_segment(box: Box, language: str) -> Box:
    """
    Return where the browser's own date field begins on a page of a language.

    It runs as its language does, however the page runs. A click there leads to the first part
    of the date; from the others arrow keys do not lead back in Arabic.
    """
    return _mark(box, rtl=language in RIGHT_TO_LEFT)


def fill_field(
    field: Field, live: LiveField, value: Value, language: str = "en"
) -> tuple[Action, ...]:
    """
    Return the actions that give a field its value, as far as they can be known now.

    ``language`` is the page's, whose order the browser's own date fields follow. A drop-down
    is opened where none of its options are in sight, and else answered; the file of a
    FileValue is named relative to the run's folder.
    """
    widget = field.traits.widget
    match widget:
        case Kind.FILE:
            name = value.name if isinstance(value, FileValue) else str(value)
            return (Upload(live.box.center.x, live.box.center.y, name),)
        case Kind.CHECKBOX:
            box = live.options[0].box if live.options else live.box
            ticked = bool(live.value) == bool(value)
            return () if ticked else (click_on(_mark(box, rtl=live.rtl)),)
        case Kind.DROP_DOWN:
            return _from_list(live, str(value))
        case Kind.RADIO | Kind.MULTI_CHOICE:
            wanted = set(value) if isinstance(value, tuple) else {str(value)}
            return _marked(live, wanted, several=widget is Kind.MULTI_CHOICE)
        case Kind.DATE:
            if live.input == "date":
                place = click_on(first_segment(live.box, language))
                return (place, Type(typed_date(str(value), language)))
            return _typed(live, str(value))
        case (
            Kind.STRING
            | Kind.EMAIL
            | Kind.TELEPHONE
            | Kind.URL
            | Kind.PASSWORD
            | Kind.NUMBER
            | Kind.DESCRIPTION
        ):
            return _typed(live, str(value))
        case _:
            assert_never(widget)


def _from_list(live: LiveField, wanted: str) -> tuple[Action, ...]:
    """Open the list, or take the option, or turn the wheel over a list without it."""
    option = next((item for item in live.options if item.value == wanted), None)
    if option is not None:
        return (click_on(option.box),)
    if not live.options:
        return (click_on(live.box),)
    last = live.options[-1].box.center
    return (Scroll(0.0, WHEEL, last.x, last.y),)


def _marked(live: LiveField, wanted: set[str], *, several: bool) -> tuple[Action, ...]:
    """Click each option whose state is not as wanted; one of a radio group cannot be cleared."""
    return tuple(
        click_on(_mark(option.box, rtl=live.rtl))
        for option in live.options
        if (option.value in wanted) != option.chosen and (several or option.value in wanted)
    )


def _typed(live: LiveField, text: str) -> tuple[Action, ...]:
    # A control for numbers may hold letters that are no value.
    clear = (Press("Control+a"),) if live.value or live.input == "number" else ()
    if not text:
        return (click_on(live.box), *clear, Press("Delete")) if live.value else ()
    return (click_on(live.box), *clear, Type(text))


def _mark(box: Box, *, rtl: bool) -> Box:
    """
    Return the end where a label begins and its mark stands, rather than a link in it.

    Beside a label of several lines the mark stands at the first.
    """
    bottom = box.top + 2 * EDGE if box.height > SEVERAL_LINES else box.bottom
    if rtl:
        return Box(max(box.left, box.right - 2 * EDGE), box.top, box.right, bottom)
    return Box(box.left, box.top, min(box.right, box.left + 2 * EDGE), bottom)
