"""
What pages and programs would reach once they broke out of what confines them.

A browser that a page has taken over, and a desktop program, are played by a probe that enters
the very namespaces of the real process and tries to read what is none of its business. What
the kernel says of each renderer is read from its status, not asked of Chromium.
"""

from __future__ import annotations

import contextlib
import email.message
import email.policy
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import psutil

from attacks.attack import Attack, Trial
from surefoot.capture.desktop.session import PYTHON, session
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.core.seeds import random_source

SETTINGS: Final = Settings(width=400, height=300)
SHADOW: Final = Path("/", "etc", "shadow")
VARIABLE: Final = "OPENAI_API_KEY"
NAMESPACES: Final = ("user", "pid", "net", "mnt")
# Prints what it could reach of what it was told to try, one word each.
PROBE: Final = """
import glob, json, os, socket, sys
secret, network, paths = json.loads(sys.argv[1])
reached = []
for name in paths:
    try:
        found = os.listdir(name) if os.path.isdir(name) else [open(name, "rb").read(1)]
    except OSError:
        continue
    if found:
        reached.append("reads " + name)
for name in glob.glob("/proc/*/environ"):
    try:
        if secret.encode() in open(name, "rb").read():
            reached.append("secret in " + name)
    except OSError:
        pass
for name in ("/", "/usr", "/usr/bin", "/etc"):
    try:
        open(os.path.join(name, "left-by-a-probe"), "w").close()
        reached.append("writes " + name)
    except OSError:
        pass
for name in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/dev/mem"):
    try:
        os.close(os.open(name, os.O_WRONLY))
        reached.append("opens " + name)
    except OSError:
        pass
try:
    os.kill(int(sys.argv[2]), 0)
    reached.append("may signal its capturer")
except OSError:
    pass
if network:
    try:
        socket.create_connection(("127.0.0.1", int(sys.argv[3])), 1)
        reached.append("reaches a port outside")
    except OSError:
        pass
print("; ".join(reached)[:280] or "nothing")
"""


def renderers_are_sandboxed(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Ask the kernel about every renderer that a page of many realms brings up."""
    pages = _pages(seed, folder)
    with Browser() as browser:
        for address in itertools.islice(pages, number):
            with browser.visit(address, SETTINGS):
                seen = [
                    complaint
                    for process in _processes(browser.pid, "renderer")
                    for complaint in _loose(process)
                ] or ([] if _processes(browser.pid, "renderer") else ["no renderer was found"])
                yield Trial(address.page, not seen, "; ".join(seen))


def a_browser_taken_over(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Enter the namespaces of the browser itself and try what code in it could reach."""
    pages = _pages(seed, folder)
    with _secrets(seed, folder) as (value, paths), Browser() as browser:
        for address in itertools.islice(pages, number):
            with browser.visit(address, SETTINGS):
                (process,) = _processes(browser.pid, "")[:1]
                seen = _probed_inside(process, value, paths)
            environments = [
                f"{kind} holds the secret"
                for kind in ("", "renderer", "zygote", "utility", "gpu-process")
                for process in _processes(browser.pid, kind)
                if value in _environment(process)
            ]
            seen += environments
            yield Trial(address.page, not seen, "; ".join(seen))


def a_desktop_program_looks_around(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Run the probe as the program of a desktop session."""
    for trial in range(number):
        with _secrets(seed + trial, folder) as (value, paths), _listening() as port:
            told = json.dumps([value, True, paths])
            argv = (PYTHON, "-I", "-c", PROBE, told, str(os.getpid()), str(port))
            # A probe that cannot even start must not pass for one that reached nothing.
            with session(SETTINGS) as inside:
                inside.start(argv)
                code, said = None, ""
                while code is None and inside.left > 0:
                    code, said = inside.ended()
            last = said.strip().splitlines()[-1] if said.strip() else f"ended with {code}"
            yield Trial(f"a program, {len(paths)} places", last == "nothing", last)


def _pages(seed: int, folder: Path) -> Iterator[Address]:
    """Write pages of one, two or many realms, archives among them, without an end."""
    source = random_source(seed, "confinement")
    site = folder / "site"
    site.mkdir(exist_ok=True)
    for at in itertools.count():
        kind = source.choice(["plain", "frames", "worker", "files", "archive"])
        body = {
            "plain": "<h1>plain</h1>",
            "frames": "<iframe srcdoc='<p>inner'></iframe><iframe sandbox srcdoc='<p>b'></iframe>"
            * source.randint(1, 3),
            "worker": "<script>new Worker(URL.createObjectURL(new Blob(['setInterval(()=>1,9)'])))"
            "</script>",
            "files": f"<iframe src='{SHADOW.as_uri()}'></iframe><img src='{SHADOW.as_uri()}'>",
            "archive": f"<p>kept</p><iframe src='{SHADOW.as_uri()}'></iframe>",
        }[kind]
        page = f"<!doctype html><title>{kind}</title>{body}"
        if kind == "archive":
            file = site / f"{at}-{kind}.mhtml"
            message = email.message.EmailMessage()
            message["Snapshot-Content-Location"] = "http://kept.example/"
            message.set_content(page, subtype="html")
            message["Content-Location"] = "http://kept.example/"
            message.make_related()
            file.write_bytes(message.as_bytes(policy=email.policy.SMTP))
        else:
            file = site / f"{at}-{kind}.html"
            file.write_text(page, encoding="utf-8")
        yield list_addresses(str(file))[0]


@contextlib.contextmanager
def _secrets(seed: int, folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Leave a secret in the environment and in files that belong to whoever captures."""
    value = f"sk-{random_source(seed, 'secret').getrandbits(96):x}"
    with contextlib.ExitStack() as stack:
        before = os.environ.get(VARIABLE)
        os.environ[VARIABLE] = value
        stack.callback(_restore, before)
        homes = [Path.home(), folder, Path(tempfile.gettempdir())]
        paths = []
        for home in homes:
            at = stack.enter_context(tempfile.TemporaryDirectory(dir=home, prefix="ours-"))
            file = Path(at, "secret.txt")
            file.write_text(value, encoding="utf-8")
            paths += [at, str(file)]
        paths += [str(SHADOW), str(Path(__file__).parent), *_found_at_home()]
        paths += [str(Path("/", "etc", "ssl", "private")), str(Path("/", "etc", "gshadow"))]
        yield value, paths


def _found_at_home() -> list[str]:
    """Return what lies in the home folder already, but for the way to the interpreter."""
    needed = Path(sys.base_prefix)
    return [str(path) for path in sorted(Path.home().iterdir()) if path not in needed.parents][:50]


def _restore(before: str | None) -> None:
    os.environ.pop(VARIABLE, None)
    if before is not None:
        os.environ[VARIABLE] = before


@contextlib.contextmanager
def _listening() -> Iterator[int]:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])


def _processes(root: int, kind: str) -> list[psutil.Process]:
    """Return the browser's processes of a kind; "" is the browser itself."""
    above = psutil.Process(root)
    found = []
    for process in [above, *above.children(recursive=True)]:
        with contextlib.suppress(psutil.Error):
            words = process.cmdline()
            types = [word.removeprefix("--type=") for word in words if word.startswith("--type=")]
            if "bwrap" not in process.name() and (types or [""])[0] == kind:
                found.append(process)
    return found


def _loose(process: psutil.Process) -> list[str]:
    """Say what of the kernel's confinement a process lacks."""
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    status: Mapping[str, str] = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    seen = []
    if "0" in status["Uid"].split():
        seen.append("runs as root")
    if status["Seccomp"] != "2":
        seen.append("no system call filter")
    if status["NoNewPrivs"] != "1":
        seen.append("may gain rights")
    if int(status["CapEff"], 16) or int(status["CapPrm"], 16):
        seen.append("holds capabilities")
    seen += [
        f"shares our {name} namespace"
        for name in NAMESPACES
        if _namespace(process.pid, name) == _namespace(os.getpid(), name)
    ]
    return seen


def _namespace(pid: int, name: str) -> str:
    return str(Path(f"/proc/{pid}/ns/{name}").readlink())


def _environment(process: psutil.Process) -> str:
    try:
        return json.dumps(process.environ())
    except psutil.Error:
        return ""


def _probed_inside(process: psutil.Process, value: str, paths: list[str]) -> list[str]:
    """Run the probe in the namespaces of a process, with its user and without capabilities."""
    told = json.dumps([value, False, paths])
    own = _namespace(process.pid, "user") != _namespace(os.getpid(), "user")
    enter = ["nsenter", "--target", str(process.pid), "--mount", "--pid"]
    enter += ["--user", "--setuid", "1000", "--setgid", "1000"] if own else []
    done = subprocess.run(
        [*enter, "--", PYTHON, "-I", "-c", PROBE, told, str(os.getpid()), "0"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"]},
        timeout=60,
    )
    if done.returncode:
        return [f"the probe did not run: {done.stderr[-200:]}"]
    return [] if done.stdout.strip() == "nothing" else [done.stdout.strip()]


PROMISE: Final = "A page never reaches the network, the file system or another page"
ATTACKS: Final = (
    Attack(
        name="renderers-under-the-kernel",
        promise=PROMISE,
        does="Read from the kernel the user, filter and namespaces of each renderer of a page",
        trials=renderers_are_sandboxed,
        many=6,
        whole=30,
    ),
    Attack(
        name="browser-taken-over",
        promise=PROMISE,
        does="Enter the browser's namespaces as its user; read secrets, write, signal",
        trials=a_browser_taken_over,
        many=4,
        whole=20,
    ),
    Attack(
        name="desktop-program-looks-around",
        promise="A desktop program reads neither our files nor our environment",
        does="Start a probe as a desktop program; read secrets, write, signal, connect",
        trials=a_desktop_program_looks_around,
        many=2,
        whole=8,
    ),
)
