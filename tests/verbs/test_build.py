"""
``surefoot build``: its options reach the benchmark, its mistakes are told.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from surefoot.benchmarks.benchmark import BuildOptions
from surefoot.benchmarks.sensitivity import SENSITIVITY
from surefoot.benchmarks.sensitivity_parameters import SensitivityParameters
from surefoot.core.errors import ExitCode
from surefoot.run.building import pages as building
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.verbs.build import read_parameters

WRITER = ("--writer", "openai:w@http://127.0.0.1:9/v1")
SEEING = (*WRITER, "--writer-sees", "picture")


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Any]:
    """Return what each build is given by place and by name; none is done."""
    given: list[Any] = []

    def build(*places: object, **names: object) -> Outcome:
        given.append(SimpleNamespace(places=places, **names))
        return Outcome(tmp_path, Tally())

    monkeypatch.setattr(building, "build_benchmark", build)
    return given


def test_options_become_build_options(
    surefoot: Callable[..., Any], builds: list[Any], tmp_path: Path
) -> None:
    """Variants are split at commas, spaces around them dropped, and the rest arrives."""
    folders = ("--screens", tmp_path / "in", "--out", tmp_path / "out")
    more = ("--variants", "original, zoom:1.5,style", "--targets", 4, "--seed", 7)
    ended = surefoot("build", "perturbed", *folders, *more, "--hidden-names")

    assert ended.code == ExitCode.FINE
    options = BuildOptions(("original", "zoom:1.5", "style"), targets=4, seed=7, hidden_names=True)
    (asked,) = builds
    assert asked.places == ("perturbed", [tmp_path / "in"], tmp_path / "out", options)


def test_a_benchmark_has_defaults_of_its_own(
    surefoot: Callable[..., Any], builds: list[Any], tmp_path: Path
) -> None:
    """Sensitivity gets its views, its kinds and the parameters that were set."""
    folders = ("--screens", tmp_path / "in", "--out", tmp_path / "out")
    more = ("--kinds", "direct, region", "--set", "top=100", "--set", "desktop=meadow")
    ended = surefoot("build", "sensitivity", *folders, *more, "--set", "scale_least=0.8")

    assert ended.code == ExitCode.FINE
    options = builds[0].places[3]
    assert options.variants == ("original", "crop", "background")
    assert options.kinds == ("direct", "region")
    assert options.parameters == {"top": 100, "desktop": "meadow", "scale_least": 0.8}


def test_help_names_every_parameter(surefoot: Callable[..., Any]) -> None:
    """What can be set is listed under --set."""
    text = " ".join(surefoot("build", "--help").out.split())
    for name in SensitivityParameters.__struct_fields__:
        assert name in text, name


def test_values_are_read_by_their_look() -> None:
    """Numbers become numbers, true and false what they say, all else stays text."""
    found = read_parameters(["a=1", "b=1.5", "c=true", "d=x=y", "e="])
    assert found == {"a": 1, "b": 1.5, "c": True, "d": "x=y", "e": ""}


def test_a_writer_is_opened_and_handed_on(
    surefoot: Callable[..., Any], builds: list[Any], tmp_path: Path
) -> None:
    """Model, address and the build's seed reach the writer; without the option there is none."""
    given = ("build", "sensitivity", "--screens", tmp_path, "--out", tmp_path / "out")
    surefoot(*given)
    surefoot(*given, "--writer", "openai:m@http://127.0.0.1:9/v1", "--seed", 7)

    without, written = builds
    assert without.writer is None
    plan = written.writer.plan(SENSITIVITY)["writer"]
    assert (plan["name"], plan["base_url"]) == ("m", "http://127.0.0.1:9/v1")
    assert plan["seed"] == 7


def test_who_sees_is_opened_and_handed_on(
    surefoot: Callable[..., Any], builds: list[Any], tmp_path: Path
) -> None:
    """Both models, the seed and a user's prompts reach the build."""
    prompts = tmp_path / "prompts.toml"
    prompts.write_text('check = "{cue}?"', "utf-8")
    given = ("build", "sensitivity", "--screens", tmp_path, "--out", tmp_path / "out", *SEEING)
    surefoot(*given, "--seed", 7)
    judge = ("--judge", "openai:j@http://127.0.0.1:9/v1")
    surefoot(*given, "--seed", 7, *judge, "--prompt-file", prompts)

    alone, both = (build.writer.plan(SENSITIVITY) for build in builds)
    assert alone.keys() == {"writer"}
    assert (both["writer"]["name"], both["judge"]["name"]) == ("w", "j")
    assert both["writer"]["seed"] == both["judge"]["seed"] == 7
    assert both["writer"]["prompt"] == both["judge"]["prompt"] != alone["writer"]["prompt"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["pertubed"], "Did you mean 'perturbed'?"),
        (["perturbed"], "manifest.json"),
        (["perturbed", "--targets", "0"], "--targets"),
        (["sensitivity", "--set", "top"], "NAME=VALUE"),
        (["sensitivity", "--set", "=3"], "NAME=VALUE"),
        (["sensitivity", "--set", "top=1", "--set", "top=2"], "NAME=VALUE"),
        (["sensitivity", "--writer", "ocr"], "openai:NAME@BASE_URL"),
        (["sensitivity", "--writer", "openai:"], "name of a model"),
        (["sensitivity", "--writer", "opnai:m"], "openai"),
        (["sensitivity", "--judge", "openai:j@http://127.0.0.1:9/v1"], "--writer-sees picture"),
        (["sensitivity", "--writer-sees", "picture"], "--writer"),
        (["sensitivity", *WRITER, "--judge", "openai:j@x"], "--writer-sees"),
        (["sensitivity", "--writer", "ocr", "--writer-sees", "picture"], "several pictures"),
        (["sensitivity", *SEEING, "--judge", "random"], "several pictures"),
        (["sensitivity", *SEEING, "--judge", "openai:j@http://127.0.0.1:10/v1",
          "--key-variable", "KEY"], "one server"),
    ],
)  # fmt: skip
def test_mistakes_exit_with_2(
    surefoot: Callable[..., Any], tmp_path: Path, given: list[str], said: str
) -> None:
    """What is misspelt, missing, given twice or does not go together begins no folder."""
    ended = surefoot("build", *given, "--screens", tmp_path / "in", "--out", tmp_path / "out")

    assert ended.code == ExitCode.USER_ERROR
    assert said in ended.err
    assert not (tmp_path / "out").exists()
