"""
One form with a field of every kind and hostile words.
"""

from __future__ import annotations

from typing import Final

import msgspec
import pytest

from surefoot.forms.specification import LANGUAGES, Field, Form, Kind, Option, Page, Words

HOSTILE: Final = """</script><img src=x onerror="alert(1)">'{{ 7 * 7 }}&amp;"""
CHOICES: Final = {Kind.DROP_DOWN, Kind.RADIO, Kind.MULTI_CHOICE}


def words(text: str) -> Words:
    """Say the same in every language, told apart by the language's name."""
    return {language: f"{text} [{language}]" for language in LANGUAGES}


def field(kind: Kind) -> Field:
    """Make a field of a kind; its English label is hostile."""
    options = tuple(Option(f"opt-{each}", words(f"Option {each} {HOSTILE}")) for each in "abc")
    return Field(
        id=kind.value.replace("-", "_"),
        kind=kind,
        label=words(f"{kind.value} {HOSTILE}"),
        fill="text.comments",
        help=words("Help") if kind is Kind.STRING else {},
        required=kind is not Kind.DESCRIPTION,
        options=options if kind in CHOICES else (),
        accepts=(".pdf", ".png") if kind is Kind.FILE else (),
        lowest=1_000_000 if kind is Kind.NUMBER else None,
    )


@pytest.fixture(scope="session")
def every_kind() -> Form:
    """Lend a form of one page with a field of every kind, and a second page of two fields."""
    inner = Option("inner", words("Inner"), when={"radio": ("opt-a",)})
    outer = Option("outer", words("Outer"), when={"radio": ("opt-b",)})
    later = Field("later", Kind.DROP_DOWN, words("Later"), "option", options=(inner, outer))
    note = msgspec.structs.replace(field(Kind.STRING), id="note")
    return Form(
        id="every_kind",
        code="X1",
        domain="tests",
        title=words(f"Every kind {HOSTILE}"),
        introduction=words("Introduction"),
        pages=(
            Page(words("First"), tuple(field(kind) for kind in Kind)),
            Page(words("Second"), (later, note)),
        ),
    )
