"""
Back-translation: what a model makes of a benchmark's questions in English again.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Unpack, cast

import msgspec

from surefoot.api.benches import Bench
from surefoot.api.options import (
    AnyPath,
    AskingOptions,
    SamplingOptions,
    asking_options,
    console_for,
)
from surefoot.api.threads import in_thread
from surefoot.run.engine.outcome import Outcome

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.run.back_translation import BackTranslatedQuestion, BackTranslationSummary


class BackTranslation(msgspec.Struct, frozen=True):
    """Hold how a back-translation ended, its scores, and each question with what came back."""

    outcome: Outcome
    summary: BackTranslationSummary
    questions: tuple[BackTranslatedQuestion, ...]


@in_thread
def backtranslate(  # noqa: PLR0913 - one argument an option
    bench: AnyPath | Bench,
    *,
    model: str,
    out: AnyPath,
    count: int = 0,
    seed: int = 0,
    worst: int = 10,
    key_variable: str = "",
    workers: int = 8,
    retry_failed: bool = False,
    progress: bool | Console = False,
    **sampling: Unpack[SamplingOptions],
) -> BackTranslation:
    """
    Have a model translate a multilingual benchmark's questions back into English, and compare.

    ``model`` is named as after ``--model``, such as "openai:NAME@BASE_URL"; ``count`` items are
    translated, 0 for all. Raises InvalidInputError for a benchmark without items in English and
    another language, PlanMismatchError for a folder of another plan, and MissingComponentError
    without sacrebleu.
    """
    from surefoot.models import open_chat
    from surefoot.run.back_translation import back_translate

    asked = {**sampling, "seed": seed, "key_variable": key_variable, "workers": workers}
    options = asking_options(cast("AskingOptions", asked))
    outcome, summary, questions = back_translate(
        Path(bench),
        open_chat(model, options=options),
        Path(out),
        count=count,
        seed=seed,
        worst=worst,
        workers=workers,
        retry_failed=retry_failed,
        console=console_for(progress),
    )
    return BackTranslation(outcome, summary, questions)
