"""
The golden numbers: what scores and reports say of real answers, held to what was frozen.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any, Final

import pytest


def load_script(name: str) -> Any:  # noqa: ANN401 - a module has no type of its own
    """Import a script, which no package holds."""
    path = Path(__file__).parent.parent / "scripts" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"scripts.{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where its types are looked up by name
    spec.loader.exec_module(module)
    return module


golden: Final = load_script("golden")


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with real questions and answers."""
    folder = tmp_path_factory.mktemp("golden")
    golden.unpack(folder)
    return folder


@pytest.mark.parametrize("name", golden.CASES)
def test_numbers_are_those_that_were_frozen(name: str, inputs: Path) -> None:
    """Every number that scores and reports give is the frozen one."""
    changed = golden.differences(golden.frozen(name), golden.recompute(name, inputs))

    assert not changed, "\n".join(
        [*changed, "if that is meant: scripts/golden.py --freeze, and name each change"]
    )


def test_a_changed_number_is_named() -> None:
    """A number that changed is said by its model and cell; an equal one among new ones is not."""
    was = {"cells": [{"model": "a", "variant": "style", "n": 3}, {"model": "b", "n": 0.5}]}
    now = {
        "cells": [
            {"model": "c"},
            {"model": "a", "variant": "style", "n": 4},
            {"model": "b", "n": 0.5},
        ]
    }

    assert golden.differences(was, now) == [
        "cells / model a, variant style / n: 3 -> 4",
        'cells / model c: nothing -> {"model": "c"}',
    ]


def test_rounding_is_no_change() -> None:
    """The last digits of a float may differ, the twelfth may not, nor may its kind."""
    assert golden.differences([0.1 + 0.2], [0.3]) == []
    assert golden.differences([0.3], [0.30000000001]) == [": 0.3 -> 0.30000000001"]
    assert golden.differences([1], [1.0]) != []
