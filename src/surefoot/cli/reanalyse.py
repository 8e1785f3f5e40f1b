"""
``surefoot reanalyse``: the published replies of GUI-Perturbed, scored anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

__all__ = ["reanalyse"]

EXAMPLES: Final = ("surefoot reanalyse predictions.jsonl.gz --out docs/reanalysis.md",)


def reanalyse(
    predictions: Annotated[Path, typer.Argument(help="The published replies.")],
    *,
    out: Annotated[Path, typer.Option(help="The Markdown page to write.")],
) -> None:
    """
    Compute every number of the reanalysis from the raw replies, and write its page.

    The published tables are read from the folder of the replies. The same files give the
    same bytes.
    """
    from surefoot.cli.output import say_written
    from surefoot.report.reanalysis.page import write_reanalysis

    out.parent.mkdir(parents=True, exist_ok=True)
    write_reanalysis(predictions, out)
    say_written(out)
