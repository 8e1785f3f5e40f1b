"""
What an agent is told of an episode, and what the episode is worth, in every environment.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from surefoot.forms.desk.protocol import OpenedEpisode
from surefoot.forms.scoring.episodes import EpisodeScore

RewardName: TypeAlias = Literal["values", "form"]
"""
What an episode is worth at its end: the share of values handed in, or the form wholly right.
"""


def goal_of(episode: OpenedEpisode, files: Sequence[str] = ()) -> str:
    """
    Return the goal in words: what to do, the paper, and where the files to upload lie.

    >>> episode = OpenedEpisode("0f", "http://127.0.0.1:8422/r/1/", "Title: Crash", (),
    ...                         "bug_report", "Bug report", 0, 7, "lines", "en")
    >>> print(goal_of(episode, ["/tmp/log.txt"]))
    Fill in the form "Bug report" with what the following paper says, and submit it.
    Leave empty what the paper does not mention.
    <BLANKLINE>
    Title: Crash
    <BLANKLINE>
    Files to upload: /tmp/log.txt
    """
    told = (
        f'Fill in the form "{episode.title}" with what the following paper says, and submit it.\n'
        f"Leave empty what the paper does not mention.\n\n{episode.paper.strip()}"
    )
    return f"{told}\n\nFiles to upload: {', '.join(files)}" if files else told


def reward_of(score: EpisodeScore, name: RewardName) -> float:
    """Return what an attempt is worth, 0 to 1; 0 where nothing was to be entered."""
    asked = [field.submitted for field in score.fields if field.asked]
    return float(score.right) if name == "form" else sum(asked) / max(len(asked), 1)
