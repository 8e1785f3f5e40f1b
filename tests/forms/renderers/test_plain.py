"""
The pages of the plain renderer, read back with the standard library's parser.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Literal

import pytest

from surefoot.core.errors import UnknownNameError
from surefoot.forms.instance import FileValue, Value
from surefoot.forms.renderers.plain import PLAIN, document
from surefoot.forms.rendering import RENDERERS, PageState, Rendering
from surefoot.forms.specification import LANGUAGES, Form, Kind
from surefoot.forms.values.dates import DATE_FORMATS

BASE = "/r/TOKEN/"
HOSTILE = """</script><img src=x onerror="alert(1)">'{{ 7 * 7 }}&amp;"""
Tag = tuple[str, dict[str, str]]


class Drawing(HTMLParser):
    """Read a page back: its tags with their attributes, and all its text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[Tag] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag with its attributes."""
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        """Keep text that stands in the page."""
        self.text += data

    def all(self, attribute: str) -> list[str]:
        """Return the values of an attribute, in the order of the page."""
        return [attrs[attribute] for _, attrs in self.tags if attribute in attrs]

    def one(self, attribute: str, value: str) -> Tag:
        """Return the only tag whose attribute has that value."""
        (found,) = [tag for tag in self.tags if tag[1].get(attribute) == value]
        return found


def test_the_registry_offers_it() -> None:
    """The plain renderer is found by its name, with all that it needs in place."""
    found = RENDERERS.get("plain")

    assert found is PLAIN
    assert found.missing() == ""
    assert found.assets is not None
    assert {f"{theme}.css" for theme in found.themes} < {
        file.name for file in found.assets.iterdir()
    }


@pytest.mark.parametrize("layout", PLAIN.layouts)
@pytest.mark.parametrize("theme", PLAIN.themes)
def test_every_field_and_option_is_marked(every_kind: Form, theme: str, layout: str) -> None:
    """Each theme and layout draws every field, control and option of a page once, in order."""
    page = Drawing(
        document(every_kind, Rendering(theme=theme, layout=layout, seed=3), PageState(BASE))
    )
    names = [item.id for item in every_kind.pages[0].fields]
    options = [option.value for field in every_kind.pages[0].fields for option in field.options]

    assert page.all("data-page") == ["0"]
    assert page.all("data-field") == names
    assert page.all("data-control") == names
    assert page.all("data-option") == options
    assert page.all("data-action") == ["next"]
    assert page.all("data-error") == page.all("data-state") == []
    assert page.one("data-theme", theme)[1]["data-layout"] == layout


def test_hostile_words_and_values_stay_words(every_kind: Form) -> None:
    """No label, option, value, file name or message becomes a tag or runs as a template."""
    values: dict[str, Value] = {
        "string": HOSTILE,
        "description": f"</textarea>{HOSTILE}",
        "file": FileValue(HOSTILE, "0" * 64),
    }
    errors = {"string": HOSTILE, "file": HOSTILE}

    text = document(every_kind, Rendering(), PageState(BASE, values=values, errors=errors))
    page = Drawing(text)

    assert {"img", "onerror"}.isdisjoint({tag for tag, _ in page.tags})
    assert not any(name.startswith("on") for _, attrs in page.tags for name in attrs)
    assert page.one("id", "f-string")[1]["value"] == HOSTILE
    assert f"</textarea>{HOSTILE}" in page.text
    assert page.text.count(f"string {HOSTILE} [en]") == 2
    assert "49" not in page.text


def test_nothing_stands_in_line(every_kind: Form) -> None:
    """No page holds a script, a style or a handler of its own, nor names another host."""
    for state in (PageState(BASE), PageState(BASE, page=1), PageState(BASE, done=True)):
        text = document(every_kind, Rendering(), state)

        assert not re.search(
            r"<style|style=|<script(?! type=\"module\" src=\"/assets/)|https?://|href=\"data", text
        )


def test_a_form_is_sent_without_a_script(every_kind: Form) -> None:
    """Each field has a control of its own name in one form that posts to the page's address."""
    page = Drawing(document(every_kind, Rendering(), PageState(BASE, page=1)))
    first = Drawing(document(every_kind, Rendering(), PageState(BASE)))
    (form,) = [attrs for tag, attrs in page.tags if tag == "form"]

    assert (form["action"], form["method"]) == ("/r/TOKEN/page/1", "post")
    assert form["enctype"] == "multipart/form-data"
    assert "novalidate" in form
    assert {field.id for field in every_kind.pages[0].fields} == set(first.all("name")) - {
        "viewport",
        "action",
    }
    assert page.all("data-action") == ["submit", "back"]
    assert (
        page.one("data-action", "back")[1] | {"name": "action", "value": "back"}
        == page.one("data-action", "back")[1]
    )


def test_what_was_entered_comes_back(every_kind: Form) -> None:
    """Values of every kind stand in their controls when a page is drawn again."""
    values: dict[str, Value] = {
        "string": "Ann",
        "date": "2026-03-14",
        "drop_down": "opt-b",
        "radio": "opt-c",
        "multi_choice": ("opt-a", "opt-c"),
        "checkbox": True,
        "file": FileValue("a.pdf", "0" * 64),
    }
    page = Drawing(document(every_kind, Rendering(), PageState(BASE, values=values)))
    chosen = [
        (attrs.get("name"), attrs["value"])
        for _, attrs in page.tags
        if "checked" in attrs or "selected" in attrs
    ]

    assert page.one("id", "f-string")[1]["value"] == "Ann"
    assert page.one("id", "f-date")[1]["value"] == "2026-03-14"
    assert chosen == [
        (None, "opt-b"),
        ("radio", "opt-c"),
        ("multi_choice", "opt-a"),
        ("multi_choice", "opt-c"),
        ("checkbox", "yes"),
    ]
    assert "Received: a.pdf" in page.text


def test_a_box_left_empty_is_not_ticked(every_kind: Form) -> None:
    """A checkbox that holds false is drawn without its tick."""
    page = Drawing(document(every_kind, Rendering(), PageState(BASE, values={"checkbox": False})))

    assert not any("checked" in attrs for _, attrs in page.tags)


def test_refusals_stand_at_their_fields_and_in_the_summary(every_kind: Form) -> None:
    """A refused field carries its message and is named, with a link to it, at the top."""
    errors = {"email": "Not an address", "radio": "Missing", "checkbox": "Must be ticked"}
    page = Drawing(document(every_kind, Rendering(), PageState(BASE, errors=errors)))

    assert page.all("data-error") == ["email", "radio", "checkbox"]
    assert page.all("href")[-3:] == ["#q-email", "#q-radio", "#q-checkbox"]
    assert page.text.count("Not an address") == 2
    assert [attrs["role"] for _, attrs in page.tags if attrs.get("role") == "alert"] == ["alert"]
    assert len(page.all("aria-invalid")) == 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_speaks_one_language(every_kind: Form, language: str) -> None:
    """All words of a page, its title and its furniture are of the language that it names."""
    page = Drawing(document(every_kind, Rendering(language=language), PageState(BASE)))
    others = set(LANGUAGES) - {language}

    assert page.one("dir", "rtl" if language == "ar" else "ltr")[1]["lang"] == language
    assert not any(f"[{other}]" in page.text for other in others)
    assert ("Next" in page.text) == (language == "en")
    assert DATE_FORMATS[language] in page.text
    assert ".pdf, .png" in page.text


@pytest.mark.parametrize(("language", "direction"), [("en", "rtl"), ("ar", "ltr")])
def test_the_direction_can_be_turned(
    every_kind: Form, language: str, direction: Literal["ltr", "rtl"]
) -> None:
    """A rendering that asks for a direction has it on the page, whatever its language."""
    look = Rendering(language=language, direction=direction)
    page = Drawing(document(every_kind, look, PageState(BASE)))

    assert page.tags[0][1]["dir"] == direction


def test_options_hang_on_answers_of_other_pages(every_kind: Form) -> None:
    """An option whose condition an earlier page has decided is left out where it fails."""
    undecided = PageState(BASE, page=1)
    decided = PageState(BASE, page=1, values={"radio": "opt-b"})

    assert Drawing(document(every_kind, Rendering(), undecided)).all("data-option") == [
        "outer",
        "inner",
    ]
    assert Drawing(document(every_kind, Rendering(), decided)).all("data-option") == ["outer"]


def test_the_seed_moves_the_look_alone(every_kind: Form) -> None:
    """Two seeds differ in the look written on the page and in nothing else; one seed never."""
    looks = re.compile(r' data-(accent|corner|spacing)="\d"')
    pages = [document(every_kind, Rendering(seed=seed), PageState(BASE)) for seed in range(12)]

    assert len(set(pages)) > 6
    assert len({looks.sub("", page) for page in pages}) == 1
    assert pages[5] == document(every_kind, Rendering(seed=5), PageState(BASE))


def test_a_form_that_was_accepted_says_so(every_kind: Form) -> None:
    """The last page is marked as done and asks for nothing more."""
    page = Drawing(document(every_kind, Rendering(language="fr"), PageState(BASE, done=True)))

    assert page.all("data-state") == ["done"]
    assert page.all("data-field") == page.all("data-action") == []
    assert "Merci" in page.text


@pytest.mark.parametrize(
    ("rendering", "said"),
    [
        (Rendering(theme="nigth"), "Did you mean 'night'"),
        (Rendering(layout="three-columns"), "Did you mean 'two-columns'"),
    ],
)
def test_an_unknown_look_is_refused(every_kind: Form, rendering: Rendering, said: str) -> None:
    """A theme or layout that there is not is named, with the nearest that there is."""
    with pytest.raises(UnknownNameError, match=said):
        document(every_kind, rendering, PageState(BASE))


def test_every_kind_is_drawn(every_kind: Form) -> None:
    """The form of these tests leaves no kind of field out."""
    assert {field.kind for field in every_kind.fields} == set(Kind)
