"""
Any provider of Inspect AI, asked in this process: ``inspect:PROVIDER/NAME``.

Inspect knows makers and servers that no backend of ours speaks to, and its users have their keys
and addresses set up for it. It keeps its own retries and its own count of tokens.
"""

from __future__ import annotations

import base64
from typing import Any, Final

from surefoot.core.errors import InvalidInputError, ModelError
from surefoot.core.foreign.model_folders import guarded
from surefoot.core.question import Usage
from surefoot.models.backend import Backend, Options
from surefoot.models.model import Reply, Request

TOP_P: Final = "top_p"
CUT: Final = "max_tokens"


class InspectResponder:
    """
    Reply through ``get_model(PROVIDER/NAME)``; nothing is imported or sent before the first one.

    ``base`` is another address of the provider's, "" for its own. Raises InvalidInputError for a
    name without a provider, and for headers, which Inspect's providers take in ways of their own.
    """

    speaks = ""

    def __init__(self, spec: str, base: str, options: Options) -> None:
        if "/" not in spec.strip("/"):
            raise InvalidInputError(
                "inspect:PROVIDER/NAME",
                found=f"inspect:{spec}",
                remedy="write inspect:openai/NAME",
            )
        if options.headers:
            raise InvalidInputError(
                "no --header with inspect:, whose providers have their own", found="a header"
            )
        self.spec, self.base, self.options = spec, base, options
        self.name = spec.rpartition("/")[2]
        self._key = options.key(options.key_variable) if options.key_variable else ""
        self._opened: Any = None

    def identity(self) -> dict[str, object]:
        """Return model, address and sampling; no key."""
        return {
            "backend": "inspect",
            "model": self.spec,
            **({"base": self.base} if self.base else {}),
            "temperature": self.options.temperature,
            "seed": self.options.seed,
            "max_tokens": self.options.max_tokens,
            "extra": dict(self.options.extra),
        }

    def prepare(self) -> None:
        """Open the provider, so that a missing key or package is said before any question."""
        self._model()

    async def reply(self, request: Request) -> Reply:
        """Return the provider's reply; raises ModelError("provider") where there is none."""
        model = self._model()
        try:
            with guarded(f"a reply from {self.spec}", ""):
                output = await model.generate(_messages(request), config=self._config(request))
        except InvalidInputError as error:
            raise ModelError("provider", expected=error.expected, found=error.found) from error
        if not output.choices:
            found = output.error or "none"
            raise ModelError("bad-reply", expected=f"a reply from {self.spec}", found=found)
        return Reply(output.completion, _usage(output.usage), cut=output.stop_reason == CUT)

    async def close(self) -> None:
        """Close the provider's client."""
        if self._opened is not None:
            await self._opened.api.aclose()

    def _model(self) -> Any:  # noqa: ANN401 - a type of an extra
        if self._opened is None:
            from inspect_ai.model import GenerateConfig, get_model

            limits = GenerateConfig(
                max_connections=self.options.concurrency,
                max_retries=self.options.attempts - 1,
                attempt_timeout=round(self.options.timeout) or 1,
            )
            remedy = "see to the provider's key and package, as for inspect eval"
            with guarded(f"a model that Inspect opens as {self.spec}", remedy):
                # Its own, since a client belongs to the event loop in which it is used.
                self._opened = get_model(
                    self.spec,
                    config=limits,
                    base_url=self.base or None,
                    api_key=self._key or None,
                    memoize=False,
                )
        return self._opened

    def _config(self, request: Request) -> Any:  # noqa: ANN401 - as above
        from inspect_ai.model import GenerateConfig

        options = self.options
        extra = {name: value for name, value in options.extra.items() if name != TOP_P}
        return GenerateConfig(
            max_tokens=options.max_tokens or request.max_tokens,
            temperature=options.temperature,
            top_p=options.extra.get(TOP_P),
            seed=options.seed + request.question.sample - 1,
            extra_body=extra or None,
        )


def _messages(request: Request) -> list[Any]:
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ContentImage, ContentText

    words = request.messages
    shown = [ContentImage(image=_data_url(data)) for data in (request.image, *request.further)]
    text = [ContentText(text=words.user)]
    user = ChatMessageUser(content=[*shown, *text] if words.image_first else [*text, *shown])
    return [*([ChatMessageSystem(content=words.system)] if words.system else []), user]


def _data_url(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


def _usage(used: Any) -> Usage:  # noqa: ANN401 - as above
    if used is None:
        return Usage()
    read = (used.input_tokens, used.input_tokens_cache_read, used.input_tokens_cache_write)
    return Usage(sum(count or 0 for count in read), used.output_tokens or 0)


def _open(rest: str, options: Options) -> InspectResponder:
    spec, _, base = rest.partition("@")
    return InspectResponder(spec, base, options)


INSPECT = Backend(
    name="inspect",
    version=1,
    summary="any provider of Inspect AI, with its keys and addresses (extra 'inspect')",
    usage="inspect:PROVIDER/NAME[@BASE_URL]",
    open=_open,
    checkable=True,
    several=True,
)
