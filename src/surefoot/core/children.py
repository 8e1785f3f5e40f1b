"""
What a child process is told of our environment: what it needs to run, and no key.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator, Mapping
from typing import Final

from surefoot.core.scratch import SCRATCH

# Where programs, libraries, fonts and files lie; the language and the time of this place.
ALLOWED: Final = frozenset(
    {
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TERM"),
        *("TMPDIR", "TMP", "TEMP", "LD_LIBRARY_PATH", "OMP_THREAD_LIMIT"),
        *("PYTHONPATH", "PYTHONHOME", "PYTHONUTF8", "PYTHONIOENCODING", "PYTHONHASHSEED"),
        *("PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV"),
        *("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS"),
        *("FONTCONFIG_FILE", "FONTCONFIG_PATH", "TESSDATA_PREFIX", "WNSEARCHDIR"),
        *("PLAYWRIGHT_BROWSERS_PATH", "PLAYWRIGHT_NODEJS_PATH"),
        *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"),
        *("NPM_CONFIG_REGISTRY", "NPM_CONFIG_CACHE", "NPM_CONFIG_CAFILE"),
        *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"),
        *(SCRATCH, "SUREFOOT_CACHE", "SUREFOOT_DEBUG", "SUREFOOT_UNCONFINED"),
    }
)
LOCALE: Final = "LC_"
# What stands before the host of an address: a name and a password.
CREDENTIALS: Final = "@"
_ALONE: Final = threading.Lock()


def child_environment(added: Mapping[str, str] | None = None) -> dict[str, str]:
    """
    Return the whole environment of a child: what is allowed of ours, and what is added.

    An address that holds credentials is not passed on.

    >>> child_environment({"DISPLAY": ":7"})["DISPLAY"], "OPENAI_API_KEY" in child_environment()
    (':7', False)
    """
    variables = {
        name: value
        for name, value in os.environ.items()
        if (name.upper() in ALLOWED or name.startswith(LOCALE))
        and not ("://" in value and CREDENTIALS in value)
    }
    return {**variables, **(added or {})}


@contextlib.contextmanager
def environment_of_children() -> Iterator[None]:
    """Make our environment that of a child, for a library that starts one by itself."""
    with _ALONE:
        kept = dict(os.environ)
        for name in kept.keys() - child_environment().keys():
            del os.environ[name]
        try:
            yield
        finally:
            os.environ.update(kept)
