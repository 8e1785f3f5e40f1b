"""
A backend: a place where models run, found by the first word of a model's name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

import msgspec

from surefoot.models.model import Responder, TextChat

DEFAULT_KEY_VARIABLE = "OPENAI_API_KEY"


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what a user may set about a model; each backend reads what concerns it.

    ``key_variable`` names the environment variable of a server's key; "" is the maker's
    (OPENAI_API_KEY, ...) for the maker's own server and none for any other. ``keys`` are values
    of such variables for a process that has no other way to know them, since no child has them
    in its environment; they are shown nowhere. ``key`` reads one.

    ``headers`` go with every request; their values are kept as secret as a key.

    ``seed`` drives the random model and is sent to servers. ``temperature`` None leaves it to
    the server, ``max_tokens`` 0 leaves the format's own limit. ``extra`` goes into the body of
    each request; a null takes a field out of it. Times are in seconds: ``timeout`` for one
    attempt, ``wait`` before the first retry (doubled each time, plus jitter),
    ``longest_wait`` for any retry; a server that asks to wait longer than
    ``longest_retry_after`` is given up.

    ``image_pixels`` are the limits within which a server resizes pictures, where they are not the
    format's: "LEAST:MOST" pixels, and ":SIDE" for the longest side.

    ``device``, ``dtype``, ``quantization`` and ``adapter`` (a folder) say how a model is loaded
    that runs here; ``concurrency`` is the size of its batches.
    """

    prompt_file: str = ""
    key_variable: str = ""
    temperature: float | None = 0.0
    seed: int = 0
    max_tokens: int = 0
    extra: Mapping[str, object] = {}
    concurrency: int = 8
    attempts: int = 6
    timeout: float = 120.0
    wait: float = 0.5
    longest_wait: float = 30.0
    longest_retry_after: float = 300.0
    threads: int = 0
    keys: Mapping[str, str] = {}
    headers: Mapping[str, str] = {}
    image_pixels: str = ""
    device: str = "auto"
    dtype: str = "auto"
    quantization: str = ""
    adapter: str = ""

    def key(self, variable: str) -> str:
        """Return the key in an environment variable, "" where there is none."""
        return (self.keys.get(variable) or os.environ.get(variable, "")).strip()

    def __repr__(self) -> str:
        return f"Options(key_variable={self.key_variable!r}, seed={self.seed}, ...)"


class Backend(msgspec.Struct, frozen=True, kw_only=True):
    """
    Describe one backend.

    ``usage`` shows the whole spelling of a model's name. ``open`` receives what follows
    the colon (or "") and the options. ``speaks`` names the only format that its replies
    are in, "" where a format is to be chosen. ``checkable`` and ``blind`` as in Model.
    ``several`` as in Model. ``computer_tool`` says that it can offer the maker's own computer
    tool. ``key_variable`` is the environment variable of the maker's key, "" where there is none.
    ``chat`` opens, in the same way, what replies to words alone; None where a picture is
    always needed.
    """

    name: str
    version: int
    summary: str
    usage: str
    open: Callable[[str, Options], Responder]
    speaks: str = ""
    checkable: bool = False
    blind: bool = False
    several: bool = False
    computer_tool: bool = False
    key_variable: str = ""
    chat: Callable[[str, Options], TextChat] | None = None
