"""
Small pages for the browser's tests, and phone screens drawn together with their dumps.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import quoteattr

import pytest
from PIL import Image, ImageDraw, ImageFont

from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.core.edit import Edit

Shooter = Callable[..., Capture]
SMALL = Settings(width=400, height=300)


@pytest.fixture
def address(tmp_path: Path) -> Callable[..., Address]:
    """Write files into a folder and return the address of its first page."""

    def write(html: str, **files: str) -> Address:
        folder = tmp_path / "site"
        folder.mkdir(exist_ok=True)
        for name, text in files.items():
            (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
        page = folder / "index.html"
        page.write_text(f"<!doctype html><meta charset=utf-8>{html}", encoding="utf-8")
        return list_addresses(str(page))[0]

    return write


@pytest.fixture
def shot(browser: Browser, address: Callable[..., Address]) -> Shooter:
    """Capture a small page from its HTML, with edits, at 400 x 300."""

    def take(
        html: str, edits: Sequence[Edit] = (), settings: Settings = SMALL, **files: str
    ) -> Capture:
        return capture(browser, address(html, **files), settings, edits=edits)

    return take


SIZE: Final = (540, 960)
PACKAGE: Final = "org.example.phone"
FLAGS: Final = (
    "checkable", "checked", "clickable", "enabled", "focusable", "focused", "scrollable",
    "long-clickable", "password", "selected",
)  # fmt: skip
INK, PALE, GROUND, ACCENT = "#202124", "#5f6368", "#ffffff", "#1a73e8"
Bounds = tuple[int, int, int, int]
ROW: Final = "android.widget.LinearLayout"
LABEL: Final = "android.widget.TextView"


class Drawn:
    """Hold one view: what a dump says of it, and its children."""

    def __init__(self, class_name: str, bounds: Bounds, told: dict[str, Any]) -> None:
        self.class_name = class_name
        self.bounds = bounds
        self.told = told
        self.children: list[Drawn] = []

    def xml(self, index: int = 0) -> str:
        """Return the view as uiautomator writes it."""
        left, top, right, bottom = self.bounds
        told: dict[str, str] = {
            "index": str(index),
            "text": self.told.get("text", ""),
            "resource-id": self.told.get("resource-id", ""),
            "class": self.class_name,
            "package": PACKAGE,
            "content-desc": self.told.get("content-desc", ""),
        }
        for flag in FLAGS:
            told[flag] = str(self.told.get(flag, flag == "enabled")).lower()
        told["bounds"] = f"[{left},{top}][{right},{bottom}]"
        if "hint" in self.told:
            told["hint"] = self.told["hint"]
        spelled = " ".join(f"{name}={quoteattr(value)}" for name, value in told.items())
        inside = "".join(child.xml(at) for at, child in enumerate(self.children))
        return f"<node {spelled}>{inside}</node>" if inside else f"<node {spelled} />"

    def rico(self) -> dict[str, Any]:
        """Return the view as RICO stores it, on a screen of 1440 x 2560."""
        scale = 1440 / SIZE[0]
        described = self.told.get("content-desc")
        return {
            "scrollable-horizontal": False,
            "draw": True,
            "ancestors": ["android.view.View", "java.lang.Object"],
            "clickable": self.told.get("clickable", False),
            "pressed": "not_pressed",
            "focusable": self.told.get("focusable", False),
            "long-clickable": self.told.get("long-clickable", False),
            "enabled": self.told.get("enabled", True),
            "bounds": [round(side * scale) for side in self.bounds],
            "visibility": "visible",
            "content-desc": [described],
            "rel-bounds": [0, 0, 1, 1],
            "focused": self.told.get("focused", False),
            "selected": self.told.get("selected", False),
            "scrollable-vertical": self.told.get("scrollable", False),
            "adapter-view": False,
            "abs-pos": True,
            "pointer": "1a2b3c",
            "class": self.class_name,
            "visible-to-user": True,
            "package": PACKAGE,
            "text": self.told.get("text"),
            "children": [child.rico() for child in self.children] or None,
        }


class Phone:
    """Draw a screen, and keep its views."""

    def __init__(self, ground: str = GROUND) -> None:
        self.image = Image.new("RGB", SIZE, ground)
        self.pen = ImageDraw.Draw(self.image)
        self.root = Drawn("android.widget.FrameLayout", (0, 0, *SIZE), {})

    def view(self, parent: Drawn | None, class_name: str, bounds: Bounds, **told: object) -> Drawn:
        """Add a view that draws nothing; names have _ for -."""
        spelled = {name.replace("_", "-"): value for name, value in told.items()}
        made = Drawn(class_name, bounds, spelled)
        (parent or self.root).children.append(made)
        return made

    def words(self, at: tuple[int, int], text: str, size: int = 22, ink: str = INK) -> None:
        """Write a line of text."""
        self.pen.text(at, text, fill=ink, font=ImageFont.load_default(size))

    def label(self, parent: Drawn | None, bounds: Bounds, text: str, size: int = 22) -> Drawn:
        """Add a line of text in a box that is wider than its words."""
        self.words((bounds[0], bounds[1] + 4), text, size)
        return self.view(parent, LABEL, bounds, text=text)

    def button(self, parent: Drawn | None, bounds: Bounds, text: str, **told: object) -> Drawn:
        """Add a filled button."""
        self.pen.rounded_rectangle(bounds, 8, fill=ACCENT)
        self.words((bounds[0] + 20, bounds[1] + 14), text, ink=GROUND)
        return self.view(
            parent, "android.widget.Button", bounds, text=text, clickable=True, **told
        )

    def icon(self, parent: Drawn | None, bounds: Bounds, name: str) -> Drawn:
        """Add a button that is only drawn."""
        left, top, right, bottom = bounds
        self.pen.ellipse((left + 14, top + 14, right - 14, bottom - 14), outline=INK, width=4)
        return self.view(
            parent, "android.widget.ImageButton", bounds, content_desc=name, clickable=True
        )

    def switch(self, parent: Drawn, bounds: Bounds, *, on: bool, clickable: bool) -> Drawn:
        """Add a switch, on or off."""
        left, top, right, bottom = bounds
        self.pen.rounded_rectangle(bounds, 14, fill=ACCENT if on else PALE)
        knob = (
            (right - 26, top + 2, right - 2, bottom - 2)
            if on
            else (left + 2, top + 2, left + 26, bottom - 2)
        )
        self.pen.ellipse(knob, fill=GROUND)
        return self.view(
            parent, "android.widget.Switch", bounds, checkable=True, checked=on,
            clickable=clickable,
        )  # fmt: skip

    def xml(self) -> str:
        """Return the dump of uiautomator."""
        head = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
        return f'{head}<hierarchy rotation="0">{self.root.xml()}</hierarchy>'

    def rico(self) -> str:
        """Return the view hierarchy of RICO."""
        activity = {"root": self.root.rico(), "added_fragments": [], "active_fragments": []}
        name = f"{PACKAGE}/{PACKAGE}.Main"
        return json.dumps({"activity_name": name, "activity": activity, "request_id": "7"})

    def picture(self, kind: str = "PNG", size: tuple[int, int] = SIZE) -> bytes:
        """Return the screenshot's bytes."""
        file = io.BytesIO()
        self.image.resize(size, Image.Resampling.LANCZOS).save(file, kind)
        return file.getvalue()


def settings_list() -> Phone:
    """Draw a list of settings: rows with switches that the rows stand for, one cut off."""
    phone = Phone()
    bar = phone.view(None, "androidx.appcompat.widget.Toolbar", (0, 0, 540, 72))
    phone.icon(bar, (0, 0, 72, 72), "Navigate up")
    phone.label(bar, (90, 16, 300, 56), "Settings", 28)
    phone.icon(bar, (468, 0, 540, 72), "Search settings")
    rows = phone.view(
        None, "androidx.recyclerview.widget.RecyclerView", (0, 80, 540, 960), scrollable=True
    )
    for at, (title, summary, switch) in enumerate(
        [
            ("Wi-Fi", "Connected to Heron", True),
            ("Bluetooth", "Visible as Pocket", False),
            ("Display", "Brightness and sleep", None),
            ("Location", "Used by three apps", True),
            ("About phone", "Version 14", None),
        ]
    ):
        top = 96 + at * 190
        row = phone.view(rows, ROW, (0, top, 540, top + 180), clickable=True, focusable=True)
        phone.label(row, (32, top + 40, 400, top + 80), title, 28)
        phone.label(row, (32, top + 90, 400, top + 126), summary)
        if switch is not None:
            phone.switch(
                row, (440, top + 66, 508, top + 94), on=switch, clickable=title == "Location"
            )
    return phone


def sign_up_form() -> Phone:
    """Draw a form: fields with hints and values, boxes, a slider, buttons."""
    phone = Phone("#f8f9fa")
    phone.label(None, (32, 40, 500, 90), "Create your account", 30)
    for top, text, hint in (
        (120, "Ada Park", "Full name"),
        (210, "", "Email"),
        (300, "", "Password"),
    ):
        phone.pen.rectangle((32, top, 508, top + 64), fill=GROUND, outline=PALE, width=2)
        phone.words((48, top + 18), text or hint, ink=INK if text else PALE)
        phone.view(
            None, "android.widget.EditText", (32, top, 508, top + 64), text=text or hint,
            hint=hint, clickable=True, focusable=True, password=hint == "Password",
        )  # fmt: skip
    phone.pen.rectangle((32, 400, 60, 428), outline=INK, width=3)
    phone.words((76, 400), "Send me news")
    phone.view(
        None, "android.widget.CheckBox", (24, 390, 300, 438), text="Send me news",
        checkable=True, clickable=True,
    )  # fmt: skip
    group = phone.view(None, "android.widget.RadioGroup", (24, 450, 516, 560))
    for left, text in ((24, "Monthly"), (270, "Yearly")):
        phone.pen.ellipse((left + 10, 490, left + 38, 518), outline=INK, width=3)
        phone.words((left + 52, 490), text)
        phone.view(
            group, "android.widget.RadioButton", (left, 470, left + 230, 538), text=text,
            checkable=True, checked=text == "Yearly", clickable=True,
        )  # fmt: skip
    phone.pen.line((40, 620, 500, 620), fill=PALE, width=6)
    phone.pen.ellipse((240, 604, 272, 636), fill=ACCENT)
    phone.view(
        None, "android.widget.SeekBar", (32, 596, 508, 644), text="45.0",
        content_desc="Text size",
    )  # fmt: skip
    phone.button(None, (32, 820, 250, 876), "Sign up")
    phone.button(None, (290, 820, 508, 876), "Cancel", enabled=False)
    return phone


def delete_dialog() -> Phone:
    """Draw a page of messages with a dialog over its middle."""
    phone = Phone()
    page = phone.view(None, "android.view.ViewGroup", (0, 0, 540, 960))
    bar = phone.view(page, "android.widget.Toolbar", (0, 0, 540, 72))
    phone.label(bar, (32, 16, 300, 56), "Messages", 28)
    phone.button(page, (60, 420, 300, 476), "Open draft")
    phone.button(page, (32, 880, 250, 936), "Compose")
    phone.pen.rounded_rectangle((40, 340, 500, 640), 12, fill="#eceff1")
    dialog = phone.view(None, ROW, (40, 340, 500, 640), clickable=True)
    phone.label(dialog, (70, 370, 470, 420), "Delete this draft?", 26)
    phone.button(dialog, (70, 560, 250, 616), "Keep")
    phone.button(dialog, (290, 560, 470, 616), "Delete")
    return phone


PHONES: Final[dict[str, Callable[[], Phone]]] = {
    "settings": settings_list,
    "form": sign_up_form,
    "dialog": delete_dialog,
}


@pytest.fixture(scope="session")
def phones() -> dict[str, Callable[[], Phone]]:
    """Lend the ways to draw each screen."""
    return PHONES


@pytest.fixture
def dumps(tmp_path: Path) -> Path:
    """Lend a folder with each screen as a uiautomator dump and its screenshot."""
    folder = tmp_path / "phone"
    folder.mkdir()
    for name, draw in PHONES.items():
        phone = draw()
        (folder / f"{name}.xml").write_text(phone.xml(), "utf-8")
        (folder / f"{name}.png").write_bytes(phone.picture())
    return folder
