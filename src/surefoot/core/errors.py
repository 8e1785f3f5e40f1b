"""
Every error that Surefoot raises on purpose, in one tree.

    SurefootError
    |-- UserError                 the caller's mistake                 exit code 2
    |   |-- UnknownNameError      no such perturbation, format, ...
    |   |-- InvalidInputError     a file, record or argument is malformed
    |   |   |-- RecordError       one record of a data set, with its reason
    |   |   `-- DamageError       a file or record is not as surefoot wrote it
    |   |-- PlanMismatchError     the folder belongs to another plan
    |   `-- FolderBusyError       another process is writing the folder
    |-- MissingComponentError     a program, package or font is absent  exit code 3
    |-- UnitError                 one unit of work failed; the run goes on
    |   |-- CaptureError          a page could not be captured
    |   `-- ModelError            a model gave no reply
    |-- NothingKeptError          nothing is left that a command could write
    `-- NondeterminismError       one unit key, two different results

A message states what was expected, what was found and what to do. What was found may be
an error of another library; it is said in plain words, see ``plain_words``.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from typing import Final

_LONGEST: Final = 300
# The types of records as messages call them.
_TYPES: Final = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "nothing",
}
_MISTYPED: Final = re.compile(r"Expected `([^`]+)`, got `([^`]+)`(.*)", re.DOTALL)
_UNKNOWN: Final = re.compile(r"Object contains unknown field `([^`]+)`(.*)", re.DOTALL)
_MISSING: Final = re.compile(r"Object missing required field `([^`]+)`(.*)", re.DOTALL)
_PLACE: Final = re.compile(r"\s+- at (?:the key|`key` in)?\s*`\$?\.?([^`]*)`$")


class ExitCode(enum.IntEnum):
    """Say how a command ended."""

    FINE = 0
    SOME_UNITS_FAILED = 1
    USER_ERROR = 2
    MISSING_COMPONENT = 3
    DEFECT = 4


class SurefootError(Exception):
    """
    Carry what was expected, what was found and what to do about it.

    >>> print(UserError("a scale above 0", found="-1", remedy="give --scale 1"))
    Expected a scale above 0, found -1. Give --scale 1.
    """

    exit_code = ExitCode.SOME_UNITS_FAILED

    def __init__(self, expected: str, *, found: str | Exception, remedy: str = "") -> None:
        found = found if isinstance(found, str) else plain_words(found)
        self.expected = expected
        self.found = found
        self.remedy = remedy
        advice = f" {remedy[0].upper()}{remedy[1:]}" if remedy else ""
        stop = "." if advice and advice[-1] not in ".?" else ""
        super().__init__(f"Expected {expected}, found {found}.{advice}{stop}")

    def reword(self, change: Callable[[str], str]) -> None:
        """Change the words of what was expected and what to do; what was found stays."""
        expected, remedy = change(self.expected), change(self.remedy)
        SurefootError.__init__(self, expected, found=self.found, remedy=remedy)


class UserError(SurefootError):
    """Blame the caller: a wrong name, file, option or folder."""

    exit_code = ExitCode.USER_ERROR


class UnknownNameError(UserError):
    """Reject a name that no registry entry bears."""


class InvalidInputError(UserError, ValueError):
    """Reject a value, record or file that is malformed."""


class RecordError(InvalidInputError):
    """
    Reject one record of a data set, with a short machine-readable reason.

    >>> RecordError("empty-text", "words to act on", found="none").reason
    'empty-text'
    """

    def __init__(
        self, reason: str, expected: str, *, found: str | Exception, remedy: str = ""
    ) -> None:
        self.reason = reason
        super().__init__(expected, found=found, remedy=remedy)


class DamageError(InvalidInputError):
    """
    Report a file or record that is not as Surefoot wrote it, or is gone.

    Whatever meets it stops: no unit is to blame, and nothing may be made of what is damaged.
    """


class PlanMismatchError(UserError):
    """Refuse to resume a folder that belongs to another plan."""


class FolderBusyError(UserError):
    """Refuse to write a folder that another process is writing."""


class MissingComponentError(SurefootError):
    """Name a component that is not installed, and the command that installs it."""

    exit_code = ExitCode.MISSING_COMPONENT


class UnitError(SurefootError):
    """
    Report that one unit of work failed, with a short machine-readable reason.

    >>> CaptureError("timeout", expected="a page within 60 s", found="none").reason
    'timeout'
    """

    def __init__(
        self, reason: str, *, expected: str, found: str | Exception, remedy: str = ""
    ) -> None:
        self.reason = reason
        super().__init__(expected, found=found, remedy=remedy)


class CaptureError(UnitError):
    """Report a page that could not be captured."""


class ModelError(UnitError):
    """Report a question that a model gave no reply to."""


class NondeterminismError(SurefootError):
    """Report one unit key with two different results."""


class NothingKeptError(SurefootError):
    """Stop a command of which nothing would be left; it finishes no folder."""


class PluginWarning(UserWarning):
    """Say that what another distribution brings is left out, and why."""


def plain_words(error: Exception) -> str:
    """
    Say what an error means, without the spelling of the library that raised it.

    >>> plain_words(FileNotFoundError(2, "No such file or directory", "x.txt"))
    'no such file or directory'
    >>> plain_words(ValueError("Expected `int`, got `str` - at `$.boxes[...]`"))
    "text instead of a whole number in 'boxes[...]'"
    """
    if isinstance(error.__cause__, SurefootError):  # raised inside of the library's own work
        error = error.__cause__
    if isinstance(error, SurefootError):
        return f"{error.found} instead of {error.expected}"
    if isinstance(error, UnicodeDecodeError):
        return f"bytes that are no {error.encoding.upper()}"
    if isinstance(error, RecursionError):
        return "nesting without end"
    if isinstance(error, OSError) and error.strerror:
        return _begun_small(error.strerror)
    text = (str(error).strip() or type(error).__name__).splitlines()[0][:_LONGEST]
    if match := _MISTYPED.fullmatch(text):
        expected, got = (
            " or ".join(map(_type_words, group.split(" | "))) for group in match.groups()[:2]
        )
        return f"{got} instead of {expected}{_place(match[3])}"
    if match := _UNKNOWN.fullmatch(text):
        return f"the unknown field '{match[1]}'{_place(match[2])}"
    if match := _MISSING.fullmatch(text):
        return f"no field '{match[1]}'{_place(match[2])}"
    text = text.replace("JSON is malformed", "malformed JSON")
    text = text.replace("Input data was truncated", "data that ends too early")
    where = _PLACE.search(text)
    if where is not None:
        text = text[: where.start()] + _place(where[0])
    return _begun_small(text.replace("`", "'"))


def _type_words(name: str) -> str:
    return _TYPES.get(name, name)


def _place(tail: str) -> str:
    where = _PLACE.search(tail)
    return f" in '{where[1]}'" if where is not None and where[1] else ""


def _begun_small(text: str) -> str:
    """Return a sentence as a part of another; a name or an abbreviation keeps its capitals."""
    first = text.partition(" ")[0]
    return text[0].lower() + text[1:] if not first[1:] or first[1:].islower() else text
