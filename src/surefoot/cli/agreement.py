"""
``surefoot agreement``: how far people agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

SHOWN: Final = 20  # persons that are named
EXAMPLES: Final = (
    "surefoot agreement ann.csv bob.csv",
    "surefoot agreement ratings.jsonl --category unclear",
    "surefoot agreement counts.csv --json",
)


def agreement(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="CSV or JSON Lines, of one person or of several."),
    ],
    *,
    category: Annotated[
        list[str] | None,
        typer.Option(help="What could be said, too, though nobody did; may be repeated."),
    ] = None,
    column: Annotated[
        str, typer.Option(help="The column of the ratings, such as a criterion of a sheet.")
    ] = "rating",
    json: Annotated[bool, typer.Option(help="Print JSON.")] = False,
) -> None:
    """
    Say how far people agree: the share of equal verdicts, Fleiss' kappa, Gwet's AC1.

    Each two persons have Cohen's kappa, too. A file has a rating a line, in the columns item
    and rating, and rater where that is not the file's name; or an item a line, with a column
    for each category that counts who gave it. Intervals are over sites where every item has a
    site, else over items. `surefoot audit` writes a file to fill in.
    """
    from surefoot.api.inspecting import agreement as compare_people
    from surefoot.cli.output import print_json, say
    from surefoot.phrasing.words import cluster_words, interval_words
    from surefoot.run.ratings import read_lines
    from surefoot.score.stats.agreement import MOST_PAIRED

    read = read_lines(files)
    found = compare_people(read, category=category or (), column=column)
    if json:
        print_json(found)
        return
    for line in read.cut:
        say(line)
    given = ", ".join(f"{count:,} {name}" for name, count in found.counts.items())
    people = f", by {_named(found.raters)}" if found.raters else ""
    say(f"{cluster_words(found.items, 'items')}: {given}{people}")
    for row in found.rows:
        who = f" of {' and '.join(row.persons)}" if row.statistic == "Cohen's kappa" else ""
        value = "not defined" if row.value is None else f"{row.value:.3f}"
        ends = interval_words(row.interval, "ratio")
        ends = (
            f"95 % interval {ends}" if ends else f"no interval: too few {found.over}, or all alike"
        )
        say(f"{row.statistic}{who}: {value} ({ends}), on {cluster_words(row.items, 'items')}")
    if not any(row.items for row in found.rows):
        say("no item was rated by two people")
    if len(found.raters) > MOST_PAIRED:
        say(f"no two persons are compared: there are over {MOST_PAIRED}")


def _named(raters: Sequence[str]) -> str:
    """Name persons, of many how many there are."""
    more = len(raters) - SHOWN
    return ", ".join(raters[:SHOWN]) + (f" and {more:,} others" if more > 0 else "")
