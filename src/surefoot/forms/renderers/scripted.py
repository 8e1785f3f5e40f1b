"""
Renderers with a script: the form as data in the page, and what was built for it.

SurveyJS (survey-core and survey-js-ui) has pages, widgets and themes of its own;
react-jsonschema-form draws in the widgets of four libraries.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Final

import msgspec

from surefoot.forms.renderers.looks import ACCENTS, DARK_ACCENTS, FOLDER, choose_look, templates
from surefoot.forms.renderers.wording import hints, phrase
from surefoot.forms.rendering import PageState, Renderer, Rendering
from surefoot.forms.specification import Field, Form, said
from surefoot.forms.values.dates import DATE_FORMATS
from surefoot.loopback.policy import STYLE_NONCE

BUILD: Final = "scripts/build_forms.sh"
"""The command that builds the scripts, from the root of a checkout."""

_WORDS: Final = (
    "next",
    "back",
    "submit",
    "required",
    "required-note",
    "optional",
    "choose",
    "choose-file",
    "no-file",
    "problem-title",
    "done-title",
    "done",
)


def scripted_renderer(
    name: str, *, version: int, themes: tuple[str, ...], layouts: tuple[str, ...]
) -> Renderer:
    """Return a renderer whose script stands in dist/NAME, with the looks that it knows."""
    built = FOLDER / "web" / "dist" / name

    def document(form: Form, rendering: Rendering, state: PageState) -> str:
        renderer.require()
        data = page_data(form, rendering, state, themes=themes, layouts=layouts)
        theme = f"themes/{rendering.theme or themes[0]}"
        choices = ([f"{theme}-rtl.css"] if rendering.shown_direction == "rtl" else []) + [
            f"{theme}.css"
        ]
        own = [sheet for sheet in choices if (built / sheet).is_file()]
        sheets = [f"{name}.css", *own[:1]]
        template = templates().get_template("scripted.html.j2")
        return template.render(data=data, renderer=name, nonce=STYLE_NONCE, sheets=sheets)

    renderer = Renderer(
        name=name,
        version=version,
        themes=themes,
        layouts=layouts,
        document=document,
        assets=built,
        scripted=True,
        missing=functools.partial(_missing, built, name),
    )
    return renderer


def page_data(
    form: Form,
    rendering: Rendering,
    state: PageState,
    *,
    themes: tuple[str, ...],
    layouts: tuple[str, ...],
) -> dict[str, object]:
    """Return all that the page's script needs, in the rendering's language, as plain data."""
    language = rendering.language
    look = choose_look(form, rendering, themes, layouts)
    pages = [
        {
            "title": said(page.title, language),
            "fields": [_field_data(field, language) for field in page.fields],
        }
        for page in form.pages
    ]
    return {
        "title": said(form.title, language),
        "introduction": said(form.introduction, language),
        "pages": pages,
        "base": state.base,
        "values": msgspec.to_builtins(dict(state.values)),
        "errors": dict(state.errors),
        "done": state.done,
        "language": language,
        "date": DATE_FORMATS[language],
        "direction": rendering.shown_direction,
        "look": msgspec.structs.asdict(look),
        "accent": (DARK_ACCENTS if "dark" in look.theme else ACCENTS)[look.accent],
        "words": _words(language, len(form.pages)),
    }


def _field_data(field: Field, language: str) -> dict[str, object]:
    return {
        "id": field.id,
        "kind": field.traits.widget,
        "label": said(field.label, language),
        "hints": hints(field, language),
        "required": field.required,
        "accepts": field.accepts,
        "options": [
            {
                "value": option.value,
                "label": said(option.label, language),
                "when": msgspec.to_builtins(option.when),
            }
            for option in field.options
        ],
    }


def _words(language: str, pages: int) -> dict[str, object]:
    words: dict[str, object] = {name: phrase(name, language) for name in _WORDS}
    words["progress"] = [
        phrase("progress", language, page=page + 1, pages=pages) for page in range(pages)
    ]
    return words


def _missing(built: Path, name: str) -> str:
    return "" if (built / f"{name}.js").is_file() else BUILD


RJSF: Final = scripted_renderer(
    "rjsf",
    version=8,
    themes=("core", "bootstrap", "mui", "antd"),
    layouts=("one-column", "two-columns", "dense"),
)


SURVEYJS: Final = scripted_renderer(
    "surveyjs",
    version=6,
    themes=(
        "default-light",
        "default-dark",
        "sharp-light",
        "sharp-dark",
        "layered-light",
        "flat-light",
        "double-border-light",
        "plain-light-panelless",
        "contrast-dark",
        "three-dimensional-light",
    ),
    layouts=("one-column", "two-columns", "table", "dense"),
)
