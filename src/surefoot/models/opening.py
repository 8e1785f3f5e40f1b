"""
From the name that a user types to a model that answers.
"""

from __future__ import annotations

import difflib
import fnmatch
import re
import urllib.parse
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.registry import Registry
from surefoot.models.backend import Backend, Options
from surefoot.models.format import Format, read_prompts
from surefoot.models.function import FunctionModel, FunctionResponder
from surefoot.models.model import Model, Responder, TextChat
from surefoot.models.spaces import limited
from surefoot.models.wrapper import WrappedModel, Wrapper

BACKENDS: Registry[Backend] = Registry(Backend, "surefoot.models.backends", what="backend")
FORMATS: Registry[Format] = Registry(Format, "surefoot.models.formats", what="format")

WRAPPERS: Registry[Wrapper] = Registry(Wrapper, "surefoot.models.wrappers", what="wrapper")

ModelSpec: TypeAlias = str | FunctionModel

DEFAULTS = Options()
NEAR = 0.6  # of difflib's likeness of two names


def open_model(spec: ModelSpec, *, format_name: str = "", options: Options = DEFAULTS) -> Model:
    """
    Open a model by its name, such as "ocr" or "openai:Qwen2.5-VL-7B@http://localhost:8000/v1".

    Or open a function, whose places are in pixels of the picture. A wrapper before the name, as in
    "median:5@ocr", asks the model in another way.

    Nothing is sent and no heavy library is loaded before the first answer. Raises
    UnknownNameError for an unknown backend or format, InvalidInputError for a malformed
    rest, and MissingComponentError where something is not installed.

    >>> open_model("center").format.name
    'json'
    """
    if isinstance(spec, FunctionModel):
        _check_function(format_name, options)
        form = FORMATS.get(FunctionResponder.speaks)
        return Model(FunctionResponder(spec), form, several=spec.several)
    wrapper, setting, inner = split_wrapper(spec)
    if wrapper is not None:
        asking = wrapper.open(setting)
        model = open_model(inner, format_name=format_name, options=asking.options(options))
        return WrappedModel(model, wrapper, setting, asking)
    return _open_bare(spec, format_name, options)


def split_wrapper(spec: str) -> tuple[Wrapper | None, str, str]:
    """
    Return the wrapper before a model's name, its setting, and the name; None, "" and the name.

    Raises InvalidInputError for a wrapper without a model.

    >>> wrapper, setting, inner = split_wrapper("zoom:2@openai:m@http://localhost:8000/v1")
    >>> wrapper.name, setting, inner
    ('zoom', '2', 'openai:m@http://localhost:8000/v1')
    """
    head, _, rest = spec.partition(":")
    wrapper = WRAPPERS.entries.get(head.partition("@")[0])
    if wrapper is None:
        return None, "", spec
    setting, sign, inner = rest.partition("@")
    if not (sign and inner):
        raise InvalidInputError(wrapper.usage, found=f"'{spec}'", remedy=f"write {wrapper.usage}")
    return wrapper, setting, inner


def bare_spec(spec: ModelSpec) -> ModelSpec:
    """
    Return a model's name without the wrappers before it.

    >>> bare_spec("median:3@zoom:2@ocr")
    'ocr'
    """
    while isinstance(spec, str):
        wrapper, _, inner = split_wrapper(spec)
        if wrapper is None:
            break
        spec = inner
    return spec


def _open_bare(spec: str, format_name: str, options: Options) -> Model:
    head, _, rest = spec.partition(":")
    backend = BACKENDS.get(head)
    if format_name and backend.speaks and format_name.partition("@")[0] != backend.speaks:
        raise InvalidInputError(
            f"the format '{backend.speaks}', the only one that '{head}' replies in",
            found=f"'{format_name}'",
            remedy="leave --format out",
        )
    if format_name:
        FORMATS.get(format_name)
    responder = backend.open(rest, options)
    form = FORMATS.get(
        format_name or backend.speaks or responder.speaks or _usual_format(responder)
    )
    if form.computer_tool and backend.checkable and not backend.computer_tool:
        offering = [entry.usage for entry in BACKENDS.entries.values() if entry.computer_tool]
        raise InvalidInputError(
            f"a backend that offers the maker's computer tool, which '{form.name}' is asked with",
            found=f"'{head}'",
            remedy=f"write {' or '.join(offering)}, or choose another --format",
        )
    if options.image_pixels:
        space = limited(form.space, options.image_pixels)
        form = msgspec.structs.replace(form, space=space, image_pixels=options.image_pixels)
    if form.space.resize and hasattr(responder, "resize_as"):
        responder.resize_as(form.space.resize)
    if options.prompt_file:
        prompts = read_prompts(Path(options.prompt_file), form.prompts)
        form = msgspec.structs.replace(form, prompts=prompts)
    return Model(
        responder,
        form,
        checkable=backend.checkable,
        blind=backend.blind,
        several=backend.several,
    )


def _usual_format(responder: Responder) -> str:
    """Return the format that a model's name tells, else that of its family where it is known."""
    try:
        return format_of(responder.name)
    except UnknownNameError:
        if usual := getattr(responder, "usual_format", ""):
            return str(usual)
        raise


def _check_function(format_name: str, options: Options) -> None:
    """Refuse what is chosen about a function and would have no effect."""
    given = [name for name in (format_name, options.prompt_file, options.key_variable) if name]
    if given:
        raise InvalidInputError(
            "a function without format, prompt file and key",
            found=f"'{given[0]}'",
            remedy="leave it out: a function returns x and y in pixels of the picture",
        )


def open_chat(spec: str, *, options: Options = DEFAULTS) -> TextChat:
    """
    Open a model that replies to words alone, such as "openai:NAME@http://localhost:8000/v1".

    Nothing is sent before the first turn. Raises UnknownNameError for a backend that is
    none or that needs a picture, and InvalidInputError as ``open_model`` does.

    >>> open_chat("openai:Qwen3-8B@http://localhost:8000/v1").name
    'Qwen3-8B'
    """
    head, _, rest = spec.partition(":")
    backend = BACKENDS.get(head)
    if backend.chat is None:
        chats = [entry.usage for entry in BACKENDS.entries.values() if entry.chat is not None]
        raise UnknownNameError(
            "a model that replies to words alone",
            found=f"'{head}', which needs a picture",
            remedy=f"write {' or '.join(chats)}",
        )
    return backend.chat(rest, options)


def open_seeing(spec: str, *, options: Options = DEFAULTS) -> Responder:
    """
    Open a model that replies in words to pictures, such as "openai:NAME@http://localhost:8000/v1".

    Nothing is sent before the first request. Raises UnknownNameError for a backend that is none
    or that cannot be asked about several pictures in words, and InvalidInputError as
    ``open_model`` does.

    >>> open_seeing("openai:Qwen3-VL-8B@http://localhost:8000/v1").name
    'Qwen3-VL-8B'
    """
    head, _, rest = spec.partition(":")
    backend = BACKENDS.get(head)
    if not _sees_several(backend):
        seeing = [entry.usage for entry in BACKENDS.entries.values() if _sees_several(entry)]
        raise UnknownNameError(
            "a model that is asked about several pictures in words",
            found=f"'{head}'",
            remedy=f"write {' or '.join(seeing)}",
        )
    return backend.open(rest, options)


def _sees_several(backend: Backend) -> bool:
    return backend.several and not backend.blind and not backend.speaks


def check_one_server(specs: Iterable[ModelSpec], options: Options) -> None:
    """
    Raise InvalidInputError where a key or headers are given for models on several servers.

    They are meant for one of them, and nothing tells for which.
    """
    named = (bare for spec in specs if isinstance(bare := bare_spec(spec), str))
    served = {name for name, entry in BACKENDS.entries.items() if entry.key_variable}
    asked = [spec for spec in named if spec.partition(":")[0] in served]
    servers = {_server_of(spec) for spec in asked}
    if (options.key_variable or options.headers) and len(servers) > 1:
        secret = f"the key in {options.key_variable}" if options.key_variable else "headers"
        raise InvalidInputError(
            f"one server for {secret}",
            found=f"{len(servers)}: {', '.join(asked)}",
            remedy="ask each server in a command of its own",
        )


def _server_of(spec: str) -> str:
    """Return the host behind a model's @, or the backend's name where its maker's own is meant."""
    _, sign, base = spec.rpartition("@")
    return urllib.parse.urlsplit(base).netloc.casefold() if sign else spec.partition(":")[0]


def format_of(name: str) -> str:
    """
    Return the format that names a model's family.

    Letter case and everything before the last slash are ignored; of several patterns that
    fit the longest wins. Raises UnknownNameError where none fits, naming the family that is
    called most like it, or as long ones of two formats do.

    >>> format_of("ByteDance-Seed/UI-TARS-1.5-7B")
    'ui-tars-1.5'
    """
    short = name.rpartition("/")[2].casefold()
    fitting = sorted(
        (-len(pattern), form.name)
        for form in FORMATS.entries.values()
        for pattern in form.models
        if fnmatch.fnmatchcase(short, pattern)
    )
    best = sorted({form for length, form in fitting if length == fitting[0][0]})
    if len(best) != 1:
        raise UnknownNameError(
            "a model's name that one format claims",
            found=f"'{name}', which {' and '.join(best)} claim" if best else f"'{name}'",
            remedy=_nearest_said(short),
        )
    return best[0]


def _nearest_said(name: str) -> str:
    """Return a sentence that names the format whose models are called most like a name."""
    called = {
        re.sub(r"[*\[\]]", "", pattern): form
        for form in FORMATS.entries.values()
        for pattern in form.models
    }
    near = difflib.get_close_matches(name, called, n=1, cutoff=NEAR)
    rest = "`surefoot models` lists all families"
    if not near:
        return f"say how it replies: --format json for a chat model in pixels; {rest}"
    form = called[near[0]]
    return (
        f"give --format {form.name} if it replies as the family that is called most like it "
        f"({form.summary}); {rest}"
    )
