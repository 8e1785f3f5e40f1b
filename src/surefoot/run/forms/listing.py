"""
What can be named of forms: themselves, their languages, renderers, agents, languages of actions.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import msgspec

from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.driver.agent import AGENTS
from surefoot.forms.driver.language import ACTION_LANGUAGES
from surefoot.forms.rendering import RENDERERS
from surefoot.forms.specification import LANGUAGES, Form, Kind

# FormFactory's table 1: instances of a form, and its columns; all other fields are strings.
_INSTANCES: Final = 50
_COLUMNS: Final = (
    Kind.DATE, Kind.RADIO, Kind.DROP_DOWN, Kind.DESCRIPTION, Kind.FILE, Kind.MULTI_CHOICE,
    Kind.CHECKBOX, Kind.NUMBER,
)  # fmt: skip


class ListedForm(msgspec.Struct, frozen=True):
    """
    Name a form of the catalogue, and count its pages and fields.

    ``types`` counts its fields by the columns of FormFactory's table 1, "string" first, and
    ``pairs`` those of fifty instances. ``machine_made`` lists the languages whose words no
    native reader has checked.
    """

    code: str
    id: str
    domain: str
    pages: int
    fields: int
    machine_made: tuple[str, ...]
    pairs: int
    types: dict[str, int]


class ListedLanguage(msgspec.Struct, frozen=True):
    """Name a language of forms, and count the forms whose words in it no native reader checked."""

    name: str
    machine_made: int


class ListedRenderer(msgspec.Struct, frozen=True):
    """
    Name a renderer and its themes; those of ``screen_themes`` need X11.

    ``missing`` says what it lacks to work here, "" where nothing.
    """

    name: str
    themes: tuple[str, ...]
    screen_themes: tuple[str, ...]
    missing: str


class ListedName(msgspec.Struct, frozen=True):
    """Name an agent or a language of actions, with what it is."""

    name: str
    summary: str


class FormLists(msgspec.Struct, frozen=True):
    """Hold all that is installed; the fields stay as they are."""

    forms: tuple[ListedForm, ...]
    renderers: tuple[ListedRenderer, ...]
    agents: tuple[ListedName, ...]
    actions: tuple[ListedName, ...]
    languages: tuple[ListedLanguage, ...]


def _types(form: Form) -> dict[str, int]:
    kinds = Counter(field.traits.widget for field in form.fields)
    counted = {str(kind): kinds[kind] for kind in _COLUMNS}
    return {"string": kinds.total() - sum(counted.values()), **counted}


def list_forms() -> FormLists:
    """
    Return the forms and their languages, renderers, agents and languages of actions.

    >>> list_forms().forms[0].code
    'A11'
    """
    return FormLists(
        tuple(
            ListedForm(
                form.code,
                form.id,
                form.domain,
                len(form.pages),
                len(form.fields),
                form.machine_made,
                _INSTANCES * len(form.fields),
                _types(form),
            )
            for form in catalogue().values()
        ),
        tuple(
            ListedRenderer(item.name, item.themes, item.screen_themes, item.missing())
            for item in RENDERERS.entries.values()
        ),
        tuple(ListedName(item.name, item.summary) for item in AGENTS.entries.values()),
        tuple(ListedName(item.name, item.summary) for item in ACTION_LANGUAGES.entries.values()),
        tuple(
            ListedLanguage(name, sum(name in form.machine_made for form in catalogue().values()))
            for name in LANGUAGES
        ),
    )
