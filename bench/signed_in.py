"""
Print how often two applications that others made are captured signed in, and replayed equal.

    python bench/signed_in.py FOLDER [TIMES]

Buildbot (React, `#` routes, a websocket; basic authentication at one address gives a cookie) and
Gradio (Svelte, a form to sign in, a queue by events) are installed from PyPI into environments in
FOLDER, and run on loopback. Each page is captured signed in so many times, from a new session
each, recorded once, and the recording captured so many times with the server gone: half of them
while four processes keep the processors busy. A capture counts where each page shows what only
members see, and a replay where its tables and pictures are those of the first.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import venv
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import surefoot

USER: Final = "ada"
PASSWORD: Final = "planted-password-4711"  # noqa: S105 - searched for in all that is written
START_S: Final = 90

BUILDBOT: Final = """
from buildbot.plugins import schedulers, steps, util, worker
c = BuildmasterConfig = dict(
    workers=[worker.Worker("quay", "pass")],
    protocols=dict(pb=dict(port="tcp:0:interface=127.0.0.1")),
    builders=[
        util.BuilderConfig(name=name, workernames=["quay"], factory=util.BuildFactory(
            [steps.ShellCommand(command=["true"])])) for name in ("docs", "tests", "wheels")
    ],
    schedulers=[schedulers.ForceScheduler(name="force", builderNames=["docs", "tests", "wheels"])],
    title="Harbour", titleURL="{origin}/", buildbotURL="{origin}/",
    buildbotNetUsageData=None,
    www=dict(port="tcp:{port}:interface=127.0.0.1", plugins={{}},
        auth=util.UserPasswordAuth({{"{user}": "{password}"}}),
        authz=util.Authz(allowRules=[util.AnyControlEndpointMatcher(role="admin")],
            roleMatchers=[util.RolesFromUsername(roles=["admin"], usernames=["{user}"])])),
)
"""
GRADIO: Final = """
import gradio as gr
with gr.Blocks(title="Harbour", analytics_enabled=False) as page:
    gr.Markdown("# Orders of the harbour")
    name = gr.Textbox(label="Ship")
    kind = gr.Radio(["rope", "sail", "anchor"], label="Goods")
    count = gr.Slider(1, 20, value=3, label="Pieces")
    out = gr.Textbox(label="Note")
    gr.Button("Order").click(lambda *given: str(given), [name, kind, count], out)
    gr.Button("Start again").click(lambda: "", None, out)
with page.route("Stock", "/stock"):
    gr.Markdown("# Stock")
    gr.Checkbox(label="Only what is left")
    gr.Button("Count").click(lambda: "", None, gr.Textbox(label="Counted"))
page.launch(server_name="127.0.0.1", server_port={port}, auth=("{user}", "{password}"))
"""
SIGN_IN: Final = {
    "buildbot": """
import base64, os

async def login(page):
    pair = f"{user}:{{os.environ['BENCH_PASSWORD']}}".encode()
    head = {{"Authorization": "Basic " + base64.b64encode(pair).decode()}}
    await page.context.request.get("{origin}/auth/login", headers=head)
""",
    "gradio": """
import os

async def login(page):
    await page.goto("{origin}/")
    await page.get_by_label("username").fill("{user}")
    await page.get_by_label("password").fill(os.environ["BENCH_PASSWORD"])
    await page.get_by_role("button", name="Login").click()
    await page.get_by_role("button", name="Order").wait_for()
""",
}


class Product(NamedTuple):
    """Hold what is installed and run of an application, its pages and what members alone see."""

    name: str
    packages: tuple[str, ...]
    pages: tuple[str, ...]
    signed_in: str


PRODUCTS: Final = (
    Product(
        "buildbot",
        ("buildbot[bundle]", "buildbot-worker"),
        ("/#/", "/#/builders", "/#/workers", "/#/about"),
        "#bb-loginbar-dropdown",
    ),
    Product("gradio", ("gradio",), ("/", "/stock"), "button.primary, button.secondary"),
)


def main() -> None:
    """Try every application, and print a line for each of its promises."""
    folder, times = Path(sys.argv[1]).resolve(), int((*sys.argv[2:], "20")[0])
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["BENCH_PASSWORD"] = PASSWORD
    for product in PRODUCTS:
        environment = folder / product.name
        if not (environment / "bin" / "pip").is_file():
            venv.create(environment, with_pip=True)
            run(environment, "pip", "install", "-q", *product.packages)
        work = folder / f"{product.name}-work"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        with serving(product, environment, work) as origin:
            pages = [f"{origin}{page}" for page in product.pages]
            sign_in = work / "sign_in.py"
            sign_in.write_text(SIGN_IN[product.name].format(origin=origin, user=USER))
            how: dict[str, Any] = {
                "login": sign_in,
                "signed_in": product.signed_in,
                "unconfined": True,
            }
            held = 0
            for at in range(times):
                out = work / f"live-{at}"
                made = surefoot.capture(pages, out=out, workers=1, **how)
                held += not made.outcome.failures
                for failure in made.outcome.failures:
                    print(f"  {failure}")
            print(f"{product.name}: captured signed in {held} of {times} times", flush=True)
            recorded = surefoot.record(pages, out=work / "app.rec", **how)
            for failure in recorded.failures:
                print(f"  not recorded: {failure}")
        first = replayed(work, "first")
        for busy in (0, 4):
            with spinning(busy):
                digests = [replayed(work, f"{busy}-{at}") for at in range(times // 2)]
            equal = sum(digest == first for digest in digests)
            print(
                f"{product.name}: replayed with {busy} busy processes: {equal} of {len(digests)}"
            )
        found = [file for file in work.rglob("*") if file.is_file() and has_secret(file)]
        print(f"{product.name}: files with the password: {len(found)}", flush=True)


def run(environment: Path, program: str, *arguments: str, cwd: Path | None = None) -> None:
    """Run a program of an environment to its end."""
    subprocess.run([environment / "bin" / program, *arguments], check=True, cwd=cwd)


@contextlib.contextmanager
def serving(product: Product, environment: Path, work: Path) -> Iterator[str]:
    """Run an application for the length of a block; lend its origin."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    origin = f"http://127.0.0.1:{port}"
    values = {"port": port, "origin": origin, "user": USER, "password": PASSWORD}
    home = work.parent / f"{product.name}-home"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    if product.name == "buildbot":
        run(environment, "buildbot", "create-master", "-q", str(home))
        (home / "master.cfg").write_text(BUILDBOT.format(**values))
        command = ["buildbot", "start", "--nodaemon", str(home)]
    else:
        (home / "app.py").write_text(GRADIO.format(**values))
        command = ["python", str(home / "app.py")]
    quiet = {**os.environ, "GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1"}
    with (home / "log.txt").open("wb") as log:
        process = subprocess.Popen(
            [environment / "bin" / command[0], *command[1:]],
            cwd=home,
            env=quiet,
            stdout=log,
            stderr=log,
        )
        try:
            wait_for(origin, process)
            yield origin
        finally:
            process.terminate()
            process.wait()


def wait_for(origin: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until a server answers."""
    ends = time.monotonic() + START_S
    while time.monotonic() < ends and process.poll() is None:
        try:
            with urllib.request.urlopen(origin, timeout=5):  # noqa: S310 - our own server
                return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.5)
    raise SystemExit(f"the server at {origin} did not start; see log.txt in its folder")


@contextlib.contextmanager
def spinning(count: int) -> Iterator[None]:
    """Keep so many processes busy for the length of a block."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def replayed(work: Path, name: str) -> str:
    """Capture the recording, and return a digest of its table and pictures."""
    out = work / f"again-{name}"
    made = surefoot.capture(f"recorded:{work / 'app.rec'}", out=out, workers=1, unconfined=True)
    for failure in made.outcome.failures:
        print(f"  {failure}")
    table = sorted(out.glob("screens.jsonl*"))
    pictures = sorted(path.name for path in (out / "objects").rglob("*.png"))
    return sha256(
        b"".join(path.read_bytes() for path in table) + "".join(pictures).encode()
    ).hexdigest()


def has_secret(file: Path) -> bool:
    """Tell whether a file holds the password in clear."""
    return PASSWORD.encode() in file.read_bytes()


if __name__ == "__main__":
    main()
