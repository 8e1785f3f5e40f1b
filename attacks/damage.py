"""
Damage done to finished folders: files changed, exchanged or gone, rows of ledgers rewritten.

A trial damages one thing. The command that wrote the folder either ends with the same bytes
or refuses and touches no export; ``verify`` names what is damaged; after ``verify --repair``
the same command restores the same bytes.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Final

from attacks.attack import Attack, Trial
from attacks.faults import DAMAGES, INPUTS, complaint, lay_out
from attacks.warm import CASES, Case, Warm, prepare, snapshot, warm_process
from surefoot.core.seeds import random_source

# What is damaged, and what of it a person has to be told.
_Damage = Callable[[Path, Random], str]


def _rows(folder: Path) -> list[tuple[int, str, bytes]]:
    with contextlib.closing(sqlite3.connect(folder / "ledger.sqlite")) as connection:
        query = "SELECT rowid, key, payload FROM units ORDER BY rowid"
        return connection.execute(query).fetchall()


def _rewrite(folder: Path, *changes: tuple[str, tuple[object, ...]]) -> None:
    path = folder / "ledger.sqlite"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement, values in changes:
            connection.execute(statement, values)


def _change_digit(folder: Path, draw: Random) -> str:
    rowid, key, payload = draw.choice(_rows(folder))
    digits = [at for at, byte in enumerate(payload) if chr(byte).isdigit()]
    at = draw.choice(digits)
    other = draw.choice(sorted(set(b"0123456789") - {payload[at]}))
    changed = payload[:at] + bytes([other]) + payload[at + 1 :]
    _rewrite(folder, ("UPDATE units SET payload = ? WHERE rowid = ?", (changed, rowid)))
    return key


def _change_key(folder: Path, draw: Random) -> str:
    rowid, key, _ = draw.choice(_rows(folder))
    changed = key[:5] + ("0" if key[5] != "0" else "1") + key[6:]
    _rewrite(folder, ("UPDATE units SET key = ? WHERE rowid = ?", (changed, rowid)))
    return changed


def _exchange(folder: Path, draw: Random) -> str:
    (one, key, first), (two, _, second) = draw.sample(_rows(folder), 2)
    statement = "UPDATE units SET payload = ? WHERE rowid = ?"
    _rewrite(folder, (statement, (second, one)), (statement, (first, two)))
    return key


def _delete_row(folder: Path, draw: Random) -> str:
    rowid, _, _ = draw.choice(_rows(folder))
    _rewrite(folder, ("DELETE FROM units WHERE rowid = ?", (rowid,)))
    return "1 records missing in the table 'units'"


def _take_over(folder: Path, draw: Random) -> str:
    """Give a unit the whole record of another, but for its key."""
    (one, key, _), (two, _, _) = draw.sample(_rows(folder), 2)
    columns = "payload" if "checksum" not in _columns(folder) else "payload, seconds, checksum"
    statement = f"UPDATE units SET ({columns}) = (SELECT {columns} FROM units WHERE rowid = ?)"  # noqa: S608 - our own names
    _rewrite(folder, (f"{statement} WHERE rowid = ?", (two, one)))
    return key


def _columns(folder: Path) -> set[str]:
    with contextlib.closing(sqlite3.connect(folder / "ledger.sqlite")) as connection:
        return {str(row[1]) for row in connection.execute("PRAGMA table_info(units)")}


_ROW_DAMAGES: Final[dict[str, _Damage]] = {
    "a digit of a result changed": _change_digit,
    "a key changed": _change_key,
    "two results exchanged": _exchange,
    "a record deleted": _delete_row,
    "a record copied over another": _take_over,
}


def _damage_file(folder: Path, draw: Random) -> tuple[str, str]:
    """Damage one file of a folder, each kind of file as likely; return which, and how."""
    kinds: dict[str, list[Path]] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "ledger.lock":
            kind = "object" if "objects" in path.parts else path.name
            kinds.setdefault(kind, []).append(path)
    path = draw.choice(kinds[draw.choice(sorted(kinds))])
    if draw.random() < 0.1 and len(kinds.get("object", ())) > 1:  # noqa: PLR2004 - a tenth
        path, other = draw.sample(kinds["object"], 2)
        first, second = path.read_bytes(), other.read_bytes()
        path.write_bytes(second)
        other.write_bytes(first)
        return path.stem, "exchanged with another object"
    words = draw.choice(sorted(DAMAGES))
    if "ledger" in path.name and draw.random() < 0.6:  # noqa: PLR2004 - most of them
        words = "one bit flipped"
    DAMAGES[words](path, draw)
    # What is gone has lost its suffix, too: no record tells it, be it a picture's or that of a
    # packed table. Where an export parts with the manifest, either may be what was damaged.
    bare = "objects" in path.parts or path.name == "manifest.json"
    return path.stem if bare else path.name.removesuffix(".zst"), words


def _damages(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    draw = random_source(seed, "damage")
    wanted = [case for case in CASES.values() if case.resumes and case.name != "audit"]
    if number < 2 * len(wanted):
        wanted = [CASES["run"], CASES["import"]]
    with warm_process(folder / "warm") as warm:
        made = prepare(warm, folder / "world", wanted)
        with_rows = [case for case in wanted if _rows(folder / "world" / case.out)]
        for at in range(number):
            here = folder / f"trial-{at}"
            in_ledger = draw.random() < 0.4  # noqa: PLR2004 - two of five
            case = draw.choice(with_rows if in_ledger else wanted)
            lay_out(folder / "world", case, here, finished=True)
            if in_ledger:
                words = draw.choice(sorted(_ROW_DAMAGES))
                told = _ROW_DAMAGES[words](here / case.out, draw)
            else:
                told, words = _damage_file(here / case.out, draw)
            seen = _try(warm, case, here, told, made[case.name])
            yield Trial(f"{case.name}, {told[:20]}: {words}", not seen, seen)


def _try(warm: Warm, case: Case, here: Path, told: str, made: dict[str, str]) -> str:
    """Return what did not hold, "" where all did."""
    apart = here / "apart"
    shutil.copytree(here / case.out, apart / case.out, symlinks=True)
    for name in INPUTS[case.name]:
        shutil.copytree(here / name, apart / name)
    before = _exports(apart / case.out)
    again = warm.run(apart, case.arguments)
    if wrong := complaint(case, again, apart):
        return wrong
    mended = again.code == 0 and snapshot(apart / case.out) == made
    if again.code == 0 and not mended:
        return "the command went on, to other bytes"
    if again.code and _exports(apart / case.out) != before:
        return "an export was written though the command refused"
    found = warm.run(here, ("verify", case.out))
    if found.code == 0 and mended:
        return ""  # what nobody reads, such as the unused bytes of a page
    if found.code != 1 or told not in found.out:
        return f"verify names something else: {found.code}: {found.out[-300:]} {found.err[-200:]}"
    repaired = warm.run(here, ("verify", case.out, "--repair"))
    if repaired.code != 1 or "again with: surefoot" not in repaired.out:
        return f"repair: {repaired.code}: {repaired.out[-200:]} {repaired.err[-300:]}"
    restored = warm.run(here, case.arguments)
    if restored.code or snapshot(here / case.out) != made:
        return f"not restored: {restored.code}: {restored.err[-300:]}"
    last = warm.run(here, ("verify", case.out))
    if last.code:
        return f"damaged still: {last.out[-300:]} {last.err[-300:]}"
    shutil.rmtree(here)
    return ""


def _exports(folder: Path) -> dict[str, str]:
    return {
        name: sha
        for name, sha in snapshot(folder).items()
        if name.endswith((".jsonl", ".jsonl.zst"))
    }


ATTACKS: Final = (
    Attack(
        name="damage",
        promise="Damage is found and named, and made again to the same bytes",
        does="Flipped bits, cut, exchanged and deleted files, rewritten rows of ledgers, in all "
        "kinds of folders; then verify, verify --repair and the same command",
        trials=_damages,
        many=24,
        whole=200,
    ),
)
