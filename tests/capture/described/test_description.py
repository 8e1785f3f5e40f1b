"""
The published schema and the documentation are those of the reader.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import msgspec
import pytest

from surefoot.capture.described.description import ElementRecord, ScreenRecord, json_schema
from surefoot.capture.described.roles import (
    ARIA_ROLES,
    AX_ROLES,
    AX_SUBROLES,
    ROLE_SPACES,
    STATES,
    UIA_ROLES,
)

DOCS: Final = Path(__file__).parents[3] / "docs"
PAGE: Final = (DOCS / "screens-format.md").read_text("utf-8")


def rows_under(head: str) -> dict[str, str]:
    """Return the native roles of the page's table with this head, each with its ARIA role."""
    table = PAGE.split(f"| ARIA role | {head} |\n| --- | --- |\n")[1].split("\n\n")[0]
    rows = re.findall(r"^\| (\S+) \| (.+) \|$", table, flags=re.MULTILINE)
    return {
        native: "" if role == "-" else role for role, names in rows for native in names.split(", ")
    }


def test_the_published_schema_is_the_readers() -> None:
    """The file is what the types give today; write it anew with json_schema() when they change."""
    published = json.loads((DOCS / "screens-format.schema.json").read_text("utf-8"))

    assert published == json.loads(json.dumps(json_schema()))


@pytest.mark.parametrize(
    ("head", "roles"),
    [("ControlType", UIA_ROLES), ("AXRole", AX_ROLES), ("AXSubrole", AX_SUBROLES)],
)
def test_documented_roles_are_the_readers(head: str, roles: dict[str, str]) -> None:
    """Each table of roles on the page is the data that the reader maps with."""
    assert rows_under(head) == dict(roles)


def test_native_roles_are_aria_roles() -> None:
    """Whatever a native role becomes is an ARIA role or nothing."""
    mapped = {role for space in ROLE_SPACES.values() for role in space.values()}

    assert mapped | set(AX_SUBROLES.values()) <= ARIA_ROLES | {""}


@pytest.mark.parametrize("record", [ScreenRecord, ElementRecord])
def test_every_field_is_documented(record: type[msgspec.Struct]) -> None:
    """Each field of a file and of an element has its row, and each state is named."""
    first = re.findall(r"^\| (`[^|]+) \|", PAGE, flags=re.MULTILINE)
    named = {name for cell in first for name in re.findall(r"`(\w+)`", cell)}

    assert {field.encode_name for field in msgspec.structs.fields(record)} <= named
    assert all(f"`{state}`" in PAGE for state in STATES)
