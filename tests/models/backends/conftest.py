"""
A key for every maker, in the environment.
"""

from __future__ import annotations

import pytest

from tests.models.backends.asking import KEY


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the key into each maker's variable."""
    for maker in ("ANTHROPIC", "GEMINI", "OPENAI"):
        monkeypatch.setenv(f"{maker}_API_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
