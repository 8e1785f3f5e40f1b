"""
From the candidates of all pages to questions about the hardest of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from surefoot.benchmarks.benchmark import (
    AssembledBench,
    BuildOptions,
    Candidate,
    Fall,
    Funnel,
    PageResult,
)
from surefoot.benchmarks.drawing import shares, site_of, targets_by_site
from surefoot.benchmarks.matching import add_up
from surefoot.benchmarks.proofs import guess_facts
from surefoot.benchmarks.sensitivity_parameters import parameters_of
from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import Instruction
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Screen


def assemble(results: Iterable[PageResult], options: BuildOptions) -> AssembledBench:
    """
    Take the hardest candidates over all pages and write their questions out.

    Sites take turns, and their pages, see ``hardest``; what is over ``site_targets`` or the
    parameter ``top`` is counted in the funnel. A pair is one element of one page, its
    questions differ in view and words.
    """
    pages = list(results)
    questions: list[Question] = []
    falls = [fall for page in pages for fall in page.falls]
    for page, kept in zip(pages, hardest(pages, options), strict=True):
        falls.append(Fall("targets", "not among the hardest", len(page.candidates) - len(kept)))
        screens = {screen.id: screen for screen in page.screens}
        for candidate in kept:
            pair = f"{page.page}#{candidate.target}"
            questions += questions_of(pair, page.page, page.site, screens, candidate)
    ordered = tuple(sorted(questions, key=lambda question: question.id))
    return AssembledBench(ordered, Funnel(add_up(falls), {}, targets_by_site(pages, ordered)))


def hardest(pages: Sequence[PageResult], options: BuildOptions) -> list[list[Candidate]]:
    """
    Return the candidates to keep of each page, the hardest first.

    At most ``site_targets`` of a site are kept, and ``top`` (a parameter) in all, 0 for all.
    Every site gives one before any gives its second, and so do the pages of a site; in the
    last round those that are harder come first.
    """
    ranked = [sorted(page.candidates, key=_rank) for page in pages]
    counts = shares(
        [site_of(page) for page in pages],
        [[_rank(candidate) for candidate in page] for page in ranked],
        a_site=options.site_targets,
        in_all=parameters_of(options.parameters).top,
    )
    return [page[:count] for page, count in zip(ranked, counts, strict=True)]


def _rank(candidate: Candidate) -> tuple[float, str]:
    return -candidate.measures.get("difficulty", 0.0), candidate.target


def questions_of(
    pair: str, page: str, site: str, screens: dict[str, Screen], candidate: Candidate
) -> Iterator[Question]:
    """
    Yield a candidate's questions in all its views; ``screens`` are the page's, by id.

    Their facts say why the target is confusing; where elements are a guess, whose, and how much
    of the picture was found; where no resolver proves what is meant, who says so.
    """
    for screen_id, instructions in candidate.instructions.items():
        screen = screens[screen_id]
        target = screen.element(candidate.target)
        if target is None:
            raise InvalidInputError(
                f"the target {candidate.target} in its view",
                found=f"none in '{screen.variant}' of {page}",
            )
        for instruction in instructions:
            yield Question(
                id=digest([pair, screen.variant, instruction.text])[:20],
                pair=pair,
                cluster=site or page,
                cell=Cell(screen.variant, _cell(instruction)),
                screen=screen.id,
                image=screen.image,
                width=screen.width,
                height=screen.height,
                instruction=instruction,
                truth=target.box,
                role=candidate.role,
                page=page,
                facts=_proof(screen, candidate, instruction),
            )


def _proof(screen: Screen, candidate: Candidate, instruction: Instruction) -> dict[str, str]:
    facts = {"confusing": candidate.confusing} if candidate.confusing else {}
    if instruction.proof:
        facts["proven by"] = instruction.proof
    if not screen.guessed_by:
        return facts
    return {**guess_facts(screen.guessed_by, candidate.measures["seen"]), **facts}


def _cell(instruction: Instruction) -> str:
    wording = instruction.wording
    return f"{instruction.kind}+{wording}" if wording else instruction.kind
