"""
Click the same place in every environment, and compare what one server of questions says of it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import surefoot
from scripts.environments.compare import CHROMIUM, HERE
from surefoot.core.question import Question
from surefoot.phrasing.tables import table_lines
from surefoot.run.episodes.desk import serve_episodes
from surefoot.run.episodes.playing import EpisodeAnswers

PAGE = """<!doctype html><html lang=en><title>Desk</title><h1>Letters</h1>
<div><button>Open</button> <button>Reply</button> <button>Archive</button></div>"""
PLAYERS = {
    "our driver (gymnasium)": ("gymnasium", ""),
    "playwright": ("playwright", ""),
    "openenv": ("openenv", "openenv"),
    "browsergym": ("browsergym", "browsergym"),
    "playwright mcp": ("playwright_mcp", ""),
}
NAME = "Reply"
MCP = "mcp/node_modules/@playwright/mcp/cli.js"


def make(folder: Path) -> Path:
    """Build a benchmark of one page, plain and under a theme."""
    (folder / "index.html").write_text(PAGE, "utf-8")
    surefoot.capture([str(folder / "index.html")], out=folder / "screens", workers=1)
    surefoot.build(
        "perturbed",
        screens=folder / "screens",
        out=folder / "bench",
        variants="original,theme",
        kinds="direct",
        workers=1,
    )
    return folder / "bench"


def play(work: Path, player: str, address: str, question: Question) -> None:
    """Let one toolkit click the middle of a question's target."""
    toolkit, home = PLAYERS[player]
    python = str(work / home / "bin" / "python") if home else sys.executable
    place = question.truth.center
    told = {"desk": address, "question": question.id, "x": place.x, "y": place.y}
    told |= {"mcp": str(work / MCP), "node": shutil.which("node") or "node"}
    run(
        [python, str(HERE / "play_question.py"), toolkit],
        json.dumps({**told, "chromium": CHROMIUM}),
        work,
    )


def by_browser_use(work: Path, address: str) -> None:
    """Run the documentation's example of browser-use in an environment of its own."""
    page = (HERE.parents[1] / "docs" / "episodes.md").read_text("utf-8")
    (example,) = (
        code
        for code in re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
        if "browser_use" in code
    )
    python = str(work / "browser-use" / "bin" / "python")
    run(
        [python, str(HERE / "by_browser_use.py")],
        example.replace("http://127.0.0.1:8423", address),
        work,
    )


def run(command: list[str], told: str, work: Path) -> None:
    """Run a player, and end with what it said where it fails."""
    environ = {**os.environ, "PLAYWRIGHT_BROWSERS_PATH": str(work / "browsers")}
    if "gymnasium" in command[-1] or "openenv" in command[-1]:
        environ = dict(os.environ)
    ended = subprocess.run(
        command, check=False, input=told, env=environ, cwd=work, capture_output=True, text=True
    )
    if ended.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{ended.stdout}{ended.stderr}")


def compare(work: Path, only: set[str]) -> bool:
    """Play one question by each toolkit, print a table, and tell whether all were right."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        bench = make(Path(folder))
        for player in [*PLAYERS, "browser-use"]:
            if only and player not in only:
                continue
            answers = EpisodeAnswers(bench, player, Path(folder, player))
            question = next(
                one
                for one in answers.questions
                if one.instruction.expression.name == NAME and one.cell.variant == "theme"
            )
            with answers, serve_episodes(answers) as address:
                if player == "browser-use":
                    by_browser_use(work, address)
                else:
                    play(work, player, address, question)
                (episode,) = answers._open.values()  # noqa: SLF001 - there is one
                score = episode.score
            (met,) = score.activations
            rows.append((player, met.by, str(met.point), "yes" if score.right else "no"))
    print("\n".join(table_lines(("by", "activated by", "at", "right"), tuple(rows))))
    return all(row[-1] == "yes" for row in rows)


if __name__ == "__main__":
    if not compare(Path(sys.argv[1]), set(sys.argv[2:])):
        sys.exit("One of them was not right.")
