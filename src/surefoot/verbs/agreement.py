"""
``surefoot agreement``: how far people agree.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from surefoot.api.options import AnyPath, listed, paths
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from surefoot.run.ratings import PeopleAgreement, RatingLines

SHOWN: Final = 20  # persons that are named


@in_thread
def agreement(
    files: Annotated[
        AnyPath | Iterable[AnyPath] | RatingLines,
        CliArgument(
            "CSV or JSON Lines, of one person or of several.",
            shell=list[Path],
            metavar="FILE...",
        ),
    ],
    *,
    category: Annotated[
        str | Iterable[str],
        CliOption(
            "What could be said, too, though nobody did; may be repeated.",
            shell=list[str] | None,
        ),
    ] = (),
    column: Annotated[
        str, CliOption("The column of the ratings, such as a criterion of a sheet.")
    ] = "rating",
) -> PeopleAgreement:
    """
    Say how far people agree: the share of equal verdicts, Fleiss' kappa, Gwet's AC1.

    Each two persons have Cohen's kappa, too. A file has a rating a line, in the columns item
    and rating, and rater where that is not the file's name; or an item a line, with a column
    for each category that counts who gave it. Intervals are over sites where every item has a
    site, else over items. `surefoot audit` writes a file to fill in.

    Raises InvalidInputError for what cannot be read, and where nobody rated.
    """
    from surefoot.run.ratings import RatingLines, agreement_of, read_lines

    read = files if isinstance(files, RatingLines) else read_lines(paths(files))
    return agreement_of(read, listed(category), column)


def command(
    work: functools.partial[PeopleAgreement],
    *,
    files: list[Path],
    json: Annotated[bool, CliOption("Print JSON.")] = False,
) -> None:
    """Print counts and statistics, each with its interval."""
    from surefoot.cli.output import print_json, say
    from surefoot.phrasing.words import cluster_words, interval_words
    from surefoot.run.ratings import read_lines
    from surefoot.score.stats.agreement import MOST_PAIRED

    read = read_lines(files)
    found = work(files=read)
    if json:
        print_json(found)
        return
    for line in read.cut:
        say(line)
    given = ", ".join(f"{count:,} {name}" for name, count in found.counts.items())
    more = len(found.raters) - SHOWN
    named = ", ".join(found.raters[:SHOWN]) + (f" and {more:,} others" if more > 0 else "")
    people = f", by {named}" if found.raters else ""
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


VERB = CliVerb(
    "agreement",
    "Judge",
    "Say how far people agree about samples that they rated.",
    agreement,
    command,
    (
        "surefoot agreement ann.csv bob.csv",
        "surefoot agreement ratings.jsonl --category unclear",
        "surefoot agreement counts.csv --json",
    ),
)
