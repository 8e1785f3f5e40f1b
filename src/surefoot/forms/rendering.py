"""
How a form is drawn, and what every renderer owes to the server, the driver and the scorer.

The marks that a renderer sets in the page, whichever widgets it uses:

- ``data-page="N"`` on the element that holds the page shown, numbered from 0;
- ``data-field="ID"`` on the element that holds a field's label, control and message;
- ``data-control="ID"`` on what a person clicks to fill the field in (for options: their
  common frame);
- ``data-option="VALUE"`` on each option that is in the page, label and mark together;
- ``data-error="ID"`` on the message of a field that was refused;
- ``data-action="next"``, ``"back"`` and ``"submit"`` on the buttons;
- ``data-state="done"`` on the body once the form was accepted;
- ``lang`` and ``max="9999-12-31"`` on the browser's own date field: its order follows the
  page's language for certain, and a year ends after four digits also where it comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.core.errors import MissingComponentError
from surefoot.core.registry import Registry
from surefoot.forms.instance import Value
from surefoot.forms.specification import RIGHT_TO_LEFT, Form

Direction: TypeAlias = Literal["", "ltr", "rtl"]
"""
Which way a page runs, "" as its language does.
"""


class Rendering(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Choose how a form is drawn.

    ``renderer`` names an entry of RENDERERS; "" for ``theme`` and ``layout`` takes its
    first. ``direction`` "" follows the language. ``seed`` moves what a theme leaves open.
    """

    renderer: str = "plain"
    theme: str = ""
    layout: str = ""
    language: str = "en"
    direction: Direction = ""
    seed: int = 0

    @property
    def shown_direction(self) -> Literal["ltr", "rtl"]:
        """
        Return which way the page runs: as was asked, or else as its language does.

        >>> Rendering(language="ar").shown_direction
        'rtl'
        >>> Rendering(language="ar", direction="ltr").shown_direction
        'ltr'
        """
        return self.direction or ("rtl" if self.language in RIGHT_TO_LEFT else "ltr")


class PageState(msgspec.Struct, frozen=True):
    """
    Say what the server knows when a page is drawn.

    ``base`` is the run's address prefix ("/r/TOKEN/"); ``values`` holds what was entered so
    far, ``errors`` the reason for each field that was refused, in the page's language.
    """

    base: str
    page: int = 0
    values: Mapping[str, Value] = {}
    errors: Mapping[str, str] = {}
    done: bool = False


class Renderer(msgspec.Struct, frozen=True):
    """
    Draw forms in one family of widgets.

    ``document`` returns the whole HTML page. ``assets`` is the folder of the files that it
    may load, served under "/assets/NAME/"; None where it needs none. ``scripted`` says that
    pages are turned inside the page, so that the server sees one submission of all values.
    ``missing`` returns "" or the command that installs what the renderer lacks.
    ``screen_themes`` are further themes, whose lists the browser draws outside of the page,
    so that only X events reach them.
    """

    name: str
    version: int
    themes: tuple[str, ...]
    layouts: tuple[str, ...]
    document: Callable[[Form, Rendering, PageState], str]
    assets: Path | None = None
    scripted: bool = False
    missing: Callable[[], str] = str
    screen_themes: tuple[str, ...] = ()

    def require(self) -> None:
        """Raise MissingComponentError, with the command that helps, where something is missing."""
        command = self.missing()
        if command:
            raise MissingComponentError(
                f"what the renderer '{self.name}' needs",
                found="nothing",
                remedy=f"build it: {command}",
            )


RENDERERS: Final[Registry[Renderer]] = Registry(
    Renderer, "surefoot.forms.renderers", what="renderer"
)
