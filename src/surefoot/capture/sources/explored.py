"""
What an exploration found: ``explored:DIR`` is every state, ``trials:DIR`` its trials as well.

Trials are actions whose effects are compared, and ways that miss a state. The addresses are
those of the pages that they begin from, with the actions that lead there, so that what is
captured of them does not need the folder any more.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from surefoot.capture.address import Address, OpenedAddress, PageSource, Services
from surefoot.core.canonical import decode
from surefoot.core.errors import InvalidInputError

STATES: Final = "states.jsonl"


class _Line(msgspec.Struct, frozen=True):
    spec: str


class ExploredSource(PageSource):
    """Name what ``tables`` list in a folder that ``surefoot explore`` wrote."""

    version = 1

    def __init__(self, name: str, *tables: str) -> None:
        self.name, self._tables = name, tables

    def addresses(self, rest: str) -> tuple[Address, ...]:
        """
        Return the addresses that the tables in ``DIR`` list, in the order of their record.

        Raises InvalidInputError where there are none, and what their own sources raise.
        """
        from surefoot.capture.sources import list_addresses

        specs = [spec for table in self._tables for spec in _specs(Path(rest, table))]
        return tuple(
            address for spec in specs for address in list_addresses(spec) if address.spec == spec
        )

    def open(self, address: Address, services: Services) -> OpenedAddress:  # noqa: ARG002
        """Refuse: an address of a state is one of the source that its page is of."""
        raise InvalidInputError("an address that a browser opens", found=address.spec)


def _specs(path: Path) -> list[str]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InvalidInputError(
            f"a folder that `surefoot explore` wrote, {path.parent}",
            found=f"no {path.name} in it",
            remedy="name such a folder",
        ) from error
    return [
        decode(line, _Line, what=f"{path}, line {number},").spec
        for number, line in enumerate(lines, start=1)
    ]


EXPLORED: Final = ExploredSource("explored", STATES)
TRIALS: Final = ExploredSource("trials", STATES, "trials.jsonl")
