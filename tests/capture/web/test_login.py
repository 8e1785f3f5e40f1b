"""
A script signs in once, in a confined browser, and what it fails with tells no password.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from surefoot.capture.access.access import Access
from surefoot.capture.web.login import read_script, sign_in
from surefoot.core.errors import InvalidInputError
from tests.product import PASSWORD, Product

SCRIPT: Final = """
import os

async def login(page):
    page.set_default_timeout(3000)
    await page.goto("/login")
    await page.fill("[name=user]", "ann")
    await page.fill("[name=password]", os.environ["QUAY_PASSWORD"])
    await page.click("button")
    await page.wait_for_url("**/#/orders")
"""


@pytest.fixture
def product() -> Iterator[Product]:
    """Lend a product."""
    with Product() as running:
        yield running


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a script that signs in with a password of the environment."""
    monkeypatch.setenv("QUAY_PASSWORD", PASSWORD)
    file = tmp_path / "sign_in.py"
    file.write_text(SCRIPT)
    return file


@pytest.mark.browser
def test_a_script_signs_in(product: Product, script: Path) -> None:
    """The state has the cookie that no script can read and the token that scripts keep."""
    state = sign_in(product.origin, Access(login=str(script), signed_in="#leave"))

    (sid,) = [cookie["value"] for cookie in state["cookies"] if cookie["name"] == "sid"]
    (origin,) = state["origins"]
    assert sid in product.sessions
    assert origin["localStorage"][0]["value"] in product.tokens
    assert any(PASSWORD.encode() in asked.body for asked in product.asked)


REQUEST: Final = """
import os, re

async def login(page):
    asked = page.context.request
    form = await (await asked.get("/login")).text()
    csrf = re.search(r"name=csrf value=(\\w+)", form)[1]
    password = os.environ["QUAY_PASSWORD"]
    sent = {"user": "ann", "password": password, "csrf": csrf}
    await asked.post("/login", form=sent)
"""


@pytest.mark.browser
def test_a_script_signs_in_by_requests_alone(
    product: Product, script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first page is opened to see who is signed in, and what it lacks is named."""
    script.write_text(REQUEST)
    access = Access(login=str(script), signed_in="a[href]")

    state = sign_in(product.origin, access)

    assert {cookie["value"] for cookie in state["cookies"]} & set(product.sessions)
    monkeypatch.setattr("surefoot.capture.web.login.SIGNED_IN_S", 0.2)
    with pytest.raises(InvalidInputError, match=r"#nowhere.*none there"):
        sign_in(product.origin, Access(login=str(script), signed_in="#nowhere"))


@pytest.mark.browser
def test_a_failing_script_tells_no_password(
    product: Product, script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong password ends in a line that says where the script stopped, and not by what."""
    monkeypatch.setenv("QUAY_PASSWORD", "wrong-rope-9")
    script.write_text(SCRIPT + '    raise ValueError("with " + os.environ["QUAY_PASSWORD"])\n')
    with pytest.raises(InvalidInputError) as caught:
        sign_in(product.origin, Access(login=str(script)))
    assert "wrong-rope" not in str(caught.value)
    monkeypatch.setenv("QUAY_PASSWORD", PASSWORD)

    with pytest.raises(InvalidInputError, match=r"ValueError: with \*\*\*"):
        sign_in(product.origin, Access(login=str(script)))


@pytest.mark.browser
def test_a_script_reaches_no_other_origin(product: Product, script: Path) -> None:
    """An origin that was not named gets nothing, and is named in the failure."""
    with Product() as other, contextlib.ExitStack() as stack:
        script.write_text(SCRIPT.replace('"/login"', f'"{other.origin}/login"'))
        with stack, pytest.raises(InvalidInputError) as caught:
            sign_in(product.origin, Access(login=str(script)))
        assert other.origin in caught.value.found
        assert other.asked == []
        allowed = Access(login=str(script), allow=(other.origin,))

        assert sign_in(product.origin, allowed)["origins"][0]["origin"] == other.origin


@pytest.mark.parametrize(
    "text",
    ["", "login = 1", "def login(page): ...", "async def log_in(page): ...", "raise OSError"],
)
def test_what_is_no_script_is_refused(tmp_path: Path, text: str) -> None:
    """A file without an async function of that name is the caller's mistake."""
    file = tmp_path / "sign_in.py"
    file.write_text(text)

    with pytest.raises(InvalidInputError, match="async def login"):
        read_script(str(file))

    with pytest.raises(InvalidInputError):
        read_script(str(tmp_path / "absent.py"))


@pytest.mark.browser
def test_who_keeps_nothing_is_not_signed_in(product: Product, tmp_path: Path) -> None:
    """A script after which the browser holds nothing has signed nobody in."""
    file = tmp_path / "sign_in.py"
    file.write_text("async def login(page):\n    await page.goto('/about')\n")

    with pytest.raises(InvalidInputError, match="no cookie"):
        sign_in(product.origin, Access(login=str(file)))
