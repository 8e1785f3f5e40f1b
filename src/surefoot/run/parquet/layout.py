"""
The columns of the published form, and how a question and a screen become rows and come back.
"""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec
import pyarrow as pa

from surefoot.core.canonical import canonical_json, decode
from surefoot.core.edit import Edit
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Instruction
from surefoot.core.question import Asks, Cell, Question, ScreenImage
from surefoot.core.screen import Element, Screen

_CORNERS: Final = 4
_BOX: Final = pa.list_(pa.float64(), _CORNERS)
_BOXES: Final = pa.list_(_BOX)
_CORNER: Final = pa.list_(pa.float64(), 2)
_POLYGON: Final = pa.list_(_CORNER)
_WORDS: Final = pa.list_(pa.string())
IMAGE: Final = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
SCREENS: Final = pa.schema(
    [
        ("id", pa.string()),
        ("page", pa.string()),
        ("source", pa.string()),
        ("variant", pa.string()),
        ("title", pa.string()),
        ("width", pa.int32()),
        ("height", pa.int32()),
        ("scale", pa.float64()),
        ("platform", pa.string()),
        ("locale", pa.string()),
        ("site", pa.string()),
        ("toolkit", pa.string()),
        ("image", IMAGE),
        ("elements", pa.string()),
        ("edits", pa.string()),
    ]
)
QUESTIONS: Final = pa.schema(
    [
        ("id", pa.string()),
        ("pair", pa.string()),
        ("cluster", pa.string()),
        ("page", pa.string()),
        ("variant", pa.string()),
        ("kind", pa.string()),
        ("reasoning", pa.bool_()),
        ("screen", pa.string()),
        ("image_sha256", pa.string()),
        ("width", pa.int32()),
        ("height", pa.int32()),
        ("text", pa.string()),
        ("language", pa.string()),
        ("action", pa.string()),
        ("value", pa.string()),
        ("role", pa.string()),
        ("target", pa.string()),
        ("truth", _BOX),
        ("boxes", _BOXES),
        ("polygon", _POLYGON),
        ("answerable", pa.bool_()),
        ("asks", pa.string()),
        ("answers", _WORDS),
        ("options", _WORDS),
        ("split", pa.string()),
        ("platform", pa.string()),
        ("system", pa.string()),
        ("facts", pa.string()),
        ("instruction", pa.string()),
    ]
)
# A column of those benchmarks alone that ask about several pictures.
FURTHER: Final = pa.field("further", pa.string())
# And of released ones: what a model that was trained on them would know.
CANARY: Final = pa.field("canary", pa.string())
_LEAVES: Final = {
    IMAGE: ".bytes",
    _BOX: ".list.element",
    _BOXES: ".list.element.list.element",
    _POLYGON: ".list.element.list.element",
    _WORDS: ".list.element",
}


class _QuestionRow(msgspec.Struct, frozen=True):
    id: str
    pair: str
    cluster: str
    page: str
    variant: str
    kind: str
    reasoning: bool
    screen: str
    image_sha256: str
    width: int
    height: int
    role: str
    truth: tuple[float, float, float, float]
    boxes: list[tuple[float, float, float, float]]
    polygon: list[tuple[float, float]]
    answerable: bool
    asks: Asks
    answers: tuple[str, ...]
    options: tuple[str, ...]
    split: str
    platform: str
    system: str
    facts: str
    instruction: str
    further: str = "[]"


class _ScreenRow(msgspec.Struct, frozen=True):
    id: str
    page: str
    source: str
    variant: str
    title: str
    width: int
    height: int
    scale: float
    platform: str
    locale: str
    site: str
    toolkit: str
    elements: str
    edits: str


def leaf(field: pa.Field) -> str:
    """Return the name of a column as parquet's own schema spells it."""
    return str(field.name) + _LEAVES.get(field.type, "")


def features(schema: pa.Schema) -> str:
    """Describe the columns to Hugging Face's ``datasets``, which else sees no picture."""
    described = {field.name: _feature(field.type) for field in schema}
    return json.dumps({"info": {"features": described}}, sort_keys=True)


def _feature(kind: pa.DataType) -> dict[str, object]:
    if kind == IMAGE:
        return {"_type": "Image"}
    if pa.types.is_fixed_size_list(kind):
        return {
            "feature": _feature(kind.value_type),
            "length": kind.list_size,
            "_type": "Sequence",
        }
    if pa.types.is_list(kind):
        return {"feature": _feature(kind.value_type), "_type": "Sequence"}
    names = {"double": "float64"}
    return {"dtype": names.get(str(kind), str(kind)), "_type": "Value"}


def question_row(question: Question) -> dict[str, Any]:
    """Return a question's row; the instruction stands in it whole, and its parts beside."""
    instruction = question.instruction
    named = ("id", "pair", "cluster", "page", "screen", "width", "height", "role", "answerable")
    kept = ("asks", "answers", "options", "split", "platform", "system")
    return {
        **{name: getattr(question, name) for name in (*named, *kept)},
        "variant": question.cell.variant,
        "kind": question.cell.instruction,
        "reasoning": question.cell.reasoning,
        "image_sha256": question.image,
        "text": instruction.text,
        "language": instruction.language,
        "action": instruction.action,
        "value": instruction.value,
        "target": instruction.target,
        "truth": _sides(question.truth),
        "boxes": [_sides(box) for box in question.boxes],
        "polygon": [[float(point.x), float(point.y)] for point in question.polygon],
        "facts": canonical_json(question.facts).decode(),
        "instruction": canonical_json(instruction).decode(),
        "further": canonical_json(question.further).decode(),
    }


def question_from(values: object) -> Question:
    """
    Return the question of a row.

    Raises InvalidInputError, or msgspec.ValidationError for a row of other columns.
    """
    row = msgspec.convert(values, _QuestionRow)
    return Question(
        id=row.id,
        pair=row.pair,
        cluster=row.cluster,
        cell=Cell(row.variant, row.kind, row.reasoning),
        screen=row.screen,
        image=row.image_sha256,
        width=row.width,
        height=row.height,
        instruction=decode(row.instruction, Instruction, what="an instruction"),
        truth=Box(*row.truth),
        role=row.role,
        boxes=tuple(Box(*box) for box in row.boxes),
        polygon=tuple(Point(*item) for item in row.polygon),
        answerable=row.answerable,
        asks=row.asks,
        answers=row.answers,
        options=row.options,
        split=row.split,
        platform=row.platform,
        system=row.system,
        facts=decode(row.facts, dict[str, str], what="facts"),
        page=row.page,
        further=decode(row.further, tuple[ScreenImage, ...], what="further pictures"),
    )


def screen_row(screen: Screen, picture: bytes) -> dict[str, Any]:
    """Return a screen's row, with its picture; no bytes stand for no picture."""
    plain = ("id", "page", "source", "variant", "title", "width", "height")
    plain_facts = ("platform", "locale", "site", "toolkit")
    return {
        **{name: getattr(screen, name) for name in (*plain, *plain_facts)},
        "scale": float(screen.scale),
        "image": {"bytes": picture, "path": f"{screen.image}.png"} if screen.image else None,
        "elements": canonical_json(screen.elements).decode(),
        "edits": canonical_json(screen.edits).decode(),
    }


def screen_from(values: object, image: str) -> Screen:
    """Return the screen of a row and its picture's hash; raises as ``question_from`` does."""
    row = msgspec.convert(values, _ScreenRow)
    fields = {name: getattr(row, name) for name in row.__struct_fields__}
    fields["elements"] = decode(row.elements, tuple[Element, ...], what="elements")
    fields["edits"] = decode(row.edits, tuple[Edit, ...], what="edits")
    return Screen(**fields, image=image)


def _sides(box: Box) -> list[float]:
    return [float(side) for side in box.as_tuple()]
