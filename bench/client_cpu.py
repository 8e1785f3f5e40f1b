"""
Client CPU per request: Surefoot's client over a bare httpx loop, same images, same run.

Both clients run in processes of their own against one instant server in a third. The bare
loop reads a file, builds the data URL, posts JSON and reads the reply, and nothing else.
The images are random noise in PNG, so that nothing compresses. Each client is run several
times in turn and the lowest CPU time of each counts, since disturbances only add.

Usage: python bench/client_cpu.py [--images 40] [--questions 10] [--rounds 3]
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import http.server
import io
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from surefoot.core.question import Question
    from surefoot.models import Model

CONCURRENCY = 32
REPLY = json.dumps(
    {
        "choices": [{"message": {"role": "assistant", "content": '{"x": 640, "y": 400}'}}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 12},
    }
).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    """Swallow each request and send the same reply over a kept-alive connection."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer one request."""
        left = int(self.headers["content-length"])
        while left:
            left -= len(self.rfile.read(min(left, 1 << 20)))
        self.send_response(200)
        self.send_header("content-length", str(len(REPLY)))
        self.end_headers()
        self.wfile.write(REPLY)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as above
        """Say nothing."""


def serve() -> None:
    """Serve until killed; the first line of output is the port."""
    http.server.ThreadingHTTPServer.request_queue_size = 256
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


def picture(file: Path) -> bytes:
    """Read one image, as both clients do for each request."""
    return file.read_bytes()


def bare(base: str, folder: Path, questions: int) -> None:
    """Ask each question of each image with nothing but httpx."""
    import httpx

    async def ask(client: httpx.AsyncClient, slots: asyncio.Semaphore, file: Path) -> None:
        async with slots:
            image = base64.b64encode(picture(file)).decode()
            content = [
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{image}"}},
                {"type": "text", "text": "Click the 'Save' button"},
            ]
            body = {"model": "m", "messages": [{"role": "user", "content": content}]}
            reply = await client.post("/chat/completions", json=body)
            json.loads(reply.json()["choices"][0]["message"]["content"])

    files = [file for file in sorted(folder.iterdir()) for _ in range(questions)]

    async def main() -> None:
        slots = asyncio.Semaphore(CONCURRENCY)
        limits = httpx.Limits(max_connections=CONCURRENCY)
        async with httpx.AsyncClient(base_url=base, timeout=60, limits=limits) as client:
            await asyncio.gather(*(ask(client, slots, file) for file in files))

    asyncio.run(main())


def question_about(file: Path, image: bytes, number: int) -> Question:
    """Return one question about an image of 1280 x 800 pixels."""
    from surefoot.core.canonical import sha256
    from surefoot.core.geometry import Box
    from surefoot.core.instruction import Expression, Instruction
    from surefoot.core.question import Cell, Question

    instruction = Instruction(
        "Click the 'Save' button", "en", "direct", "high", Expression("button", "Save"), "e1"
    )
    return Question(
        id=f"{file.stem}-{number}",
        pair="pair",
        cluster="page",
        cell=Cell("original", "direct"),
        screen=file.stem,
        image=sha256(image),
        width=1280,
        height=800,
        instruction=instruction,
        truth=Box(0, 0, 1, 1),
    )


def ours(base: str, folder: Path, questions: int) -> None:
    """Ask the same through Surefoot's model: prompt, retries, parser and all."""
    from surefoot.core.geometry import Point
    from surefoot.models import Options, open_model

    asked = [(file, number) for file in sorted(folder.iterdir()) for number in range(questions)]

    async def ask(model: Model, slots: asyncio.Semaphore, file: Path, number: int) -> None:
        async with slots:
            image = picture(file)
            answer = await model.answer(question_about(file, image, number), image)
            if answer.parsed != Point(640, 400):
                raise SystemExit(f"a wrong answer: {answer}")

    async def main() -> None:
        options = Options(concurrency=CONCURRENCY)
        model = open_model(f"openai:m@{base}", format_name="json", options=options)
        slots = asyncio.Semaphore(2 * CONCURRENCY)
        await asyncio.gather(*(ask(model, slots, *item) for item in asked))
        await model.close()

    asyncio.run(main())


def measured(client: str, base: str, folder: Path, questions: int) -> float:
    """Run one client in a process of its own; return its CPU seconds, start included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, __file__, "--client", client, "--base", base]
    command += ["--folder", str(folder), "--questions", str(questions)]
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def draw(folder: Path, images: int) -> float:
    """Write PNG files of about 250 kB; return their mean size in kB."""
    import numpy as np
    from PIL import Image

    source = np.random.default_rng(7)
    sizes = []
    for number in range(images):
        pixels = np.full((800, 1280, 3), 240, dtype=np.uint8)
        pixels[:260, :320] = source.integers(0, 256, (260, 320, 3))
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "PNG")
        (folder / f"{number:04}.png").write_bytes(file.getvalue())
        sizes.append(len(file.getvalue()))
    return sum(sizes) / len(sizes) / 1000


def compare(images: int, questions: int, rounds: int) -> None:
    """Print the ratio for questions that share images, and for images asked once."""
    server = subprocess.Popen(
        [sys.executable, __file__, "--client", "server"], stdout=subprocess.PIPE, text=True
    )
    try:
        port = server.stdout.readline().strip() if server.stdout else ""
        base = f"http://127.0.0.1:{port}/v1"
        for count, index in ((images, questions), (images * questions // 2, 1)):
            with tempfile.TemporaryDirectory() as name:
                size = draw(Path(name), count)
                best = dict.fromkeys(("bare", "ours"), float("inf"))
                for _ in range(rounds):
                    for client in best:
                        taken = measured(client, base, Path(name), index)
                        best[client] = min(best[client], taken)
            requests = count * index
            print(
                f"{requests} requests, {count} images of {size:.0f} kB: "
                f"bare httpx {1000 * best['bare'] / requests:.2f} ms, "
                f"surefoot {1000 * best['ours'] / requests:.2f} ms of CPU a request; "
                f"ratio {best['ours'] / best['bare']:.2f} (at most 1.10 and 1.20)"
            )
    finally:
        server.kill()
        server.wait()


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--images", type=int, default=40)
    parser.add_argument("--questions", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--client", choices=("bare", "ours", "server", ""), default="")
    parser.add_argument("--base", default="")
    parser.add_argument("--folder", type=Path, default=Path())
    given = parser.parse_args()
    if given.client == "server":
        serve()
    elif given.client:
        {"bare": bare, "ours": ours}[given.client](given.base, given.folder, given.questions)
    else:
        compare(given.images, given.questions, given.rounds)


if __name__ == "__main__":
    main()
