"""
What a model made of a benchmark's questions in English again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from surefoot.run.engine.outcome import Outcome

if TYPE_CHECKING:
    from surefoot.run.back_translation import BackTranslatedQuestion, BackTranslationSummary


class BackTranslation(msgspec.Struct, frozen=True):
    """Hold how a back-translation ended, its scores, and each question with what came back."""

    outcome: Outcome
    summary: BackTranslationSummary
    questions: tuple[BackTranslatedQuestion, ...]
