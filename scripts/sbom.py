"""
Write out/sbom.json: all that Surefoot is made of here, as CycloneDX 1.6 tells it.

Python packages with the hashes that set-up takes them by, npm packages with those of the lock
file, Debian packages of scripts/apt*.txt with the version that is installed; each with its
licence where its own metadata names one.
"""

from __future__ import annotations

import base64
import importlib.metadata
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from surefoot import __version__

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "src/surefoot/forms/renderers/web/package-lock.json"


def bill() -> dict[str, Any]:
    """Return the bill of materials, the same for the same packages."""
    components = [*python_packages(), *npm_packages(), *debian_packages()]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {"type": "application", "name": "surefoot", "version": __version__}
        },
        "components": components,
    }


def python_packages() -> Iterator[dict[str, Any]]:
    """Yield the packages of hashes.txt, each file's hash as that of a part of its own."""
    text = (ROOT / "hashes.txt").read_text("utf-8")
    for block in re.split(r"\n(?=[a-z0-9])", text)[1:]:
        name, version = block.split()[0].split("==")
        files = [
            {"type": "file", "name": f"{name} {version}", "hashes": [digest("SHA-256", found)]}
            for found in re.findall(r"--hash=sha256:(\w+)", block)
        ]
        said = importlib.metadata.metadata(name).json
        licence = str(said.get("license_expression") or said.get("license") or "")
        yield component("pypi", name, version, licence) | {"components": files}


def npm_packages() -> Iterator[dict[str, Any]]:
    """Yield the packages of the form renderers' lock file."""
    for place, package in json.loads(LOCK.read_text("utf-8"))["packages"].items():
        if place and "integrity" in package:
            name = place.rpartition("node_modules/")[2]
            found = base64.b64decode(package["integrity"].removeprefix("sha512-")).hex()
            made = component(
                "npm", name, package["version"], str(package.get("license", "")), place
            )
            yield made | {"hashes": [digest("SHA-512", found)]}


def debian_packages() -> Iterator[dict[str, Any]]:
    """Yield those packages of both lists that are installed; Debian tells no hash of them."""
    if shutil.which("dpkg-query") is None:
        return
    lists = ("apt.txt", "apt-desktop.txt")
    wanted = "".join((ROOT / "scripts" / name).read_text("utf-8") for name in lists)
    for name in wanted.split():
        command = ["dpkg-query", "--show", "--showformat", "${Version}", name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout:
            yield component("deb", f"debian/{name}", done.stdout, "")


def component(kind: str, name: str, version: str, licence: str, place: str = "") -> dict[str, Any]:
    """Return a library as CycloneDX tells it, by its package URL and, if need be, its place."""
    address = f"pkg:{kind}/{name.replace('@', '%40')}@{version}"
    made: dict[str, Any] = {
        "type": "library",
        "bom-ref": f"{address}#{place}" if place else address,
        "name": name.rpartition("debian/")[2],
        "version": version,
        "purl": address,
    }
    first = licence.strip().splitlines()[0] if licence.strip() else ""
    return made | ({"licenses": [{"license": {"name": first}}]} if first else {})


def digest(algorithm: str, content: str) -> dict[str, str]:
    """Return a hash as CycloneDX tells it."""
    return {"alg": algorithm, "content": content}


if __name__ == "__main__":
    target = ROOT / "out" / "sbom.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(bill(), indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(f"wrote {target.relative_to(ROOT)}\n")
