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
from pathlib import Path
from typing import assert_type

import pytest
from PIL import Image

import surefoot
from surefoot.api.asking import AskingOptions, asking_options
from surefoot.api.parameters import taken_by, taken_keywords
from surefoot.cli.verb import VERBS, CliVerb
from surefoot.models import Options
from surefoot.score import metric

PUBLIC = [
    *("BackTranslation", "Bench", "CheckUp", "Exchange", "FailedInstruction", "FilledForms"),
    *("Imported", "ModelCard", "ModelDiagnosis", "ModelRun", "PicturedQuestion"),
    *("PicturedScreen", "Quickstart"),
    *("Report", "Scores", "Screens", "ServedPages", "Suite", "SurefootError", "__version__"),
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
    *("capture", "card", "check", "check_apps", "check_up", "compare_inspect_logs"),
    *("diagnose", "doctor"),
    *("episodes", "explore", "export", "gate", "import_"),
    *("import_forms", "install_apps", "languages", "list_apps", "list_forms", "list_models"),
    *("login", "make_release", "merge"),
    *("open", "open_bench", "open_diagnosis", "open_forms", "open_run", "open_screens"),
    *("plot_xli", "quickstart", "rank_runs", "record", "remove_apps", "report"),
    *("report_forms", "run", "run_forms"),
    *("score", "score_forms", "search_xli", "select", "serve_forms", "site", "train_data"),
    *("train_grpo", "train_loop", "train_sft", "transfer", "verify", "verify_release"),
    "view",
]
# What a call has and a command line has not, with the reason.
CALLED = {
    "name": "a function that is asked has no name on the command line",
    "version": "as its name",
    "progress": "a command shows it on its terminal",
    "tell": "a command prints it",
}


def test_the_public_names_are_these() -> None:
    """A name that is offered, or no longer, is a decision; every one of them is there."""
    assert surefoot.__all__ == PUBLIC
    assert [name for name in PUBLIC if getattr(surefoot, name, None) is None] == []
    assert dir(surefoot) == PUBLIC
    with pytest.raises(AttributeError, match="no attribute 'runs'"):
        surefoot.runs  # noqa: B018 - the look-up is the test


@pytest.mark.parametrize("verb", [verb for verb in VERBS.entries.values() if verb.function])
def test_all_that_a_function_takes_can_be_typed(verb: CliVerb) -> None:
    """Each argument of a verb's function is an option, but for what a command has no use for."""
    assert verb.function is not None
    named = set(inspect.signature(verb.function).parameters) - {"asking", "sampling", "reaching"}

    assert named - taken_by(verb.function).keys() <= CALLED.keys()
    assert getattr(surefoot, verb.function.__name__) is verb.function


def test_what_is_not_given_is_the_same() -> None:
    """The defaults in the help of options are those of who asks models without them."""
    given = {name: item.default for name, item in taken_keywords(AskingOptions).items()}
    given = {name: value for name, value in given.items() if value not in (None, "")}

    assert asking_options(given) == asking_options({}) == Options()


def test_importing_it_imports_nothing_else() -> None:
    """The package brings the folders that share a function's name, its version, and no more."""
    script = "import sys; old = set(sys.modules); import surefoot; print(*set(sys.modules) - old)"
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    names = {"capture", "diagnose", "report", "run", "score", "view"}
    assert set(found.stdout.split()) - {"__future__"} == {
        *("surefoot", "surefoot.core", "surefoot.core.version"),
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
