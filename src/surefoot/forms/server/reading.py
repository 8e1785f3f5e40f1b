"""
Read the bodies of requests: pages with their files, and JSON of a known shape.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Collection
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from surefoot.core.errors import InvalidInputError
from surefoot.forms.server.limits import ServerLimits
from surefoot.forms.server.runs import Entered
from surefoot.forms.specification import Form
from surefoot.loopback.guards import bounded, require_type

_MOST_PARTS: Final = 2000
_MOST_FILES: Final = 50
_Natural: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class SentEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Hold one change of a field as a page tells it, or with "open" that it was opened.

    With "reset", the page itself took away what is no longer offered.
    """

    field: str
    page: _Natural
    kind: Literal["input", "change", "upload", "clear", "reset", "open"]
    value: str
    at: _Natural


class SentFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hold what an upload was answered with, as a page sends it back."""

    name: str
    sha256: str


Answers: TypeAlias = dict[str, str | tuple[str, ...] | SentFile]


@contextlib.asynccontextmanager
async def posted_form(request: Request, limits: ServerLimits) -> AsyncIterator[FormData]:
    """Read a posted form; its files lie in temporary files until the block ends."""
    require_type(request, "multipart/form-data", "application/x-www-form-urlencoded")
    reading = bounded(request, limits.page_bytes).form(
        max_files=_MOST_FILES, max_fields=_MOST_PARTS, max_part_size=limits.text_bytes
    )
    async with reading as form:
        for _, part in form.multi_items():
            if isinstance(part, UploadFile) and (part.size or 0) > limits.file_bytes:
                raise HTTPException(413)
        yield form


async def posted_json(request: Request, kind: Any, limits: ServerLimits) -> Any:  # noqa: ANN401
    """Read JSON as a type; raises InvalidInputError for any other shape, however deep."""
    require_type(request, "application/json")
    body = await bounded(request, limits.json_bytes).body()
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise InvalidInputError("JSON of the documented shape", found=error) from error


def entered_texts(form: Form, posted: dict[str, Collection[str]], limits: ServerLimits) -> Entered:
    """Check names and sizes of posted texts; raises InvalidInputError."""
    for name, texts in posted.items():
        field = form.field(name)
        if field is None:
            raise InvalidInputError("fields of this form alone", found=f"'{name[:64]}'")
        if len(texts) > limits.texts_per_field:
            raise InvalidInputError(
                f"at most {limits.texts_per_field} texts in '{name}'", found=str(len(texts))
            )
        longest = max(map(len, texts), default=0)
        wide = field.traits.words == "passage"
        most = limits.value_chars if wide else limits.line_chars
        if longest > most:
            raise InvalidInputError(f"at most {most} characters in '{name}'", found=str(longest))
    return {name: tuple(texts) for name, texts in posted.items()}
