"""
The version, which is asked for first when something is wrong.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version


def test_the_version_is_told() -> None:
    """``python -m surefoot --version`` prints name and installed version, and nothing else."""
    told = subprocess.run(
        [sys.executable, "-m", "surefoot", "--version"],
        capture_output=True,
        text=True,
        check=False,
    )

    said = f"surefoot {version('surefoot')}\n"
    assert (told.returncode, told.stdout, told.stderr) == (0, said, "")
