"""
Programs of Debian find their files, stand at our time, and PHP has its extensions in order.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from surefoot.capture.applications.debian import debian_environment, debian_file, php_command


@pytest.fixture
def unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the packages' folder of an application and let its interpreter be ours."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "packages"))
    for name in (
        "usr/lib/x86_64-linux-gnu/fakechroot/libfakechroot.so",
        "usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
        "usr/bin/php8.2",
        "usr/bin/phpdismod",
    ):
        debian_file(name).parent.mkdir(parents=True, exist_ok=True)
        debian_file(name).touch()
    for name, rank in (("dom", 20), ("xml", 15), ("pdo", 10)):
        ini = debian_file(f"usr/share/php8.2-{name}/{name}/{name}.ini")
        ini.parent.mkdir(parents=True)
        ini.write_text(f"; priority={rank}\nextension={name}.so\n")
    return tmp_path


def test_a_program_sees_its_packages_at_the_root(unpacked: Path) -> None:
    """Its libraries come first, its time is ours, and the state lies where it does for us."""
    told = debian_environment(unpacked / "state", added={"WHO": "maria"})
    root = unpacked / "packages" / "debian"

    assert told["FAKECHROOT_BASE"] == str(root)
    assert told["LD_LIBRARY_PATH"] == f"{root}/usr/lib/x86_64-linux-gnu"
    assert [Path(item).name for item in told["LD_PRELOAD"].split(":")] == [
        "libfakechroot.so",
        "libfaketime.so.1",
    ]
    assert str(unpacked / "state") in told["FAKECHROOT_EXCLUDE_PATH"].split(":")
    assert told["FAKETIME"] == "@2026-01-15 10:00:00 x0.0001"
    assert told["WHO"] == "maria"


def test_an_extension_comes_after_what_it_needs(unpacked: Path) -> None:
    """The packages' own order holds; a site's settings come last; phpdismod is no PHP."""
    program, _, ini = php_command(unpacked, {"memory_limit": "64M"})
    lines = Path(ini).read_text().splitlines()

    assert Path(program).name == "php8.2"
    assert [line for line in lines if line.startswith("extension=")] == [
        "extension=pdo.so",
        "extension=xml.so",
        "extension=dom.so",
    ]
    assert lines[-1] == 'upload_max_filesize = "2M"'
    assert 'memory_limit = "64M"' in lines
    assert 'memory_limit = "512M"' not in lines
