"""
What a command takes, read from a function's annotations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypedDict, Unpack

from surefoot.api.parameters import NO_DEFAULT, CliArgument, CliOption, taken_by

if TYPE_CHECKING:
    from elsewhere import Heavy  # type: ignore[import-not-found]


class Further(TypedDict, total=False):
    """Keywords that several functions share."""

    width: Annotated[int, CliOption("How wide.", default=3)]
    unseen: str


def work(
    folder: Annotated[str | Heavy[int], CliArgument("A folder.", shell=str)],
    *,
    name: Annotated[str, CliOption("A name.")] = "a",
    console: Heavy | None = None,
    **further: Unpack[Further],
) -> Heavy:
    """Do nothing."""


def test_what_has_an_option_is_taken() -> None:
    """Arguments, options and shared keywords are taken in their order; all else is not."""
    found = taken_by(work)

    assert {name: item.default for name, item in found.items()} == {
        "folder": NO_DEFAULT,
        "name": "a",
        "width": 3,
    }


def test_a_type_that_is_not_imported_is_no_matter() -> None:
    """What a module imports for type checkers alone need not be there: the shell's type counts."""
    assert [item.shell for item in taken_by(work).values()] == [str, str, int]


def test_a_function_without_options_takes_nothing() -> None:
    """A plain function has no options, whatever its annotations."""

    def plain(text: str, count: list[Heavy] | None = None) -> None: ...

    assert taken_by(plain) == {}
