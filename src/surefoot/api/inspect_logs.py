"""
Logs of Inspect AI, compared with our statistics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from surefoot.api.options import AnyPath
from surefoot.api.threads import in_thread

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

    from surefoot.run.inspect.comparing import LogComparison


@in_thread
def compare_inspect_logs(
    before: AnyPath | EvalLog,
    after: AnyPath | EvalLog,
    *,
    scorer: str = "",
    cluster: str | None = None,
) -> LogComparison:
    """
    Compare two logs of one task of Inspect AI, sample by sample: paired and clustered.

    The logs, read or by their paths, may be of any task, such as two models' or one model's
    under two prompts. ``scorer`` names the score where there are several; ``cluster`` is the key
    of the samples' metadata by which they are not independent, "site" or "cluster" where all have
    one and none is named, and "" for none. Epochs are averaged first. Samples of one log alone,
    and those that ended in an error, are counted and left out.

    Raises InvalidInputError for what is no log, for logs of two tasks or benchmarks, and where
    no sample is scored in both, and MissingComponentError without inspect-ai.
    """
    from surefoot.run.inspect.comparing import compare_logs

    return compare_logs(before, after, scorer=scorer, cluster=cluster)
