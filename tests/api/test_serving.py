"""
Pages that are served until they are closed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

import surefoot


def test_pages_are_there_until_they_are_closed(drawn: Path) -> None:
    """The address opens at once, is shown as a link, and opens no more when it was closed."""
    pages = surefoot.view(drawn)
    shown = httpx.get(pages.address, follow_redirects=True)
    pages.close()
    pages.close()

    assert shown.status_code == httpx.codes.OK
    assert pages.address in pages._repr_html_()
    with pytest.raises(httpx.ConnectError):
        httpx.get(pages.address)


def test_forms_are_served_by_a_block(tmp_path: Path) -> None:
    """Forms are served for a person to try, as long as the block lasts."""
    with surefoot.serve_forms(out=tmp_path / "tried", form=["A11"]) as pages:
        assert httpx.get(pages.address).text.count("<button") == 1

    assert (tmp_path / "tried" / "forms.sqlite").is_file()


def test_a_script_ends_without_closing(drawn: Path) -> None:
    """A script that never closes what it serves ends by itself, and in order."""
    script = f"import surefoot; pages = surefoot.view({str(drawn)!r}); print(pages.address)"
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )

    assert ended.stderr == ""
    with pytest.raises(httpx.ConnectError):
        httpx.get(ended.stdout.strip())
