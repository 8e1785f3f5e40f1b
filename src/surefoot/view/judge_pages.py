"""
The pages on which people judge samples, and see how far they agree.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from surefoot.core.canonical import canonical_json, decode
from surefoot.core.question import Question
from surefoot.loopback.guards import bounded, require_type
from surefoot.report.html.verdicts import shown_boxes
from surefoot.run.folders.folder import manifest_digest
from surefoot.view.judging import VERDICTS, Judgement, Judgements, SentJudgement, agreements
from surefoot.view.looking import LookedAt
from surefoot.view.selection import read_selection

__all__ = ["judge_routes"]

_LARGEST_POST: Final = 1 << 15
_MOST: Final = 5000  # samples of one page
Draw = Callable[..., Response]


def judge_routes(
    looked_at: LookedAt, judgements: Judgements, draw: Draw, link: Callable[[int], str]
) -> list[Route]:
    """
    Return the routes for one person; ``draw`` draws a template, ``link`` leads to a question.
    """
    table = looked_at.table
    digests = [manifest_digest(bench.folder, "bench") for bench in table.benches]
    sites = table.labels["site"]

    def page(request: Request) -> Response:
        selection = read_selection(request.query_params)
        return draw(
            "judge.html.j2",
            selection=selection,
            total=len(looked_at.rows(selection)),
            most=_MOST,
            person=judgements.person,
            verdicts=VERDICTS,
        )

    def samples(request: Request) -> Response:
        own = {
            (one.bench, one.question): one
            for one in judgements.latest()
            if one.person == judgements.person
        }
        rows = looked_at.rows(read_selection(request.query_params))[:_MOST].tolist()
        found = []
        for row in rows:
            bench = int(table.bench[row])
            question = table.question(row)
            found.append(_sample(row, bench, question, own.get((digests[bench], question.id))))
        return Response(msgspec.json.encode(found), media_type="application/json")

    async def judge(request: Request) -> Response:
        require_type(request, "application/json")
        data = await bounded(request, _LARGEST_POST).body()
        sent = decode(data, SentJudgement, what="a judgement")
        row = table.places.get((sent.bench, sent.question))
        if row is None:
            raise HTTPException(404)
        site = sites.names[int(sites.codes[row])]
        await run_in_threadpool(judgements.add, sent, digests[sent.bench], site)
        return Response(status_code=204)

    def agreement(request: Request) -> Response:
        del request
        latest = judgements.latest()
        apart = [
            (link(table.places[digests.index(bench), name]), words, own)
            for bench, name, words, own in _apart(looked_at, digests, latest)
        ]
        people = sorted(Counter(one.person for one in latest).items())
        return draw("agreement.html.j2", people=people, rows=agreements(latest), apart=apart)

    def export(request: Request) -> Response:
        del request
        return StreamingResponse(_lines(judgements.latest()), media_type="application/jsonl")

    return [
        Route("/judge", page, methods=["GET"]),
        Route("/judge", judge, methods=["POST"]),
        Route("/judge/samples", samples),
        Route("/agreement", agreement),
        Route("/judgements.jsonl", export),
    ]


def _sample(row: int, bench: int, question: Question, own: Judgement | None) -> dict[str, Any]:
    """Return what a page shows of a sample: no model's click, and nobody else's verdict."""
    boxes = shown_boxes(question)
    view = [0, 0, question.width, question.height]  # whether nothing else fits, the whole shows
    return {
        "bench": bench,
        "question": question.id,
        "words": question.instruction.text,
        "view": view,
        "crop": f"/crop/{row}/{'/'.join(map(str, view))}" if question.image else "",
        "further": [f"/picture/bench/{bench}/{shown.image}" for shown in question.further],
        "boxes": [] if question.polygon else [box.as_tuple() for box in boxes],
        "polygon": [(corner.x, corner.y) for corner in question.polygon],
        "verdict": own.verdict if own else "",
        "note": own.note if own else "",
    }


def _apart(
    looked_at: LookedAt, digests: list[str], judgements: list[Judgement]
) -> Iterator[tuple[str, str, str, list[Judgement]]]:
    """Yield benchmark, question, words and verdicts where people differ, of what is open."""
    several: defaultdict[tuple[str, str], list[Judgement]] = defaultdict(list)
    for one in judgements:
        several[one.bench, one.question].append(one)
    for (bench, question), own in several.items():
        number = digests.index(bench) if bench in digests else -1
        row = looked_at.table.places.get((number, question))
        if row is not None and len({one.verdict for one in own}) > 1:
            yield bench, question, looked_at.table.question(row).instruction.text, own


def _lines(judgements: list[Judgement]) -> Iterator[bytes]:
    for one in judgements:
        yield canonical_json(one) + b"\n"
