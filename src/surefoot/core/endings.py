"""
How a program ends that met an error: one line for people, an exit code, never a traceback.

The command line and every child program go through `end_plainly`. A defect of ours is saved
with its traceback, for whoever mends it, and its file is named.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NoReturn

from surefoot.core.errors import ExitCode, SurefootError
from surefoot.core.faults import database_error, file_error

INTERRUPTED: Final = 130  # as a shell has it: 128 and the number of SIGINT


@contextlib.contextmanager
def end_plainly(
    program: str, scrub: Callable[[str], str] = str, again: Callable[[], str] = str
) -> Iterator[None]:
    """
    Run a program's block; print an error on one line of stderr and exit with its code.

    What is left to print on stdout is printed first, and told where it cannot be.
    SUREFOOT_DEBUG=1 adds the traceback. ``scrub`` takes secrets out of what is told and
    saved of a defect, in whose words anything may stand. ``again`` returns the command that
    goes on after an interruption, whose notes say what is kept.
    """
    try:
        try:
            yield
        finally:
            _print_rest()
    except KeyboardInterrupt as error:
        _end(program, _interrupted(error, again()), INTERRUPTED)
    except BaseException as error:  # the one place where a program ends
        shown = said_plainly(error, program)
        if shown is None and not isinstance(error, Exception):
            raise
        if shown is not None:
            _end(program, str(shown), shown.exit_code)
        _end(program, _defect(error, scrub), ExitCode.DEFECT, scrub)


def _interrupted(error: BaseException, command: str) -> str:
    kept = "".join(f"; {note}" for note in getattr(error, "__notes__", ()))
    return f"stopped by Ctrl-C{kept}; " + (
        f"to go on: {command}" if command else "the same command goes on"
    )


def said_plainly(error: BaseException, program: str = "surefoot") -> SurefootError | None:
    """
    Return an error as one of Surefoot's own, None where it is a defect of the program.

    >>> print(said_plainly(MemoryError()))
    Expected enough memory, found none left. Give fewer workers, or end other programs.
    """
    if isinstance(error, SurefootError):
        return error
    if isinstance(error, OSError):
        return file_error(error)
    if isinstance(error, sqlite3.Error) and hasattr(error, "sqlite_errorcode"):
        return database_error(error)
    if isinstance(error, ModuleNotFoundError):
        from surefoot.core.extras import missing_package

        if (absent := missing_package(error)) is not None:
            return absent
    if isinstance(error, MemoryError):
        remedy = "give fewer workers, or end other programs"
        return SurefootError("enough memory", found="none left", remedy=remedy)
    from surefoot.core.registry import plugin_error  # as the one above

    return plugin_error(error, program.replace("-", "_"))


def save_traceback(error: BaseException, scrub: Callable[[str], str] = str) -> Path | None:
    """Save what led to an error into the user's cache, or a temporary file; None where neither."""
    from surefoot.core.files import cache_folder  # costs a tenth of what help does

    trace = scrub("".join(traceback.format_exception(error)))
    text = trace.encode(errors="backslashreplace")
    stamp = time.strftime("%Y%m%dT%H%M%S")
    for folder in (cache_folder() / "defects", Path(tempfile.gettempdir())):
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"surefoot-{stamp}-{os.getpid()}.txt"
            path.write_bytes(text)
            return path
    return None


def _defect(error: BaseException, scrub: Callable[[str], str]) -> str:
    # Scrubbed before it is cut: a part of a secret is one, too.
    what = " ".join(scrub(f"{type(error).__name__}: {error}").split())[:200]
    saved = save_traceback(error, scrub)
    where = f"the traceback is in {saved}" if saved else "its traceback could not be saved"
    return f"a defect of surefoot's own, {what}; {where}, please report it"


def _print_rest() -> None:
    """Print what waits; where that fails, let the rest go nowhere, so that it fails once."""
    # The second is what stands behind the first, which may keep silent about a closed pipe.
    for stream in (sys.stdout, sys.__stdout__):
        if stream is None or stream.closed:  # a shell closed it
            continue
        try:
            stream.flush()
        except OSError as error:
            error.filename = "standard output"
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            raise


def _end(program: str, text: str, code: int, scrub: Callable[[str], str] = str) -> NoReturn:
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            if os.environ.get("SUREFOOT_DEBUG") == "1":
                sys.stderr.write(scrub(traceback.format_exc()))
            sys.stderr.write(f"{program}: {' '.join(text.split())}\n")
            sys.stderr.flush()
    sys.exit(code)
