"""
Questions that a model behind a fake server is asked, all at once.
"""

from __future__ import annotations

import asyncio

import msgspec

from surefoot.core.question import Answer, Question
from surefoot.models.backend import Options
from surefoot.models.opening import open_model

KEY = "sk-very-secret-0123456789"


def quick(variable: str) -> Options:
    """Return options that wait for nothing long, and name the variable of the key."""
    return Options(key_variable=variable, attempts=3, wait=0.01, longest_wait=0.05, timeout=5.0)


class Asker(msgspec.Struct, frozen=True):
    """Ask the models of one maker: which one, in which format and with which options if unsaid."""

    backend: str
    model: str
    form: str
    options: Options

    def __call__(
        self,
        base: str,
        questions: list[Question],
        image: bytes,
        options: Options | None = None,
        *,
        model: str = "",
        form: str | None = None,
    ) -> list[Answer | BaseException]:
        """Open a model at a base URL, ask all questions at once, close it."""
        spec = f"{self.backend}:{model or self.model}@{base}"

        async def main() -> list[Answer | BaseException]:
            opened = open_model(
                spec,
                format_name=self.form if form is None else form,
                options=options or self.options,
            )
            try:
                return await asyncio.gather(
                    *(opened.answer(question, image) for question in questions),
                    return_exceptions=True,
                )
            finally:
                await opened.close()

        return asyncio.run(main())
