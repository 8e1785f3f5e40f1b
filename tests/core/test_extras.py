"""
A package of an extra that is absent is named with the pip command; any other is a defect.
"""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys

import pytest

from surefoot.core.extras import missing_package

REQUIRES = [
    "msgspec>=0.19",
    "playwright>=1.49; extra == 'web'",
    'playwright>=1.49 ; extra == "forms"',
    'python-multipart>=0.0.20; (python_version > "3") and extra == "forms"',
    "polars>=1.30; extra == 'dev'",
]
# Every registry that the verbs of the base install look through, and the verbs themselves.
FOLDERS = (
    *("api", "benchmarks", "capture.sources", "cli", "datasets", "datasets.exports", "diagnose"),
    *("forms.renderers", "models.backends", "models.formats", "perturb", "score.metrics"),
)
WITHOUT = """
import importlib, pkgutil, sys
for name in ("playwright", "pyarrow", "django", "starlette", "uvicorn", "faker", "phonenumbers",
             "reportlab", "sacrebleu", "python_multipart"):
    sys.modules[name] = None
for folder in sys.argv[1:]:
    package = importlib.import_module(f"surefoot.{folder}")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
"""


@pytest.mark.parametrize(
    ("module", "extra"),
    [
        ("playwright.sync_api", "web"),
        ("python_multipart", "forms"),
        ("msgspec", None),
        ("polars", None),
        ("surefoot.nowhere", None),
        (None, None),
    ],
)
def test_smallest_extra_that_brings_it_is_named(
    monkeypatch: pytest.MonkeyPatch, module: str | None, extra: str | None
) -> None:
    """The extra is the smallest that requires the package, whatever its metadata's spelling."""
    monkeypatch.setattr(importlib.metadata, "requires", lambda _name: REQUIRES)

    error = missing_package(ModuleNotFoundError(name=module))

    assert (error and error.remedy) == (extra and f"install it: pip install 'surefoot[{extra}]'")


def test_base_install_imports_without_any_extra() -> None:
    """Every verb and every registry of the base install imports where no extra is installed."""
    command = [sys.executable, "-c", WITHOUT, *FOLDERS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
