"""
Scans on disk: a picture that Tesseract has read once is not read again, in any later command.

A scan's file is named by all that it depends on: the picture, the language, Tesseract and its
data, and the code that scans. What cannot be read, or written, is scanned anew.
"""

from __future__ import annotations

import contextlib
import functools
import zlib
from pathlib import Path

import msgspec
import PIL

from surefoot.capture.ocr import scan
from surefoot.capture.ocr.scan import LANGUAGES, Scan, load_tesseract, tessdata_folder
from surefoot.core.canonical import digest, sha256
from surefoot.core.errors import MissingComponentError
from surefoot.core.files import cache_folder, write_atomic


class KeptScans:
    """Keep scans by picture and language, below the cache folder if no other is named."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = cache_folder() / "scans" if folder is None else folder

    def get(self, picture: str, language: str) -> Scan | None:
        """Return the scan of a picture, given by its SHA-256, None where there is none."""
        with contextlib.suppress(OSError, zlib.error, msgspec.MsgspecError):
            data = zlib.decompress(self._file(picture, language).read_bytes())
            return msgspec.msgpack.decode(data, type=Scan)
        return None

    def put(self, picture: str, language: str, found: Scan) -> None:
        """Keep a scan, where the folder can be written."""
        file = self._file(picture, language)
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(file, zlib.compress(msgspec.msgpack.encode(found)))

    def _file(self, picture: str, language: str) -> Path:
        name = digest([picture, language, versions_of_scans()])
        return self._folder / name[:2] / name[2:]


@functools.cache
def data_hashes() -> dict[str, str]:
    """Return a hash of the data of each of Tesseract's languages that is installed."""
    hashes: dict[str, str] = {}
    for language in sorted({part for all_ in LANGUAGES.values() for part in all_.split("+")}):
        try:
            file = tessdata_folder(language) / f"{language}.traineddata"
        except MissingComponentError:
            continue
        hashes[language] = sha256(file.read_bytes())[:16]
    return hashes


@functools.cache
def versions_of_scans() -> list[str]:
    """Return what a scan depends on beside the picture: code, Tesseract, its data, Pillow."""
    code = sha256(Path(scan.__file__).read_bytes())
    return [code, load_tesseract().tesseract_version(), PIL.__version__, digest(data_hashes())]
