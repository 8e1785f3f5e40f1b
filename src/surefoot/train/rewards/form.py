"""
A form that was filled in: the share of the values that arrived in their fields.
"""

from __future__ import annotations

import functools
from typing import Final

from surefoot.environments.goals import reward_of
from surefoot.train.reward import ReplyReward

FORM: Final = ReplyReward(
    name="form",
    version=1,
    summary="the share of a form's values that were handed in, each in its field",
    source="ours: what `surefoot forms score` counts as submitted, of one attempt",
    of_form=functools.partial(reward_of, name="values"),
    asks=(),
)
