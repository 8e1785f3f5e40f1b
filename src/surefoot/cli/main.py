"""
The command ``surefoot``: finds the verb, imports that verb's module alone, prints errors.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from surefoot.cli.command import command_of, help_of, unless_below
from surefoot.cli.given import GIVEN, given_command, without_secrets
from surefoot.cli.verb import TASKS, VERBS, CliVerb, find_verbs
from surefoot.core.endings import end_plainly
from surefoot.core.errors import PluginWarning, UserError
from surefoot.core.terminal import plain_output
from surefoot.core.version import __version__

COMPLETE: Final = "_SUREFOOT_COMPLETE"  # set by the scripts of --show-completion
EXITS: Final = (
    "Exit codes: 0 fine, 1 some units failed or the machine stopped the command, 2 a mistake of "
    "the user's, 3 a missing component, 4 a defect of surefoot's, 130 stopped by Ctrl-C."
)


class _Program(TyperGroup):
    """Find a verb when it is named, and list all by task."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002 - typer hides its class
        """Return the verbs by task, as they are listed."""
        return [verb.name for verbs in verbs_by_task().values() for verb in verbs]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - as above
        """Make a verb's command, None where there is no such verb."""
        command = make_command(cmd_name)
        if command is None:  # typer suggests the nearest of those that it knows
            self.commands = {name: make_command(name) for name in self.list_commands(ctx)}
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
        """Write a list of verbs for each task, all in line."""
        width = max(map(len, self.list_commands(ctx)))
        for task, verbs in verbs_by_task().items():
            with formatter.section(task):
                formatter.write_dl([(verb.name.ljust(width), verb.summary) for verb in verbs])


def verbs_by_task() -> dict[str, list[CliVerb]]:
    """Return the verbs that stand below no other, by what a person is about to do."""
    top = [verb for verb in VERBS.entries.values() if len(verb.words) == 1]
    tasks = {task: [verb for verb in top if verb.task == task] for task in TASKS}
    tasks[TASKS[-1]] += [verb for verb in top if verb.task not in TASKS]
    return {task: verbs for task, verbs in tasks.items() if verbs}


def make_command(first: str) -> Any:  # noqa: ANN401 - of a class that typer does not hand out
    """Make the command of a verb, with those below it; None where there is none."""
    verbs = find_verbs(first)
    if not verbs:
        return None
    verb, *below = verbs
    if not below:
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(verb.name, epilog=_epilog(verb))(command_of(verb))
        return typer.main.get_command(alone)
    group = typer.Typer(
        name=verb.name,
        help=help_of(verb.function) if verb.function else verb.summary,
        add_completion=False,
        epilog=_epilog(verb),
        rich_markup_mode=None,
        no_args_is_help=verb.function is None,
        invoke_without_command=verb.function is not None,
    )
    if verb.function is not None:
        group.callback()(unless_below(command_of(verb)))
    for inner in below:
        group.command(inner.words[-1])(command_of(inner))
    return typer.main.get_command(group)


def main(arguments: Sequence[str] | None = None) -> None:
    """
    Run one command line and exit with the code of its error, 0 without one.

    An error is one line on stderr; SUREFOOT_DEBUG=1 adds the traceback. What is printed is
    plain: text from pages and servers commands no terminal.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names of files may hold what it cannot print
            stream.reconfigure(errors="backslashreplace")
    with (
        plain_output(),
        _plugin_notes(),
        end_plainly("surefoot", without_secrets, given_command),
        _command(given),
    ):
        _check_text(given)
        GIVEN.set(tuple(given))
        try:
            program()(given, prog_name="surefoot")
        except SystemExit as ended:
            raise _cause_of_end(ended) from None


@contextlib.contextmanager
def _plugin_notes() -> Iterator[None]:
    """Say in one line on stderr, for the length of a block, which plug-in is left out."""
    spelt = warnings.formatwarning

    def spell(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        line: str | None = None,
    ) -> str:
        if issubclass(category, PluginWarning):
            return f"surefoot: {message}\n"
        return spelt(message, category, filename, lineno, line)

    warnings.formatwarning = spell
    try:
        yield
    finally:
        warnings.formatwarning = spelt


def _cause_of_end(ended: SystemExit) -> BaseException:
    """Return the interruption that typer ended the program for, in silence; else the end."""
    cause = ended.__context__ and ended.__context__.__cause__
    return cause if isinstance(cause, KeyboardInterrupt) else ended


def _command(arguments: Sequence[str]) -> contextlib.AbstractContextManager[None]:
    """Return what a command line that names a verb runs in; one that asks for help needs none."""
    names_no_verb = not any(word[:1] != "-" for word in arguments)
    if "--help" in arguments or names_no_verb or COMPLETE in os.environ:
        return contextlib.nullcontext()
    from surefoot.core.interrupts import command

    return command()


def _check_text(arguments: Sequence[str]) -> None:
    """Refuse what no file or folder can be called, and what cannot be printed."""
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError:
            wrong = "bytes that are no UTF-8"
        else:
            wrong = "a NUL character" if "\0" in argument else ""
        if wrong:
            raise UserError(
                f"arguments of text, not {argument!a}",
                found=wrong,
                remedy="rename the file or folder",
            )


def program() -> typer.Typer:
    """Build the program, which makes the command of a verb when it is named."""
    app = typer.Typer(
        cls=_Program,
        help="Find out whether a GUI agent keeps its footing when the ground shifts.",
        epilog=EXITS,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(_options)
    return app


def _epilog(verb: CliVerb) -> str | None:
    if not verb.examples:
        return None
    unwrapped = "\b\n"  # click leaves a paragraph alone that starts so
    return "\n".join([f"{unwrapped}Examples:", *(f"  {example}" for example in verb.examples)])


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"surefoot {__version__}")
        raise typer.Exit


def _options(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", is_eager=True, callback=_print_version
        ),
    ] = False,
) -> None:
    """Take the options that stand before a verb."""
    del version  # told by its callback, before a verb is missed
