"""
The same folder behind a server that others wrote: the replies of `hf:` come over HTTP, too.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from surefoot.core.question import Question
from surefoot.models import Options, open_model
from tests.models.weights.asking import answers, asked
from tests.ports import private_port

pytest.importorskip("torch")
pytest.importorskip("fastapi")

CONTROL = re.compile(r"<\|\w+\|>")  # which this server leaves in its text


@contextlib.contextmanager
def served(folder: Path, log: Path) -> Iterator[str]:
    """Run the server over a folder on loopback until the block ends."""
    port = private_port()
    command = [
        *(sys.executable, str(Path(__file__).with_name("serve.py")), str(folder)),
        *("--host", "127.0.0.1", "--port", str(port), "--device", "cpu", "--dtype", "float32"),
    ]
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "2"}
    with (
        log.open("wb") as out,
        subprocess.Popen(command, stdout=out, stderr=out, env=environment) as process,
    ):
        try:
            for _ in range(600):
                assert process.poll() is None, log.read_text(errors="replace")[-2000:]
                with contextlib.suppress(httpx.TransportError):
                    httpx.get(f"http://127.0.0.1:{port}/health", timeout=1).raise_for_status()
                    break
                time.sleep(0.2)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()


def replies(spec: str, questions: list[tuple[Question, bytes]]) -> list[str]:
    """Ask all at once, and return what was said."""
    options = Options(max_tokens=8, device="cpu", concurrency=4, timeout=300)
    model = open_model(spec, format_name="json", options=options)
    said = asyncio.run(answers(model, questions))
    return [CONTROL.sub("", answer.raw).strip() for answer in said]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("count", [6, pytest.param(40, marks=pytest.mark.long)])
def test_a_server_replies_as_the_folder_does(
    folders: dict[str, Path], tmp_path: Path, count: int
) -> None:
    """Words, pictures of several sizes and options: over HTTP comes what `hf:` says."""
    folder = folders["qwen3_vl"]
    with served(folder, tmp_path / "log") as base:
        over_http = replies(f"openai:{folder}@{base}", asked(count))

    assert over_http == replies(f"hf:{folder}", asked(count))
    assert len(set(over_http)) > count / 3
