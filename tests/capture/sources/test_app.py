"""
``app:NAME`` names pages without installing anything, and installs what is agreed to.
"""

from __future__ import annotations

import functools

import pytest

from surefoot.capture.applications.installing import RECIPES, find_installation
from surefoot.capture.sources import contents_of, list_addresses, prepare, source_versions
from surefoot.core.errors import InvalidInputError, MissingComponentError, UnknownNameError


@pytest.mark.usefixtures("quay")
def test_pages_are_those_of_the_recipe() -> None:
    """A name stands for all pages, a path for those below it, and an unlisted one for itself."""
    all_ = list_addresses("app:quay")

    assert [address.page for address in all_] == [
        f"quay-1{page}" for page in RECIPES.get("quay").pages
    ]
    assert [item.spec for item in list_addresses("app:quay/o")] == [
        "app:quay/orders",
        "app:quay/outside",
    ]
    assert list_addresses("app:quay/other")[0].spec == "app:quay/other"
    assert all(list_addresses(item.spec)[0] == item for item in all_[1:])
    assert source_versions(all_) == ["app@1"]


@pytest.mark.usefixtures("quay")
def test_an_unknown_application_is_refused() -> None:
    """A name that no recipe bears, and no name at all, are the caller's mistake."""
    with pytest.raises(UnknownNameError, match="quay"):
        list_addresses("app:quai")
    with pytest.raises(InvalidInputError):
        list_addresses("app:")


@pytest.mark.usefixtures("quay")
def test_nothing_is_installed_that_nobody_agreed_to() -> None:
    """The size is asked about first; a no leaves nothing, a yes installs, and none asks again."""
    addresses = list_addresses("app:quay")
    asked: list[str] = []

    def answer(line: str, *, yes: bool) -> bool:
        asked.append(line)
        return yes

    no, yes = functools.partial(answer, yes=False), functools.partial(answer, yes=True)
    with pytest.raises(MissingComponentError, match="surefoot apps install quay"):
        prepare(addresses, asked.append, no)
    with pytest.raises(MissingComponentError):
        contents_of(addresses)
    assert find_installation(RECIPES.get("quay")) is None
    prepare(addresses, lambda _: None, yes)
    prepare(addresses, asked.append, no)

    assert len(asked) == 2
    assert "1 MB" in asked[0]
    assert list(contents_of(addresses)) == ["app:quay"]
