"""
A storage state is read as what others wrote, and its end is known before a browser starts.
"""

from __future__ import annotations

import base64
import json
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.access.states import expired, read_state, secrets_in, write_state
from surefoot.core.errors import InvalidInputError

NOW = 1_000_000.0
HOST = "app.example"


def token(until: float) -> str:
    """Return a JSON web token that ends at a moment."""
    parts = ({"alg": "HS256", "typ": "JWT"}, {"exp": until, "sub": "ann"})
    spelt = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in parts]
    return b".".join([*spelt, b"c2lnbmF0dXJl"]).decode()


def state(*cookies: float, domain: str = HOST, **items: str) -> dict[str, Any]:
    """Return a state with cookies that end at moments, -1 for a session's, and stored words."""
    return {
        "cookies": [
            {"name": f"c{at}", "value": "x", "domain": domain, "expires": until}
            for at, until in enumerate(cookies)
        ],
        "origins": [
            {
                "origin": f"https://{HOST}:8443",
                "localStorage": [{"name": name, "value": value} for name, value in items.items()],
            }
        ],
    }


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        (state(NOW - 7_300), "2 hours ago"),
        (state(NOW - 30), "just now"),
        (state(NOW - 200_000, domain=".example"), "2 days ago"),
        (state(token=token(NOW - 100)), "1 minute ago"),
        (state(NOW - 400, theme="dark", token=token(NOW - 100)), "1 minute ago"),
        (state(), ""),
        (state(-1), ""),
        (state(NOW - 10, -1), ""),
        (state(NOW - 10, NOW + 10), ""),
        (state(NOW - 10, domain="other.example"), ""),
        (state(NOW - 10, password="kept-by-the-page"), ""),  # noqa: S106 - of a state
        (state(NOW - 10, token=token(NOW + 10)), ""),
        (state(refresh=token(NOW + 10), access=token(NOW - 10)), ""),
        (state(token="eyJhbGciOiJub25lIn0.eyJleHAiOiJ4In0.x"), ""),  # noqa: S106 - a broken one
    ],
)
def test_a_state_has_expired_when_nothing_of_it_can_sign_in(
    kept: dict[str, Any], said: str
) -> None:
    """Cookies by their date, tokens by their claim; what says no date may still do."""
    assert expired(kept, [HOST], NOW) == said


@pytest.mark.parametrize(
    "text", ["", "[]", '{"cookies": 1}', '{"cookies": [{"name": "hunter2"}]}', "hunter2", "\xff"]
)
def test_what_is_no_state_is_refused_without_being_repeated(tmp_path: Path, text: str) -> None:
    """A file of anything else is the caller's mistake, and no word of it is shown."""
    file = tmp_path / "state.json"
    file.write_text(text, "latin-1")

    with pytest.raises(InvalidInputError) as caught:
        read_state(str(file))

    assert "hunter2" not in str(caught.value)
    assert "surefoot login" in caught.value.remedy


def test_a_state_is_for_its_owner_alone(tmp_path: Path) -> None:
    """What is written reads back, and its owner alone has rights, also over an older file."""
    file = tmp_path / "state.json"
    file.write_text("{}")
    file.chmod(0o644)

    write_state(file, state(NOW))

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert read_state(str(file)) == state(NOW)


def test_what_may_be_secret_is_told_from_what_is_plain() -> None:
    """Cookies that no script reads, long mixed values and those of telling names are secret."""
    kept = state(
        NOW,
        theme="dark",
        user='{"name": "Ann Bonny of the quay", "accessToken": "short-but-named"}',
        id="a1b2c3d4e5f6a7b8c9",
    )
    kept["cookies"].append({"name": "sid", "value": "opaque", "httpOnly": True})
    kept["origins"][0]["indexedDB"] = [{"records": [{"value": {"secretKey": "of-the-database"}}]}]

    assert sorted(secrets_in(kept)) == [
        "a1b2c3d4e5f6a7b8c9",
        "of-the-database",
        "opaque",
        "short-but-named",
    ]


@given(st.recursive(st.none() | st.text() | st.floats(), st.lists))
def test_any_stored_value_is_read(value: object) -> None:
    """Whatever a page keeps, looking for secrets in it ends without an error."""
    kept = state(NOW, token=json.dumps(value))

    assert isinstance(list(secrets_in(kept)), list)
    assert isinstance(expired(kept, [HOST], NOW), str)
