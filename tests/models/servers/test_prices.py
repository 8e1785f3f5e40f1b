"""
List prices of models.
"""

from __future__ import annotations

import pytest

from surefoot.models.servers.prices import price_of


@pytest.mark.parametrize(
    ("maker", "model", "price"),
    [
        ("anthropic", "claude-opus-5-5", (4.0, 20.0)),
        ("anthropic", "claude-opus-5", (5.0, 25.0)),
        ("anthropic", "claude-opus-4-20250514", (15.0, 75.0)),
        ("anthropic", "claude-opus-4-7", (5.0, 25.0)),
        ("anthropic", "claude-sonnet-4-5-20250929", (3.0, 15.0)),
        ("anthropic", "claude-haiku-4-5-20251001", (1.0, 5.0)),
        ("google", "gemini-3.5-flash", (1.5, 9.0)),
        ("google", "gemini-3.1-pro-preview", (2.0, 12.0)),
    ],
)
def test_prices_are_those_of_the_makers_pages(
    maker: str, model: str, price: tuple[float, float]
) -> None:
    """A million tokens in and out cost what the page says of the model, dated names too."""
    found = price_of(maker, model)
    assert found is not None
    assert (found.input, found.output) == price
    assert found.cost(1_000_000, 1_000_000) == pytest.approx(sum(price))


def test_what_is_not_listed_has_no_price() -> None:
    """A model or a maker without a price gets none, never a guess."""
    assert price_of("anthropic", "gemini-3.5-flash") is None
    assert price_of("openai", "gpt-5.1") is None
