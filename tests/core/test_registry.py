"""
The registry: our folder, outside packages through entry points, and near misses.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError, PluginWarning, UnknownNameError
from surefoot.core.registry import Registry, suggest


class Pigment(msgspec.Struct, frozen=True):
    """Stand for an extension."""

    name: str
    version: int


PREAMBLE = "from tests_registry_kind import Pigment\n"


@pytest.fixture
def palette(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a package `palette` whose modules may hold pigments, and return its folder."""
    monkeypatch.syspath_prepend(tmp_path)
    kind = type(sys)("tests_registry_kind")
    kind.Pigment = Pigment  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tests_registry_kind", kind)
    folder = tmp_path / "palette"
    folder.mkdir()
    (folder / "__init__.py").touch()
    for name in [name for name in sys.modules if name.partition(".")[0] == "palette"]:
        monkeypatch.delitem(sys.modules, name)
    (folder / "reds.py").write_text(
        f"{PREAMBLE}RED = Pigment('red', 2)\nSAME = RED\nRUBY = Pigment('ruby', 1)\nOTHER = 3\n"
    )
    (folder / "blues.py").write_text(f"{PREAMBLE}BLUE = Pigment('blue', 1)\n")
    return folder


@pytest.fixture
def registry(palette: Path) -> Registry[Pigment]:
    """Return a registry over the package."""
    assert palette.is_dir()
    return Registry(Pigment, "palette", what="pigment")


def _install(folder: Path, point: str) -> None:
    """Put a distribution beside the package, as an installer would."""
    info = folder / "outside-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[palette]\nextra = {point}\n")
    (folder / "outside_pigments.py").write_text(f"{PREAMBLE}GREEN = Pigment('green', 5)\n")
    importlib.invalidate_caches()


def test_modules_are_searched(registry: Registry[Pigment]) -> None:
    """Every value of the kind in every module is offered, sorted, a second name ignored."""
    assert list(registry.entries) == ["blue", "red", "ruby"]
    assert registry.get("red") == registry.get("red@2") == Pigment("red", 2)


def test_outside_packages_come_in_through_entry_points(
    palette: Path, registry: Registry[Pigment], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A distribution's entry point in the group of the package adds its extensions."""
    _install(palette.parent, "outside_pigments")
    monkeypatch.delitem(sys.modules, "outside_pigments", raising=False)
    assert registry.get("green") == Pigment("green", 5)


MISBEHAVIOURS = {
    "an absent package": "import no_such_module",
    "a wrong name": "PIGMENT = Pigment.no",
    "bad syntax": "def :",
    "an exit": "import sys; sys.exit()",
    "an exit with a code": "raise SystemExit(0)",
    "an exit of a parser": "import argparse as a; a.ArgumentParser().parse_args(['x'])",
    "a failed assertion": "assert False",
    "a runtime error": "raise RuntimeError('no CUDA')",
    "a key": "{}['no']",
    "a division": "1 / 0",
    "recursion": "def f(): f()\nf()",
    "no memory": "raise MemoryError",
    "an end": "raise StopIteration",
    "its own class": "class Mine(BaseException): pass\nraise Mine('x')",
    "a class without words": "class Mine(Exception):\n def __str__(self): raise self\nraise Mine",
    "a group": "raise ExceptionGroup('many', [ValueError('a')])",
    "nothing of the kind": "X = 3",
    "a class alone": "class Sub(Pigment): pass",
    "a name of ours": "RED = Pigment('red', 9)",
    "a name that is none": "X = Pigment(None, 1)",
    "a name with a space": "X = Pigment('dark red', 1)",
    "a version in words": "X = Pigment('x', 'two')",
    "two of one name": "X = Pigment('x', 1)\nY = Pigment('x', 2)",
    "a value whose class throws": (
        "class Odd:\n @property\n def __class__(self): raise OSError(5, 'I/O')\nX = Odd()"
    ),
}


@pytest.mark.parametrize("name", MISBEHAVIOURS)
def test_a_plugin_that_misbehaves_is_named_and_the_others_go_on(
    palette: Path,
    registry: Registry[Pigment],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    """Whatever a module does while it is imported costs what its own distribution brings."""
    _install(palette.parent, "outside_pigments")
    code = f"{PREAMBLE}print('hello')\n{MISBEHAVIOURS[name]}\n"
    (palette.parent / "outside_pigments.py").write_text(code)
    monkeypatch.delitem(sys.modules, "outside_pigments", raising=False)
    with pytest.warns(PluginWarning, match="'extra' of the distribution 'outside' is left out"):
        known = list(registry.entries)

    assert known == ["blue", "red", "ruby"]
    assert capsys.readouterr().out == ""
    with pytest.raises(
        UnknownNameError, match="these distributions bring was left out: 'outside'"
    ):
        registry.get("green")


@pytest.mark.parametrize(
    "point",
    [
        "outside_pigments:GREEN",
        "outside_pigments:absent",
        "no_such_package",
        "not a module",
        ":",
        "",
    ],
)
def test_an_entry_point_must_name_a_module(
    palette: Path, registry: Registry[Pigment], point: str
) -> None:
    """An entry point to anything but a module is left out, and its distribution named."""
    _install(palette.parent, point)
    with pytest.warns(PluginWarning, match="the distribution 'outside' is left out"):
        assert registry.get("red") == Pigment("red", 2)


def test_ctrl_c_while_a_plugin_is_imported_stops_the_command(
    palette: Path, registry: Registry[Pigment], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interruption is nobody's fault, and is not held back."""
    _install(palette.parent, "outside_pigments")
    (palette.parent / "outside_pigments.py").write_text("raise KeyboardInterrupt\n")
    monkeypatch.delitem(sys.modules, "outside_pigments", raising=False)

    with pytest.raises(KeyboardInterrupt):
        registry.get("red")


def test_two_of_one_name_are_refused(palette: Path, registry: Registry[Pigment]) -> None:
    """Two different extensions cannot share a name."""
    (palette / "late.py").write_text(f"{PREAMBLE}RED = Pigment('red', 1)\n")
    with pytest.raises(InvalidInputError, match=r"one pigment named 'red', found a second"):
        registry.get("red")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("rde", "did you mean 'red'"),
        ("Red", "did you mean 'red'"),
        ("", "choose one of blue, red, ruby"),
        ("xxxxxxx", "choose one of blue, red, ruby"),
        ("red@1", "'red' in version 1, found version 2"),
        ("red@", None),
    ],
)
def test_near_misses_are_helped(
    registry: Registry[Pigment], name: str, message: str | None
) -> None:
    """A wrong name or version says which ones there are; no version means any."""
    if message is None:
        assert registry.get(name).name == "red"
        return
    with pytest.raises(UnknownNameError, match=f"(?i){message}"):
        registry.get(name)


def test_nothing_is_imported_before_the_first_look(palette: Path) -> None:
    """Making a registry costs no import, so that help stays fast."""
    assert palette.is_dir()
    Registry(Pigment, "palette", what="pigment")
    assert "palette" not in sys.modules


def test_suggestions_are_few() -> None:
    """At most three near names are offered."""
    known = [f"style-{number}" for number in range(9)]
    assert suggest("style-x", known).count("'") == 6
