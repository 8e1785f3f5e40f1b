"""
What a reply cost, by the list prices of the maker of its model.

The numbers are in ``prices.toml``, with the page and the month in which they were read. They know
no discount for cached prompts, of which Surefoot asks for none.
"""

from __future__ import annotations

import fnmatch
import functools
from importlib import resources

import msgspec

MILLION = 1_000_000


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hold what a million tokens of a prompt and of a reply cost, in US dollars."""

    models: tuple[str, ...]
    input: float
    output: float

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """
        Return what a reply cost in US dollars.

        >>> Price((), 4.0, 20.0).cost(1_000_000, 100_000)
        6.0
        """
        return (self.input * prompt_tokens + self.output * completion_tokens) / MILLION


class _PriceList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    read: str
    prices: tuple[Price, ...]


@functools.cache
def _lists() -> dict[str, _PriceList]:
    text = resources.files("surefoot.models.servers").joinpath("prices.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, _PriceList])


def price_of(maker: str, model: str) -> Price | None:
    """
    Return the list price of a maker's model, None where it is not known.

    >>> price_of("anthropic", "claude-opus-5-5").output, price_of("anthropic", "mystery")
    (20.0, None)
    """
    listed = _lists().get(maker)
    fitting = [
        (len(pattern), price)
        for price in (listed.prices if listed else ())
        for pattern in price.models
        if fnmatch.fnmatchcase(model, pattern)
    ]
    return max(fitting, key=lambda found: found[0])[1] if fitting else None
