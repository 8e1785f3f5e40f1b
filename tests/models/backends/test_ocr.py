"""
The built-in model on drawn pages.
"""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from surefoot.capture.ocr.scan import Scan, Scanner, tessdata_folder
from surefoot.core.errors import InvalidInputError, MissingComponentError, ModelError
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Question, Refusal
from surefoot.models.backends.ocr import OcrResponder
from surefoot.models.checking.self_check import self_check
from surefoot.models.model import Model
from surefoot.models.opening import FORMATS, open_model

AskFor = Callable[..., Question]
FIELDS = {"Name": Box(160, 60, 420, 94), "Email": Box(160, 120, 420, 154)}
BUTTONS = {"Save": Box(160, 240, 260, 276), "Cancel": Box(300, 240, 400, 276)}
CHECK = Box(160, 180, 176, 196)
MENU = {"Reports": Box(520, 80, 640, 110), "Settings": Box(520, 140, 640, 170)}


@pytest.fixture(scope="module")
def page() -> bytes:
    """Draw a form beside a dark menu."""
    image = Image.new("RGB", (700, 320), "white")
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(16)
    for name, box in FIELDS.items():
        pen.text((60, box.center.y), name, fill="black", font=font, anchor="lm")
        pen.rectangle(box.as_tuple(), outline="#c0c4cc")
    pen.rectangle(CHECK.as_tuple(), outline="#888888")
    pen.text((186, 188), "Remember me", fill="black", font=font, anchor="lm")
    for name, box in BUTTONS.items():
        colour = "#0d6efd" if name == "Save" else "#6c757d"
        pen.rounded_rectangle(box.as_tuple(), radius=5, fill=colour)
        pen.text((box.center.x, box.center.y), name, fill="white", font=font, anchor="mm")
    pen.rectangle((500, 0, 700, 320), fill="#1f2937")
    for name, box in MENU.items():
        pen.text((box.left + 10, box.center.y), name, fill="#e5e7eb", font=font, anchor="lm")
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def answer(texts: list[str], page: bytes, ask_for: AskFor) -> list[object]:
    """Ask the model several questions about the page at once."""

    async def main() -> list[object]:
        model = open_model("ocr")
        questions = [
            ask_for(text, number=number, image=page, size=(700, 320))
            for number, text in enumerate(texts)
        ]
        answers = await asyncio.gather(*(model.answer(question, page) for question in questions))
        await model.close()
        return [item.parsed for item in answers]

    return asyncio.run(main())


def test_it_finds_what_is_drawn(page: bytes, ask_for: AskFor) -> None:
    """Names, cues and directions lead into the right boxes, light text on dark included."""
    wanted = {
        "Click the 'Save' button": BUTTONS["Save"],
        "Click the 'Name' field": FIELDS["Name"],
        "Type 'a@b.c' into the 'Email' field": FIELDS["Email"],
        "Click the 'Remember me' check box": CHECK,
        "Click the 'Settings' link": MENU["Settings"],
        "Click the button to the right of 'Save'": BUTTONS["Cancel"],
        "Click the button to the left of 'Cancel'": BUTTONS["Save"],
        "Click the field above 'Remember me'": FIELDS["Email"],
        "Click the link below 'Reports'": MENU["Settings"],
        "Click the link above 'Settings'": MENU["Reports"],
    }
    found = answer(list(wanted), page, ask_for)
    missed = [
        text
        for (text, box), point in zip(wanted.items(), found, strict=True)
        if not (isinstance(point, Point) and box.contains(point))
    ]
    assert missed == []


def test_it_refuses_what_is_not_there(page: bytes, ask_for: AskFor) -> None:
    """A name that cannot be read gets a Refusal, not a guess."""
    (found,) = answer(["Click the 'Unsubscribe' button"], page, ask_for)
    assert isinstance(found, Refusal)
    assert "Unsubscribe" in found.reason


def test_the_same_image_gives_the_same_answers(page: bytes, ask_for: AskFor) -> None:
    """Two models, each with its own engines and threads, agree to the last digit."""
    texts = ["Click the 'Save' button", "Click the link above 'Settings'"]
    assert answer(texts, page, ask_for) == answer(texts, page, ask_for)


def test_a_picture_is_read_once_over_all_commands(
    page: bytes, ask_for: AskFor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second model answers from disk alone, as the first one did, and Tesseract is not asked."""
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path))
    texts = ["Click the 'Save' button", "Click the link above 'Settings'"]
    first = answer(texts, page, ask_for)

    def refuse(*_: object) -> Scan:
        raise AssertionError("scanned again")

    monkeypatch.setattr(Scanner, "scan", refuse)
    assert answer(texts, page, ask_for) == first


class CountingScanner(Scanner):
    """Count scans, and fail the first ones if told to."""

    def __init__(self, failures: int = 0) -> None:
        super().__init__()
        self.count = 0
        self.failures = failures
        self.lock = threading.Lock()

    def scan(self, image: bytes, language: str) -> Scan:
        """Count, then fail or return an empty scan."""
        with self.lock:
            self.count += 1
            if self.count <= self.failures:
                raise ModelError("bad-image", expected="a picture", found=language)
        assert image
        return Scan((), ())


def test_one_scan_per_image_and_language(page: bytes, ask_for: AskFor, png: bytes) -> None:
    """Many questions, at once and later, share the scan of their image and language."""
    scanner = CountingScanner()

    async def main() -> None:
        model = Model(OcrResponder(2, scanner), FORMATS.get("json"))
        for _ in range(2):
            await asyncio.gather(
                *(model.answer(ask_for(number=index), png) for index in range(20)),
                *(model.answer(ask_for(number=index, image=page), page) for index in range(20)),
                model.answer(ask_for(language="fr"), png),
            )
        await model.close()

    asyncio.run(main())
    assert scanner.count == 3


def test_a_failed_scan_is_tried_again(ask_for: AskFor, png: bytes) -> None:
    """A failure is raised to each question that waited, and not remembered."""
    scanner = CountingScanner(failures=1)

    async def main() -> list[object]:
        model = Model(OcrResponder(1, scanner), FORMATS.get("json"))
        first = await asyncio.gather(
            *(model.answer(ask_for(number=index), png) for index in range(3)),
            return_exceptions=True,
        )
        await model.answer(ask_for(), png)
        await model.close()
        return list(first)

    assert all(isinstance(item, ModelError) for item in asyncio.run(main()))
    assert scanner.count == 2


def test_bytes_that_are_no_image(ask_for: AskFor) -> None:
    """Garbage instead of a picture is a ModelError."""
    with pytest.raises(ModelError) as error:
        answer(["Click the 'Save' button"], b"\x89PNG garbage", ask_for)
    assert error.value.reason == "bad-image"


def test_missing_language_data_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Absent data is a missing component, with the command that installs it."""
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)
    with pytest.raises(MissingComponentError, match="apt-get install tesseract-ocr-tlh"):
        tessdata_folder("tlh")


def test_it_takes_no_argument() -> None:
    """The model's name stands alone."""
    with pytest.raises(InvalidInputError, match="'ocr' alone"):
        open_model("ocr:eng")


def test_its_identity_names_engine_and_data() -> None:
    """The plan of a run of this model knows Tesseract's version and its data."""
    identity = open_model("ocr").identity()
    assert str(identity["tesseract"]).startswith("tesseract 5")
    assert "eng" in str(identity["data"])


@pytest.mark.slow
def test_it_passes_the_self_check() -> None:
    """The built-in model's coordinates arrive in the space that its format claims."""

    async def main() -> tuple[str, int]:
        model = open_model("ocr")
        found = await self_check(model)
        await model.close()
        return found.verdict, found.hits

    verdict, hits = asyncio.run(main())
    assert verdict == "ok"
    assert hits >= 9
