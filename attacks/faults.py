"""
What a disk, the system or a user's slip can do to a command, tried on every verb.

A trial draws a command and a fault, runs the one under the other, takes the fault away, and
gives the command again.
"""

from __future__ import annotations

import dataclasses
import errno
import os
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final

from attacks.attack import Attack, Trial
from attacks.warm import (
    CASES,
    CHANGING,
    DATA,
    MAKING,
    NOTHING,
    SYNCING,
    Case,
    Ended,
    Fault,
    Warm,
    prepare,
    snapshot,
    warm_process,
)
from surefoot.core.seeds import random_source

# 0 to 4 are those of ARCHITECTURE.md; the others are what a shell expects of two signals.
DOCUMENTED: Final = {0, 1, 2, 3, 4, 130, 143}
SIGNALS: Final = (
    signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ,
)  # fmt: skip
INPUTS: Final = {
    "import": ("set",), "run": ("drawn",), "score": ("run", "drawn"), "report": ("run", "drawn"),
    "export": ("drawn",), "publish": ("drawn",), "audit": ("drawn",), "forms": (),
    "diagnose": ("drawn",), "capture": ("shots",), "build": ("imported",),
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class _Tried:
    """Hold what is wrong, in words, for the process, and in the folder."""

    words: str
    fault: Fault = NOTHING
    before: Callable[[Path], None] = lambda _: None
    arguments: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class _Setting:
    """Hold the world as it was prepared, and how many calls each case made there."""

    world: Path
    made: dict[str, dict[str, str]]
    calls: dict[str, int]


def lay_out(world: Path, case: Case, folder: Path, *, finished: bool = False) -> None:
    """Copy what a case reads, and where it is ``finished`` what it wrote, into a folder."""
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    for name in (*INPUTS[case.name], *((case.out,) if finished else ())):
        if (world / name).is_dir():
            shutil.copytree(world / name, folder / name)
        else:
            shutil.copy2(world / name, folder / name)


def complaint(
    case: Case,
    ended: Ended,
    folder: Path,
    fault: Fault = NOTHING,
    arguments: Sequence[str] = (),
) -> str:
    """Say what is wrong with the way in which a command ended, "" where nothing is."""
    said = f"{ended.err}\n{ended.out}"
    if "Traceback" in said or "Exception ignored" in said:
        return f"traceback: {said.strip().splitlines()[-1]}"
    if ended.code == -fault.stop and fault.stop:
        return ""
    if ended.code not in DOCUMENTED:
        return f"exit code {ended.code}: {ended.err[-300:]}"
    if ended.code in {1, 2, 3, 4} and not fault.stop and fault.output != "closed pipe":
        # Long and odd names are told in part or escaped.
        names = {path.name for path in folder.rglob("*")} | {
            case.out,
            str(folder),
            "standard output",
        }
        names |= {part[:5] for word in arguments for part in (word, Path(word).name)}
        elsewhere = fault.descriptors and "too many open files" in ended.err
        if not elsewhere and not any(name in ended.err for name in names if name):
            return f"names no path: {ended.err[-300:]}"
    return ""


def _truncate(path: Path, draw: Random) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: draw.randrange(len(data) or 1)])


def _flip(path: Path, draw: Random) -> None:
    data = bytearray(path.read_bytes())
    if data:
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    path.write_bytes(data)


def _fill(path: Path, draw: Random) -> None:
    path.write_bytes(draw.randbytes(max(1, path.stat().st_size)))


def _replace_by_folder(path: Path, _draw: Random) -> None:
    path.unlink()
    path.mkdir()


def _replace_by_loop(path: Path, _draw: Random) -> None:
    path.unlink()
    path.symlink_to(path.name)


def _delete(path: Path, _draw: Random) -> None:
    path.unlink()


def _nest(path: Path, _draw: Random) -> None:
    path.write_bytes(b"[" * 200_000)


DAMAGES: Final = {
    "cut": _truncate,
    "one bit flipped": _flip,
    "random bytes": _fill,
    "empty": lambda path, _: path.write_bytes(b""),
    "a folder": _replace_by_folder,
    "a loop of links": _replace_by_loop,
    "gone": _delete,
    "nested without end": _nest,
}


def _writes(case: Case, setting: _Setting, draw: Random) -> _Tried:
    kinds, number, words = draw.choice([
        (DATA | MAKING, errno.ENOSPC, "full"),
        (DATA | MAKING, errno.ENOSPC, "full"),
        (DATA | MAKING, errno.EDQUOT, "over quota"),
        (DATA | SYNCING, errno.EIO, "broken"),
        (DATA | MAKING | CHANGING, errno.EROFS, "read-only"),
    ])  # fmt: skip
    after = draw.randrange(setting.calls[case.name])
    return _Tried(f"disk {words} after {after} calls", Fault(writes=(kinds, after, number)))


def _limits(case: Case, setting: _Setting, draw: Random) -> _Tried:
    del case, setting
    if draw.random() < 0.5:  # noqa: PLR2004 - half of them
        count = draw.randrange(3, 40)
        return _Tried(f"{count} descriptors", Fault(descriptors=count))
    size = draw.choice([0, 1, 100, 1000, 4096, 5000, 20_000, 60_000])
    return _Tried(f"files of {size} bytes", Fault(file_bytes=size))


def _stranger(case: Case, setting: _Setting, draw: Random) -> _Tried:
    del case, setting, draw
    return _Tried("a user without permission", Fault(nobody=True))


def _stopped(case: Case, setting: _Setting, draw: Random) -> _Tried:
    del case, setting
    kind, delay = draw.choice(SIGNALS), draw.random() * 0.15
    return _Tried(f"{kind.name} after {delay:.3f} s", Fault(stop=kind, stop_after_s=delay))


def _unread(case: Case, setting: _Setting, draw: Random) -> _Tried:
    del case, setting
    output = draw.choice(["full", "closed pipe", "closed"])
    return _Tried(f"standard output {output}", Fault(output=output))


DEVICES: Final = ("/dev/full", "/dev/null")


def _odd_path(case: Case, setting: _Setting, draw: Random) -> _Tried:
    del setting
    odd = {
        "a file": "plain.txt", "below a file": "plain.txt/x", "a loop of links": "loop",
        "a pipe": "pipe", "a name of 300": "n" * 300, "a path of 5000": "p/" * 2500,
        "a line break": "two\nlines", "no text": "raw\udc80bytes", "a NUL": "with\0nul",
        "/dev/full": "/dev/full", "/dev/null": "/dev/null", "below /proc": "/proc/none/x",
        "a socket's folder": "/dev/stdin", "nothing": "", "a folder": "folder",
    }  # fmt: skip
    words, path = draw.choice(sorted(odd.items()))
    paths = {case.out, *INPUTS[case.name]}
    places = [at for at, word in enumerate(case.arguments) if at and word in paths]
    at = draw.choice(places)
    arguments = [*case.arguments]
    arguments[at] = path

    def before(folder: Path) -> None:
        (folder / "plain.txt").write_text("plain\n")
        (folder / "loop").symlink_to("loop")
        (folder / "folder").mkdir()
        os.mkfifo(folder / "pipe")

    return _Tried(f"argument {at} is {words}", before=before, arguments=tuple(arguments))


def _damaged(case: Case, setting: _Setting, draw: Random, *, own: bool) -> _Tried:
    """Damage a file of the folders that a command reads, or of its own that is finished."""
    folders = [case.out] if own else INPUTS[case.name]
    files = [
        path.relative_to(setting.world)
        for name in folders
        for path in sorted((setting.world / name).rglob("*"))
        if path.is_file()
    ]
    # One of each kind of file, not of each file: objects are named after their bytes.
    kinds = {
        (path.parts[0], path.suffix if "objects" in path.parts else path.name): path
        for path in files
    }
    file = draw.choice(sorted(kinds.values()))
    words, damage = draw.choice(sorted(DAMAGES.items()))
    seed = draw.randrange(2**32)

    def before(folder: Path) -> None:
        damage(folder / file, Random(seed))  # noqa: S311 - no secret

    return _Tried(f"{file.parts[0]}/{file.name[-20:]}: {words}", before=before)


def _faults(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Draw cases and faults; the shares are those of the kinds."""
    draw = random_source(seed, "faults")
    kinds: list[tuple[str, Callable[[Case, _Setting, Random], _Tried]]] = [
        *[("writes", _writes)] * 8,
        *[("limits", _limits)] * 3,
        ("stranger", _stranger),
        *[("stopped", _stopped)] * 2,
        *[("unread", _unread)] * 2,
        *[("odd", _odd_path)] * 5,
        *[("read", lambda *given: _damaged(*given, own=False))] * 3,
        *[("own", lambda *given: _damaged(*given, own=True))] * 3,
    ]  # fmt: skip
    cheap = [case for case in CASES.values() if case.cheap]
    costly = [case for case in CASES.values() if not case.cheap]
    with warm_process(folder / "warm") as warm:
        cases = [*cheap, *costly]
        if number < len(kinds):
            cases = cheap = [CASES[name] for name in ("run", "import", "score", "export")]
        setting = _set_out(warm, folder / "world", cases)
        for at in range(number):
            kind, tried = kinds[at % len(kinds)] if number < len(kinds) else draw.choice(kinds)
            case = draw.choice(cheap if draw.random() < 0.8 else cases)  # noqa: PLR2004 - most of them
            if kind == "writes" and not warm.preloaded:
                tried = _limits
            if (kind == "read" and not INPUTS[case.name]) or (kind == "own" and not case.resumes):
                case = CASES["run"]
            what = tried(case, setting, draw)
            name = f"{case.name}, {what.words}"
            seen = _try(warm, setting, case, what, folder / f"trial-{at}", own=kind == "own")
            yield Trial(name, not seen, seen)


def _set_out(warm: Warm, world: Path, cases: Sequence[Case]) -> _Setting:
    made = prepare(warm, world, cases)
    calls: dict[str, int] = {}
    for case in cases:
        calls[case.name] = 40
        if case.cheap and warm.preloaded:
            apart = world.parent / f"counted-{case.name}"
            lay_out(world, case, apart)
            counting = Fault(writes=(DATA | MAKING | SYNCING | CHANGING, 0, 0))
            calls[case.name] = max(1, warm.run(apart, case.arguments, counting).passed)
            shutil.rmtree(apart)
    return _Setting(world, made, calls)


def _try(
    warm: Warm, setting: _Setting, case: Case, what: _Tried, folder: Path, *, own: bool
) -> str:
    """Return what did not hold, "" where all did."""
    lay_out(setting.world, case, folder, finished=own)
    what.before(folder)
    ended = warm.run(folder, what.arguments or case.arguments, what.fault)
    if lost := [name for name in DEVICES if not Path(name).is_char_device()]:
        return f"a file took the place of {', '.join(lost)}"
    if wrong := complaint(case, ended, folder, what.fault, what.arguments):
        return wrong
    if not what.arguments and not own and what.fault == NOTHING and ended.code == 0:
        return ""  # a damage that nothing reads, or harmless; attacks/damage.py looks closer
    # An export that is whole is not written again.
    if case.resumes or snapshot(folder / case.out) != setting.made[case.name]:
        for name in INPUTS[case.name]:  # the fault goes away
            _renew(setting.world / name, folder / name)
        if wrong := _ends_well(warm, case, folder, own=own):
            return wrong
    found, expected = snapshot(folder / case.out), setting.made[case.name]
    differing = [
        name
        for name in sorted(found.keys() | expected.keys())
        if found.get(name) != expected.get(name)
    ]
    if differing:
        return f"afterwards: other bytes in {', '.join(differing[:3])}"
    shutil.rmtree(folder)
    return ""


def _ends_well(warm: Warm, case: Case, folder: Path, *, own: bool) -> str:
    """Give the same command again, after what its message advised where it refuses."""
    again = warm.run(folder, case.arguments)
    if "contents." in again.err:  # what was damaged is part of the plan, and rightly refused now
        shutil.rmtree(folder / case.out)
        again = warm.run(folder, case.arguments)
    if again.code and (own or "--repair" in again.err):
        repaired = warm.run(folder, ("verify", case.out, "--repair"))
        if repaired.code not in {0, 1}:
            return f"repair: exit code {repaired.code}: {repaired.err[-300:]}"
        again = warm.run(folder, case.arguments)
    if again.code:
        return f"afterwards: exit code {again.code}: {again.err[-300:]}"
    return ""


def _renew(source: Path, target: Path) -> None:
    if target.is_symlink() or target.is_file():
        target.unlink()
    shutil.rmtree(target, ignore_errors=True)
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copy2(source, target)


ATTACKS: Final = (
    Attack(
        name="faults",
        promise="A fault ends in one line that names the path, never in a traceback or a loss",
        does="Disks full, broken or read-only at every write, limits, signals, odd paths, damaged "
        "files, outputs that nobody reads, over all verbs",
        trials=_faults,
        many=60,
        whole=500,
    ),
)
