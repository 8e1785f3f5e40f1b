"""
Screens from anywhere: a folder with NAME.png and NAME.json for each.

The description is ours, made to be written from Windows UI Automation and macOS
accessibility dumps; ``docs/screens-format.md`` documents it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from surefoot.capture.address import Address, StillSource
from surefoot.capture.captured import Capture
from surefoot.capture.described.assembly import DescribedNode, assemble
from surefoot.capture.described.description import ElementRecord, ScreenRecord
from surefoot.capture.described.pairs import (
    Picture,
    StillFile,
    bad,
    list_stills,
    locate,
    picture_of,
    reader_hash,
    still_contents,
)
from surefoot.capture.described.roles import AX_SUBROLES, ROLE_SPACES, STATES
from surefoot.capture.described.stacking import ancestors_of
from surefoot.capture.settings import Settings
from surefoot.core.canonical import digest, sha256
from surefoot.core.errors import CaptureError, InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.screen import HIT_POINTS, Screen

# Raised whenever the same files would give other labels or pixels.
DESCRIPTION: Final = ".json"
PICTURE: Final = ".png"
Sides = tuple[float, float, float, float]


class ScreensSource(StillSource):
    """Read pictures with descriptions of our own schema."""

    name = "screens"
    version = 2

    def addresses(self, rest: str) -> tuple[Address, ...]:
        """
        Return the screens of ``DIR`` or ``DIR#NAME``, sorted by name.

        Raises InvalidInputError where there is no such folder or no description in it.
        """
        return list_stills(self.name, rest, (DESCRIPTION,))

    def contents(self, addresses: Iterable[Address]) -> dict[str, dict[str, str]]:
        """Return the digests of the pictures and of what describes them."""
        return still_contents(self.name, addresses, (DESCRIPTION, PICTURE))

    def identity(self, _addresses: Iterable[Address]) -> dict[str, str]:
        """Return the reader's version."""
        return {"reader": reader_hash(self.name, self.version)}

    def record(self, address: Address, settings: Settings) -> Capture:
        """
        Return one screen and its picture.

        Raises CaptureError, with the file and the place in it, for a file that is missing,
        too large or not of the schema, and for boxes, parents, ids, roles and states that
        cannot be.
        """
        still = locate(address)
        record = _decode(still)
        picture = picture_of(still, (PICTURE,), settings.limits)
        try:
            return _captured(address, settings, _Reader(still, record, picture, settings))
        except InvalidInputError as error:
            place = still.place(DESCRIPTION)
            raise bad("bad-tree", error.expected, place, error.found) from None


SCREENS = ScreensSource()


class _Reader:
    """Check one description against its picture, element by element."""

    def __init__(
        self, still: StillFile, record: ScreenRecord, picture: Picture, settings: Settings
    ) -> None:
        self.still = still
        self.record = record
        self.picture = picture
        self.bounds = Box(0.0, 0.0, float(picture.width), float(picture.height))
        count, most = len(record.elements), settings.limits.nodes
        if count > most:
            raise self.bad("too-large", f"at most {most} elements", "elements", str(count))
        self.places: dict[str, int] = {}
        for place, element in enumerate(record.elements):
            if self.places.setdefault(element.id, place) != place:
                raise self.bad("bad-tree", "an id of its own", self.at(place, "id"), element.id)

    def bad(self, reason: str, expected: str, place: str, found: str) -> CaptureError:
        """Return the error for a place of the description."""
        return bad(reason, expected, f"{self.still.place(DESCRIPTION)}, {place}", found)

    def at(self, place: int, field: str) -> str:
        """Return what messages call a field of an element."""
        return f"elements[{place}].{field}"

    def nodes(self) -> list[DescribedNode]:
        """Return the elements as nodes, in the file's order."""
        return [self.node(place, element) for place, element in enumerate(self.record.elements)]

    def node(self, place: int, record: ElementRecord) -> DescribedNode:
        """Return one element with its box in pixels of the picture and its ARIA role."""
        role = self.role(place, record)
        words = record.text or (record.name if role == "text" else "")
        named = record.name or (words if role in ("text", "heading") else "")
        if record.hits is not None and len(record.hits) not in (0, HIT_POINTS):
            raise self.bad(
                "bad-value", f"0 or {HIT_POINTS} hits", self.at(place, "hits"), str(record.hits)
            )
        unknown = [state for state in record.states if state not in STATES]
        if unknown:
            known = ", ".join(sorted(STATES))
            raise self.bad("bad-value", known, self.at(place, "states"), unknown[0])
        return DescribedNode(
            id=record.id,
            role=role,
            box=self.element_box(place, record),
            parent=self.parent(place, record),
            name=named,
            name_from=record.name_from or ("content" if named and named == words else ""),
            words=words,
            states=record.states,
            attributes=record.attributes,
            opaque=record.opaque,
            clips=record.clips,
            font_px=record.font_px,
            visible_fraction=record.visible_fraction,
            hits=record.hits,
            text_boxes=self.lines(place, "text_boxes", record.text_boxes),
            name_boxes=self.lines(place, "name_boxes", record.name_boxes),
        )

    def order(self, nodes: Sequence[DescribedNode]) -> list[int]:
        """Return the places from the lowest to the topmost: by z, and then as listed."""
        depths: list[float] = []
        for place, above in enumerate(ancestors_of([item.parent for item in nodes])):
            depths_given = (self.record.elements[item].z for item in (place, *above))
            depths.append(next((z for z in depths_given if z is not None), 0.0))
        return sorted(range(len(nodes)), key=lambda place: (depths[place], place))

    def role(self, place: int, record: ElementRecord) -> str:
        """Return the ARIA role of an element's native one, "" for none."""
        space = self.record.role_space
        if space == "ax" and record.subrole in AX_SUBROLES:
            return AX_SUBROLES[record.subrole]
        if record.role not in ROLE_SPACES[space]:
            expected = f"a role of the role space '{space}'"
            raise self.bad("bad-role", expected, self.at(place, "role"), f"'{record.role}'")
        return ROLE_SPACES[space][record.role]

    def parent(self, place: int, record: ElementRecord) -> int:
        """Return the place of an element's parent, -1 for none."""
        if not record.parent:
            return -1
        if record.parent not in self.places:
            found = f"'{record.parent}'"
            raise self.bad("bad-tree", "an element's id", self.at(place, "parent"), found)
        return self.places[record.parent]

    def element_box(self, place: int, record: ElementRecord) -> Box:
        """Return an element's box; it must have an area and reach into the picture."""
        found = self.box(self.at(place, "box"), record.box)
        if self.bounds.intersection(found) is None:
            where = self.at(place, "box")
            size = f"the picture, {self.picture.width} x {self.picture.height} pixels"
            raise self.bad("bad-box", f"an area inside {size}", where, str(found.as_tuple()))
        return found

    def lines(
        self, place: int, field: str, boxes: tuple[Sides, ...] | None
    ) -> tuple[Box, ...] | None:
        """Return boxes of lines in pixels of the picture, None where there are none told."""
        if boxes is None:
            return None
        where = self.at(place, field)
        return tuple(self.box(f"{where}[{index}]", item) for index, item in enumerate(boxes))

    def box(self, where: str, sides: Sides) -> Box:
        """Return a box in pixels of the picture, by the conventions that the file declares."""
        factor = self.record.scale if self.record.space == "logical" else 1.0
        shift = tuple(-value * factor for value in self.record.origin)
        make = Box.from_xywh if self.record.box == "xywh" else Box
        try:
            return make(*sides).scaled(factor).moved(*shift)
        except InvalidInputError as error:
            raise self.bad("bad-box", error.expected, where, f"{sides}") from None


def _decode(still: StillFile) -> ScreenRecord:
    content = still.read(DESCRIPTION)
    try:
        return msgspec.json.decode(content, type=ScreenRecord)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        place = still.place(DESCRIPTION)
        expected = "a screen as docs/screens-format.md describes it"
        raise bad("bad-record", expected, place, str(error)) from None


def _captured(address: Address, settings: Settings, reader: _Reader) -> Capture:
    record, picture = reader.record, reader.picture
    nodes = reader.nodes()
    elements = assemble(nodes, picture.pixels, reader.order(nodes))
    image = sha256(picture.png)
    screen = Screen(
        id=digest([address.page, image, elements])[:16],
        page=address.page,
        source=address.spec,
        image=image,
        width=picture.width,
        height=picture.height,
        scale=record.scale,
        platform=record.platform,
        locale=record.locale or settings.locale,
        elements=elements,
        title=record.title,
        site=record.site or address.site,
        toolkit=record.toolkit,
    )
    return Capture(screen, picture.png)
