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
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import assert_type

import pytest
import typer
from PIL import Image

import surefoot
from surefoot.api.options import AskingOptions, SamplingOptions, asking_options
from surefoot.cli.main import VERBS, load_verb
from surefoot.score import metric

PUBLIC = [
    *("BackTranslation", "Bench", "Exchange", "FailedInstruction", "FilledForms", "Imported"),
    *("ModelDiagnosis", "ModelRun", "PicturedQuestion", "PicturedScreen", "Quickstart"),
    *("Report", "Scores", "Screens", "ServedPages", "SurefootError", "__version__"),
    *(
        "agreement",
        "apply_xli",
        "audit",
        "audit_answers",
        "backtranslate",
        "build",
        "build_forms",
        "build_xli",
    ),
    *("capture", "check", "check_apps", "diagnose", "doctor", "explore", "export", "import_"),
    *("import_forms", "install_apps", "languages", "list_apps", "list_forms", "list_models"),
    *("open", "open_bench", "open_diagnosis", "open_forms", "open_run", "open_screens"),
    *("plot_xli", "quickstart", "remove_apps", "report", "report_forms", "run", "run_forms"),
    *("score", "score_forms", "search_xli", "select", "serve_forms", "transfer", "verify", "view"),
]
# `import` is no name in Python, and `models` is a folder that asks for much to be imported.
NAMED = {"import": "import_", "models": "list_models"}
# What a command line has and a call has not, with the reason.
PRINTED = {
    "json": "a call returns what it writes",
    "answers": "a function of its own, `audit_answers`",
    "transfer": "a function of its own, `transfer`",
}
# What a call has and a command line has not, with the reason.
CALLED = {
    "name": "a function that is asked has no name on the command line",
    "version": "as its name",
    "progress": "a command shows it on its terminal",
    "tell": "a command prints it",
}
# An option that is given once for each name is a mapping.
RENAMED = {"set": "parameters"}
# What a command line does not name of these, the call decides.
DECIDED = {"renderer", "language", "level", "ruler"}


def test_the_public_names_are_these() -> None:
    """A name that is offered, or no longer, is a decision; every one of them is there."""
    assert surefoot.__all__ == PUBLIC
    assert [name for name in PUBLIC if getattr(surefoot, name, None) is None] == []
    assert dir(surefoot) == PUBLIC
    with pytest.raises(AttributeError, match="no attribute 'runs'"):
        surefoot.runs  # noqa: B018 - the look-up is the test


def commands() -> Iterator[tuple[str, typer.core.TyperCommand]]:
    """Yield each verb of the command line, those of forms too, by its function's name."""
    for verb in VERBS:
        offered, _ = load_verb(verb)
        if isinstance(offered, typer.Typer):
            group = typer.main.get_command(offered)
            assert isinstance(group, typer.core.TyperGroup)
            for name, inner in group.commands.items():
                assert isinstance(inner, typer.core.TyperCommand)
                yield f"{name}_{verb}", inner
        else:
            program = typer.Typer(add_completion=False)
            program.command(verb)(offered)
            command = typer.main.get_command(program)
            assert isinstance(command, typer.core.TyperCommand)
            yield NAMED.get(verb, verb), command


COMMANDS = dict(commands())


USUAL = asking_options({})
ASKING = {
    "format": "",
    "prompt_file": None,
    "key_variable": "",
    "seed": 0,
    "extra_body": "",
    "temperature": None,
    "top_p": None,
    "header": None,
    "workers": USUAL.concurrency,
    "max_tokens": USUAL.max_tokens,
    "timeout": USUAL.timeout,
    "retries": USUAL.attempts - 1,
    "image_pixels": USUAL.image_pixels,
    "device": USUAL.device,
    "dtype": USUAL.dtype,
    "quantization": USUAL.quantization or "none",
    "adapter": None,
}


def taken_by(function: Callable[..., object]) -> dict[str, object]:
    """Return what a function takes and its defaults, those of how a model is asked too."""
    taken = {name: item.default for name, item in inspect.signature(function).parameters.items()}
    for several, options in (("asking", AskingOptions), ("sampling", SamplingOptions)):
        if several in taken:
            del taken[several]
            taken |= {name: ASKING[name] for name in inspect.get_annotations(options)}
    return taken


@pytest.mark.parametrize("name", COMMANDS)
def test_a_function_takes_what_its_verb_takes(name: str) -> None:
    """Each option of a verb is an argument of its function, by its name, and the reverse."""
    options = {option_name(item.name or "", item.opts) for item in COMMANDS[name].params}
    taken = set(taken_by(getattr(surefoot, name)))
    if name == "diagnose":
        taken.remove("prompt_file")  # its questions are not in a family's official words

    assert options - PRINTED.keys() == taken - (CALLED.keys() - options)


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_not_given_is_the_same(name: str) -> None:
    """An option that is left out means the same on a command line and in a call."""
    taken = taken_by(getattr(surefoot, name))
    taken = {key: value for key, value in taken.items() if value is not inspect.Parameter.empty}
    shared = {option_name(item.name or "", item.opts): item for item in COMMANDS[name].params}
    differing = {
        option: (item.default, taken[option])
        for option, item in shared.items()
        if option in taken.keys() - DECIDED and plain(item.default) != plain(taken[option])
    }

    assert differing == {}


def plain(default: object) -> object:
    """Return a default as a call has it: nothing given is nothing, however it is written."""
    if default in (None, "", ()) and not isinstance(default, bool | int):
        return None
    return str(default) if isinstance(default, Path) else default


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

    names = {"capture", "diagnose", "report", "run", "score", "view"}
    assert set(found.stdout.split()) - {"__future__"} == {
        "surefoot",
        *(f"surefoot.{name}" for name in names),
    }


LONG = pytest.mark.long
REACHED = {
    "the function": "import surefoot; assert surefoot.run.__name__ == 'run'",
    "the function by its name": "from surefoot import run; assert inspect.signature(run)",
    "from a module": "from surefoot.run.asking.run import ask_model; assert ask_model",
    "a module by another name": "import surefoot.run.asking.run as way; assert way.ask_model",
    "a module in full": "import surefoot.run.asking.runs; surefoot.run.asking.runs.find_run",
    "a module to be patched": "mock.patch('surefoot.run.asking.run.ask_model').start()",
}


@pytest.mark.parametrize(
    "first",
    [
        name if name in {"the function", "from a module"} else pytest.param(name, marks=LONG)
        for name in REACHED
    ],
)
def test_a_folder_and_the_function_of_its_name_never_meet(first: str) -> None:
    """Whichever way is gone first, the function is called and the folder's modules are reached."""
    ways = [REACHED[first], *REACHED.values()]
    script = ["import inspect; from unittest import mock", *ways]
    script += ["import surefoot.view.opening, surefoot.score.metric, surefoot.capture.settings"]
    script += ["import surefoot.report.audit, surefoot.diagnose.findings; import surefoot"]
    script += ["verbs = 'capture diagnose report run score view'.split()"]
    script += ["print(*(inspect.isfunction(getattr(surefoot, verb)) for verb in verbs))"]
    found = subprocess.run(
        [sys.executable, "-c", "\n".join(script)], capture_output=True, text=True, check=False
    )

    assert (found.stdout.split(), found.stderr) == (["True"] * 6, "")


def test_types_are_told(drawn: Path, tmp_path: Path) -> None:
    """A type checker knows what a call takes and returns; a misspelt option is refused by both."""
    run = surefoot.run(drawn, model="center", out=tmp_path / "run", temperature=0.5)
    assert_type(run, surefoot.ModelRun)
    assert_type(surefoot.open_bench(drawn)[0], surefoot.PicturedQuestion)
    assert_type(metric.Ruler(tolerance=2.0).tolerance, float)
    with surefoot.view(run) as pages:
        assert_type(pages, surefoot.ServedPages)

    with pytest.raises(surefoot.SurefootError, match="Did you mean 'temperature'"):
        surefoot.run(drawn, model="ocr", out=tmp_path / "b", temprature=0.5)  # type: ignore[call-arg]


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
