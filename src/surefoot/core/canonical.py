"""
One spelling for one value: canonical JSON, and the SHA-256 that names it.

Keys are sorted, separators are bare, text is UTF-8, and infinities are refused, so equal
values are equal bytes on every machine.
"""

from __future__ import annotations

import hashlib
import json
from typing import TypeVar

import msgspec

from surefoot.core.errors import InvalidInputError

T = TypeVar("T")


def canonical_json(value: object) -> bytes:
    """
    Spell a value as canonical JSON bytes; structs become objects (or tagged lists).

    Raises InvalidInputError for a value that JSON cannot hold.

    >>> canonical_json({"b": 1.5, "a": (1, None)})
    b'{"a":[1,null],"b":1.5}'
    """
    try:
        plain = msgspec.to_builtins(value, str_keys=True)
        text = json.dumps(
            plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        )
        return text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError("a value that JSON can hold", found=error) from error


def record_json(value: T, kind: type[T], *, what: str) -> bytes:
    """
    Spell a value that is to be read back as a type; what is committed goes through here.

    Raises InvalidInputError, which names ``what``, where reading would fail or give another
    value: extensions and servers make values that their types do not allow.

    >>> record_json(3, int, what="a count")
    b'3'
    """
    try:
        data = canonical_json(value)
    except InvalidInputError as error:
        raise InvalidInputError(f"{what} that JSON can hold", found=error.found) from error
    again = canonical_json(decode(data, kind, what=what))
    # As plain values: 5 is 5.0, and a list does where a tuple is read.
    if json.loads(again) != json.loads(data):
        raise InvalidInputError(f"{what} that reads back as it was", found="another value")
    return data


def readable_json(value: object) -> bytes:
    r"""
    Spell a value for a file that people look into: indented, the same bytes every time.

    Raises InvalidInputError for a value that JSON cannot hold.

    >>> readable_json({"seed": 7})
    b'{\n  "seed": 7\n}\n'
    """
    plain = json.loads(canonical_json(value))
    return (json.dumps(plain, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def sha256(data: bytes) -> str:
    """Return the SHA-256 of bytes, as 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def digest(value: object) -> str:
    """
    Return the SHA-256 of a value's canonical JSON.

    >>> digest({"a": 1})[:12]
    '015abd7f5cc5'
    """
    return sha256(canonical_json(value))


def decode(data: bytes | str, kind: type[T], *, what: str) -> T:
    """Read JSON as a type; raises InvalidInputError that names what was being read."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise InvalidInputError(f"{what} to be a valid {kind.__name__}", found=error) from error
