"""
The pages on which people judge samples, and see how far they agree.
"""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from surefoot.core.canonical import decode
from surefoot.core.perturbation import variant_title
from surefoot.core.question import Question
from surefoot.core.screen import Screen
from surefoot.loopback.guards import bounded, require_type
from surefoot.report.audit import sample_questions
from surefoot.report.html.gallery import words_box
from surefoot.report.html.verdicts import expectation, shown_boxes
from surefoot.run.folders.folder import manifest_digest
from surefoot.view.judging import (
    COLUMNS,
    NOTE,
    VERDICTS,
    Judgement,
    Judgements,
    SampleChoice,
    SentCell,
    agreements,
)
from surefoot.view.looking import LookedAt
from surefoot.view.selection import Selection, read_selection

_LARGEST_POST: Final = 1 << 15
_MOST: Final = 5000  # samples of one page
_SCREENS: Final = 64  # kept while landmarks are looked up
_KEYS: Final = ("y", "n", "i")
Draw = Callable[..., Response]


def judge_routes(
    looked_at: LookedAt,
    judgements: Judgements,
    draw: Draw,
    link: Callable[[int], str],
    choice: SampleChoice,
) -> list[Route]:
    """
    Return the routes for one person; ``draw`` draws a template, ``link`` leads to a question.
    """
    table = looked_at.table
    digests = [manifest_digest(bench.folder, "bench") for bench in table.benches]

    def page(request: Request) -> Response:
        selection = read_selection(request.query_params)
        return draw(
            "judge.html.j2",
            selection=selection,
            total=len(_chosen_rows(looked_at, selection, choice)),
            most=_MOST,
            judgements=judgements,
            columns={name: COLUMNS[name] for name in COLUMNS if name in choice.criteria},
            verdicts=dict(zip(_KEYS, VERDICTS, strict=True)),
        )

    def samples(request: Request) -> Response:
        own = [
            judgement for judgement in judgements.latest() if judgement.rater == judgements.person
        ]
        said = {(judgement.bench, judgement.item): judgement.said for judgement in own}
        last = (own[-1].bench, own[-1].item) if own else None
        screen_of = functools.lru_cache(_SCREENS)(
            lambda bench, name: table.benches[bench].screen(name)
        )
        found = []
        for row in _chosen_rows(looked_at, read_selection(request.query_params), choice)[:_MOST]:
            bench, question = int(table.bench[row]), table.plain(row)
            shown = _sample(row, bench, question, screen_of, choice.criteria)
            key = digests[bench], question.id
            found.append({**shown, "said": said.get(key, {}), "last": key == last})
        return Response(msgspec.json.encode(found), media_type="application/json")

    async def judge(request: Request) -> Response:
        require_type(request, "application/json")
        data = await bounded(request, _LARGEST_POST).body()
        sent = decode(data, SentCell, what="a verdict")
        if sent.row >= len(table):
            raise HTTPException(404)
        bench, question = digests[int(table.bench[sent.row])], table.plain(sent.row)
        kept = await run_in_threadpool(
            judgements.add, bench, question.id, question.cluster, sent.column, sent.value
        )
        return Response(msgspec.json.encode(kept.said), media_type="application/json")

    def agreement(request: Request) -> Response:
        del request
        latest = judgements.latest()
        people = sorted(
            Counter(
                judgement.rater for judgement in latest if set(judgement.said) - {NOTE}
            ).items()
        )
        found = {title: agreements(latest, column) for column, title in COLUMNS.items()}
        return draw(
            "agreement.html.j2",
            people=people,
            tables={title: rows for title, rows in found.items() if rows},
            apart=[(link(row), *rest) for row, *rest in _apart(looked_at, digests, latest)],
            columns=COLUMNS,
            path=judgements.path,
        )

    return [
        Route("/judge", page, methods=["GET"]),
        Route("/judge", judge, methods=["POST"]),
        Route("/judge/samples", samples),
        Route("/agreement", agreement),
    ]


def _chosen_rows(looked_at: LookedAt, selection: Selection, choice: SampleChoice) -> list[int]:
    """
    Return a row for each question of a selection, however often models were asked it.

    With a limit they are the samples of a sheet of the one benchmark, in its order.
    """
    table = looked_at.table
    rows: dict[tuple[int, int], int] = {}
    for row in looked_at.rows(selection).tolist():
        rows.setdefault((int(table.bench[row]), int(table.line[row])), row)
    if not choice.limit:
        return list(rows.values())
    questions = {row: table.plain(row) for row in rows.values()}
    named = {question.id: row for row, question in questions.items() if all(question.images)}
    pictured = [questions[row] for row in named.values()]
    drawn = sample_questions(pictured, count=choice.limit, seed=choice.seed)
    return [named[question.id] for question in drawn]


def _sample(
    row: int,
    bench: int,
    question: Question,
    screen_of: Callable[[int, str], Screen | None],
    criteria: Sequence[str],
) -> dict[str, Any]:
    """Return what a page shows of a sample: no model's click, and nobody else's verdict."""
    instruction = question.instruction
    screen = screen_of(bench, question.screen) if instruction.landmark else None
    landmark = screen.element(instruction.landmark) if screen else None
    view = [0, 0, question.width, question.height]  # whether nothing else fits, the whole shows
    return {
        "row": row,
        "words": instruction.text,
        "language": instruction.language,
        "expected": expectation(question),
        "variant": variant_title(question.cell.variant),
        "columns": list(criteria),
        "view": view,
        "crop": f"/crop/{row}/{'/'.join(map(str, view))}" if question.image else "",
        "further": [f"/picture/bench/{bench}/{shown.image}" for shown in question.further],
        "boxes": [] if question.polygon else [box.as_tuple() for box in shown_boxes(question)],
        "polygon": [(corner.x, corner.y) for corner in question.polygon],
        "landmark": words_box(landmark).as_tuple() if landmark else None,
    }


def _apart(
    looked_at: LookedAt, digests: Sequence[str], judgements: Sequence[Judgement]
) -> Iterator[tuple[int, str, str, list[Judgement]]]:
    """Yield row, words, column and verdicts where people differ, of what is open."""
    table = looked_at.table
    several: defaultdict[tuple[str, str, str], list[Judgement]] = defaultdict(list)
    for judgement in judgements:
        for column in COLUMNS:
            if column in judgement.said:
                several[judgement.bench, judgement.item, column].append(judgement)
    for (bench, item, column), own in several.items():
        row = table.places.get((digests.index(bench) if bench in digests else -1, item))
        if row is not None and len({judgement.said[column] for judgement in own}) > 1:
            yield row, table.question(row).instruction.text, column, own
