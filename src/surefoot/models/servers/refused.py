"""
Parameters that a server refuses, found in its words, and what is sent in their place.

OpenAI's reasoning models take no temperature, and call the limit of a reply
``max_completion_tokens``; Gemini's compatible address knows no seed; servers that read
requests with pydantic name each field that they forbid. A server says so once, and is asked
again with what it takes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

from surefoot.core.errors import ModelError, SurefootError
from surefoot.models.backend import Options

REFUSALS: Final = frozenset({"http-400", "http-422"})

LIMIT: Final = "max_tokens"
NEW_LIMIT: Final = "max_completion_tokens"
# What OpenAI advises to leave for a model's thoughts, which count against the new limit.
REASONING_TOKENS: Final = 25_000
_QUOTE: Final = r"""\\*["'`]"""
# OpenAI and who follows it; Google; pydantic, of Mistral and of older vLLM; Anthropic.
_REFUSALS: Final = (
    r"[Uu]nsupported (?:parameter|value): {quote}{name}{quote}",
    r"[Uu]nknown (?:name|field|parameter):? {quote}{name}{quote}",
    r"extra_forbidden{quote}[^{{}}]*{quote}body{quote}, ?{quote}{name}{quote}",
    r"{quote}body{quote}, ?{quote}{name}{quote}[^{{}}]*(?:extra_forbidden|not permitted)",
    r"{quote}{name}{quote} and {quote}\w+{quote} cannot both be specified",
    r"{quote}{name}{quote} is (?:deprecated for|not supported (?:by|on)) this model",
)
# vLLM, SGLang, OpenAI, llama.cpp.
_TOO_LONG: Final = re.compile(
    r"maximum context length|context (?:length|size|window)|max(?:_completion)?_tokens\W.{0,60}"
    r"(?:too large|exceed)",
    re.IGNORECASE,
)


def refused_parameter(words: str, sent: Collection[str]) -> str:
    """
    Return which of the parameters that were sent a server's words refuse, "" for none.

    >>> refused_parameter("Unsupported parameter: 'max_tokens' is not ...", ["max_tokens"])
    'max_tokens'
    >>> refused_parameter("This model's maximum context length is 4096", ["max_tokens"])
    ''
    """
    for name in sent:
        for refusal in _REFUSALS:
            if re.search(refusal.format(quote=_QUOTE, name=re.escape(name)), words):
                return name
    return ""


def is_too_long(error: ModelError) -> bool:
    """Tell whether a server says that words and limit of tokens exceed what its model takes."""
    return error.reason in REFUSALS and bool(_TOO_LONG.search(error.found))


def dispensable(error: ModelError, sent: Collection[str], options: Options, model: str) -> str:
    """
    Return which parameter a server refuses that it can be asked without, "" for none.

    Raises SurefootError, which ends a run, where it is one that the user set.
    """
    if error.reason not in REFUSALS:
        return ""
    refused = refused_parameter(error.found, sent)
    chosen = {*options.extra, *(["temperature"] if options.temperature else [])}
    if refused not in chosen:
        return refused
    raise SurefootError(
        f"a server that takes '{refused}' for {model}",
        found=error.found,
        remedy="leave it out of the command",
    ) from error


def accepted(
    settings: Mapping[str, object], refused: Collection[str], *, limited: bool
) -> dict[str, object]:
    """
    Return the settings of a request without those that a server refuses.

    A refused limit of tokens becomes the one that OpenAI's reasoning models take. Unless the
    user set it (``limited``), the thoughts have room beside the reply.

    >>> accepted({"max_tokens": 128, "seed": 0}, {"max_tokens", "seed"}, limited=False)
    {'max_completion_tokens': 25128}
    """
    kept = {name: value for name, value in settings.items() if name not in refused}
    limit = settings.get(LIMIT)
    if LIMIT in refused and NEW_LIMIT not in refused and isinstance(limit, int):
        kept = {NEW_LIMIT: limit if limited else limit + REASONING_TOKENS, **kept}
    return kept
