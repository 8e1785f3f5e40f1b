"""
The front door as a whole: what it offers, that it is light, quiet and the command line's own.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
import typer
from PIL import Image

import surefoot
from surefoot.api.options import AskingOptions, SamplingOptions
from surefoot.cli.main import load_verb

PUBLIC = [
    *("Bench", "Exchange", "FailedInstruction", "FilledForms", "ModelDiagnosis", "ModelRun"),
    *("PicturedQuestion", "PicturedScreen", "Report", "Scores", "Screens", "SurefootError"),
    *("__version__", "build", "build_forms", "capture", "diagnose", "open", "open_bench"),
    *("open_diagnosis", "open_forms", "open_run", "open_screens", "report", "report_forms"),
    *("run", "run_forms", "score", "score_forms", "transfer"),
]
# What a command line has and a call has not: it returns what these write or list.
PRINTED = {"json", "transfer"}
# An option that is given once for each name is a mapping.
RENAMED = {"set": "parameters"}
# What a call has besides: a function's name, what is shown meanwhile.
CALLED = {"name", "version", "progress"}


def test_the_public_names_are_these() -> None:
    """A name that is offered, or no longer, is a decision; every one of them is there."""
    assert surefoot.__all__ == PUBLIC
    assert [name for name in PUBLIC if getattr(surefoot, name, None) is None] == []
    assert dir(surefoot) == PUBLIC
    with pytest.raises(AttributeError, match="no attribute 'runs'"):
        surefoot.runs  # noqa: B018 - the look-up is the test


@pytest.mark.parametrize(
    "verb", ["capture", "build", "run", "diagnose", "score", "report", "forms"]
)
def test_a_function_takes_what_its_verb_takes(verb: str) -> None:
    """Each option of a verb is an argument of its function, by its name, and the reverse."""
    offered, _ = load_verb(verb)
    if isinstance(offered, typer.Typer):
        group = typer.main.get_command(offered)
        assert isinstance(group, typer.core.TyperGroup)
        names = ("build", "run", "score", "report")
        pairs = [(group.commands[name], getattr(surefoot, f"{name}_forms")) for name in names]
    else:
        program = typer.Typer(add_completion=False)
        program.command(verb)(offered)
        pairs = [(typer.main.get_command(program), getattr(surefoot, verb))]

    for command, function in pairs:
        options = {option_name(item.name or "", item.opts) for item in command.params}
        taken = set(inspect.signature(function).parameters) - CALLED
        if "asking" in taken:
            taken = taken - {"asking"} | set(AskingOptions.__annotations__)
        if "sampling" in taken:
            taken = taken - {"sampling"} | set(SamplingOptions.__annotations__)
        if verb == "diagnose":
            taken.remove("prompt_file")
        assert options - PRINTED == taken


def option_name(name: str, spelt: Sequence[str]) -> str:
    """Return what an option is called after its dashes, or an argument's own name."""
    dashed = [text[2:].replace("-", "_") for text in spelt if text.startswith("--")]
    return RENAMED.get(dashed[0], dashed[0]) if dashed else name


def test_importing_it_imports_nothing_else() -> None:
    """The package brings none of its own modules but the folders that share a function's name."""
    script = "import sys; old = set(sys.modules); import surefoot; print(*set(sys.modules) - old)"
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    names = {"capture", "diagnose", "report", "run", "score"}
    assert set(found.stdout.split()) - {"__future__"} == {
        "surefoot",
        *(f"surefoot.{name}" for name in names),
    }


def test_a_folder_never_takes_a_function_s_place() -> None:
    """Whatever is imported from the folder of a verb's name, the package offers the function."""
    script = (
        "from surefoot.run.asking.run import ask_model; import surefoot.capture.settings\n"
        "import surefoot; from surefoot import score; from surefoot.score.metric import Ruler\n"
        "print(*(callable(f) for f in (surefoot.run, surefoot.capture, score, surefoot.report)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert found.stdout.split() == ["True"] * 4


def test_a_function_prints_nothing(
    drawn: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Unless it is asked to, a call says nothing on stdout and stderr, and leaves TMPDIR alone."""
    before = dict(os.environ), tempfile.gettempdir()
    run = surefoot.run(drawn, model="center", out=tmp_path / "run")
    surefoot.score(run)
    surefoot.report(run, out=tmp_path / "report.html")

    assert capfd.readouterr() == ("", "")
    assert (dict(os.environ), tempfile.gettempdir()) == before


def test_the_command_line_and_a_call_write_the_same(drawn: Path, tmp_path: Path) -> None:
    """A run begun by a call is finished by the command line, and neither asks anew."""
    ours = surefoot.run(drawn, model="random", out=tmp_path / "run", seed=3, limit=4)
    command = [sys.executable, "-m", "surefoot", "run", str(drawn), "--model", "random"]
    command += ["--seed", "3", "--limit", "4", "--out", str(tmp_path / "run")]
    subprocess.run(command, check=True, capture_output=True)
    again = surefoot.run(drawn, model="random", out=tmp_path / "run", seed=3, limit=4)

    assert ours.outcome.tally.done == again.outcome.tally.kept == 24
    assert again.outcome.tally.done == 0


def test_functions_work_where_a_loop_runs(drawn: Path, tmp_path: Path) -> None:
    """As in a notebook: run, score, diagnose and report inside of a running event loop."""

    async def notebook() -> surefoot.ModelDiagnosis:
        run = surefoot.run(drawn, model="oracle", out=tmp_path / "run")
        assert surefoot.score(run).summary.answers == 36
        assert surefoot.report(run, out=tmp_path / "report.html").sentences
        out = tmp_path / "diagnosis"
        return surefoot.diagnose(drawn, model="center", out=out, limit=1, rounds=1)

    found = asyncio.run(notebook())

    failures = sum(len(element.failures) for element in found.findings.elements)
    assert found.model == "center"
    assert len(found) == len(found.to_arrow()) == failures
    assert found.findings.questions > 0


def test_a_function_is_diagnosed_and_not_handed_on(drawn: Path, tmp_path: Path) -> None:
    """A function can be diagnosed like any model; what cannot ask it again says so."""

    def corner(_image: Image.Image, _words: str) -> tuple[int, int]:
        return 3, 3

    how = {"limit": 1, "rounds": 1, "self_check": False}
    ours = surefoot.diagnose(drawn, model=corner, out=tmp_path / "a", **how)  # type: ignore[arg-type]
    other = surefoot.diagnose(drawn, model="center", out=tmp_path / "b", limit=1, rounds=1)

    assert ours.model == "corner"
    assert "corner" in ours.caption()
    with pytest.raises(surefoot.SurefootError, match="a function cannot be asked once more"):
        surefoot.transfer([ours, other], out=tmp_path / "c")
