"""
From what an agent did, and what the server kept, to scores.
"""

from surefoot.forms.scoring.attempt import Attempt, ClickRecord, held_at_end, submitted_last
from surefoot.forms.scoring.fields import FieldScore, score_fields

__all__ = [
    "Attempt",
    "ClickRecord",
    "FieldScore",
    "held_at_end",
    "score_fields",
    "submitted_last",
]
