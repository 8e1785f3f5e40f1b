"""
``surefoot build``: its options reach the benchmark, its mistakes are told.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.benchmarks.benchmark import BuildOptions
from surefoot.benchmarks.sensitivity import SENSITIVITY
from surefoot.benchmarks.sensitivity_parameters import SensitivityParameters
from surefoot.cli.build import read_parameters
from surefoot.core.errors import ExitCode
from surefoot.run.building import pages as building
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally


def test_options_become_build_options(
    surefoot: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Variants are split at commas, spaces around them dropped, and the rest arrives."""
    seen: list[Any] = []

    def build(*given: object, **options: object) -> Outcome:
        seen.extend([given, options])
        return Outcome(tmp_path, Tally())

    monkeypatch.setattr(building, "build_benchmark", build)
    folders = ("--screens", tmp_path / "in", "--out", tmp_path / "out")
    more = ("--variants", "original, zoom:1.5,style", "--targets", 4, "--seed", 7)
    ended = surefoot("build", "perturbed", *folders, *more, "--hidden-names")

    assert ended.code == ExitCode.FINE
    options = BuildOptions(("original", "zoom:1.5", "style"), targets=4, seed=7, hidden_names=True)
    assert seen[0] == ("perturbed", [tmp_path / "in"], tmp_path / "out", options)


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("pertubed", (), "Did you mean 'perturbed'?"),
        ("perturbed", (), "manifest.json"),
        ("perturbed", ("--targets", "0"), "--targets"),
    ],
)
def test_mistakes_exit_with_2(
    surefoot: Callable[..., Any], tmp_path: Path, name: str, given: tuple[str, ...], said: str
) -> None:
    """A misspelt benchmark, missing screens and no targets begin no folder."""
    folders = ("--screens", tmp_path / "in", "--out", tmp_path / "out")
    ended = surefoot("build", name, *folders, *given)

    assert ended.code == ExitCode.USER_ERROR
    assert said in ended.err
    assert not (tmp_path / "out").exists()


def test_a_benchmark_has_defaults_of_its_own(
    surefoot: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Sensitivity gets its views, its kinds and the parameters that were set."""
    seen: list[Any] = []

    def build(*given: object, **_options: object) -> Outcome:
        seen.extend(given)
        return Outcome(tmp_path, Tally())

    monkeypatch.setattr(building, "build_benchmark", build)
    folders = ("--screens", tmp_path / "in", "--out", tmp_path / "out")
    more = ("--kinds", "direct, region", "--set", "top=100", "--set", "desktop=meadow")
    ended = surefoot("build", "sensitivity", *folders, *more, "--set", "scale_least=0.8")

    assert ended.code == ExitCode.FINE
    options = seen[3]
    assert options.variants == ("original", "crop", "background")
    assert options.kinds == ("direct", "region")
    assert options.parameters == {"top": 100, "desktop": "meadow", "scale_least": 0.8}


def test_help_names_every_parameter(surefoot: Callable[..., Any]) -> None:
    """What can be set is listed under --set."""
    text = " ".join(surefoot("build", "--help").out.split())
    for name in SensitivityParameters.__struct_fields__:
        assert name in text, name


@pytest.mark.parametrize("given", ["top", "=3", "top=1 --set top=2"])
def test_a_badly_written_parameter_is_refused(
    surefoot: Callable[..., Any], tmp_path: Path, given: str
) -> None:
    """A parameter without a value, without a name, or given twice is a mistake."""
    folders = ("--screens", tmp_path / "in", "--out", tmp_path / "out")
    ended = surefoot("build", "sensitivity", *folders, "--set", *given.split())

    assert ended.code == ExitCode.USER_ERROR
    assert "NAME=VALUE" in ended.err


def test_values_are_read_by_their_look() -> None:
    """Numbers become numbers, true and false what they say, all else stays text."""
    found = read_parameters(["a=1", "b=1.5", "c=true", "d=x=y", "e="])
    assert found == {"a": 1, "b": 1.5, "c": True, "d": "x=y", "e": ""}


def test_a_writer_is_opened_and_handed_on(
    surefoot: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Model, address and the build's seed reach the writer; without the option there is none."""
    seen: list[Any] = []

    def build(*_given: object, **options: object) -> Outcome:
        seen.append(options.get("writer"))
        return Outcome(tmp_path, Tally())

    monkeypatch.setattr(building, "build_benchmark", build)
    given = ("build", "sensitivity", "--screens", tmp_path, "--out", tmp_path / "out")
    surefoot(*given)
    surefoot(*given, "--writer", "openai:m@http://127.0.0.1:9/v1", "--seed", 7)

    assert seen[0] is None
    plan = seen[1].plan(SENSITIVITY)["writer"]
    assert (plan["name"], plan["base_url"]) == ("m", "http://127.0.0.1:9/v1")
    assert plan["seed"] == 7


@pytest.mark.parametrize(
    ("spec", "said"),
    [("ocr", "openai:NAME@BASE_URL"), ("openai:", "name of a model"), ("opnai:m", "openai")],
)
def test_what_cannot_write_is_refused(
    surefoot: Callable[..., Any], tmp_path: Path, spec: str, said: str
) -> None:
    """A model that needs a picture, one without a name, and a misspelt one begin no folder."""
    folders = ("--screens", tmp_path / "in", "--out", tmp_path / "out")
    ended = surefoot("build", "sensitivity", *folders, "--writer", spec)

    assert ended.code == ExitCode.USER_ERROR
    assert said in ended.err
    assert not (tmp_path / "out").exists()


def test_who_sees_is_opened_and_handed_on(
    surefoot: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Both models, the seed and a user's prompts reach the build."""
    seen: list[Any] = []

    def build(*_given: object, **options: object) -> Outcome:
        seen.append(options.get("writer"))
        return Outcome(tmp_path, Tally())

    monkeypatch.setattr(building, "build_benchmark", build)
    (tmp_path / "prompts.toml").write_text('check = "{cue}?"', "utf-8")
    given = (
        "build", "sensitivity", "--screens", tmp_path, "--out", tmp_path / "out", "--seed", 7,
        "--writer", "openai:w@http://127.0.0.1:9/v1", "--writer-sees", "picture",
    )  # fmt: skip
    surefoot(*given)
    more = (
        "--judge",
        "openai:j@http://127.0.0.1:9/v1",
        "--prompt-file",
        tmp_path / "prompts.toml",
    )
    surefoot(*given, *more)

    alone, both = (writer.plan(SENSITIVITY) for writer in seen)
    assert alone.keys() == {"writer"}
    assert (both["writer"]["name"], both["judge"]["name"]) == ("w", "j")
    assert both["writer"]["seed"] == both["judge"]["seed"] == 7
    assert both["writer"]["prompt"] == both["judge"]["prompt"] != alone["writer"]["prompt"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--judge", "openai:j@http://127.0.0.1:9/v1"), "--writer-sees picture"),
        (("--writer-sees", "picture"), "--writer"),
        (("--writer", "openai:w@http://127.0.0.1:9/v1", "--judge", "openai:j@x"), "--writer-sees"),
        (("--writer", "ocr", "--writer-sees", "picture"), "several pictures"),
        (("--writer", "openai:w@http://127.0.0.1:9/v1", "--writer-sees", "picture",
          "--judge", "random"), "several pictures"),
        (("--writer", "openai:w@http://127.0.0.1:9/v1", "--writer-sees", "picture",
          "--judge", "openai:j@http://127.0.0.1:10/v1", "--key-variable", "KEY"), "one server"),
    ],
)  # fmt: skip
def test_who_cannot_see_or_judge_is_refused(
    surefoot: Callable[..., Any], tmp_path: Path, more: tuple[str, ...], said: str
) -> None:
    """A judge without a writer that sees, and a model that sees nothing, begin no folder."""
    folders = ("--screens", tmp_path / "in", "--out", tmp_path / "out")
    ended = surefoot("build", "sensitivity", *folders, *more)

    assert ended.code == ExitCode.USER_ERROR
    assert said in ended.err
    assert not (tmp_path / "out").exists()
