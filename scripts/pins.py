"""
Write constraints.txt, the version of every package that Surefoot and its extras reach.

And hashes.txt, the hashes of all files of these versions, for every platform: set-up takes no
other file. They are told by the index that uv is set to use. scripts/demo.txt names those that
the demo needs.

Only what is reachable from pyproject.toml is pinned, never what else the environment holds,
and a pin is a name and a version, never an address. A build of one's own, such as PyTorch's for
processors alone (2.13.0+cpu), is one more file of its version.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

CONSTRAINTS = Path(__file__).parent.parent / "constraints.txt"
HASHES = CONSTRAINTS.with_name("hashes.txt")
DEMO = Path(__file__).with_name("demo.txt")
UV = "uv==0.13.9"
# Extras that do not go with the others: scripts/try_environments.sh installs each by itself.
ELSEWHERE = frozenset({"browsergym", "inspect", "openenv", "ray"})
HASHES_HEADING = (
    "# Written by `make pins`: the hashes of all files of what constraints.txt names.\n"
)
HEADING = "# Written by `make pins`: what .venv holds of all that pyproject.toml reaches.\n"


def closure(root: str, extras: frozenset[str]) -> set[str]:
    """Return the canonical names of all installed requirements of ``root``, without itself."""
    found: set[str] = set()
    waiting = [(root, extras)]
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        name, wanted = waiting.pop()
        if (name, wanted) in seen:
            continue
        seen.add((name, wanted))
        found.add(canonicalize_name(name))
        for line in importlib.metadata.requires(name) or ():
            requirement = Requirement(line)
            environments = [{"extra": extra} for extra in ("", *wanted)]
            if requirement.marker and not any(map(requirement.marker.evaluate, environments)):
                continue
            waiting.append((requirement.name, frozenset(requirement.extras)))
    return found - {canonicalize_name(root)}


def demo() -> list[str]:
    """
    Return the names of what the demo needs: its extras, and what installs us in place.

    >>> {"playwright", "django", "hatchling"} <= set(demo()), "torch" in demo()
    (True, False)
    """
    builds = closure("hatchling", frozenset()) | {"hatchling"}
    return sorted(closure("surefoot", frozenset({"django", "web"})) | builds)


def pins(names: set[str]) -> list[str]:
    """
    Return one ``name==version`` line for each installed name.

    >>> [line.split("==")[0] for line in pins({"msgspec", "httpx"})]
    ['httpx', 'msgspec']
    """
    return [f"{name}=={_release(name)}" for name in sorted(names)]


def _release(name: str) -> str:
    return importlib.metadata.version(name).partition("+")[0]


def hashes(constraints: Path) -> str:
    """Return the pins with the hashes of all of their files, as ``pip install -r`` reads them."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder]
        subprocess.run([*pip, UV], check=True)
        compile_ = [f"{folder}/bin/uv", "pip", "compile", "--quiet", "--no-deps", "--universal"]
        compile_ += ["--generate-hashes", "--no-header", "--no-annotate", str(constraints)]
        text = subprocess.run(compile_, check=True, capture_output=True, text=True).stdout
        own = [name for name in _names(constraints) if "+" in importlib.metadata.version(name)]
        for name in own:
            digest = _downloaded(name, Path(folder, name))
            block = rf"(?m)^({name}==\S+) \\\n"
            text = re.sub(block, rf"\g<0>    --hash=sha256:{digest} \\\n", text)
        return text


def _names(constraints: Path) -> list[str]:
    return re.findall(r"^[\w-]+(?===)", constraints.read_text("utf-8"), re.MULTILINE)


def _downloaded(name: str, folder: Path) -> str:
    """Return the SHA-256 of the file that pip takes here for what is installed."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder)]
    subprocess.run([*pip, f"{name}=={importlib.metadata.version(name)}"], check=True)
    [file] = folder.iterdir()
    return hashlib.sha256(file.read_bytes()).hexdigest()


if __name__ == "__main__":
    extras = importlib.metadata.metadata("surefoot").get_all("Provides-Extra") or []
    lines = pins(closure("surefoot", frozenset(extras) - ELSEWHERE))
    CONSTRAINTS.write_text(HEADING + "\n".join(lines) + "\n", encoding="utf-8")
    DEMO.write_text("\n".join(demo()) + "\n", encoding="utf-8")
    HASHES.write_text(HASHES_HEADING + hashes(CONSTRAINTS), encoding="utf-8")
