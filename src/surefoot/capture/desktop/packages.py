"""
The Debian packages behind ``desktop:`` sources: the screen's own, and the demo's programs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["DEMO_PACKAGES", "SCREEN_PACKAGES"]

SCREEN_PACKAGES: Final[Mapping[str, str]] = {
    "adwaita-icon-theme": "draws the icons of desktop programs",
    "at-spi2-core": "carries the accessibility tree of desktop programs",
    "bubblewrap": "walls off desktop programs from the network and the disk",
    "dbus-daemon": "is the bus of desktop programs",
    "gir1.2-atspi-2.0": "reads the accessibility tree",
    "libatk-adaptor": "gives GTK 2 programs an accessibility tree",
    "libgail-common": "gives GTK 2 programs an accessibility tree",
    "librsvg2-common": "draws the icons of GTK programs",
    "locales": "lets desktop programs speak other languages",
    "openbox": "manages the windows of desktop programs",
    "python3-gi": "reads the accessibility tree",
    "xdotool": "moves the pointer and types",
    "xvfb": "is the screen of desktop programs",
}
DEMO_PACKAGES: Final = (
    "featherpad",
    "galculator",
    "gedit",
    "kcalc",
    "libreoffice-calc",
    "libreoffice-gtk3",
    "libreoffice-writer",
    "lxterminal",
    "mousepad",
    "pcmanfm",
    "qalculate-gtk",
    "speedcrunch",
    "thunar",
    "xarchiver",
)
