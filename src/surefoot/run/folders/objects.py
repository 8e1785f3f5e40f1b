"""
The objects that the records of a folder name, and whether they are there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from surefoot.core.store import ObjectStore

# Fields of records that name an object: a picture, a printed paper, a file to upload.
_NAMING: Final = ("image", "pdf", "sha256")
_SHA: Final = re.compile(r"[0-9a-f]{64}")


def named_objects(data: bytes) -> set[str]:
    """
    Return the SHA-256 of each object that a record names; none where it cannot be read.

    >>> named_objects(b'{"screens": [{"image": ""}, {"image": "%s"}]}' % (b"0" * 64)) == {"0" * 64}
    True
    """
    try:
        waiting, found = [json.loads(data)], set()
    except (ValueError, RecursionError):
        return set()
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            named = (value.get(name) for name in _NAMING)
            found |= {sha for sha in named if isinstance(sha, str) and _SHA.fullmatch(sha)}
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return found


def pictures_held(folder: Path) -> Callable[[bytes], bool]:
    """Return what tells whether a folder holds all pictures that a result names, undamaged."""
    store = ObjectStore(folder)

    def held(payload: bytes) -> bool:
        return all(store.holds(sha) for sha in sorted(named_objects(payload)))

    return held
