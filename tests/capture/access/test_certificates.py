"""
The key of a certificate is read without a library for certificates.
"""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from surefoot.capture.access.certificates import public_keys
from surefoot.core.errors import InvalidInputError

BEGIN, END = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is the oracle")
@pytest.mark.parametrize("kind", ["rsa:2048", "ec"])
def test_keys_are_those_that_openssl_reads(tmp_path: Path, kind: str) -> None:
    """The digest of the key is that of openssl, for RSA and for elliptic curves."""
    curve = ["-pkeyopt", "ec_paramgen_curve:P-256"] if kind == "ec" else []
    names = ["-keyout", "key.pem", "-out", "a.pem", "-subj", "/CN=localhost", "-days", "2"]
    made = ["openssl", "req", "-x509", "-newkey", kind, *curve, "-nodes", *names]
    subprocess.run(made, cwd=tmp_path, check=True, capture_output=True)
    told = ["openssl", "pkey", "-in", "key.pem", "-pubout", "-outform", "DER"]
    key = subprocess.run(told, cwd=tmp_path, check=True, capture_output=True).stdout

    found = public_keys(str(tmp_path / "a.pem"))

    assert found == (base64.b64encode(hashlib.sha256(key).digest()).decode(),)


@pytest.mark.parametrize(
    "text", ["", "rope", f"{BEGIN}\n{END}", f"{BEGIN}\nMIIB\n{END}", f"{BEGIN}\nMIIBAAAA\n{END}"]
)
def test_what_is_no_certificate_is_refused(tmp_path: Path, text: str) -> None:
    """An empty file, other words and a certificate that was cut are the caller's mistake."""
    file = tmp_path / "ca.pem"
    file.write_text(text)

    with pytest.raises(InvalidInputError, match="certificates"):
        public_keys(str(file))
