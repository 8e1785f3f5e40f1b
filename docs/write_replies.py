# ruff: noqa: INP001, T201 - a script beside the page that it writes
"""
Write the table of docs/replies.md from the data that the tests run.

It has the first reply of each format that is read.

    python docs/write_replies.py [PAGE]

What stands above the mark is left as it is.
"""

from __future__ import annotations

import html
import re
import sys
import tomllib
from pathlib import Path

DOCS = Path(__file__).parent
DATA = DOCS.parent / "tests" / "models" / "formats" / "replies.toml"
START = "<!-- The rest of this page is written by docs/write_replies.py. -->\n"


def code(text: str) -> str:
    """Return a text as code in one cell of a table, whatever signs it has."""
    escaped = re.sub(r"[|*_`\[\]\\]", lambda sign: f"&#{ord(sign[0])};", html.escape(text))
    return "<code>" + escaped.replace("\n", "<br>") + "</code>"


def meaning(row: dict[str, object]) -> str:
    """Return what a reply is read as, in words."""
    if isinstance(place := row.get("place"), list):
        return ", ".join(f"{number:.10g}" for number in place)
    if "refusal" in row:
        return f"a refusal: {row['refusal']}"
    return f"not read: {row['why']}"


def table(data: dict[str, list[dict[str, object]]]) -> str:
    """Return the table, a row for each format."""
    lines = ["", "| format | reply | read as |", "| --- | --- | --- |"]
    for name, rows in data.items():
        first = next(row for row in rows if "place" in row)
        lines.append(f"| `{name}` | {code(str(first['reply']))} | {meaning(first)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    page = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS / "replies.md"
    intro = (DOCS / "replies.md").read_text("utf-8").partition(START)[0]
    replies = tomllib.loads(DATA.read_text("utf-8"))
    del replies["tiny"]  # the studies' toy model, which is no family of anybody's
    page.write_text(intro + START + table(replies), "utf-8")
    print(page)
