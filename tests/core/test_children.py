"""
What children are told, and that no child is started otherwise.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from surefoot.core.children import child_environment, environment_of_children

ROOT = Path(__file__).parents[2]
SOURCES = (ROOT / "src" / "surefoot", ROOT / "studies" / "src")
STARTERS = {
    *("subprocess.run", "subprocess.Popen", "subprocess.call", "subprocess.check_call"),
    *("subprocess.check_output", "psutil.Popen", "asyncio.create_subprocess_exec"),
    *("asyncio.create_subprocess_shell",),
}
# Ways to start a child that pass on our environment, whatever is given.
REFUSED = (
    *("os.system", "os.popen", "os.spawn", "os.exec", "os.fork", "os.posix_spawn", "pty."),
    *("multiprocessing", "concurrent.futures.ProcessPoolExecutor", "ProcessPoolExecutor"),
)
# Within walls programs have an environment of their own, made of nothing of ours.
OWN = {
    ("capture/desktop/__main__.py", "self._environment"),
    ("capture/desktop/__main__.py", "{**self._environment, **clock}"),
    ("capture/applications/walls.py", "environment"),
}
# What keeps, fills and serves an application was itself started in such an environment.
WITHIN = (
    "capture/applications/__main__.py",
    "capture/applications/debian.py",
    "capture/applications/node.py",
    "capture/applications/recipes/",
)
# What starts a driver of a browser, and the block in which our environment is a child's.
DRIVERS = {
    "capture/web/driver.py": "environment_of_children()",
    "capture/web/login.py": "    with environment_of_children():\n",
}
# Workers that draw, started within a block in which our environment is a child's.
WORKERS = "surefoot_studies/tiny/training.py"
BLOCK = "with environment_of_children(), ProcessPoolExecutor("


def test_no_key_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables that no child needs stay here, also within an address; the rest arrives."""
    monkeypatch.setenv("SOME_API_KEY", "secret")
    monkeypatch.setenv("HTTPS_PROXY", "http://person:secret@proxy.example:1")
    monkeypatch.setenv("https_proxy", "http://proxy.example:1")
    monkeypatch.setenv("LC_TIME", "C")
    done = subprocess.run(
        [sys.executable, "-c", "import json, os; print(json.dumps(dict(os.environ)))"],
        env=child_environment({"DISPLAY": ":7"}),
        capture_output=True,
        check=True,
        text=True,
    )
    assert "secret" not in done.stdout
    for told in ('"DISPLAY": ":7"', '"LC_TIME": "C"', '"https_proxy"', '"PATH"'):
        assert told in done.stdout


def test_our_environment_is_a_childs_for_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the block keys are gone; behind it, also after an error, they are back."""
    monkeypatch.setenv("SOME_API_KEY", "secret")

    def fail() -> None:
        with environment_of_children():
            assert "SOME_API_KEY" not in os.environ
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert os.environ["SOME_API_KEY"] == "secret"


def test_every_child_has_the_environment_of_a_child() -> None:
    """Each call that starts a process names its environment, made by the one function."""
    started, wrong = 0, []
    for folder in SOURCES:
        for path in folder.rglob("*.py"):
            name, text = str(path.relative_to(folder)), path.read_text("utf-8")
            if name.startswith(WITHIN):
                continue
            for call in ast.walk(ast.parse(text)):
                if not isinstance(call, ast.Call):
                    continue
                called = ast.unparse(call.func)
                given = {item.arg: ast.unparse(item.value) for item in call.keywords}
                environment = given.get("env", "ours")
                clean = environment.startswith("child_environment(") or (name, environment) in OWN
                started += called in STARTERS
                refused = called.startswith(REFUSED) and (name != WORKERS or BLOCK not in text)
                if refused or (called in STARTERS and not clean):
                    wrong.append(f"{name}:{call.lineno} {called} passes on {environment}")
            within = DRIVERS.get(name, "nothing")
            if "from subprocess" in text or ("sync_playwright" in text and within not in text):
                wrong.append(f"{name} may start children unseen")

    assert wrong == []
    assert started >= 10
