"""
Run attacks and count what held.

Examples:
    python -m attacks                         all attacks in full, two at a time
    python -m attacks --only keys-in-replies  one of them
    python -m attacks --size many             as often as `make test-long`
    python -m attacks --write studies/docs/attacks.md
    python -m attacks --list
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

from attacks.attack import Attack, all_attacks, count_words

ROOT: Final = Path(__file__).parent.parent
BEGIN, END = "<!-- counted by make attack -->", "<!-- end of what is counted -->"
# No attack may take all of the time: one that does not end has not held.
LONGEST_S: Final = 1100


class Count(NamedTuple):
    """What came of an attack: trials, those that held, what was seen where one did not."""

    trials: int
    held: int
    broken: list[str]
    seconds: float


def main() -> int:
    """Run what the command line names; return 1 where a promise did not hold."""
    parser = argparse.ArgumentParser(
        prog="python -m attacks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", action="append", metavar="NAME", help="an attack; repeatable")
    parser.add_argument("--size", choices=["many", "whole"], default="whole")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--at-once", type=int, default=2, help="attacks that run at a time")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into a page")
    parser.add_argument("--list", action="store_true", help="name the attacks and end")
    parser.add_argument("--trials", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    attacks = all_attacks()
    if unknown := set(given.only or ()) - set(attacks):
        parser.error(f"no attack is called {', '.join(sorted(unknown))}; see --list")
    names = sorted(given.only or attacks, key=lambda name: not attacks[name].longest)
    chosen = {name: attacks[name] for name in names}
    if given.list:
        for attack in chosen.values():
            print(f"{attack.name:32} {attack.does}")
        return 0
    if given.trials is not None:
        (attack,) = chosen.values()
        return try_here(attack, given.seed, given.trials)
    counts = run_all(list(chosen.values()), given.size, given.seed, given.at_once)
    trials, held = (sum(getattr(count, part) for count in counts) for part in ("trials", "held"))
    print(f"\n{len(counts)} attacks, {count_words(trials, held)}")
    if given.write:
        write_table(given.write, list(zip(chosen.values(), counts, strict=True)))
    return int(held < trials)


def try_here(attack: Attack, seed: int, number: int) -> int:
    """Try an attack in this process; each trial becomes a line of JSON."""
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        for trial in attack.trials(seed, number, Path(folder)):
            print(json.dumps(trial), flush=True)
    return 0


def run_all(chosen: list[Attack], size: str, seed: int, at_once: int) -> list[Count]:
    """Run each attack in a process of its own, so that none can spoil another."""

    def run(attack: Attack) -> Count:
        began = time.monotonic()
        number = getattr(attack, size)
        command = [sys.executable, "-m", "attacks", "--only", attack.name]
        command += ["--trials", str(number), "--seed", str(seed)]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=LONGEST_S
            )
            output, ending = done.stdout, f"exit {done.returncode}: {done.stderr[-2000:]}"
            ended = done.returncode == 0
        except subprocess.TimeoutExpired as error:
            output = (error.stdout or b"").decode() if isinstance(error.stdout, bytes) else ""
            ended, ending = False, f"no end within {LONGEST_S} s"
        trials = [json.loads(line) for line in output.splitlines() if line.startswith("[")]
        if not ended or not trials:
            trials.append(["the attack itself", False, ending])
        broken = [f"{name}: {seen}" for name, held, seen in trials if not held]
        count = Count(len(trials), len(trials) - len(broken), broken, time.monotonic() - began)
        print(
            f"{attack.name:32} {count_words(count.trials, count.held):24} {count.seconds:4.0f} s"
        )
        for line in broken:
            print(f"    {line}")
        sys.stdout.flush()
        return count

    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(run, chosen))


def write_table(page: Path, counted: list[tuple[Attack, Count]]) -> None:
    """Put the table between the two marks of a page."""
    lines = ["| promise | attack | n | held |", "| --- | --- | ---: | ---: |"]
    lines += [
        f"| {attack.promise} | {attack.does} | {count.trials} | {count.held} |"
        for attack, count in sorted(counted, key=lambda pair: (pair[0].promise, pair[0].name))
    ]
    text = page.read_text("utf-8")
    between = re.compile(f"(?<={BEGIN}\n).*?(?={END})", re.DOTALL)
    page.write_text(between.sub(lambda _: "\n".join(["", *lines, "", ""]), text), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
