"""
Print what a screen, a question and an answer cost, and what millions of them would come to.

    python bench/costs.py demo: 12 5

Captures so many pages of a source, builds `perturbed` from them under the given number of
variants (the original among them) and asks an instant server all questions through the client.
CPU seconds are those of all processes that a command starts, the first start of each included;
bytes are those of the folders by part. What is extrapolated is the last lines alone.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from shards import size, surefoot  # type: ignore[import-not-found]

from surefoot.run.folders.lines import read_lines

VARIANTS: Final = ("original", "style", "order", "precision", "zoom:0.7", "text_shrink")
PARTS: Final = {
    "pictures": ("objects/**/*",),
    "ledger": ("ledger.sqlite*",),
    "tables": ("*.jsonl", "*.jsonl.zst"),
}
SCREENS: Final = 10_000_000
ANSWERS: Final = 1_000_000_000
HOUR: Final = 3_600
TERA: Final = 1e12


def lines_of(folder: Path, table: str) -> int:
    """Count the lines of a table, packed or not."""
    return sum(1 for _ in read_lines(folder / table))


def costs(name: str, folder: Path, count: int, taken: float) -> dict[str, float]:
    """Print CPU seconds and bytes of one item of a folder, and return them."""
    found = {"CPU s": taken / count}
    for part, names in PARTS.items():
        found[part] = size(folder, names) / count
    spelled = ", ".join(f"{found[part] / 1000:.2f} kB of {part}" for part in PARTS)
    print(f"{name}: {count:,}; each {1000 * found['CPU s']:.1f} ms of CPU, {spelled}")
    return found


def main() -> None:
    """Measure, and extrapolate."""
    source, pages, variants = sys.argv[1], sys.argv[2], VARIANTS[: int(sys.argv[3])]
    server = subprocess.Popen(
        [sys.executable, str(Path(__file__).parent / "client_cpu.py"), "--client", "server"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        port = server.stdout.readline().strip() if server.stdout else ""
        with tempfile.TemporaryDirectory() as place:
            screens, bench, run = (Path(place) / name for name in ("screens", "bench", "run"))
            taken = surefoot("capture", source, "--limit", pages, "--out", screens)
            costs("pages", screens, lines_of(screens, "screens.jsonl"), taken)
            build = ("--screens", screens, "--variants", ",".join(variants))
            taken = surefoot("build", "perturbed", *build, "--out", bench)
            screen = costs("screens", bench, lines_of(bench, "screens.jsonl"), taken)
            model = f"openai:m@http://127.0.0.1:{port}/v1"
            asked = ("--model", model, "--format", "json", "--no-self-check", "--out", run)
            taken = surefoot("run", bench, *asked)
            answer = costs("answers", run, lines_of(run, "answers.jsonl"), taken)
            scored = surefoot("score", run, "--json", Path(place) / "score.json")
            count = lines_of(run, "answers.jsonl")
            print(f"scoring: {1000 * scored / count:.2f} ms of CPU an answer, its start included")
    finally:
        server.kill()
        server.wait()
    for name, each, count in (("screens", screen, SCREENS), ("answers", answer, ANSWERS)):
        stored = {part: f"{each[part] * count / TERA:.2f} TB of {part}" for part in PARTS}
        hours = each["CPU s"] * count / HOUR
        print(f"{count:,} {name}: {hours:,.0f} CPU hours, {', '.join(stored.values())}")


if __name__ == "__main__":
    main()
