"""
The description of one screen in a ``screens:`` folder, as ``docs/screens-format.md`` says it.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec

SCHEMA_TITLE: Final = "A screen of a screens: folder"
Four: TypeAlias = tuple[float, float, float, float]
Share: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=1)]
Filled: TypeAlias = Annotated[str, msgspec.Meta(min_length=1)]
Positive: TypeAlias = Annotated[float, msgspec.Meta(gt=0)]


class ElementRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Describe one element; boxes are in the file's ``box`` convention and ``space``.

    ``text`` is what the element itself shows, ``name`` its accessible name. What is left
    out of ``visible_fraction``, ``hits``, ``text_boxes`` and ``name_boxes`` is worked out.
    """

    id: Filled
    role: Filled
    box: Four
    name: str = ""
    name_from: Literal[
        "", "content", "label", "aria-label", "aria-labelledby", "placeholder", "title",
        "alt", "value", "caption", "legend",
    ] = ""  # fmt: skip
    text: str = ""
    parent: str = ""
    subrole: str = ""
    states: tuple[str, ...] = ()
    attributes: dict[str, str] = {}
    z: float | None = None
    opaque: bool = True
    clips: bool = False
    font_px: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    visible_fraction: Share | None = None
    hits: Annotated[tuple[bool, ...], msgspec.Meta(max_length=5)] | None = None
    text_boxes: tuple[Four, ...] | None = None
    name_boxes: tuple[Four, ...] | None = None


class ScreenRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Describe one screen, whose picture lies beside the file.

    ``scale`` is image pixels per logical pixel, ``origin`` where the picture's top left
    corner lies in the space of the boxes. Elements are listed from back to front.
    """

    version: Literal[1]
    box: Literal["xyxy", "xywh"]
    space: Literal["pixels", "logical"]
    role_space: Literal["aria", "uia", "ax"]
    platform: Literal["web", "desktop", "mobile"]
    scale: Positive
    elements: Annotated[tuple[ElementRecord, ...], msgspec.Meta(min_length=1)]
    origin: tuple[float, float] = (0.0, 0.0)
    toolkit: str = ""
    site: str = ""
    title: str = ""
    locale: str = ""


def json_schema() -> dict[str, Any]:
    """
    Return the JSON Schema (2020-12) of a screen's description.

    >>> json_schema()["title"]
    'A screen of a screens: folder'
    """
    schema = msgspec.json.schema(ScreenRecord)
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, "title": SCHEMA_TITLE, **schema}
