"""
Attacks with what a model server says: replies of the wrong shape, and answers over raw HTTP.

The server is a real one on loopback, the commands are real processes. Each question of a run
gets a reply of its own, drawn by the seed; one of them is right. After the run the same command
is given again, the run is scored and a report is drawn. A reply has held if its question was
answered or failed for a reason that names question and server, and nothing else was spoilt.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
import socketserver
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from PIL import Image

from attacks.attack import Attack, Trial
from surefoot.core.seeds import random_source

BATCH: Final = 25  # questions of one run
COMMAND_S: Final = 240
RIGHT: Final = '{"x": 20, "y": 15}'
ASKED: Final = re.compile(rb"press number (\d+)\b")
# What a terminal obeys, and what turns the order of letters around.
OBEYED: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]"
)


class RawReply(NamedTuple):
    """What is sent for one request, byte for byte; nothing: the connection is dropped."""

    name: str
    data: bytes


def answered(body: bytes, status: bytes = b"200 OK", *headers: bytes) -> bytes:
    """Return a whole HTTP response."""
    lines = [b"HTTP/1.1 " + status, b"content-length: %d" % len(body), *headers]
    return b"\r\n".join([*lines, b"", body])


def completion(text: object = RIGHT) -> dict[str, Any]:
    """Return a whole chat completion."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": text,
                    "tool_calls": [{"function": {"name": "click", "arguments": {"x": 20}}}],
                },
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 900, "completion_tokens": 12, "cost": 0.002},
    }


class RawServer:
    """
    Answer each question with the replies chosen for it, in turn, the last one for ever.

    ``replies`` is called with the number in a question's words, and the number of the
    attempt; every request is kept in ``requests``, head and body.
    """

    def __init__(self, replies: Callable[[int, int], RawReply]) -> None:
        self.requests: list[bytes] = []
        attempts: dict[int, int] = {}
        lock = threading.Lock()
        server = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                head = b""
                while line := self.rfile.readline():
                    head += line
                    if not line.strip():
                        break
                length = re.search(rb"(?i)content-length: (\d+)", head)
                body = self.rfile.read(int(length[1])) if length else b""
                found = ASKED.search(body)
                number = int(found[1]) if found else 0
                with lock:
                    server.requests.append(head + body)
                    attempts[number] = attempts.get(number, -1) + 1
                    attempt = attempts[number]
                with contextlib.suppress(OSError):
                    self.wfile.write(replies(number, attempt).data)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.base = f"http://127.0.0.1:{self.port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def make_bench(folder: Path, count: int) -> Path:
    """Import a drawn ScreenSpot of so many commands about one picture, as BENCH."""
    data = folder / "data"
    (data / "images").mkdir(parents=True)
    Image.new("RGB", (160, 120), "#eee").save(data / "images" / "one.png")
    records = [
        {
            "img_filename": "one.png",
            "bbox": [10, 10, 20, 10],
            "instruction": f"press number {number} please",
            "data_type": "text",
            "data_source": "windows",
        }
        for number in range(count)
    ]
    (data / "screenspot_desktop.json").write_text(json.dumps(records), "utf-8")
    done = run_command("import", "screenspot", str(data), "--out", str(folder / "bench"))
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace"))
    return folder / "bench"


def run_command(
    *arguments: str, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run surefoot in a process of its own, in our environment where none is given."""
    command = [sys.executable, "-c", "from surefoot.cli.main import main; main()", *arguments]
    return subprocess.run(
        command, capture_output=True, check=False, timeout=COMMAND_S, env=environment
    )


def attack_with_replies(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Let servers reply badly to all questions of a run but one."""
    bench = make_bench(folder, BATCH + 1)
    for batch in range(-(-number // BATCH)):
        source = random_source(seed, "bad replies", str(batch))
        drawn = [RawReply("right", answered(json.dumps(completion()).encode()))]
        size = min(BATCH, number - batch * BATCH)
        # Each kind in turn, so that few trials are of many kinds.
        drawn += [KINDS[(batch * BATCH + at) % len(KINDS)](source) for at in range(size)]
        yield from _try_batch(bench, drawn, folder / f"run-{batch}")


def _try_batch(bench: Path, drawn: list[RawReply], out: Path) -> Iterator[Trial]:
    def reply(number: int, attempt: int) -> RawReply:
        chosen = drawn[number] if number < len(drawn) else drawn[0]
        return chosen if attempt == 0 or not chosen.name.startswith("once") else drawn[0]

    server = RawServer(reply)
    try:
        model = f"openai:gta1-7b@{server.base}"
        run = ["run", str(bench), "--model", model, "--out", str(out), "--no-self-check"]
        run += ["--format", "json", "--workers", str(BATCH), "--keep-going"]
        first = run_command(*run)
        exported = _bytes_of(out)
        again = run_command(*run)
    finally:
        server.close()
    page = out.with_suffix(".html")
    after = [
        run_command("score", str(out)),
        run_command("report", str(out), "--out", str(page)),
    ]
    spoilt = [
        f"{name} ended with {done.returncode}: {_last(done.stderr)}"
        for name, done, fine in (
            ("run", first, (0, 1)),
            ("the same again", again, (first.returncode,)),
            ("score", after[0], (0,)),
            ("report", after[1], (0,)),
        )
        if done.returncode not in fine
    ]
    if exported != _bytes_of(out):
        spoilt.append("the same again wrote other bytes")
    said = b"".join(done.stdout + done.stderr for done in (first, again, *after))
    if found := OBEYED.search(said.decode(errors="replace")):
        spoilt.append(f"a terminal was sent {found[0]!r}")
    if b"Traceback" in said:
        spoilt.append("a traceback was printed")
    answers, failed = _outcomes(out, first.stderr)
    names = question_ids(bench)
    for number, chosen in enumerate(drawn[1:], start=1):
        trouble = list(spoilt)
        name = names[number]
        if name not in answers:
            trouble += _complaints(failed.get(name), server.base)
        yield Trial(chosen.name, not trouble, "; ".join(trouble))
    if names[0] not in answers:
        yield Trial("the right reply beside them", held=False, seen="was lost")


def _complaints(line: str | None, base: str) -> list[str]:
    """Say what is wrong with the line that tells a person of a failure."""
    if line is None:
        return ["neither answered nor named as failed"]
    found = []
    if ": bug" in line:
        found.append("called a bug")
    if base not in line:
        found.append("the server is not named")
    if line.count(". ") < 1:
        found.append("no advice")
    return [f"{', '.join(found)}: {line[:300]}"] if found else []


def _outcomes(out: Path, said: bytes) -> tuple[set[str], dict[str, str]]:
    """Return the questions that were answered, and for those that failed what was printed."""
    with contextlib.suppress(FileNotFoundError):
        answers = {json.loads(line)["question"] for line in _lines(out / "answers.jsonl")}
        failed = [json.loads(line)["question"] for line in _lines(out / "failures.jsonl")]
        printed = said.decode(errors="replace").split("\n")
        named = {
            name: line
            for name in failed
            for line in printed
            if line.startswith("failed in") and f"'{name}'" in line
        }
        return answers, named
    return set(), {}


def question_ids(bench: Path) -> list[str]:
    """Return the questions' ids by the number in their words."""
    records = [json.loads(line) for line in _lines(bench / "questions.jsonl")]
    return [
        record["id"]
        for record in sorted(records, key=lambda item: int(item["instruction"]["text"].split()[2]))
    ]


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").split("\n")[:-1]


def _bytes_of(out: Path) -> list[bytes]:
    return [
        (out / name).read_bytes() if (out / name).is_file() else b""
        for name in ("answers.jsonl", "failures.jsonl", "manifest.json")
    ]


def _last(said: bytes) -> str:
    return (said.decode(errors="replace").strip().splitlines() or [""])[-1][:300]


# --- records that an older Surefoot committed -----------------------------------------------

OLD_FORMAT: Final = """
CREATE TABLE plan (digest TEXT NOT NULL);
CREATE TABLE units (key TEXT PRIMARY KEY, payload BLOB NOT NULL);
CREATE TABLE failures (key TEXT PRIMARY KEY, reason TEXT NOT NULL, message TEXT NOT NULL);
CREATE TABLE timings (key TEXT PRIMARY KEY, seconds REAL NOT NULL);
CREATE TABLE conflicts (key TEXT NOT NULL, payload BLOB NOT NULL);
PRAGMA user_version = 1;
"""


def attack_with_old_records(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Put records of wrong values into a ledger of the first format, and run once more."""
    bench = make_bench(folder, BATCH + 1)
    right = RawReply("right", answered(json.dumps(completion()).encode()))
    server = RawServer(lambda _number, _attempt: right)
    try:
        for batch in range(-(-number // BATCH)):
            out = folder / f"run-{batch}"
            model = f"openai:gta1-7b@{server.base}"
            run = ["run", str(bench), "--model", model, "--out", str(out), "--no-self-check"]
            run += ["--format", "json", "--workers", str(BATCH), "--keep-going"]
            run_command(*run)
            size = min(BATCH, number - batch * BATCH)
            drawn = _spoil(out, random_source(seed, "old records", str(batch)), size)
            again, scored = run_command(*run), run_command("score", str(out))
            said = again.stderr.decode(errors="replace")
            answers = _lines(out / "answers.jsonl")
            whole = (
                [] if again.returncode in (0, 1) else [f"exit {again.returncode}: {said[-300:]}"]
            )
            whole += [] if scored.returncode == 0 else [f"score: {_last(scored.stderr)}"]
            if len(answers) + said.count("unreadable-record") != BATCH + 1:
                whole.append(f"{len(answers)} answers and {said[-300:]!r}")
            for key, name in drawn.items():
                trouble = list(whole)
                fails = key in said
                if fails and "name a new folder" not in " ".join(said.split()).lower():
                    trouble.append("no advice")
                yield Trial(name, not trouble, "; ".join(trouble))
    finally:
        server.close()


def _spoil(out: Path, source: random.Random, size: int) -> dict[str, str]:
    """Write the ledger anew as the first format had it, some of its records spoilt."""
    path = out / "ledger.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as ledger:
        plan = ledger.execute("SELECT digest FROM plan").fetchall()
        units = dict(ledger.execute("SELECT key, payload FROM units").fetchall())
    for left in out.glob("ledger.sqlite*"):
        left.unlink()
    drawn: dict[str, str] = {}
    for key in source.sample(sorted(units), size):
        record = json.loads(units[key])
        place = source.choice([("raw",), ("parsed",), ("usage",), ("usage", "prompt_tokens"), ()])
        value = source.choice(VALUES)
        inner = record
        for part in place[:-1]:
            inner = inner[part]
        if place:
            inner[place[-1]] = "@@value@@"
        text = json.dumps(record) if place else '"@@value@@"'
        units[key] = text.replace('"@@value@@"', value).encode("utf-8", "surrogatepass")
        drawn[key] = f"{'/'.join(place) or 'the whole'} = {value[:30]!r}"
    with contextlib.closing(sqlite3.connect(path)) as ledger:
        ledger.executescript(OLD_FORMAT)
        ledger.executemany("INSERT INTO plan VALUES (?)", plan)
        ledger.executemany("INSERT INTO units VALUES (?, ?)", units.items())
        ledger.executemany("INSERT INTO timings VALUES (?, 0.1)", [(key,) for key in units])
        ledger.commit()
    return drawn


# --- what a reply can be -----------------------------------------------------------------

# JSON as it is written: most of these no encoder would write.
VALUES: Final = (
    "true", "false", "null", "-1", "0.5", "1e308", "-1e308", "1e999", "NaN", "Infinity",
    "-Infinity", "-0.0", "9" * 400, "9" * 5000, str(2**53), str(2**63), str(2**64), str(-(2**63)),
    '""', '"text"', '"12"', "[]", "{}", "[null]", '{"a": 1}', "[[[[]]]]", '"\\ud83d"',
    '"\\udc00 x"', '"\\u0000"', '"\\u001b[2J\\u001b]0;owned\\u0007"', '"\\u202e\\u2066 reversed"',
    '"\\u009b31m"', '"\ufeff"', "[" * 2000 + "]" * 2000, "[" * 100_000 + "]" * 100_000,
    '{"a":' * 3000 + "1" + "}" * 3000, '"' + "x" * 200_000 + '"', '"' + "\\ud83d\\ude00" * 9 + '"',
    '[{"type": "text", "text": null}]', '[{"type": "text", "text": ["x"]}, {"text": true}]',
    '[{"type": "text", "text": "\\ud83d"}, {"type": "text", "text": "\\ude00"}]', "1", "x", "",
    '{"prompt_tokens": true}', '[{"function": {"name": "\\ud83d", "arguments": "\\udc00"}}]',
    '[{"function": {"name": "x", "arguments": {"a": 1e999}}}]', '"' + "\\u001b[31m" * 3 + '"',
)  # fmt: skip
TEXTS: Final = (
    '{"x": 1e308, "y": 1e308}', '{"x": 1e999, "y": 3}', '{"x": NaN, "y": Infinity}',
    '{"x": true, "y": false}', '{"x": "\ud83d", "y": 2}', "[" * 50_000, '{"a":' * 20_000,
    '{"x": ' + "9" * 4000 + ', "y": 1}', '{"x": -1e308, "y": -1e308}', "\ud83d", "\x00\x1b[2J",
    '{"refusal": "\x1b]8;;http://x.example\x07click\x1b]8;;\x07"}', '{"refusal": "\ud83d"}',
    '{"refusal": "\u202egnihton"}', '{"x": [], "y": {}}', "", "\u2028\u2029\x85", "\\" * 5000,
    '{"x": 0.' + "3" * 4000 + ', "y": 1}', '{"box": [1e308, 0, 1e308, 1]}', "\ud83d" * 999,
    '{"x": 1e6, "y": 1e6}', '{"x": 5, "y": 5, "why": "\x9b31m"}', "\r\x1b[A\x1b[Kfine",
)  # fmt: skip
# Where in a completion a value stands.
PLACES: Final = (
    ("choices",), ("choices", 0), ("choices", 0, "message"), ("choices", 0, "message", "content"),
    ("choices", 0, "message", "tool_calls"), ("choices", 0, "message", "tool_calls", 0),
    ("choices", 0, "message", "tool_calls", 0, "function"),
    ("choices", 0, "message", "tool_calls", 0, "function", "name"),
    ("choices", 0, "message", "tool_calls", 0, "function", "arguments"),
    ("choices", 0, "message", "tool_calls", 0, "function", "arguments", "x"),
    ("usage",), ("usage", "prompt_tokens"), ("usage", "completion_tokens"), ("usage", "cost"),
    ("id",), (),
)  # fmt: skip
RETRY_AFTER: Final = (
    "Fri, 31 Dec 9999 23:59:59 -9999", "Mon, 01 Jan 0001 00:00:00 +2359", "99999999999999999999",
    "Fri, 31 Dec 99999999999 23:59:59 GMT", "-1", "1e999", "nan", "inf", "\xb2", "0.0.0", ".", "",
    "Fri, 31 Dec 9999 23:59:59 -2359", "Fri, 99 Zzz 2026 99:99:99 GMT", "0", "1" * 4000,
    "Mon, 01 Jan 0001 00:00:00 +9999", "soon", "\x1b[2J", "Sat, 01 Jan 2000 00:00:00",
)  # fmt: skip
BODIES: Final = (
    b"", b"{", b"null", b"[]", b"\xff\xfe\x00", b"\x1f\x8b\x08\x00garbage",
    b"<html>\x1b[2J</html>", b"{}" * 10, b"[" * 100_000,
    b'{"choices": [' + b"{" * 9000, b"\xef\xbb\xbf{}", b"\xf0\x9f\x98",
    b'{"error": {"message": "\x1b]0;owned\x07 \xe2\x80\xae desrever"}}', b"x" * 1_000_001,
    b'{"choices": []}', b'{"choices": [{}]}', b"data: {}\n\ndata: [DONE]\n\n", b"\x00" * 50,
)  # fmt: skip
STATUSES: Final = (
    "100 Continue", "204 No Content", "206 Part", "301 Moved", "307 Redirect", "400 Bad Request",
    "401 Unauthorized", "403 Forbidden", "404 Not Found", "418 \x1b[31mTeapot", "451 \x9b2J",
    "422 Odd",
)  # fmt: skip


def value_at_a_place(source: random.Random) -> RawReply:
    """Put a drawn value at a drawn place of a completion, as raw JSON."""
    place, value = source.choice(PLACES), source.choice(VALUES)
    marked = "@@value@@"
    whole: Any = completion()
    if place:
        inner = whole
        for part in place[:-1]:
            inner = inner[part]
        inner[place[-1]] = marked
    else:
        whole = marked
    body = json.dumps(whole).replace(f'"{marked}"', value)
    named = "/".join(map(str, place)) or "the whole"
    return RawReply(f"{named} = {value[:40]!r}", answered(body.encode("utf-8", "surrogatepass")))


def missing_part(source: random.Random) -> RawReply:
    """Leave a part of a completion out."""
    place = source.choice([place for place in PLACES if place and place[-1] != 0])
    whole = completion()
    inner: Any = whole
    for part in place[:-1]:
        inner = inner[part]
    del inner[place[-1]]
    return RawReply(f"no {'/'.join(map(str, place))}", answered(json.dumps(whole).encode()))


def odd_text(source: random.Random) -> RawReply:
    """Say something odd where a place is expected."""
    text = source.choice(TEXTS)
    body = completion(text)
    del body["choices"][0]["message"]["tool_calls"]
    return RawReply(f"says {text[:40]!r}", answered(json.dumps(body).encode()))


def cut_body(source: random.Random) -> RawReply:
    """Cut a completion somewhere, also in the middle of a letter, and call it whole."""
    whole = json.dumps(completion("\U0001f642 \u00e9" * 20), ensure_ascii=False).encode()
    at = source.randrange(len(whole))
    return RawReply(f"cut after {at} bytes", answered(whole[:at]))


def flipped_bytes(source: random.Random) -> RawReply:
    """Flip bits of a completion."""
    whole = bytearray(json.dumps(completion()).encode())
    for _ in range(source.randint(1, 6)):
        whole[source.randrange(len(whole))] ^= 1 << source.randrange(8)
    return RawReply("flipped bits", answered(bytes(whole)))


def odd_body(source: random.Random) -> RawReply:
    """Send a body that is no completion, under any status."""
    body, status = source.choice(BODIES), source.choice(["200 OK", *STATUSES]).encode("latin-1")
    headers = [b"location: http://127.0.0.1:9/\x1b[2J"] if status.startswith(b"3") else []
    return RawReply(f"{status!r} {body[:30]!r}", answered(body, status, *headers))


def asked_to_wait(source: random.Random) -> RawReply:
    """Ask once to be asked again at an odd time."""
    value = source.choice(RETRY_AFTER)
    header = b"retry-after: " + value.encode("latin-1")
    status = source.choice([b"429 Too Many", b"503 Busy", b"408 Slow"])
    return RawReply(f"once wait {value[:40]!r}", answered(b"later", status, header))


def broken_wire(source: random.Random) -> RawReply:
    """Break the rules of HTTP once."""
    good = json.dumps(completion()).encode()
    broken = [
        b"", b"\x00" * 20, b"HTTP/1.1 200 OK\r\n", b"HTTP/9.9 abc \x1b[2J\r\n\r\n", good,
        answered(good)[:-9], answered(good).replace(b"content-length: ", b"content-length: -"),
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n" + good,
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffff\r\n" + good,
        answered(good, b"200 OK", b"x" * 70_000 + b": 1"),
        b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 500,
        answered(good, b"200 OK", b"content-length: 3"), b"HTTP/1.1 999999 What\r\n\r\n",
        answered(good, b"200 OK", b"bad header\x1b[31m"), b"HTTP/1.1 \xff\xfe\r\n\r\n",
    ]  # fmt: skip
    chosen = source.choice(broken)
    return RawReply(f"once raw {chosen[:40]!r}", chosen)


KINDS: Final = (
    value_at_a_place, odd_text, value_at_a_place, odd_body, asked_to_wait, value_at_a_place,
    cut_body, missing_part, flipped_bytes, broken_wire, value_at_a_place,
)  # fmt: skip

ATTACKS: Final = (
    Attack(
        name="bad-replies",
        promise="One reply costs at most its own question",
        does="A model server sends replies of wrong types, ranges, letters, lengths and headers",
        trials=attack_with_replies,
        many=50,
        whole=200,
    ),
    Attack(
        name="unreadable-records",
        promise="One reply costs at most its own question",
        does="A ledger holds records of wrong types and values, as older versions committed them",
        trials=attack_with_old_records,
        many=25,
        whole=100,
    ),
)
