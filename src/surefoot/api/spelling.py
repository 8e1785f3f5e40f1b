"""
Messages for who calls a function: options are named as its arguments, not as a command's.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Final

from surefoot.api.asking import AskingOptions
from surefoot.core.errors import SurefootError
from surefoot.core.interrupts import is_command

# A command in backticks stays as it is typed.
_OPTION: Final = re.compile(r"(?P<command>`[^`]*`)|(?<![\w-])--(?P<name>[a-z][a-z-]*[a-z])")
_RENAMED: Final = {"set": "parameters"}


def respell(error: SurefootError, function: Callable[..., object]) -> None:
    """
    Name the options in an error as arguments of the function that was called.

    What was found stays as it is, since it may quote others; an error of a command stays whole.
    """
    if not is_command():
        error.reword(lambda text: in_python(text, function))


def in_python(text: str, function: Callable[..., object]) -> str:
    """
    Return a message with a function's options as its arguments; other options stay.

    >>> def run(*, limit=0, keep_going=False, self_check=True): ...
    >>> in_python("--keep-going asks on, --no-self-check unchecked, or change --limit", run)
    'keep_going=True asks on, self_check=False unchecked, or change limit'
    >>> in_python("run `surefoot run --limit 3`, or import it with --images FOLDER", run)
    'run `surefoot run --limit 3`, or import it with --images FOLDER'
    """
    parameters = inspect.signature(function).parameters
    flags = {name for name, item in parameters.items() if isinstance(item.default, bool)}
    names = set(parameters)
    if any(item.kind is inspect.Parameter.VAR_KEYWORD for item in parameters.values()):
        names |= AskingOptions.__annotations__.keys()

    def spelt(match: re.Match[str]) -> str:
        if match["command"]:
            return match[0]
        option = match["name"]
        name = _RENAMED.get(option, option.replace("-", "_"))
        if name in flags:
            return f"{name}=True"
        if name.removeprefix("no_") in flags:
            return f"{name.removeprefix('no_')}=False"
        return name if name.partition("=")[0] in names else match[0]

    return _OPTION.sub(spelt, text)
