"""
The states that an exploration found: ``explored:DIR`` is every one of them, its pages too.

Their addresses are those of the pages that they begin from, with the actions that lead there, so
that what is captured of them does not need the folder any more.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from surefoot.capture.address import Address, OpenedAddress, PageSource, Services
from surefoot.core.canonical import decode
from surefoot.core.errors import InvalidInputError

__all__ = ["EXPLORED", "ExploredSource"]

STATES: Final = "states.jsonl"


class _State(msgspec.Struct, frozen=True):
    spec: str


class ExploredSource(PageSource):
    """Name the states in a folder that ``surefoot explore`` wrote."""

    name = "explored"
    version = 1

    def addresses(self, rest: str) -> tuple[Address, ...]:
        """
        Return the addresses of the states in ``DIR``, in the order of their record.

        Raises InvalidInputError where there are none, and what their own sources raise.
        """
        from surefoot.capture.sources import list_addresses

        path = Path(rest) / STATES
        try:
            lines = path.read_bytes().splitlines()
        except OSError as error:
            raise InvalidInputError(
                f"a folder that `surefoot explore` wrote, {rest}",
                found=f"no {STATES} in it",
                remedy="name such a folder",
            ) from error
        states = [
            decode(line, _State, what=f"{path}, line {number},")
            for number, line in enumerate(lines, start=1)
        ]
        return tuple(
            address
            for state in states
            for address in list_addresses(state.spec)
            if address.spec == state.spec
        )

    def open(self, address: Address, services: Services) -> OpenedAddress:  # noqa: ARG002
        """Refuse: an address of a state is one of the source that its page is of."""
        raise InvalidInputError("an address that a browser opens", found=address.spec)


EXPLORED: Final = ExploredSource()
