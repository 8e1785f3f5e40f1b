"""
A plan: everything that determines a folder's contents, and where two plans part.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from typing import Final

from surefoot.core.canonical import canonical_json, digest

_ABSENT: Final = object()
_LONGEST = 80  # characters of a value that a message quotes


def plan_digest(plan: Mapping[str, object]) -> str:
    """
    Return the SHA-256 that names a plan.

    >>> plan_digest({"seed": 1}) == plan_digest({"seed": 1.0})
    False
    """
    return digest(plan)


def first_difference(then: object, now: object) -> str:
    """
    Name the first place, in sorted order, at which two plans differ; "" where they agree.

    >>> first_difference({"variants": ["original", "zoom:0.7"]}, {"variants": ["original"]})
    "variants[1]: 'zoom:0.7' then, absent now"
    """
    return _difference(json.loads(canonical_json(then)), json.loads(canonical_json(now)), "")


def _difference(then: object, now: object, path: str) -> str:
    if isinstance(then, dict) and isinstance(now, dict):
        keys = sorted(then.keys() | now.keys())
        pairs = [
            (f"{path}.{key}".lstrip("."), then.get(key, _ABSENT), now.get(key, _ABSENT))
            for key in keys
        ]
    elif isinstance(then, list) and isinstance(now, list):
        pairs = [
            (f"{path}[{index}]", before, after)
            for index, (before, after) in enumerate(
                itertools.zip_longest(then, now, fillvalue=_ABSENT)
            )
        ]
    else:
        same = _spell(then) == _spell(now)
        return "" if same else f"{path}: {_cut(_spell(then))} then, {_cut(_spell(now))} now"
    found = (_difference(before, after, where) for where, before, after in pairs)
    return next(filter(None, found), "")


def _spell(value: object) -> str:
    """Spell a value so that two spellings differ where their JSON does, as 1 and 1.0 do."""
    if isinstance(value, str):
        return repr(value)
    return "absent" if value is _ABSENT else json.dumps(value, ensure_ascii=False)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
