"""
The built-in model: optical character recognition and rules; weak, real, and runs anywhere.

It gets the instruction's words and the image, as any model does, and replies in the plain
JSON format. One image is scanned once per language however many questions are asked.
"""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Self

from surefoot.core.canonical import sha256
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Point
from surefoot.models.backend import Backend, Options
from surefoot.models.local import place_reply, refusal_reply
from surefoot.models.model import Reply, Request
from surefoot.models.sight.asks import read_ask
from surefoot.models.sight.locate import locate

if TYPE_CHECKING:
    from surefoot.capture.ocr.scan import Scan, Scanner

VERSION = 1
SCANS_KEPT = 4096
MOST_THREADS = 8


def answer_text(text: str, language: str, scan: Scan) -> str:
    """Return the reply to an instruction about a scanned image; knows nothing else."""
    found = locate(read_ask(text, language), scan)
    return place_reply(found.x, found.y) if isinstance(found, Point) else refusal_reply(found)


class OcrResponder:
    """
    Reply from scans made on a pool of threads.

    Concurrent questions about one image wait for the same scan. A scan that failed is
    tried again for the next question.
    """

    name = "ocr"
    speaks = "json"
    answer = staticmethod(answer_text)

    def __init__(self, threads: int, scanner: Scanner | None = None) -> None:
        from surefoot.capture.ocr.kept import KeptScans
        from surefoot.capture.ocr.scan import Scanner

        self.scanner = scanner or Scanner()
        self._kept = KeptScans() if scanner is None else None
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="ocr")
        self._scans: OrderedDict[tuple[str, str], asyncio.Future[Scan]] = OrderedDict()

    @classmethod
    def opened(cls, rest: str, options: Options) -> Self:
        """Return the backend's responder; raises an error where Tesseract is missing."""
        from surefoot.capture.ocr.scan import LANGUAGES, tessdata_folder

        if rest:
            raise InvalidInputError(f"'{cls.name}' alone", found=f"'{cls.name}:{rest}'")
        tessdata_folder(LANGUAGES["en"])
        return cls(options.threads or min(MOST_THREADS, os.cpu_count() or 1))

    def identity(self) -> dict[str, object]:
        """Return the versions of the rules, of Tesseract and of its language data."""
        from surefoot.capture.ocr.kept import data_hashes
        from surefoot.capture.ocr.scan import load_tesseract

        return {
            "backend": "ocr",
            "rules": VERSION,
            "tesseract": load_tesseract().tesseract_version().split("\n")[0],
            "data": data_hashes(),
        }

    async def reply(self, request: Request) -> Reply:
        """Return a place or a refusal; raises ModelError for an image that is none."""
        from surefoot.capture.ocr.scan import LANGUAGES

        instruction = request.question.instruction
        language = instruction.language if instruction.language in LANGUAGES else "en"
        scan = await self._scan(request.question.image, request.image, language)
        return Reply(self.answer(instruction.text, language, scan))

    async def close(self) -> None:
        """Wait for running scans and free the engines."""
        await asyncio.to_thread(self._pool.shutdown)
        self.scanner.close()

    def _scanned(self, image: bytes, language: str) -> Scan:
        """Return a kept scan, or a new one, which is kept."""
        if self._kept is None:
            return self.scanner.scan(image, language)
        sha = sha256(image)
        found = self._kept.get(sha, language)
        if found is None:
            found = self.scanner.scan(image, language)
            self._kept.put(sha, language, found)
        return found

    async def _scan(self, sha: str, image: bytes, language: str) -> Scan:
        key = (sha, language)
        known = self._scans.get(key)
        if known is None:
            loop = asyncio.get_running_loop()
            known = loop.run_in_executor(self._pool, self._scanned, image, language)
            self._scans[key] = known
            while len(self._scans) > SCANS_KEPT:
                self._scans.popitem(last=False)
        try:
            # One question that is cancelled must not cancel the scan of the others.
            return await asyncio.shield(known)
        finally:
            if known.done() and (known.cancelled() or known.exception() is not None):
                self._scans.pop(key, None)


OCR = Backend(
    name="ocr",
    version=VERSION,
    summary="reads the screen with Tesseract and follows rules: weak, but runs anywhere",
    usage="ocr",
    open=OcrResponder.opened,
    speaks="json",
    checkable=True,
)
