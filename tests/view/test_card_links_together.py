"""
The cells of a card lead to the viewer that the card says to start, each to its own question.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from html import unescape
from pathlib import Path
from urllib.parse import quote

import surefoot
from surefoot.core.geometry import Point
from surefoot.core.question import Parsed, Question
from surefoot.run.folders.folder import read_questions
from surefoot.view.application import view_application
from surefoot.view.looking import LookedAt
from surefoot.view.opening import open_folders
from tests.view.asking import TOKEN, Asker


def test_every_cell_leads_to_its_question(
    drawn: Path,
    worded: Path,
    write_run: Callable[..., Path],
    stumble: Callable[[Question], Parsed],
    tmp_path: Path,
) -> None:
    """However runs are mixed, a link opens a question of its row's element."""
    runs = [
        write_run(worded, tmp_path / "words a", stumble, name="a"),
        write_run(drawn, tmp_path / "b", lambda _: Point(1.0, 1.0), name="b"),
        write_run(drawn, tmp_path / "a", stumble, name="a"),
        write_run(worded, tmp_path / "words-b", stumble, name="b"),
        write_run(drawn, tmp_path / "center", lambda _: Point(160.0, 100.0), name="center"),
    ]
    page = surefoot.card(runs, out=tmp_path / "card.html", cards=9).path.read_text("utf-8")
    command = re.search(r"surefoot view (.*?) --port 8422", unescape(page))
    assert command is not None
    parts = shlex.split(command[1])
    folders = [Path(part) for part in parts[: parts.index("--label")]]
    given = open_folders(folders, labels=parts[parts.index("--label") + 1 :: 2])
    viewer = Asker(view_application(LookedAt(given), TOKEN))
    asked = {one.id: one for bench in (drawn, worded) for one in read_questions(bench)}
    rows = re.findall(r'<tr><th scope="row">(.*?)</tr>', page)
    links = [(row, link) for row in rows for link in re.findall(r'href="(http[^"]*)"', row)]

    assert {*folders} == {*runs[:4]}
    assert len(links) > 100
    for row, link in links[:: len(links) // 40]:
        path = link.removeprefix("http://127.0.0.1:8422")
        answer = viewer.get(unescape(path))
        (question,) = (
            one for one in asked.values() if path.endswith(f"/{quote(one.id, safe='')}")
        )
        assert answer.status_code == 200
        assert question.instruction.text in unescape(answer.text)
        assert question.page_name in unescape(row)
