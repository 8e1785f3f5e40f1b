# ruff: noqa: INP001, T201 - a script beside the page that it writes
"""
Write the reference of the command line in docs/commands.md from the program itself.

    python docs/write_commands.py [PAGE]

What stands above the first verb is left as it is.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from surefoot.cli.main import make_command, verbs_by_task

PAGE = Path(__file__).parent / "commands.md"
START = "<!-- The rest of this page is written by docs/write_commands.py. -->\n"


def sections() -> Iterator[str]:
    """Yield one section for each verb, and one for each verb of a verb."""
    for verb in (verb for verbs in verbs_by_task().values() for verb in verbs):
        command = make_command(verb.name)
        yield from section(f"surefoot {verb.name}", command, "##")
        for name, inner in getattr(command, "commands", {}).items():
            yield from section(f"surefoot {verb.name} {name}", inner, "###")
        yield "\n".join(["Examples:", "", "```sh", *verb.examples, "```"])


def section(title: str, command: Any, level: str) -> Iterator[str]:  # noqa: ANN401 - typer's own
    """Yield a command's heading, what it does, and the table of what it takes."""
    yield f"{level} {title}"
    said = inspect.cleandoc(command.help or "")
    yield "\n\n".join(sentences(part) for part in said.split("\n\n"))
    if getattr(command, "commands", {}) and not command.invoke_without_command:
        return
    context = command.make_context(title, [], resilient_parsing=True)
    records = [param.get_help_record(context) for param in command.get_params(context)]
    rows = [row(*record) for record in records if record is not None]
    yield "\n".join(["| what | meaning |", "| --- | --- |", *rows])


def row(name: str, meaning: str) -> str:
    """Return a line of the table: a parameter and its meaning, its default in brackets."""
    return f"| `{name.replace('|', ' or ')}` | {' '.join(meaning.split()).replace('|', ' or ')} |"


def sentences(text: str) -> str:
    """Return a paragraph with one sentence a line."""
    return re.sub(r"(?<=[a-z0-9)][.:;]) (?=[A-Z`])", "\n", " ".join(text.split()))


def main() -> None:
    """Write the page."""
    page = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    head, _, _ = PAGE.read_text("utf-8").partition(START)
    page.write_text(head + START + "\n" + "\n\n".join(sections()) + "\n", "utf-8")
    print(f"wrote {page}")


if __name__ == "__main__":
    main()
