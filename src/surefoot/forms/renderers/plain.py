"""
Plain HTML drawn by the server: it works without any script, as forms on the web began.

Every page is a document of its own and posts to the server, which alone judges what was
entered; the one script that a page loads only tells of changes.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Final

import msgspec

from surefoot.forms.instance import FileValue, Value
from surefoot.forms.renderers.looks import FOLDER, choose_look, templates
from surefoot.forms.renderers.wording import hints, phrase
from surefoot.forms.rendering import PageState, Renderer, Rendering
from surefoot.forms.specification import Field, Form, Kind, Option, said

THEMES: Final = ("clear", "night", "enterprise", "vintage", "vivid")
SCREEN_THEMES: Final = ("native",)
LAYOUTS: Final = ("one-column", "two-columns", "table", "dense")
INPUT_TYPES: Final[Mapping[Kind, str]] = {
    Kind.STRING: "text",
    Kind.EMAIL: "email",
    Kind.TELEPHONE: "tel",
    Kind.URL: "url",
    Kind.PASSWORD: "password",
    Kind.NUMBER: "number",
    Kind.DATE: "date",
}


class _Drawn(msgspec.Struct, frozen=True):
    """Hold one field as the template writes it: every word chosen, every value as text."""

    field: Field
    label: str
    hints: tuple[str, ...]
    error: str
    options: tuple[tuple[str, str], ...]
    texts: tuple[str, ...]
    received: str
    input_type: str
    accept: str


def document(form: Form, rendering: Rendering, state: PageState) -> str:
    """
    Return one page of a form, or the page that thanks, as HTML text.

    Raises UnknownNameError for a theme or layout that there is not.
    """
    language = rendering.language
    page = form.pages[state.page]
    fields = tuple(_drawn(field, page.fields, state, language) for field in page.fields)
    template = templates().get_template("plain.html.j2")
    return template.render(
        form=form,
        page=page,
        fields=fields,
        state=state,
        look=choose_look(form, rendering, THEMES + SCREEN_THEMES, LAYOUTS),
        language=language,
        direction=rendering.shown_direction,
        say=functools.partial(_say, language),
        said=functools.partial(said, language=language),
    )


def _drawn(field: Field, together: tuple[Field, ...], state: PageState, language: str) -> _Drawn:
    """Choose the words and texts of one field; ``together`` are the fields of its page."""
    value = state.values.get(field.id)
    return _Drawn(
        field=field,
        label=said(field.label, language),
        hints=hints(field, language),
        error=state.errors.get(field.id, ""),
        options=tuple(
            (option.value, said(option.label, language))
            for option in field.options
            if _offered(option, together, state.values)
        ),
        texts=_texts(value),
        received=value.name if isinstance(value, FileValue) else "",
        input_type=INPUT_TYPES.get(field.traits.widget, ""),
        accept=",".join(field.accepts),
    )


def _offered(option: Option, together: tuple[Field, ...], values: Mapping[str, Value]) -> bool:
    """Say whether a page shows an option: what may still change on the page hides nothing."""
    here = {field.id for field in together}
    return all(
        name in here or not _texts(values.get(name)) or set(_texts(values.get(name))) & set(wanted)
        for name, wanted in option.when.items()
    )


def _say(language: str, phrase_name: str, /, **parts: object) -> str:
    return phrase(phrase_name, language, **parts)


def _texts(value: Value | None) -> tuple[str, ...]:
    """Return a value as the texts that its control would send; none for a file."""
    if value is None or isinstance(value, FileValue):
        return ()
    if isinstance(value, bool):
        return ("yes",) if value else ()
    return (value,) if isinstance(value, str) else tuple(value)


PLAIN: Final = Renderer(
    name="plain",
    version=4,
    themes=THEMES,
    layouts=LAYOUTS,
    document=document,
    assets=FOLDER / "plain_assets",
    screen_themes=SCREEN_THEMES,
)
