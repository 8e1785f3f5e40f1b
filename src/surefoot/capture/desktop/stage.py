"""
What the process inside the sandbox is asked and what it answers, one JSON line each.
"""

from __future__ import annotations

from typing import Final

import msgspec

NO_LOCALE: Final = 2  # the code of a reply to Open where programs could not speak the language


class Open(msgspec.Struct, frozen=True, tag="open"):
    """Ask for a screen of this size in pixels, with its buses and window manager."""

    width: int
    height: int
    locale: str
    timezone: str
    home: str
    files: dict[str, str] = {}


class Start(msgspec.Struct, frozen=True, tag="start"):
    """Ask to start a program and leave it running, with its clock stopped if wanted."""

    argv: tuple[str, ...]
    stopped: bool = False


class Run(msgspec.Struct, frozen=True, tag="run"):
    """Ask to run a program to its end, for at most so many seconds."""

    argv: tuple[str, ...]
    seconds: float


class Grab(msgspec.Struct, frozen=True, tag="grab"):
    """Ask for the screen's picture, losslessly as PNG."""


Request = Open | Start | Run | Grab


class StageReply(msgspec.Struct, frozen=True):
    """
    Say how a request went.

    ``code`` is the exit code of what was run, ``output`` what it printed or the picture,
    ``note`` what it complained of. ``ended`` is the exit code of the started program,
    None while it runs; a negative code is the signal that killed it.
    """

    code: int = 0
    output: bytes = b""
    note: str = ""
    ended: int | None = None
