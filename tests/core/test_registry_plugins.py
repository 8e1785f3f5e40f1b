"""
What a plug-in raises while it works is told with the name of its distribution.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

from surefoot.core.endings import end_plainly
from surefoot.core.errors import InvalidInputError
from surefoot.core.registry import plugin_error
from surefoot.run.engine.wire import Trouble
from surefoot.run.engine.worker import guarded


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Install a distribution with a plug-in that runs any code, and return its module."""
    info = tmp_path / "outside-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[surefoot.perturb]\nextra = outside_works.inner\n")
    package = tmp_path / "outside_works"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "inner.py").write_text("def work(code):\n    exec(code, globals())\n")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("outside_works", "outside_works.inner"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    importlib.invalidate_caches()
    return importlib.import_module("outside_works.inner")


RAISED = {
    "a value": "raise ValueError('x')",
    "a key": "{}['no']",
    "a division": "1 / 0",
    "an assertion": "assert False",
    "recursion": "def f(): f()\nf()",
    "a library of its own": "import json; json.loads('{')",
    "an exit": "import sys; sys.exit()",
    "an exit with a code": "raise SystemExit(3)",
    "a parser of options": "import argparse; argparse.ArgumentParser().parse_args(['x'])",
    "its own class": "class Mine(BaseException): pass\nraise Mine('x')",
    "a class without words": "class Mine(Exception):\n def __str__(self): raise self\nraise Mine",
    "an absent package": "import no_such_package",
}


@pytest.mark.parametrize("name", RAISED)
def test_a_plugin_is_blamed_for_what_it_raises(
    plugin: ModuleType, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A command ends with 2 and one line that names the distribution, never with 0 in silence."""
    with pytest.raises(SystemExit) as left, end_plainly("prog"):
        plugin.work(RAISED[name])

    said = capsys.readouterr().err
    assert left.value.code == 2
    assert "the plug-in of the distribution 'outside' to work" in said
    assert "mend or uninstall 'outside'" in said.lower()
    assert "a defect of surefoot's own" not in said


@pytest.mark.parametrize("name", RAISED)
def test_a_plugin_costs_its_unit(plugin: ModuleType, name: str) -> None:
    """In a worker, and among requests, what a plug-in raises fails one unit, an exit too."""
    troubles: list[Trouble] = []
    with guarded(troubles):
        plugin.work(RAISED[name])

    assert [trouble.reason for trouble in troubles] == ["plug-in"]
    assert "'outside'" in troubles[0].message


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(143), GeneratorExit()])
def test_what_ends_a_command_is_nobodys_fault(plugin: ModuleType, error: BaseException) -> None:
    """Ctrl-C, SIGTERM and what closes a generator go through a plug-in's code unchanged."""
    # As a handler of a signal of ours, which runs wherever the program is.
    ours = {"__name__": "surefoot.run.engine.stopping", "error": error}
    exec("def handler():\n    raise error\n", ours)  # noqa: S102 - our own words
    plugin.__dict__["handler"] = ours["handler"]
    with pytest.raises(type(error)) as raised:
        plugin.work("handler()")

    assert plugin_error(raised.value) is None


def test_our_own_errors_stay_ours(plugin: ModuleType) -> None:
    """An error of our tree that a plug-in raises is told in its own words."""
    with pytest.raises(InvalidInputError) as raised:
        plugin.work(
            "from surefoot.core.errors import InvalidInputError\n"
            "raise InvalidInputError('a level', found='none')"
        )

    assert plugin_error(raised.value) is None
