"""
One captured state of an interface, and the elements on it.
"""

from __future__ import annotations

import msgspec

from surefoot.core.edit import Edit
from surefoot.core.geometry import Box

HIT_POINTS = 5  # the centre, then the middles of the box's four quarters
# The ARIA roles of what a person can act on.
INTERACTIVE_ROLES = frozenset({
    "button", "checkbox", "combobox", "link", "listbox", "menuitem", "menuitemcheckbox",
    "menuitemradio", "option", "radio", "searchbox", "slider", "spinbutton", "switch", "tab",
    "textbox", "treeitem",
})  # fmt: skip
# Those that text is typed into; a combobox, which may be a mere list, is none.
TYPED_ROLES = frozenset({"searchbox", "spinbutton", "textbox"})
# Those that are checked or not.
CHECKABLE_ROLES = frozenset({"checkbox", "menuitemcheckbox", "menuitemradio", "radio", "switch"})


class Element(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """
    Describe one element of an interface as a person could find it.

    ``id`` was assigned before any change, so it names the same element under every variant.
    ``box`` is in float pixels of the screen's image and may reach outside it.
    ``visible_fraction`` is the share of the box that lies in the viewport and in no
    clipping ancestor's outside; ``hits`` tells for the centre and four inner points
    whether the topmost thing there is the element (or a part of it, or its label); they
    are empty for what only holds others (a table, a region, ...), which nobody clicks.
    ``name_from`` says where the accessible name came from ("content", "label",
    "aria-label", "aria-labelledby", "placeholder", "title", "alt", "value", "caption",
    "legend", or "" without a name). ``name_boxes`` are the boxes of the visible text lines
    that spell the name, empty where nothing on the screen spells it.
    ``group`` is shared by sibling controls that can trade places with their labels, ""
    where they cannot.
    """

    id: str
    role: str
    box: Box
    name: str = ""
    name_from: str = ""
    name_boxes: tuple[Box, ...] = ()
    text: str = ""
    text_boxes: tuple[Box, ...] = ()
    font_px: float = 0.0
    parent: str = ""
    states: tuple[str, ...] = ()
    visible_fraction: float = 0.0
    hits: tuple[bool, ...] = ()
    group: str = ""
    attributes: dict[str, str] = {}

    @property
    def hit(self) -> bool:
        """Tell whether a click at the centre of the box reaches the element."""
        return bool(self.hits) and self.hits[0]


class PaintedWords(msgspec.Struct, frozen=True, gc=False):
    """Hold words that a picture shows, and where, in its pixels."""

    text: str
    box: Box


class Screen(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """
    Hold one captured state: the image's hash, size and scale, and its elements.

    ``width`` and ``height`` are pixels of the image; ``scale`` is image pixels per CSS
    pixel (or per logical pixel of a desktop). ``source`` says how to open it again, and
    ``page`` names the page it came from; ``site`` names its web site, app or program,
    whose pages share templates and so are one cluster, "" where nothing is known.
    ``edits`` are the changes that were applied, none for the original. ``platform`` is
    "web", "desktop" or "mobile", ``toolkit`` what a desktop program was drawn with.
    ``missing`` is what the page asked for and never gets, by address (or by what it is: a
    worker), with the reason. ``guessed_by`` is who says what the elements are where no
    toolkit did: a detector (NAME@VERSION) that found them in the picture, or a data set that
    lists them; instructions on them are proven less surely. It is "" where they were recorded.
    ``shown_at`` is the address that a page's scripts gave it, where that is not its own.
    ``unrecorded`` are words that are painted and that no element holds: what stands in a frame
    that cannot be looked into may be a control of the same name.
    """

    id: str
    page: str
    source: str
    image: str
    width: int
    height: int
    scale: float
    platform: str
    locale: str
    elements: tuple[Element, ...]
    variant: str = "original"
    edits: tuple[Edit, ...] = ()
    title: str = ""
    site: str = ""
    toolkit: str = ""
    missing: dict[str, str] = {}
    guessed_by: str = ""
    shown_at: str = ""
    unrecorded: tuple[PaintedWords, ...] = ()

    def element(self, element_id: str) -> Element | None:
        """Return the element with this id, or None where the screen does not show it."""
        return next((item for item in self.elements if item.id == element_id), None)

    @property
    def bounds(self) -> Box:
        """Return the box of the whole image."""
        return Box(0.0, 0.0, float(self.width), float(self.height))
