"""
Values are read by their names, and taken out of whatever is written.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from surefoot.capture.access.access import Access
from surefoot.capture.access.secrets import Secrets, hiding, read_secrets, scrubbed
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen

PAGE = "https://app.example/orders"


def test_names_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Headers, credentials and typed variables have the values of the environment, and no repr."""
    for name, value in (("TOKEN", "t-12345678"), ("BASIC", "ann:rope:7"), ("PASS", "p-12345678")):
        monkeypatch.setenv(name, value)
    access = Access(headers=("Authorization: Bearer $TOKEN", "X-Team: red"), credentials="BASIC")

    found = read_secrets(access, [f"{PAGE} >> type input-1 $PASS", PAGE])

    assert found.headers == {"Authorization": "Bearer t-12345678", "X-Team": "red"}
    assert found.credentials == ("ann", "rope:7")
    assert found.variables == {"PASS": "p-12345678"}
    assert {"t-12345678", "ann:rope:7", "p-12345678"} <= set(found.values())
    assert str(found) == "Secrets(***)"


@pytest.mark.parametrize(
    ("access", "spec"),
    [
        (Access(headers=("Authorization: $ABSENT",)), PAGE),
        (Access(credentials="ABSENT"), PAGE),
        (Access(credentials="COLONLESS"), PAGE),
        (Access(headers=("X-Key: $ODD",)), PAGE),
        (Access(), f"{PAGE} >> type input-1 $ABSENT"),
        (Access(state="absent.json"), PAGE),
    ],
)
def test_what_cannot_be_read_is_refused(
    monkeypatch: pytest.MonkeyPatch, access: Access, spec: str
) -> None:
    """An absent variable, a value that is none, and an absent file are the caller's mistakes."""
    monkeypatch.delenv("ABSENT", raising=False)
    monkeypatch.setenv("COLONLESS", "hunter2-hunter2")
    monkeypatch.setenv("ODD", "hunter2\nhunter2")

    with pytest.raises(InvalidInputError) as caught:
        read_secrets(access, [spec])

    assert "hunter2" not in str(caught.value)


def test_an_expired_state_is_refused_before_a_browser_starts(tmp_path: Path) -> None:
    """The error says when it expired and how it is renewed; pages of files need no state."""
    file = tmp_path / "state.json"
    cookie = {"name": "sid", "value": "x", "domain": "app.example", "expires": 1000}
    file.write_text(json.dumps({"cookies": [cookie]}))
    access = Access(state=str(file))

    with pytest.raises(InvalidInputError, match=r"expired 2 hours ago.*surefoot login"):
        read_secrets(access, [PAGE], now=8300)

    assert read_secrets(access, ["folder:site#a.html"], now=8300)
    assert not Secrets()


def test_no_text_of_a_record_repeats_a_secret() -> None:
    """Names, texts, addresses and attributes are cleaned; boxes and all else stay."""
    secret = "q8Xw-27zLm-rope"  # noqa: S105 - of a page
    link = Element(
        "a-1",
        "link",
        Box(0, 0, 9, 9),
        name=f"Share {secret}",
        attributes={"href": f"/x?code=4711&q={secret}"},
    )
    screen = Screen(
        "s", "p", PAGE, "", 9, 9, 1.0, "web", "en", (link,), missing={f"/{secret}.png": "404"}
    )

    found = scrubbed(screen, Screen, hiding([secret]))

    assert found.elements[0].name == "Share ***"
    assert found.elements[0].attributes == {"href": "/x?code=***&q=***"}
    assert found.missing == {"/***.png": "404"}
    assert found.elements[0].box == link.box
    assert scrubbed(screen, Screen, hiding(["another-secret-9"])).elements[0].name == link.name
