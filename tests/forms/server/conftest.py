"""
A small form with every kind of question that the server treats in its own way, served.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import httpx
import pytest

from surefoot.forms.record import RunRecord
from surefoot.forms.rendering import Rendering
from surefoot.forms.server.runs import open_run, record
from surefoot.forms.server.serving import serve
from surefoot.forms.specification import Constraint, Field, Form, Kind, Option, Page

COLOURS: Final = tuple(
    Option(literal, {"en": literal.title()}) for literal in ("red", "green", "blue")
)
FIRST: Final = (
    Field("name", Kind.STRING, {"en": "Name", "fr": "Nom"}, "person.full_name", longest=40),
    Field("email", Kind.EMAIL, {"en": "E-mail"}, "person.email", required=False),
    Field("colours", Kind.MULTI_CHOICE, {"en": "Colours"}, "options", options=COLOURS),
    Field("news", Kind.CHECKBOX, {"en": "News"}, "flag", required=False),
)
SECOND: Final = (
    Field("start", Kind.DATE, {"en": "Start"}, "date.future", required=False),
    Field("end", Kind.DATE, {"en": "End"}, "date.future", required=False),
)
THIRD: Final = (
    Field("note", Kind.DESCRIPTION, {"en": "Note"}, "text.comments", required=False),
    Field("cv", Kind.FILE, {"en": "CV"}, "file.cv", accepts=(".pdf", ".png")),
    Field("terms", Kind.CHECKBOX, {"en": "Terms"}, "consent"),
)
FORM: Final = Form(
    "small",
    "Z1",
    "tests",
    {"en": "Small"},
    tuple(Page({"en": f"Page of {item[0].id}"}, item) for item in (FIRST, SECOND, THIRD)),
    constraints=(Constraint("after", ("end", "start")),),
)


class Visit:
    """One run and a client that answers it."""

    def __init__(self, folder: Path, base: str, client: httpx.Client, token: str) -> None:
        self.folder = folder
        self.token = token
        self.root = f"{base}/r/{token}/"
        self.client = client

    def get(self) -> httpx.Response:
        """Fetch the run's page."""
        return self.client.get(self.root)

    def post(self, page: int, action: str, /, **answers: object) -> httpx.Response:
        """Post a page as a browser would; bytes or (name, bytes) are files."""
        files = {
            name: answer if isinstance(answer, tuple) else (None, str(answer).encode())
            for name, answer in answers.items()
            if not isinstance(answer, list)
        }
        several = [
            (name, (None, text.encode()))
            for name, texts in answers.items()
            if isinstance(texts, list)
            for text in texts
        ]
        parts = [("action", (None, action.encode())), *files.items(), *several]
        return self.client.post(f"{self.root}page/{page}", files=parts)

    def send(self, route: str, body: object) -> httpx.Response:
        """Post JSON as a page's script would."""
        return self.client.post(f"{self.root}{route}", json=body)

    def upload(self, field: str, name: str, data: bytes) -> httpx.Response:
        """Post one file as a page's script would."""
        return self.client.post(f"{self.root}upload/{field}", files={"file": (name, data)})

    def record(self) -> RunRecord:
        """Read what the server keeps of the run."""
        return record(self.folder, self.token)


@pytest.fixture(scope="session")
def form() -> Form:
    """Return the small form."""
    return FORM


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """Return a served folder and the base URL."""
    folder = tmp_path_factory.mktemp("forms")
    with serve(folder) as base:
        yield folder, base


@pytest.fixture(scope="session")
def visit(site: tuple[Path, str]) -> Iterator[Callable[..., Visit]]:
    """Open runs of the small form on the shared server."""
    folder, base = site
    with httpx.Client(timeout=60) as client:

        def begin(rendering: Rendering | None = None) -> Visit:
            token = open_run(folder, FORM, rendering or Rendering(), instance=3, seed=7)
            return Visit(folder, base, client, token)

        yield begin
