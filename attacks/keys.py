"""
Attacks on keys: servers that repeat them in many spellings, redirects, children's environments.

The server repeats the key that it was sent, whole or cut, spelt in any encoding; then every file
of the run, what was printed and what was saved of tracebacks is searched for eight characters of
the key in a row, in any encoding. The search spells the key; the code under attack unspells what
it finds.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import psutil

from attacks.attack import Attack, Trial
from attacks.replies import (
    RawReply,
    RawServer,
    answered,
    completion,
    make_bench,
    question_ids,
    run_command,
)
from surefoot.core.seeds import random_source

RUN: Final = 8  # characters of a key in a row that tell of it
BATCH: Final = 30
ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
OTHER_ALPHABET: Final = ALPHABET + "/+=.~!&<>\"'\\%$#"
SENT: Final = re.compile(rb"(?i)authorization: bearer (\S+)")
WATCH_S: Final = 0.004


# --- how a key can be spelt ---------------------------------------------------------------

SPELLINGS: Final[dict[str, Callable[[str], str]]] = {
    "plain": str,
    "json": lambda key: json.dumps(key)[1:-1].replace("/", "\\/"),
    "json \\u": lambda key: "".join(f"\\u{ord(letter):04x}" for letter in key),
    "json \\U": lambda key: "".join(f"\\u{ord(letter):04X}" for letter in key),
    "json twice": lambda key: json.dumps("".join(f"\\u{ord(item):04x}" for item in key))[1:-1],
    "json mixed": lambda key: "".join(
        f"\\u{ord(letter):04x}" if at % 3 else letter for at, letter in enumerate(key)
    ),
    "c": lambda key: "".join(f"\\x{ord(letter):02x}" for letter in key),
    "octal": lambda key: "".join(f"\\{ord(letter):03o}" for letter in key),
    "percent": lambda key: "".join(f"%{ord(letter):02X}" for letter in key),
    "percent small": lambda key: "".join(f"%{ord(letter):02x}" for letter in key),
    "percent twice": lambda key: "".join(f"%25{ord(letter):02X}" for letter in key),
    "html": lambda key: "".join(f"&#{ord(letter)};" for letter in key),
    "html hex": lambda key: "".join(f"&#x{ord(letter):x};" for letter in key),
    "html padded": lambda key: "".join(f"&#{ord(letter):05};" for letter in key),
    "hex": lambda key: key.encode().hex(),
    "hex large": lambda key: key.encode().hex().upper(),
    "hex apart": lambda key: key.encode().hex(" "),
    "base64 0": lambda key: base64.b64encode(key.encode()).decode(),
    "base64 1": lambda key: base64.b64encode(b"x" + key.encode()).decode(),
    "base64 2": lambda key: base64.b64encode(b":)" + key.encode() + b"?").decode(),
    "base64 url": lambda key: base64.urlsafe_b64encode(b"~" + key.encode()).decode(),
    "base64 lines": lambda key: base64.encodebytes(b"user:" + key.encode() * 2).decode(),
    "base64 in \\u": lambda key: "".join(
        f"\\u{ord(letter):04x}" for letter in base64.b64encode(key.encode()).decode()
    ),
    "utf-16": "\x00".join,
    "spaced": " ".join,
    "folded": lambda key: "\n".join(key[at : at + 9] for at in range(0, len(key), 9)),
    "quoted": lambda key: json.dumps(json.dumps({"key": key})),
}


def spellings(part: str) -> set[str]:
    """Return all that eight characters of a key may look like, however they are spelt."""
    found = {
        spell(part)
        for name, spell in SPELLINGS.items()
        if not name.startswith(("base64", "quoted", "folded", "json mixed", "json twice"))
    }
    for lead in (b"", b"x", b"xx"):
        # The letters that other bytes, before and behind, cannot change.
        whole = base64.b64encode(lead + part.encode()).decode().rstrip("=")
        first, last = (0, 2, 3)[len(lead)], len(whole) - bool((len(lead) + len(part)) % 3)
        found |= {whole[first:last], whole[first:last].replace("+", "-").replace("/", "_")}
    return found


def leaks(data: bytes, key: str) -> str:
    """Return the first eight characters of a key that some bytes hold, "" where there are none."""
    text = data.decode("utf-8", "replace")
    for at in range(len(key) - RUN + 1):
        part = key[at : at + RUN]
        for spelt in spellings(part):
            if spelt in text:
                return f"{part!r} as {spelt!r}"
    return ""


# --- servers that repeat it ----------------------------------------------------------------


def draw_key(source: random.Random) -> str:
    """Draw a key: of the usual letters, or of all that a header may hold."""
    alphabet = source.choice([ALPHABET, ALPHABET, OTHER_ALPHABET])
    lead = source.choice(["sk-", "sk-proj-", "hf_", "gsk_", ""])
    return lead + "".join(source.choice(alphabet) for _ in range(source.choice([16, 29, 51, 120])))


def echo(source: random.Random, key: str) -> RawReply:
    """Repeat a key somewhere in a response, spelt somehow, cut somewhere."""
    name = source.choice(list(SPELLINGS))
    spelt = SPELLINGS[name](key)
    cut = source.choice(["whole", "head", "tail", "late"])
    if cut == "head":
        spelt = spelt[: source.randint(len(spelt) // 2, len(spelt))]
    elif cut == "tail":
        spelt = spelt[source.randint(1, len(spelt) // 2) :]
    # A message is shown up to some length: let the key lie across any such border.
    padding = "." * source.randrange(230, 310) if cut == "late" else ""
    place = source.choice(list(PLACES))
    return RawReply(f"{name}, {cut}, {place}", PLACES[place](f"{padding}{spelt} tail", source))


def _error(spelt: str, source: random.Random) -> bytes:
    status = source.choice([b"400 Bad", b"401 Unauthorized", b"403 No", b"404 None", b"422 Odd"])
    body = source.choice(['{"error": {"message": "%s"}}', "bad key %s", "<p>%s</p>"])
    return answered((body % spelt).encode(), status)


def _error_in_chunks(spelt: str, source: random.Random) -> bytes:
    body = f'{{"error": "{spelt}"}}'.encode()
    sent, rest = b"", body
    while rest:
        size = source.randint(1, 12)
        sent += b"%x\r\n%s\r\n" % (len(rest[:size]), rest[:size])
        rest = rest[size:]
    return b"HTTP/1.1 401 No\r\ntransfer-encoding: chunked\r\n\r\n" + sent + b"0\r\n\r\n"


def _content(spelt: str, source: random.Random) -> bytes:
    text = source.choice(["%s", '{"x": 1, "y": 2, "why": "%s"}', '{"refusal": "%s"}'])
    body = completion(text % spelt)
    del body["choices"][0]["message"]["tool_calls"]
    return answered(json.dumps(body).encode())


def _parts(spelt: str, source: random.Random) -> bytes:
    at = source.randrange(len(spelt))
    body = completion([{"text": spelt[:at]}, {"text": spelt[at:]}])
    return answered(json.dumps(body).encode())


def _arguments(spelt: str, source: random.Random) -> bytes:
    body = completion("")
    call = body["choices"][0]["message"]["tool_calls"][0]["function"]
    call[source.choice(["arguments", "name"])] = spelt
    return answered(json.dumps(body).encode())


def _raw_json(spelt: str, _source: random.Random) -> bytes:
    """Write the spelling into JSON as it is, so that a decoder unspells it."""
    body = completion("@@")
    del body["choices"][0]["message"]["tool_calls"]
    return answered(json.dumps(body).replace("@@", spelt.replace("\n", "")).encode())


def _status_line(spelt: str, _source: random.Random) -> bytes:
    line = spelt.replace("\n", " ").encode()
    return b"HTTP/1.1 401 %s\r\ncontent-length: 0\r\n\r\n" % line


def _broken_line(spelt: str, _source: random.Random) -> bytes:
    return spelt.replace("\n", " ").encode() + b" no HTTP at all\r\n\r\n"


def _location(spelt: str, _source: random.Random) -> bytes:
    where = b"location: http://127.0.0.1:9/" + spelt.replace("\n", "").encode()
    return answered(b"moved", b"307 Moved", where)


def _broken_header(spelt: str, _source: random.Random) -> bytes:
    return answered(b"{}", b"200 OK", spelt.replace("\n", " ").encode())


def _no_completion(spelt: str, source: random.Random) -> bytes:
    body = source.choice(['{"key": "%s"}', '["%s"]', "%s", '{"choices": "%s"}', '{"choices": [%s'])
    return answered((body % spelt).encode())


def _retried(spelt: str, _source: random.Random) -> bytes:
    return answered(spelt.encode(), b"503 Busy", b"retry-after: 86400")


PLACES: Final[dict[str, Callable[[str, random.Random], bytes]]] = {
    "error": _error,
    "chunks of an error": _error_in_chunks,
    "content": _content,
    "parts": _parts,
    "arguments": _arguments,
    "raw content": _raw_json,
    "status line": _status_line,
    "no HTTP": _broken_line,
    "location": _location,
    "broken header": _broken_header,
    "no completion": _no_completion,
    "busy": _retried,
}


def attack_with_echoes(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Let a server repeat the key to all questions of a run but one, and search what is left."""
    bench = make_bench(folder, BATCH + 1)
    for batch in range(-(-number // BATCH)):
        source = random_source(seed, "echoes of keys", str(batch))
        key = draw_key(source)
        size = min(BATCH, number - batch * BATCH)
        drawn = [RawReply("right", answered(json.dumps(completion()).encode()))]
        drawn += [echo(source, key) for _ in range(size)]
        yield from _try_keys(bench, key, drawn, folder / f"run-{batch}")


def _try_keys(bench: Path, key: str, drawn: list[RawReply], out: Path) -> Iterator[Trial]:
    def reply(number: int, attempt: int) -> RawReply:
        raw = number < len(drawn) and not drawn[number].data.startswith(b"HTTP/1.1")
        again = attempt and (raw or "broken header" in drawn[number].name)
        return drawn[0] if number >= len(drawn) or again else drawn[number]

    kept = out.with_name(f"{out.name}-cache")
    environment = {
        **os.environ,
        "ATTACKED_KEY": key,
        "SUREFOOT_DEBUG": "1",
        "SUREFOOT_CACHE": str(kept),
    }
    server = RawServer(reply)
    try:
        model = f"openai:gta1-7b@{server.base}"
        command = ["run", str(bench), "--model", model, "--out", str(out), "--no-self-check"]
        command += [
            "--format",
            "json",
            "--workers",
            str(BATCH),
            "--keep-going",
            "--key-variable",
            "ATTACKED_KEY",
        ]
        done = [run_command(*command, environment=environment)]
    finally:
        server.close()
    sent = {found[1].decode() for request in server.requests if (found := SENT.search(request))}
    page = out.with_suffix(".html")
    done.append(run_command("score", str(out), environment=environment))
    done.append(run_command("report", str(out), "--out", str(page), environment=environment))
    said = {f"printed by {one.args[3]}": one.stdout + one.stderr for one in done}
    files = [path for path in (*out.rglob("*"), *kept.rglob("*"), page) if path.is_file()]
    places = said | {path.name: path.read_bytes() for path in files}
    whole = [f"{name}: {leak}" for name, data in places.items() if (leak := leaks(data, key))]
    if sent != {key}:
        whole.append("the server was not sent the key at all")
    yield Trial("all files and all that was printed", not whole, "; ".join(whole))
    records = _records(out)
    names = question_ids(bench)
    for number, chosen in enumerate(drawn[1:], start=1):
        mark = re.compile(rf"""["']{names[number]}["']""".encode())
        leak = leaks(b"\n".join(filter(mark.search, records)), key)
        yield Trial(chosen.name, not leak, leak)


def _records(out: Path) -> list[bytes]:
    """Return all that the ledger holds."""
    with contextlib.closing(sqlite3.connect(out / "ledger.sqlite")) as ledger:
        rows = ledger.execute("SELECT payload FROM units UNION ALL SELECT message FROM failures")
        return [row if isinstance(row, bytes) else str(row).encode() for (row,) in rows]


# --- where it is sent -----------------------------------------------------------------------


class Way(NamedTuple):
    """A way of asking: what the first server says, what the user gave, who may see the key."""

    name: str
    status: bytes = b"200 OK"
    location: str = ""  # {port} is the other server's
    base: str = "http://127.0.0.1:{own}/v1"
    named: bool = True
    seen: bool = True
    variables: Mapping[str, str] = {}
    netrc: bool = False


REDIRECTS: Final = (b"301 M", b"302 F", b"303 S", b"307 T", b"308 P", b"300 C", b"305 U")
ELSEWHERE: Final = (
    "http://127.0.0.1:{port}/v1/chat/completions", "//127.0.0.1:{port}/v1", "http://localhost:{port}/",
    "http://127.0.0.1:{port}", "HTTP://127.0.0.1:{port}/x", "http://user@127.0.0.1:{port}/v1",
    "https://127.0.0.1:{port}/v1", "http:\\\\127.0.0.1:{port}\\v1",
)  # fmt: skip
WAYS: Final = (
    Way("its own server, by name"),
    Way("a server that it was not named for", named=False, seen=False),
    Way("plain http to all addresses", base="http://0.0.0.0:{own}/v1", seen=False),
    Way("plain http to a host's name", base="http://{host}:{own}/v1", seen=False),
    Way("an address that begins like ours", base="http://127.0.0.1.example:{own}/v1", seen=False),
    Way("a proxy", variables={"HTTP_PROXY": "http://127.0.0.1:{port}", "http_proxy": "x"}),
    Way("a proxy for all", variables={"ALL_PROXY": "http://127.0.0.1:{port}"}),
    Way("a file of other keys", netrc=True),
)


def attack_with_redirects(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Send the client elsewhere, and see who is sent the key."""
    bench = make_bench(folder, 1)
    source = random_source(seed, "redirects")
    moved = [
        Way(f"{status.decode()} to {where}", status, where)
        for status in REDIRECTS
        for where in ELSEWHERE
    ]
    source.shuffle(moved)
    ways = [*WAYS, *moved][:number] if number > len(WAYS) else source.sample(WAYS, number)
    for at, way in enumerate(ways):
        yield _try_way(bench, way, folder / f"run-{at}")


def _try_way(bench: Path, way: Way, out: Path) -> Trial:
    key = "sk-" + "".join(random_source(0, way.name).choice(ALPHABET) for _ in range(40))
    right = RawReply("right", answered(json.dumps(completion()).encode()))
    other = RawServer(lambda _number, _attempt: right)
    where = way.location.replace("{port}", str(other.port)).encode()
    first = right
    if way.location:
        first = RawReply("moved", answered(b"moved", way.status, b"location: " + where))
    own = RawServer(lambda _number, _attempt: first)
    home = out.with_name(f"{out.name}-home")
    home.mkdir()
    if way.netrc:
        (home / ".netrc").write_text("machine 127.0.0.1 login a password other-secret\n", "utf-8")
        (home / ".netrc").chmod(0o600)
    named = "ATTACKED_KEY" if way.named else "OPENAI_API_KEY"
    given = {name: item.replace("{port}", str(other.port)) for name, item in way.variables.items()}
    environment = {**os.environ, "HOME": str(home), named: key, **given}
    for name in ("NO_PROXY", "no_proxy"):
        environment.pop(name, None)
    base = way.base.replace("{own}", str(own.port)).replace("{host}", os.uname().nodename)
    command = ["run", str(bench), "--model", f"openai:gta1-7b@{base}", "--out", str(out)]
    command += ["--no-self-check", "--format", "json"]
    command += ["--key-variable", named] if way.named else []
    try:
        run_command(*command, environment=environment)
    finally:
        own.close()
        other.close()
    seen = any(key.encode() in request for request in own.requests)
    trouble = [] if seen == way.seen else [f"its server was sent the key: {seen}"]
    if leak := next((item for item in other.requests if leaks(item, key)), b""):
        trouble.append(f"another server was sent the key: {leak[:80]!r}")
    return Trial(way.name, not trouble, "; ".join(trouble))


# --- who has it in the environment ----------------------------------------------------------

SECRETS: Final = (
    "OPENAI_API_KEY", "ATTACKED_KEY", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "NPM_TOKEN",
    "npm_config__authToken", "HF_TOKEN", "DATABASE_URL", "SSH_AUTH_SOCK",
)  # fmt: skip
PAGE: Final = "<!doctype html><title>One</title><h1>One</h1><button>Save</button>"


def attack_environments(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Run commands that start children, and look into every descendant's environment."""
    (folder / "pages").mkdir()
    (folder / "pages" / "index.html").write_text(PAGE, "utf-8")
    source = random_source(seed, "environments")
    secret = "".join(source.choice(ALPHABET) for _ in range(40))
    environment = {**os.environ, **dict.fromkeys(SECRETS, secret)}
    environment["HTTPS_PROXY"] = f"http://person:{secret}@proxy.example:3128"
    screens, right = str(folder / "screens"), completion("finish()")
    server = RawServer(
        lambda _number, _attempt: RawReply("right", answered(json.dumps(right).encode()))
    )
    model = f"openai:gta1-7b@{server.base}"
    commands = [
        ("capture", f"folder:{folder / 'pages'}", "--out", screens, "--workers", "1"),
        ("doctor",),
        (
            "build",
            "perturbed",
            "--screens",
            screens,
            "--out",
            str(folder / "bench"),
            "--workers",
            "1",
        ),
        (
            *("forms", "run", "--agent", model, "--form", "bug_report", "--no-self-check"),
            *("--key-variable", "ATTACKED_KEY", "--workers", "1", "--out", str(folder / "forms")),
        ),
        ("capture", "django-admin:", "--limit", "1", "--out", str(folder / "admin")),
        ("capture", "desktop:xcalc", "--limit", "1", "--out", str(folder / "desktop")),
        (
            *("forms", "run", "--agent", "oracle", "--form", "bug_report", "--x11"),
            *("--workers", "1", "--out", str(folder / "x11")),
        ),
        ("forms", "build", "--forms", "1", "--instances", "1", "--out", str(folder / "papers")),
    ]
    try:
        for command in commands[:number]:
            seen, count = _watch(command, environment, secret)
            held = not seen and (count > 0 or command[0] == "forms")
            told = "; ".join(sorted(seen)) or f"only {count} children were seen"
            yield Trial(" ".join(command[:2]), held, "" if held else told)
        asked = [request for request in server.requests if secret.encode() not in request]
        if asked:
            yield Trial("the key still reaches its server", held=False, seen="it does not")
    finally:
        server.close()


def _watch(
    command: tuple[str, ...], environment: Mapping[str, str], secret: str
) -> tuple[set[str], int]:
    """Run a command; return the descendants that knew the secret, and how many there were."""
    code = "from surefoot.cli.main import main; main()"
    known: set[str] = set()
    seen: set[int] = set()
    with subprocess.Popen(
        [sys.executable, "-c", code, *command],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        parent = psutil.Process(process.pid)
        while process.poll() is None:
            with contextlib.suppress(psutil.Error, OSError):
                own = parent.cmdline()
                for child in parent.children(recursive=True):
                    with contextlib.suppress(psutil.Error, OSError):
                        # Between fork and exec a child is its parent still. The line is read
                        # first: once it is the child's own, so is the environment.
                        line = child.cmdline()
                        told = Path(f"/proc/{child.pid}/environ").read_bytes()
                        if line and line not in (own, *_lines_above(child)):
                            seen.add(child.pid)
                            if secret.encode() in told or any(secret in word for word in line):
                                known.add(f"{child.name()} ({' '.join(line)[:60]})")
            time.sleep(WATCH_S)
    return known, len(seen)


def _lines_above(child: psutil.Process) -> list[list[str]]:
    with contextlib.suppress(psutil.Error):
        above = child.parent()
        return [above.cmdline()] if above else []
    return []


ATTACKS: Final = (
    Attack(
        name="keys-in-replies",
        promise="A key is written nowhere",
        does="A server repeats the key in 27 spellings, cut anywhere, in 12 places of a response",
        trials=attack_with_echoes,
        many=60,
        whole=300,
    ),
    Attack(
        name="keys-sent-elsewhere",
        promise="A key is sent to the host that it was meant for, and to no other",
        does="Redirects, proxies, other base URLs and plain http ask for the key",
        trials=attack_with_redirects,
        many=8,
        whole=40,
    ),
    Attack(
        name="keys-in-environments",
        promise="No child knows a key from its environment",
        does="The environment of every descendant of a command is read while it runs",
        trials=attack_environments,
        many=4,
        whole=8,
    ),
)
