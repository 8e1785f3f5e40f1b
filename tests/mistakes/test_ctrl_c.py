"""
Ctrl-C in the middle of a run: what is kept, and how to go on.
"""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.core.ledger import Ledger

if TYPE_CHECKING:
    from tests.conftest import FakeServer, MakeStep


def test_what_is_kept_and_how_to_go_on_is_said(
    drawn: Path, tmp_path: Path, server: FakeServer, step: MakeStep
) -> None:
    """The count is that of the ledger, and the command that is named finishes the run."""
    server.choose = lambda _body: step() if len(server.bodies) <= 5 else step(wait=30)
    out = tmp_path / "run"
    model = ["--model", f"openai:m@{server.base}", "--format", "json", "--no-self-check"]
    secret = ["--header", "X-Tenant: blue-42-lagoon"]
    given = ["run", str(drawn), *model, *secret, "--workers", "2", "--out", str(out)]
    started = [sys.executable, "-m", "surefoot"]
    with subprocess.Popen([*started, *given], stderr=subprocess.PIPE, text=True) as running:
        while len(server.bodies) < 7 and running.poll() is None:
            time.sleep(0.02)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=20)

    assert running.returncode == 130
    told = re.fullmatch(
        r"36 questions on 9 pictures to ask m: about [\d,]+ tokens to read, and the replies\n"
        r"surefoot: stopped by Ctrl-C; (\d+) of 36 are kept \(asking m\); to go on: (.*)\n",
        said,
    )
    assert told, said
    with Ledger.read(out) as ledger:
        assert len(ledger.finished()) == int(told[1]) == 5
    assert "blue-42" not in said
    server.choose = lambda _body: step()
    onward = [word.replace("***", "blue-42-lagoon") for word in shlex.split(told[2])]
    done = subprocess.run(
        [*started, *onward[1:]], check=True, capture_output=True, text=True, timeout=60
    )
    assert "36 answers of m" in done.stdout
