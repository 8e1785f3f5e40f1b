"""
What a gate says: on a terminal, in a job's summary, to a test reporter, beside a change.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree as ET

import msgspec

from surefoot.phrasing.words import cluster_words
from surefoot.run.gates.baseline import GatedQuestion
from surefoot.run.gates.matching import SharedControls
from surefoot.score.gate import ANSWERS, FEWEST_PAGES, GateCount, GateFinding

SHOWN: Final = 10  # annotations of a kind that GitHub shows of one step


class GateReport(msgspec.Struct, frozen=True):
    """Hold what a gate found of a release, and the questions and counts behind it."""

    model: str
    finding: GateFinding
    release: SharedControls
    counts: tuple[GateCount, ...]

    @property
    def asked(self) -> dict[str, GatedQuestion]:
        """Return the release's questions by their ids."""
        return {after.id: after for _, after in self.release.questions}

    def sentences(self) -> Iterator[str]:
        """Yield the verdict, why it is that, and what came, went or has another name."""
        found = self.finding
        yield f"{found.verdict}: {_why(found)}. Over {_size_words(found)}, {_drop_words(found)}."
        for name in found.lost:
            yield f"lost: {self._fate(name)}"
        for name in found.suspects:
            yield f"to ask again: {self._fate(name)}"
        if found.spread:
            yield "Losses are spread: no single element is surely lost, and all together are."
        yield from _rate_sentence(found)
        if found.verdict == "cannot tell":
            yield from _missing_words(found)
            if self.release.unasked:
                hidden = cluster_words(len(self.release.unasked), "controls")
                yield (
                    f"{hidden} that the model hit are still there and are not asked for: the "
                    "lines of surefoot build say why, such as a name that can no longer be read."
                )
        for old, new in self.release.renamed:
            yield f"renamed: {old} is '{new}' now"
        for what, controls in (
            ("gone", self.release.gone),
            ("still there, and not asked for", self.release.unasked),
            ("new", self.release.new),
        ):
            for control in controls:
                yield f"{what}: {control}"

    def _fate(self, name: str) -> str:
        asked = self.asked[name]
        count = next(count for count in self.counts if count.id == name)
        hits, times = count.hits_after + count.hits_again, count.after + count.again
        return (
            f'"{asked.words}" on {asked.page}{_condition(asked)}: '
            f"{hits} of {times} answers hit, {count.hits_before} of {count.before} before"
        )

    def markdown(self) -> str:
        """Return a job's summary: the verdict, and a list of all else that is said."""
        first, *others = self.sentences()
        lines = [f"### Surefoot: {self.model} on this release", "", first, ""]
        lines += [f"- {_escaped(sentence)}" for sentence in others]
        return "\n".join(lines).rstrip() + "\n"

    def annotations(self) -> Iterator[str]:
        """Yield commands of GitHub Actions, an error a lost element, and one for the verdict."""
        found = self.finding
        for name in found.lost[:SHOWN]:
            yield _annotation("error", "An agent loses this element", self._fate(name))
        if found.verdict != "passed":
            level = "error" if found.verdict == "failed" else "warning"
            yield _annotation(level, f"Surefoot: {found.verdict}", next(self.sentences()))

    def junit(self) -> bytes:
        """Return a test case a question that both have, in the XML of JUnit."""
        found = self.finding
        lost, unsure = set(found.lost), set(found.suspects)
        suite = ET.Element(
            "testsuite",
            name=f"surefoot {self.model}",
            tests=str(len(self.counts) + 1),
            failures=str(len(lost) + (found.verdict == "failed")),
            skipped=str(len(unsure) + (found.verdict == "cannot tell")),
        )
        case = ET.SubElement(suite, "testcase", classname="release", name="verdict")
        sentence = next(self.sentences())
        if found.verdict == "failed":
            ET.SubElement(case, "failure", message=_legible(sentence))
        elif found.verdict == "cannot tell":
            ET.SubElement(case, "skipped", message=_legible(sentence))
        questions = self.asked
        for count in self.counts:
            asked = questions[count.id]
            case = ET.SubElement(
                suite,
                "testcase",
                classname=_legible(asked.page),
                # Of equal names some readers keep the first alone.
                name=_legible(f"{asked.words}{_condition(asked)} [{count.id}]"),
            )
            if count.id in lost:
                failure = ET.SubElement(case, "failure")
                failure.set("message", _legible(self._fate(count.id)))
            elif count.id in unsure:
                skipped = ET.SubElement(case, "skipped")
                skipped.set("message", _legible(self._fate(count.id)))
        data: bytes = ET.tostring(suite, encoding="utf-8", xml_declaration=True)
        return data + b"\n"


def _condition(asked: GatedQuestion) -> str:
    return "" if asked.variant == "original" else f" ({asked.variant})"


def _points(share: float) -> str:
    return f"{100 * share:.1f}"


def _drop_words(found: GateFinding) -> str:
    more = f"{_points(abs(found.drop))} points {'less' if found.drop > 0 else 'more'} often than"
    hits = f"the model hits {more if found.drop else 'as often as'} in the baseline"
    whose = " on pages like these" if found.unit == "page" else ""
    ruled_out = f"a drop of more than {_points(found.bound)} points{whose} is ruled out (95 %)"
    return f"{hits}; {ruled_out}, and {_points(found.margin)} are allowed"


def _why(found: GateFinding) -> str:
    """Return the first reason of a verdict."""
    if found.lost:
        return f"{cluster_words(len(found.lost), 'questions')} that the model surely hit are lost"
    if found.verdict == "failed":
        return "losses are spread" if found.spread else "the rate is surely under what is wanted"
    return "nothing is lost" if found.verdict == "passed" else "what was asked does not decide"


def _size_words(found: GateFinding) -> str:
    elements = cluster_words(found.compared, "controls")
    return f"{elements} and {cluster_words(found.questions, 'questions')} that both releases have"


def _rate_sentence(found: GateFinding) -> Iterator[str]:
    if found.least:
        low, high = found.interval
        ends = f"95 % interval {_points(low)} to {_points(high)}"
        least = f"{_points(found.least)} % are wanted"
        yield f"It hits {_points(found.rate)} % ({ends}); {least}."


def _missing_words(found: GateFinding) -> Iterator[str]:
    """Yield what it would take to tell."""
    if found.suspects:
        missed = cluster_words(len(found.suspects), "questions")
        yield f"Give --model to ask {missed} again, until each has {ANSWERS} answers."
    if found.unit == "page" and found.pages < FEWEST_PAGES:
        few = cluster_words(found.pages, "pages")
        yield f"{few} say nothing of others: {FEWEST_PAGES} are needed, or leave --unit page out."
        return
    if found.elements:
        pages = ", each page with as many as now" if found.unit == "page" else ""
        more = f"{cluster_words(found.elements, 'elements')} like these{pages}"
        answers = f", or {found.answers} answers to each question" if found.answers else ""
        yield f"A drop of {_points(found.margin)} points would be seen with {more}{answers}."
    elif found.bound > found.margin:
        yield "The drop itself lies near the margin: no number of answers tells the two apart."
    low, high = found.interval
    if low < found.least <= high:
        yield "The rate lies near what is wanted: ask more elements, or each of them oftener."


def _escaped(text: str) -> str:
    """Return text that Markdown shows as it is, on one line."""
    marked = "".join(f"\\{mark}" if mark in "\\`*_[]<>|#" else mark for mark in text)
    return " ".join(marked.split())


def _annotation(level: str, title: str, message: str) -> str:
    """
    Return a workflow command of GitHub Actions.

    >>> _annotation("error", "a: b", "50 %")
    '::error title=a%3A b::50 %25'
    """
    plain = {"%": "%25", "\r": "%0D", "\n": "%0A"}
    named = {**plain, ":": "%3A", ",": "%2C"}
    head = "".join(named.get(mark, mark) for mark in title)
    return f"::{level} title={head}::" + "".join(plain.get(mark, mark) for mark in message)


def _legible(text: str) -> str:
    """Return text without what XML has no place for."""
    return "".join(mark if mark.isprintable() else " " for mark in text)
