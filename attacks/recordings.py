"""
Attacks on recorded pages: archives that were cut, damaged or put together by somebody else.

A damaged archive stands among good ones in one capture. The good ones come out as ever; the
damaged one comes out with the same picture, says on its screen what it lacks, or is a failure
that names its file and says what is wrong. One that ends the capture, or counts as an empty
page, has broken the promise.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from attacks.attack import Attack, Trial
from surefoot.capture.settings import Settings
from surefoot.core.errors import SurefootError
from surefoot.core.screen import Screen
from surefoot.core.seeds import random_source
from surefoot.run.building.capturing import capture_screens
from surefoot.run.folders.folder import read_screens

SMALL: Final = Settings(width=500, height=400)
AT_ONCE: Final = 12
BUTTONS: Final = "".join(f"<button>{name}</button> " for name in ("Save", "Send", "Close"))
PICTURE: Final = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)
HEAD: Final = (
    b"From: <Saved by Blink>\r\nSnapshot-Content-Location: http://desk.example/page\r\n"
    b"Subject: =?utf-8?Q?A=20desk?=\r\nDate: Thu, 1 Jan 2026 00:00:00 GMT\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/related;\r\n\ttype="text/html";\r\n\tboundary="----Desk--0----"\r\n'
)
# What a person reads is neither a trace nor the inside of a library.
SPELLING: Final = re.compile(r"Traceback|<anonymous>|  at |0x[0-9a-f]{6}|File \"|bug:")


def archive() -> bytes:
    """Return a whole archive of a page with a style sheet and a picture."""
    html = (
        '<!doctype html><title>Desk</title><link rel=3Dstylesheet href=3D"http://desk.example/'
        f's.css"><h1>Desk</h1>{BUTTONS}<img width=3D40 height=3D40 src=3D"p.png">'
    )
    parts = (
        ("text/html", "quoted-printable", "page", html),
        ("text/css", "quoted-printable", "s.css", "button { margin: 8px; color: #a00 }"),
        ("image/png", "base64", "p.png", PICTURE),
    )
    body = "".join(
        f"------Desk--0----\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: {coding}\r\n"
        f"Content-Location: http://desk.example/{name}\r\n\r\n{content}\r\n"
        for kind, coding, name, content in parts
    )
    return HEAD + b"\r\n" + body.encode() + b"------Desk--0------\r\n"


def damage(whole: bytes, chance: random.Random) -> tuple[str, bytes]:
    """Return a way in which an archive is damaged, and what is left of it."""
    head, blank, body = whole.partition(b"\r\n\r\n")
    way = chance.choice(
        [
            *("cut", "cut in the head", "cut at a part", "noise in the head", "another boundary"),
            *("no boundary", "another type", "another coding", "no blank line", "long header"),
            *("bytes of no encoding", "newlines of Unix", "nothing", "an open quote", "zeroes"),
            *("a header line twice", "no closing line", "an encoded word", "a bad address"),
        ]
    )
    places = [found.start() for found in re.finditer(b"------Desk", whole)]
    noise = bytes(chance.choice(b"\x00\xff\x80:;=?\"'\r\n<@\xe2[]") for _ in range(9))
    at = chance.randrange(len(head))
    made: dict[str, Callable[[], bytes]] = {
        "cut": lambda: whole[: chance.randrange(len(head), len(whole) - 24)],
        "cut in the head": lambda: whole[:at],
        "cut at a part": lambda: whole[: chance.choice(places)],
        "noise in the head": lambda: head[:at] + noise + head[at:] + blank + body,
        "another boundary": lambda: whole.replace(b'="----Desk', b'="----Task'),
        "no boundary": lambda: re.sub(rb";\r\n\tboundary=[^\r]*", b"", whole),
        "another type": lambda: whole.replace(b"multipart/related", b"multipart/\xffmixed"),
        "another coding": lambda: whole.replace(b"quoted-printable", b"x-uuencode", 1),
        "no blank line": lambda: head + b"\r\n" + body,
        "long header": lambda: b"X-Long: " + b"a" * 70_000 + b"\r\n" + whole,
        "bytes of no encoding": lambda: whole.replace(
            b"<Saved", b"=?x-unknown?Q?=FF\xfe?= <Saved"
        ),
        "newlines of Unix": lambda: whole.replace(b"\r\n", b"\n"),
        "nothing": lambda: b"",
        "an open quote": lambda: whole.replace(b'"text/html"', b'"text/html'),
        "zeroes": lambda: bytes(len(whole)),
        "a header line twice": lambda: head + b"\r\nContent-Type: text/plain" + blank + body,
        "no closing line": lambda: whole.removesuffix(b"------Desk--0------\r\n"),
        "an encoded word": lambda: whole.replace(b"=?utf-8?Q?A=20", b"=?utf-8?B?=?=?utf-8?Q?"),
        "a bad address": lambda: whole.replace(
            b"http://desk.example/page\r\nS", b"http://[::1\r\nS"
        ),
    }
    return way, made[way]()


def damaged(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Capture damaged archives among good ones, a dozen at a time."""
    chance = random_source(seed, "attack", "recordings")
    folder.mkdir(parents=True, exist_ok=True)
    good = folder / "good.mhtml"
    good.write_bytes(archive())
    for first in range(0, number, AT_ONCE):
        ways = {}
        for at in range(first, min(first + AT_ONCE, number)):
            file = folder / f"bad-{at}.mhtml"
            ways[file], content = damage(archive(), chance)
            file.write_bytes(content)
        specs = [str(file) for file in (good, *ways)]
        try:
            outcome = capture_screens(specs, folder / f"out-{first}", SMALL, workers=1)
        except SurefootError as error:
            for way in ways.values():
                yield Trial(way, held=False, seen=f"the whole capture ended: {error}")
            continue
        screens = {screen.source: screen for screen in read_screens(outcome.folder)}
        whole = screens.get(f"mhtml:{good}")
        for file, way in ways.items():
            said = [item.message for item in outcome.failures if file.name in item.message]
            wrong = judge(screens.get(f"mhtml:{file}"), said, whole)
            yield Trial(f"{way} ({file.name})", not wrong, wrong)


def judge(screen: Screen | None, said: list[str], whole: Screen | None) -> str:
    """Say what is wrong with what came of a damaged archive, "" where nothing is."""
    if whole is None:
        return "the good archive was not captured"
    if screen is None:
        if not said:
            return "it failed, and no reason names it"
        return f"no words for a person: {said[0]}" if SPELLING.search(said[0]) else ""
    if screen.image == whole.image or screen.missing:
        return ""
    return f"another picture, with {len(screen.elements)} elements, silently"


ATTACKS: Final = (
    Attack(
        name="damaged-recordings",
        promise="One bad page costs one page",
        does="An archived page is cut, damaged in its head, its boundary or its encodings, and "
        "captured among good ones",
        trials=damaged,
        many=24,
        whole=240,
    ),
)
