"""
Certificates of one's own: which keys a browser may believe beside those that everybody does.
"""

from __future__ import annotations

import base64
import hashlib
import re
import ssl
from pathlib import Path
from typing import Final

from surefoot.core.errors import InvalidInputError

PEM: Final = re.compile(
    r"-----BEGIN CERTIFICATE-----\s.*?-----END CERTIFICATE-----", re.DOTALL | re.ASCII
)
LONG_FORM: Final = 0x80
VERSION: Final = 0xA0
# What stands before the key in a certificate: serial number, algorithm, issuer, dates, subject.
BEFORE_KEY: Final = 5


def public_keys(file: str) -> tuple[str, ...]:
    """
    Return the SHA-256 of each certificate's public key in a PEM file, in base64.

    Raises InvalidInputError for a file that holds none.
    """
    try:
        text = Path(file).read_text("ascii")
        found = [_key(ssl.PEM_cert_to_DER_cert(part)) for part in PEM.findall(text)]
    except (OSError, ValueError, IndexError) as error:
        raise InvalidInputError(f"certificates (PEM) in {file}", found=error) from error
    if not found:
        raise InvalidInputError(f"certificates (PEM) in {file}", found="none")
    return tuple(base64.b64encode(hashlib.sha256(key).digest()).decode() for key in found)


def _key(certificate: bytes) -> bytes:
    """Return the part of a certificate in DER that says its public key."""
    at, _ = _value(certificate, 0)  # the certificate
    at, _ = _value(certificate, at)  # what is signed of it
    if certificate[at] == VERSION:
        at = _value(certificate, at)[1]
    for _ in range(BEFORE_KEY):
        at = _value(certificate, at)[1]
    return certificate[at : _value(certificate, at)[1]]


def _value(data: bytes, at: int) -> tuple[int, int]:
    """Return where the value of a field begins and ends."""
    length, begin = data[at + 1], at + 2
    if length & LONG_FORM:
        size = length & ~LONG_FORM
        length, begin = int.from_bytes(data[begin : begin + size], "big"), begin + size
    if begin + length > len(data):
        raise ValueError("a certificate that ends early")
    return begin, begin + length
