"""
What a plan says of an access: names, and no secret in clear.
"""

from __future__ import annotations

import msgspec
import pytest

from surefoot.capture.access.access import Access
from surefoot.capture.settings import Settings
from surefoot.core.errors import InvalidInputError


@pytest.mark.parametrize(
    "header",
    [
        "Authorization: Bearer s3cr3t-s3cr3t",
        "X-Api-Key: s3cr3t-s3cr3t",
        "X-CSRF: s3cr3t-s3cr3t",
        "Cookie: $SESSION_s3cr3t",
        "Host: s3cr3t.example",
        "s3cr3t-s3cr3t",
        "X-Tenant: s3cr3t\r\nX-Other: 1",
        "X Tenant: s3cr3t",
    ],
)
def test_headers_in_clear_are_refused_without_being_repeated(header: str) -> None:
    """A value that may be secret, a browser's own header and a malformed one are refused."""
    with pytest.raises(InvalidInputError) as caught:
        Access(headers=(header,))

    assert "s3cr3t" not in str(caught.value)


def test_two_ways_to_sign_in_are_refused() -> None:
    """A state and a script at once are the caller's mistake."""
    with pytest.raises(InvalidInputError, match="Leave one"):
        Access(state="state.json", login="sign_in.py")


def test_pages_that_are_open_to_everybody_have_the_plan_that_they_had() -> None:
    """Settings without an access are spelt as before there was one, and read back either way."""
    reached = Settings(access=Access(signed_in="#leave"))

    assert "access" not in msgspec.to_builtins(Settings())
    assert msgspec.convert(msgspec.to_builtins(reached), Settings) == reached
