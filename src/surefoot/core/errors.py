"""
Every error that Surefoot raises on purpose, in one tree.

    SurefootError
    |-- UserError                 the caller's mistake                 exit code 2
    |   |-- UnknownNameError      no such perturbation, format, ...
    |   |-- InvalidInputError     a file, record or argument is malformed
    |   |   `-- RecordError       one record of a data set, with its reason
    |   |-- PlanMismatchError     the folder belongs to another plan
    |   `-- FolderBusyError       another process is writing the folder
    |-- MissingComponentError     a program, package or font is absent  exit code 3
    |-- UnitError                 one unit of work failed; the run goes on
    |   |-- CaptureError          a page could not be captured
    |   `-- ModelError            a model gave no reply
    |-- NothingKeptError          all that was read was left out
    `-- NondeterminismError       one unit key, two different results

A message states what was expected, what was found and what to do.
"""

from __future__ import annotations

import enum

__all__ = [
    "CaptureError",
    "ExitCode",
    "FolderBusyError",
    "InvalidInputError",
    "MissingComponentError",
    "ModelError",
    "NondeterminismError",
    "NothingKeptError",
    "PlanMismatchError",
    "RecordError",
    "SurefootError",
    "UnitError",
    "UnknownNameError",
    "UserError",
]


class ExitCode(enum.IntEnum):
    """Say how a command ended."""

    FINE = 0
    SOME_UNITS_FAILED = 1
    USER_ERROR = 2
    MISSING_COMPONENT = 3


class SurefootError(Exception):
    """
    Carry what was expected, what was found and what to do about it.

    >>> print(UserError("a scale above 0", found="-1", remedy="give --scale 1"))
    Expected a scale above 0, found -1. Give --scale 1.
    """

    exit_code = ExitCode.SOME_UNITS_FAILED

    def __init__(self, expected: str, *, found: str, remedy: str = "") -> None:
        self.expected = expected
        self.found = found
        self.remedy = remedy
        advice = f" {remedy[0].upper()}{remedy[1:]}" if remedy else ""
        stop = "." if advice and advice[-1] not in ".?" else ""
        super().__init__(f"Expected {expected}, found {found}.{advice}{stop}")


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

    def __init__(self, reason: str, expected: str, *, found: str, remedy: str = "") -> None:
        self.reason = reason
        super().__init__(expected, found=found, remedy=remedy)


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

    def __init__(self, reason: str, *, expected: str, found: str, remedy: str = "") -> None:
        self.reason = reason
        super().__init__(expected, found=found, remedy=remedy)


class CaptureError(UnitError):
    """Report a page that could not be captured."""


class ModelError(UnitError):
    """Report a question that a model gave no reply to."""


class NondeterminismError(SurefootError):
    """Report one unit key with two different results."""


class NothingKeptError(SurefootError):
    """Stop an import of which nothing would be left; it writes nothing."""
