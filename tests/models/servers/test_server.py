"""
Servers of models: whose they are, and whose key they get.
"""

from __future__ import annotations

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.models.backend import Options
from surefoot.models.backends.anthropic import WIRE as ANTHROPIC
from surefoot.models.backends.google import WIRE as GOOGLE
from surefoot.models.backends.openai import SERVICE as OPENAI
from surefoot.models.servers.server import Server, Service, addressed, key_for

SERVICES = [OPENAI, ANTHROPIC.service, GOOGLE.service]
OWN = {"openai": "gpt-5.1", "anthropic": "claude-opus-5-5", "google": "gemini-3.5-flash"}


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.backend)
def test_a_makers_name_means_the_makers_server(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own names go to its own server with its own key; any other address gets no key."""
    monkeypatch.setenv(service.key_variable, "its-own-key-0123")
    own = addressed(service, OWN[service.backend])
    other = addressed(service, f"{OWN[service.backend]}@https://elsewhere.example/v1")

    assert own.base == service.base
    assert key_for(service, own.base, Options()) == "its-own-key-0123"
    assert other.base == "https://elsewhere.example/v1"
    assert key_for(service, other.base, Options()) == ""
    named = Options(key_variable=service.key_variable)
    assert key_for(service, other.base, named) == "its-own-key-0123"


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.backend)
@pytest.mark.parametrize("rest", ["", "localhost:8000", "a/b", "m@localhost:8000"])
def test_nothing_is_sent_to_a_maker_by_mistake(service: Service, rest: str) -> None:
    """What is no name of the maker's and no address is refused, with an example."""
    with pytest.raises(InvalidInputError) as error:
        addressed(service, rest)
    assert f"{service.backend}:" in str(error.value)


def test_a_key_is_not_shown_and_not_sent_in_the_clear() -> None:
    """A server that all on the way could read gets no key, and none stands in its repr."""
    with pytest.raises(InvalidInputError, match="https"):
        Server("http://10.0.0.7/v1", Options(), key="a-secret-key", headers={})
    safe = Server("https://10.0.0.7/v1", Options(), key="a-secret-key", headers={})
    assert "a-secret-key" not in repr(safe) + repr(safe.scrub)
