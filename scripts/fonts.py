# ruff: noqa: T201 - a script beside what it writes
"""
Write which fonts a capture sees, and by which rules, from what set-up installs on Debian.

    python scripts/fonts.py

Run it where a package of fonts, or fontconfig, is to be another one: pictures change with it.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

ROOT = Path(__file__).parents[1]
HERE = ROOT / "src" / "surefoot" / "capture" / "fontconfig"
FONTS = Path("/usr/share/fonts")
SUFFIXES = {".ttf", ".otf", ".ttc"}
DESKTOP = "fonts-opensymbol"  # comes with LibreOffice; web pages do not see it
# Of fonts that set-up does not install, and of the machine's own persons.
LEFT_OUT = re.compile(r"\d+-(urw-.*|fonts-persian|unifont|delicious|opensymbol|local)\.conf")
PERSON = "50-user.conf"
# What a configuration says of its machine, and not of fonts.
OF_MACHINE = {"dir", "cachedir", "include", "config", "description", "reset-dirs"}
HEAD = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<!-- The rules of fontconfig (and of Debian's fonts-dejavu and fonts-noto-cjk), gathered by
     scripts/fonts.py. Copyright 2000, 2001, 2002, 2003, 2004, 2006, 2007 Keith Packard and
     others; permission to use, copy, modify, distribute and sell is granted without fee. -->
<fontconfig>
<!-- PLACES -->
"""


def files() -> str:
    """Spell the files of each package, relative to where fonts lie."""
    named = (ROOT / "scripts" / "apt.txt").read_text("utf-8").split()
    found = []
    for package in [*(name for name in named if name.startswith("fonts-")), DESKTOP]:
        listed = subprocess.run(
            ["dpkg-query", "--listfiles", package], capture_output=True, check=True, text=True
        ).stdout.splitlines()
        paths = sorted(
            Path(line).relative_to(FONTS).as_posix()
            for line in listed
            if Path(line).suffix in SUFFIXES and Path(line).is_relative_to(FONTS)
        )
        found += [f"{package} = [", *(f'  "{path}",' for path in paths), "]"]
    return "\n".join(["# Written by scripts/fonts.py.", *found, ""])


def rules() -> str:
    """Spell the rules in the order in which fontconfig reads them, a rule a line."""
    confs = sorted(Path("/etc/fonts/conf.d").glob("*.conf"))
    lines = [HEAD]
    for conf in [Path("/etc/fonts/fonts.conf"), *confs]:
        if conf.name == PERSON:
            lines.append("<!-- PERSON -->\n")
        elif not LEFT_OUT.fullmatch(conf.name):
            for rule in ET.parse(conf).getroot():  # noqa: S314 - the system's own files
                if rule.tag not in OF_MACHINE:
                    text = ET.tostring(rule, encoding="unicode")
                    lines.append(re.sub(r">\s+<", "><", text).strip() + "\n")
    return "".join([*lines, "</fontconfig>\n"])


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    for name, text in (("files.toml", files()), ("rules.conf", rules())):
        (HERE / name).write_text(text, encoding="utf-8")
        print(f"wrote {HERE / name}")
