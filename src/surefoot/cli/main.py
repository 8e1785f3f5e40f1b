"""
The command ``surefoot``: finds the verb, imports that verb's module alone, prints errors.

A verb is a row of `VERBS` and a module ``surefoot.cli.VERB`` with a function of the same
name (``import_`` where the verb is a keyword) and, if it likes, ``EXAMPLES``: command
lines shown under its help. ``surefoot --help`` imports no verb.
"""

from __future__ import annotations

import contextlib
import importlib
import keyword
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Final, NoReturn

import typer

from surefoot import __version__
from surefoot.core.errors import SurefootError, UserError

__all__ = ["assemble", "end_plainly", "load_verb", "main"]

VERBS: Final[dict[str, str]] = {
    "quickstart": "Real pages -> benchmark -> built-in model -> report.",
    "capture": "Capture real interfaces as screens with labels.",
    "build": "Build a benchmark from screens.",
    "run": "Ask a model every question of a benchmark.",
    "diagnose": "Find the instructions that fail a model, and why.",
    "score": "Compute metrics and paired tests of runs.",
    "report": "Write a self-contained HTML report of runs.",
    "import": "Read public datasets and published runs.",
    "export": "Publish a benchmark as parquet, or for another tool.",
    "check": "Check that a perturbation keeps its promises.",
    "forms": "Fill in live forms and score what arrived in which field.",
    "audit": "Draw contact sheets of random samples for a person to judge.",
    "models": "Say what can be named after --model.",
    "doctor": "Say what is installed, what is missing and how to get it.",
}


def main(arguments: Sequence[str] | None = None) -> None:
    """
    Run one command line and exit with the code of its error, 0 without one.

    An error of Surefoot's own is one line on stderr; SUREFOOT_DEBUG=1 adds the traceback.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    with end_plainly("surefoot"):
        assemble(given)(given, prog_name="surefoot")


@contextlib.contextmanager
def end_plainly(program: str) -> Iterator[None]:
    """Print an error of Surefoot's own on one line, and exit with its code."""
    try:
        yield
    except SurefootError as error:
        _end(program, error)
    except OSError as error:
        if error.filename is None:  # not about a file that the user named
            raise
        _end(program, UserError(f"'{error.filename}' to be a path that can be used", found=error))


def _end(program: str, error: SurefootError) -> NoReturn:
    if os.environ.get("SUREFOOT_DEBUG") == "1":
        traceback.print_exc()
    print(f"{program}:", " ".join(str(error).split()), file=sys.stderr)
    sys.exit(error.exit_code)


def assemble(arguments: Sequence[str]) -> typer.Typer:
    """Build the program with all verbs, of which only those in ``arguments`` are imported."""
    app = typer.Typer(
        help="Find out whether a GUI agent keeps its footing when the ground shifts.",
        no_args_is_help=True,
        add_completion=False,
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
    ('surefoot doctor', 'surefoot doctor --json')
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


def _options(
    *, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False
) -> None:
    if version:
        print(f"surefoot {__version__}")
        raise typer.Exit


def _unloaded() -> None:
    """Stand for a verb that this command line does not name."""
