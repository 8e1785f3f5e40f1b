"""
The command ``surefoot``: finds the verb, imports that verb's module alone, prints errors.

A verb is a row of `VERBS` and a module ``surefoot.cli.VERB`` with a function of the same
name (``import_`` where the verb is a keyword) and, if it likes, ``EXAMPLES``: command
lines shown under its help. ``surefoot --help`` imports no verb.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import keyword
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from surefoot.cli.given import GIVEN, given_command, without_secrets
from surefoot.core.endings import end_plainly
from surefoot.core.errors import PluginWarning, UserError
from surefoot.core.terminal import plain_output
from surefoot.core.version import __version__

# The verbs by what a person is about to do.
TASKS: Final[dict[str, dict[str, str]]] = {
    "Start": {
        "quickstart": "Real pages -> benchmark -> built-in model -> report.",
        "doctor": "Say what is installed, what is missing and how to get it.",
    },
    "Collect": {
        "capture": "Capture real interfaces as screens with labels.",
        "explore": "Act on pages, and keep the states that come back.",
        "apps": "List, install and prove real applications.",
        "import": "Read public datasets and published runs.",
    },
    "Build": {
        "build": "Build a benchmark from screens.",
        "check": "Check that a perturbation keeps its promises.",
        "languages": "Print the sentences of a language for a native reader.",
        "backtranslate": "Translate questions back into English, and compare.",
    },
    "Ask": {
        "run": "Ask a model every question of a benchmark.",
        "models": "Say what can be named after --model.",
        "forms": "Fill in live forms and score what arrived in which field.",
    },
    "Judge": {
        "score": "Compute metrics and paired tests of runs.",
        "report": "Write a self-contained HTML report of runs.",
        "view": "Look at questions, answers and screens in the browser.",
        "audit": "Draw sheets of random samples for a person to judge.",
        "agreement": "Say how far people agree about samples that they rated.",
    },
    "Explain": {
        "diagnose": "Find the instructions that fail a model, and why.",
        "select": "Keep the targets that a teacher hits, and that people pass.",
        "xli": "Add to hidden states what leads to English, and measure it.",
    },
    "Share": {
        "export": "Publish a benchmark as parquet, or for another tool.",
        "verify": "Check a folder by its hashes, and drop what is damaged.",
    },
}
VERBS: Final[dict[str, str]] = {
    verb: summary for verbs in TASKS.values() for verb, summary in verbs.items()
}


COMPLETE: Final = "_SUREFOOT_COMPLETE"  # set by the scripts of --show-completion
EXITS: Final = (
    "Exit codes: 0 fine, 1 some units failed or the machine stopped the command, 2 a mistake of "
    "the user's, 3 a missing component, 4 a defect of surefoot's, 130 stopped by Ctrl-C."
)


class _Program(TyperGroup):
    """List the verbs by task."""

    def format_commands(
        self,
        ctx: object,  # noqa: ARG002 - called by its name
        formatter: Any,  # noqa: ANN401 - of a class that typer does not hand out
    ) -> None:
        """Write a list of verbs for each task, all in line."""
        width = max(map(len, VERBS))
        for task, verbs in TASKS.items():
            with formatter.section(task):
                formatter.write_dl([(verb.ljust(width), line) for verb, line in verbs.items()])


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
            assemble([*given, *_completed_words()])(given, prog_name="surefoot")
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


def _completed_words() -> list[str]:
    """Return the words of the command line that a shell asks to complete, [] where none does."""
    if COMPLETE not in os.environ:
        return []
    line = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")
    return line.split()


def _command(arguments: Sequence[str]) -> contextlib.AbstractContextManager[None]:
    """Return what a command line that names a verb runs in; one that asks for help needs none."""
    if "--help" in arguments or not set(VERBS) & set(arguments):
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


def assemble(arguments: Sequence[str]) -> typer.Typer:
    """Build the program with all verbs, of which only those in ``arguments`` are imported."""
    app = typer.Typer(
        cls=_Program,
        help="Find out whether a GUI agent keeps its footing when the ground shifts.",
        epilog=EXITS,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(_options)
    for verb, summary in VERBS.items():
        if verb in arguments:
            function, examples = load_verb(verb)
            if isinstance(function, typer.Typer):
                app.add_typer(function, name=verb, epilog=_epilog(examples))
            else:
                app.command(verb, epilog=_epilog(examples))(function)
        else:
            app.command(verb, help=summary)(_unloaded)
    return app


def load_verb(verb: str) -> tuple[Callable[..., None] | typer.Typer, tuple[str, ...]]:
    """
    Import a verb's module and return its function, or its program of verbs, and its examples.

    >>> load_verb("doctor")[1]
    ('surefoot doctor', 'surefoot doctor --fix', 'surefoot doctor --json')
    """
    name = f"{verb}_" if keyword.iskeyword(verb) else verb
    module = importlib.import_module(f"surefoot.cli.{name}")
    function: Callable[..., None] | typer.Typer = getattr(module, name)
    examples: tuple[str, ...] = getattr(module, "EXAMPLES", ())
    return function, examples


def _epilog(examples: tuple[str, ...]) -> str | None:
    if not examples:
        return None
    unwrapped = "\b\n"  # click leaves a paragraph alone that starts so
    return "\n".join([f"{unwrapped}Examples:", *(f"  {example}" for example in examples)])


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


def _unloaded() -> None:
    """Stand for a verb that this command line does not name."""
