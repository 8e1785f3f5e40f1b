"""
What renderers with a script put into the page, without running the script.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any, Literal

import pytest

from surefoot.core.errors import MissingComponentError
from surefoot.forms.instance import FileValue, Value
from surefoot.forms.renderers import scripted
from surefoot.forms.renderers.scripted import page_data, scripted_renderer
from surefoot.forms.rendering import RENDERERS, PageState, Renderer, Rendering
from surefoot.forms.specification import LANGUAGES, Form
from surefoot.loopback.policy import STYLE_NONCE

BASE = "/r/TOKEN/"
THEMES = ("first", "second")
HOSTILE = "</script><script>alert(1)</script><!--"


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Renderer:
    """Lend a renderer whose script is there, with a sheet for its second theme."""
    monkeypatch.setattr(scripted, "FOLDER", tmp_path)
    folder = tmp_path / "web" / "dist" / "made"
    (folder / "themes").mkdir(parents=True)
    for name in ("made.js", "themes/second.css", "themes/second-rtl.css"):
        (folder / name).write_text("", encoding="utf-8")
    return scripted_renderer("made", version=1, themes=THEMES, layouts=("plain",))


def data_of(page: str) -> dict[str, Any]:
    """Return the form's data as the page's script would read it."""
    (text,) = re.findall(r'<script type="application/json" id="form-data">(.*?)</script>', page)
    data: dict[str, Any] = json.loads(html.unescape(text) if "&" in text else text)
    return data


def _tags(page: str) -> str:
    """Return a page without its words."""
    return " ".join(re.findall(r"<[^>]*>", re.sub(r"<(script|title)\b.*?</\1>", "", page)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_data_holds_every_field_and_option(every_kind: Form, language: str) -> None:
    """Fields, options and words stand in the data, in order and in one language."""
    data = page_data(
        every_kind,
        Rendering("made", language=language),
        PageState(BASE),
        themes=THEMES,
        layouts=("plain",),
    )
    text = json.dumps(data, ensure_ascii=False)
    pages: Any = json.loads(text)["pages"]

    assert [[item["id"] for item in page["fields"]] for page in pages] == [
        [field.id for field in page.fields] for page in every_kind.pages
    ]
    assert [item["value"] for item in pages[1]["fields"][0]["options"]] == ["outer", "inner"]
    assert pages[1]["fields"][0]["options"][0]["when"] == {"radio": ["opt-b"]}
    assert not any(f"[{other}]" in text for other in set(LANGUAGES) - {language})


def test_hostile_words_and_values_stay_data(every_kind: Form, built: Renderer) -> None:
    """No value or word ends the block of data, and each comes back as it was."""
    values: dict[str, Value] = {"string": HOSTILE, "file": FileValue(HOSTILE, "0" * 64)}
    page = built.document(every_kind, Rendering("made"), PageState(BASE, values=values))
    data = data_of(page)

    assert page.count("<script") == page.count("</script>") == 2
    assert "<!--" not in page
    assert data["values"]["string"] == HOSTILE
    assert data["values"]["file"] == {"name": HOSTILE, "sha256": "0" * 64}
    assert data["title"] == every_kind.title["en"]


def test_only_data_stands_in_line(every_kind: Form, built: Renderer) -> None:
    """The page runs files of the server alone, and names the nonce that the server replaces."""
    page = built.document(every_kind, Rendering("made"), PageState(BASE))

    assert not re.search(r"<style|style=|\son\w+=", _tags(page))
    assert STYLE_NONCE in page
    assert re.findall(r'<script type="module" src="([^"]*)">', page) == ["/assets/made/made.js"]


@pytest.mark.parametrize(
    ("theme", "direction", "sheets"),
    [
        ("", "", ["made.css"]),
        ("second", "", ["made.css", "themes/second.css"]),
        ("second", "rtl", ["made.css", "themes/second-rtl.css"]),
    ],
)
def test_a_theme_brings_its_sheet(
    every_kind: Form, built: Renderer, theme: str, direction: Literal["", "rtl"], sheets: list[str]
) -> None:
    """A theme's style sheet is linked where it has one, turned round where it has that."""
    rendering = Rendering("made", theme=theme, direction=direction)
    page = built.document(every_kind, rendering, PageState(BASE))

    linked = re.findall(r'<link rel="stylesheet" href="/assets/made/([^"]*)">', page)
    assert linked == sheets


def test_a_form_that_was_accepted_says_so(every_kind: Form, built: Renderer) -> None:
    """The page of an accepted form is marked as done before any script runs."""
    page = built.document(every_kind, Rendering("made"), PageState(BASE, done=True))

    assert '<body data-state="done"' in page


def test_a_script_that_is_not_built_is_named(every_kind: Form) -> None:
    """Without its script a renderer names the command that builds it, and draws nothing."""
    absent = scripted_renderer("absent", version=1, themes=THEMES, layouts=("plain",))

    assert absent.missing() == scripted.BUILD
    with pytest.raises(MissingComponentError, match=re.escape(scripted.BUILD)):
        absent.document(every_kind, Rendering("absent"), PageState(BASE))


def test_the_command_is_there() -> None:
    """The command that is named where a script is not built is a file of the checkout."""
    root = Path(__file__).parents[3]

    assert (root / scripted.BUILD).is_file()


@pytest.mark.parametrize("name", ["surveyjs", "rjsf"])
def test_the_registry_offers_both(name: str) -> None:
    """Both scripted renderers are found, with pages that turn inside the page."""
    found = RENDERERS.get(name)

    assert found.scripted
    assert found.themes
    assert "one-column" in found.layouts


def test_packages_are_pinned_without_a_registry() -> None:
    """The lock file pins every package by its hash and names no host to fetch it from."""
    folder = Path(scripted.__file__).parent / "web"
    lock = json.loads((folder / "package-lock.json").read_text("utf-8"))
    wanted = json.loads((folder / "package.json").read_text("utf-8"))["dependencies"]
    packages = {name: item for name, item in lock["packages"].items() if name}
    fetched = [package for name, package in packages.items() if name.startswith("node_modules/")]
    fetched = [item for item in fetched if not item.get("link")]

    assert lock["packages"][""]["dependencies"] == wanted
    assert all(re.fullmatch(r"\d+\.\d+\.\d+|file:no-icons", item) for item in wanted.values())
    assert {package["resolved"] for package in packages.values() if package.get("link")} == {
        "no-icons"
    }
    assert [item for item in fetched if "resolved" in item] == []
    assert [
        item for item in fetched if "integrity" not in item and item["version"] != "0.0.0"
    ] == []
