"""
The command line starts light, names every verb and prints errors as one line.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import surefoot
from surefoot.cli import main as program
from surefoot.cli.main import main, make_command
from surefoot.cli.verb import VERBS, CliVerb, find_verbs
from surefoot.core.errors import ExitCode, MissingComponentError, SurefootError, UserError

HEAVY = [
    "numpy",
    "scipy",
    "playwright",
    "duckdb",
    "pyarrow",
    "statsmodels",
    "httpx",
    "PIL",
    "jinja2",
    "django",
    "pandas",
]
TOP = [name for name in VERBS.entries if "/" not in name]
LIST_IMPORTS = """
import sys
from surefoot.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit:
    print("loaded:", *sorted({name.partition(".")[0] for name in sys.modules}))
    print("verbs:", *(name for name in sys.modules if name.startswith("surefoot.verbs.")))
"""


def raise_from(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Let the verb ``doctor`` raise an error."""

    def work() -> None:
        raise error

    verb = CliVerb("doctor", "Start", "", work, lambda work: work())
    monkeypatch.setattr(program, "find_verbs", lambda _first: [verb])


def printed(*arguments: str) -> str:
    """Return what a fresh interpreter prints for a command line, with what it imported."""
    command = [sys.executable, "-c", LIST_IMPORTS, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize(
    ("arguments", "imported"),
    [(["--version"], []), (["run", "--help"], ["surefoot.verbs.run"]), (["--help"], None)],
)
def test_start_imports_nothing_heavy(arguments: list[str], imported: list[str] | None) -> None:
    """Help and version import no numeric, browser, network or image library; a verb, no other."""
    *_, loaded, verbs = printed(*arguments).splitlines()

    assert not set(HEAVY) & set(loaded.split())
    assert imported is None or verbs.split()[1:] == imported


def test_score_imports_no_library_that_it_does_not_use(drawn: Path) -> None:
    """Scoring a run loads no library for tables, networks, browsers, pages or models."""
    out = drawn.parent / "scored-for-imports"
    *_, _, _ = printed("run", str(drawn), "--model", "oracle", "--out", str(out)).splitlines()

    *_, loaded, _ = printed("score", str(out)).splitlines()

    unused = {"polars", "pyarrow", "pandas", "playwright", "httpx", "jinja2", "torch"}
    assert not (unused | {"starlette", "statsmodels", "django", "tesserocr"}) & set(loaded.split())


def test_the_version_is_printed() -> None:
    """The version is told without a verb."""
    assert printed("--version").splitlines()[0] == f"surefoot {surefoot.__version__}"


def test_summaries_are_shown_whole() -> None:
    """The summary of each verb is a sentence that the list shows whole on a narrow terminal."""
    shown = printed("--help")

    for name in TOP:
        summary = VERBS.entries[name].summary
        assert summary.endswith(".")
        assert summary in shown


@pytest.mark.parametrize("name", TOP)
def test_examples_of_a_verb_parse(name: str) -> None:
    """Every verb has examples, and each is a valid command line of that verb."""
    examples = find_verbs(name)[0].examples

    assert examples
    for example in examples:
        ours, given, *rest = shlex.split(example)
        assert (ours, given) == ("surefoot", name)
        command = make_command(name)
        inner = getattr(command, "commands", {})
        if rest and rest[0] in inner:
            inner[rest[0]].make_context(rest[0], rest[1:])
        else:
            command.make_context(name, rest)


@pytest.mark.parametrize(
    "error",
    [
        UserError("a scale above 0", found="-1", remedy="give --scale 1"),
        MissingComponentError("npm", found="none", remedy="apt-get install npm"),
        SurefootError("one line", found="a\nbreak"),
    ],
)
def test_error_is_one_line_with_its_exit_code(
    error: SurefootError, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error of the tree ends in its exit code and one line on stderr, no traceback."""
    raise_from(monkeypatch, error)
    with pytest.raises(SystemExit) as left:
        main(["doctor"])

    assert left.value.code == error.exit_code
    assert capsys.readouterr().err == f"surefoot: {' '.join(str(error).split())}\n"


def test_a_path_that_cannot_be_used_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the file system refuses is the user's mistake, told by the path that was given."""
    error = NotADirectoryError(20, "Not a directory", "a/x")
    raise_from(monkeypatch, error)
    with pytest.raises(SystemExit) as left:
        main(["doctor"])

    assert left.value.code == ExitCode.USER_ERROR
    assert "'a/x' to be a path that can be used" in capsys.readouterr().err


def test_debug_adds_the_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """SUREFOOT_DEBUG=1 prints the traceback before the line and keeps the exit code."""
    monkeypatch.setenv("SUREFOOT_DEBUG", "1")
    raise_from(monkeypatch, UserError("a", found="b"))
    with pytest.raises(SystemExit) as left:
        main(["doctor"])

    said = capsys.readouterr().err
    assert left.value.code == UserError.exit_code
    assert said.startswith("Traceback")
    assert said.endswith("surefoot: Expected a, found b.\n")


@pytest.mark.parametrize("odd", ["raw\udc80bytes", "with\0nul"])
def test_arguments_that_are_no_text_are_refused(
    odd: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What no path can be, or nothing can print, is the user's mistake, told in escapes."""
    with pytest.raises(SystemExit) as left:
        main(["score", odd])

    assert left.value.code == ExitCode.USER_ERROR
    assert ascii(odd) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("shell", "line", "offered"),
    [
        ("bash", "surefoot run --temp", "--temperature"),
        ("bash", "surefoot forms l", "list"),
        ("zsh", "surefoot diagnose --planner-m", "--planner-model"),
        ("fish", "surefoot rep", "report"),
    ],
)
def test_shells_complete_verbs_and_options(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    shell: str,
    line: str,
    offered: str,
) -> None:
    """What a shell's script asks for is completed from the verb that the line names."""
    monkeypatch.setenv("_SUREFOOT_COMPLETE", f"complete_{shell}")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    monkeypatch.setenv("COMP_WORDS" if shell == "bash" else "_TYPER_COMPLETE_ARGS", line)
    with pytest.raises(SystemExit) as left:
        main([])

    assert left.value.code == 0
    assert offered in capsys.readouterr().out


def test_unknown_verb_suggests_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt verb is the user's mistake and is told the right one."""
    with pytest.raises(SystemExit) as left:
        main(["doctr"])

    assert left.value.code == UserError.exit_code
    assert "doctor" in capsys.readouterr().err
