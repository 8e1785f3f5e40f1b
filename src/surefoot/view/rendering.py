"""
Templates drawn as pages.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from surefoot.core.perturbation import variant_title
from surefoot.diagnose.summary import cause_sentences

if TYPE_CHECKING:
    from jinja2 import Environment


_FOLDER: Final = Path(__file__).parent
# Pictures are named by what they hold; anything else is asked for anew.
LASTING: Final = {"Cache-Control": "private, max-age=86400, immutable"}


def draw_page(template: str, **parts: object) -> Response:
    """Draw a template as a page; what it writes is escaped."""
    return HTMLResponse(_templates().get_template(template).render(**parts))


def assets() -> Mount:
    """Return the route of style sheets and scripts."""
    return Mount("/assets", StaticFiles(directory=_FOLDER / "assets"))


@functools.cache
def _templates() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    templates = Environment(
        loader=FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["title_of"] = variant_title
    templates.filters["cause_sentences"] = cause_sentences
    return templates
