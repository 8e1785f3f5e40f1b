"""
The leaderboard of a release as a page: who stands where, as far as the questions tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.phrasing.headlines import Headline
from surefoot.phrasing.tables import Rows
from surefoot.phrasing.values import Shown, amount, change, count, ends, p_value
from surefoot.phrasing.words import METHOD, amount_words, cluster_words, confidence_words
from surefoot.report.html.document import Document, Gallery, write_document
from surefoot.report.html.figures import Axis, IntervalRow, level_plot
from surefoot.report.html.section import Figure, Section, Table
from surefoot.run.releases import Release, read_release
from surefoot.run.submissions import (
    HandedInRun,
    RefusedRun,
    read_pillars,
    read_submissions,
    reference_values,
    released_runs,
)
from surefoot.score.contrasts.comparisons import LEVEL
from surefoot.score.pillars import LEVELS
from surefoot.score.ranking import OVERALL, RankedRate, Ranking, mean_rate, rank

_MARKS: Final = ("chance", "ceiling (oracle)")


class Leaderboard(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold all that a board says of a release: the ranking, what is declined, and every run.

    ``right`` and ``wrong`` are rates of refusals by model, of what is not there and of what is.
    """

    name: str
    version: str
    pillars: tuple[str, ...]
    sites: int
    ranking: Ranking
    right: tuple[RankedRate, ...]
    wrong: tuple[RankedRate, ...]
    submissions: tuple[HandedInRun, ...]
    refused: tuple[RefusedRun, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return what is said first: who is first, who is tied with it, who was refused."""
        ranking, found = self.ranking, []
        if not ranking.models:
            found.append("No run over every pillar stands, so nobody has a place.")
        else:
            first, *more = ranking.ties[0]
            rate = ranking.rate(first)
            assert rate is not None, "who has a place has a rate"  # noqa: S101 - for the checker
            at = f"{amount_words(rate.amount, 'share')} of {cluster_words(rate.n, 'elements')}"
            found.append(
                f"{_listed(ranking.ties[0])} share the first place: no test tells two of them "
                f"apart, {first} having {at}."
                if more
                else f"{first} stands first: {at}, and is surely better than all others."
                if len(ranking.models) > 1
                else f"{first} stands alone: {at}."
            )
        if self.refused:
            found.append(f"{cluster_words(len(self.refused), 'runs')} refused.")
        return tuple(found)


def make_board(folder: Path, runs: Sequence[Path]) -> Leaderboard:
    """
    Read a release and the runs handed in over it, those of its own among them, and rank them.

    Raises InvalidInputError where the release is not whole, and where no run is left.
    """
    release = read_release(folder)
    root = folder if folder.is_dir() else folder.parent
    pillars = read_pillars(root, release)
    kept, refused = read_submissions(pillars, [*released_runs(root), *runs])
    own = [run for run in kept if run.model not in LEVELS]
    asked = {pillar.name: pillar for pillar in pillars.values()}.values()
    every = [*own, *(value for pillar in asked for value in reference_values(pillar))]
    sites = {question.pair: question.cluster for pillar in asked for question in pillar.questions}
    return _ranked(release, own, every, sites, refused)


def _ranked(
    release: Release,
    own: Sequence[HandedInRun],
    every: Sequence[HandedInRun],
    sites: dict[str, str],
    refused: Sequence[RefusedRun],
) -> Leaderboard:
    values: dict[str, dict[str, dict[str, float]]] = {}
    right: dict[str, dict[str, float]] = {}
    wrong: dict[str, dict[str, float]] = {}
    for run in every:
        values.setdefault(run.model, {})[run.pillar] = run.values
        right.setdefault(run.model, {}).update(run.right)
        wrong.setdefault(run.model, {}).update(run.wrong)
    return Leaderboard(
        name=release.name,
        version=release.version,
        pillars=tuple(release.benches),
        sites=len({*sites.values()}),
        ranking=rank(values, sites, beside=LEVELS),
        right=tuple(_declined(right, sites)),
        wrong=tuple(_declined(wrong, sites)),
        submissions=tuple(own),
        refused=tuple(refused),
    )


def _declined(rates: dict[str, dict[str, float]], sites: dict[str, str]) -> Iterator[RankedRate]:
    for model, values in rates.items():
        if values:
            n, share, interval = mean_rate(values, sites, LEVEL / (2 * len(rates)))
            yield RankedRate(model=model, pillar=OVERALL, n=n, amount=share, interval=interval)


def write_board(board: Leaderboard, out: Path) -> None:
    """Write the page: one file that needs no network and runs no script."""
    first, *more = board.sentences
    document = Document(
        title=f"Leaderboard of {board.name} {board.version}",
        kicker="Surefoot leaderboard",
        facts=(
            f"{cluster_words(len(board.ranking.models), 'models')} with a place, "
            f"{cluster_words(len(board.submissions), 'runs')} read again from their raw replies, "
            f"{cluster_words(board.sites, 'sites')}; intervals hold together"
        ),
        headlines=(Headline("", first, (), tuple(more)),),
        warnings=(),
        figure=_standing(board),
        questions={
            "fell": "Who stands where?",
            "sure": "Who is better than whom?",
            "measured": "What was handed in?",
        },
        sections=tuple(_sections(board)),
        gallery=Gallery("", "", (), (), ""),
        rulers=tuple(_rulers()),
    )
    write_document(document, out)


def _standing(board: Leaderboard) -> Figure | None:
    """Draw all models on one axis, with what chance and the oracle have."""
    ranking, levels = board.ranking, _levels(board.ranking)
    rows = [
        IntervalRow(
            f"{_place(ranking, model)}: {model}",
            100 * rate.amount,
            (100 * rate.interval.low, 100 * rate.interval.high) if rate.interval else None,
            cluster_words(rate.n, "elements"),
            marks=tuple((at, 100 * level) for at, level in levels),
        )
        for model in ranking.models
        if (rate := ranking.rate(model)) is not None
    ]
    if not rows:
        return None
    title = "All models, with the places that they can have"
    axis = Axis("right answers, %")
    svg = level_plot(rows, title=title, axis=axis, top=100.0, digits=1, names=_MARKS)
    return Figure(title, Table(("model",), ()), svg)


def _levels(ranking: Ranking) -> list[tuple[int, float]]:
    """Return what chance and the oracle have over all pillars, by their places among marks."""
    known = {name: rate.amount for name in LEVELS if (rate := ranking.rate(name)) is not None}
    blind = [known[name] for name in LEVELS[1:] if name in known]
    ceiling = [(1, known[LEVELS[0]])] if LEVELS[0] in known else []
    return [*([(0, max(blind))] if blind else []), *ceiling]


def _sections(board: Leaderboard) -> Iterator[Section]:
    ranking = board.ranking
    names = dict.fromkeys(
        (*ranking.models, *(submission.model for submission in board.submissions), *LEVELS)
    )
    lead = (
        "A place is a range where models are tied: before it are those that are surely better, "
        "behind it those that are surely worse. A rate is of elements, each counted once with the "
        "mean over the conditions that it was asked under; a question without a reply is a miss. "
        "Oracle, center and random are references and have no place."
    )
    figures = (
        Figure("Models by pillar", _table(board, names)),
        Figure(
            "Ties",
            Table(
                ("tied with each other",),
                tuple((_listed(group),) for group in ranking.ties if len(group) > 1)
                or (("nobody",),),
            ),
        ),
    )
    yield Section("places", "Places", lead, figures, chapter="fell")
    lead = (
        "Every two models on the same elements, with sites as clusters; Holm's correction over "
        "all pairs, and each interval at the level of its own test."
    )
    rows: Rows = tuple(
        (
            f"{pair.model} against {pair.other}",
            count(pair.n),
            change(pair.change, "share"),
            ends(pair.interval, "share", signed=True),
            confidence_words(1 - pair.level),
            p_value(pair.p),
            f"{pair.model if pair.change > 0 else pair.other} is better" if pair.found else "tied",
        )
        for pair in ranking.pairs
    )
    head = ("models", "elements", "difference", "interval", "at", "p", "verdict")
    figure = Figure("Every two models", Table(head, rows))
    yield Section("pairs", "Every two models", lead, (figure,), chapter="sure")
    read: Rows = tuple(
        (
            submission.run,
            submission.model,
            submission.pillar,
            count(submission.replies),
            count(submission.unanswered),
        )
        for submission in board.submissions
    )
    refused: Rows = tuple((run.run, run.why) for run in board.refused) or (("none", ""),)
    figures = (
        Figure("Refused", Table(("run", "why"), refused)),
        Figure(
            "Read again", Table(("run", "model", "pillar", "replies", "without a reply"), read)
        ),
    )
    lead = (
        "Each raw reply was read again by the parser of its format and judged against the "
        "release's questions. That shows that a run says what its replies say, not that a model "
        "gave them."
    )
    yield Section("runs", "Runs", lead, figures, chapter="measured")


def _table(board: Leaderboard, names: Iterable[str]) -> Table:
    ranking = board.ranking
    refusals = [{rate.model: rate for rate in found} for found in (board.right, board.wrong)]
    asked = any(refusals[0])
    rows: list[tuple[Shown, ...]] = []
    for name in names:
        overall = ranking.rate(name)
        parts = [ranking.rate(name, pillar) for pillar in board.pillars]
        declined = [found.get(name) for found in refusals] * asked
        rows.append(
            (
                _place(ranking, name) or ("reference" if name in LEVELS else "not asked all"),
                name,
                amount(overall.amount if overall else None, "share"),
                ends(overall.interval if overall else None, "share"),
                *(amount(part.amount if part else None, "share") for part in parts),
                *(
                    shown
                    for rate in declined
                    for shown in (
                        amount(rate.amount if rate else None, "share"),
                        ends(rate.interval if rate else None, "share"),
                    )
                ),
            )
        )
    head = ("place", "model", "all", "interval", *board.pillars)
    tail = ("refused rightly", "interval", "refused wrongly", "interval") if asked else ()
    return Table((*head, *tail), tuple(rows))


def _place(ranking: Ranking, model: str) -> str:
    best, worst = ranking.places.get(model, (0, 0))
    return f"{best} to {worst}" if best < worst else str(best or "")


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _rulers() -> Iterator[tuple[str, str]]:
    yield "Intervals", METHOD.format(one="site")
    yield "Simultaneous", "5 % shared out over all rates of hits, and 5 % over those of refusals"
    yield (
        "Told apart",
        "a paired test of all elements, sites as clusters, Holm over all pairs, 5 %",
    )
