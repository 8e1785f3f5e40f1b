"""
The work behind ``surefoot import`` for result files of other tools: replies become a RUN.

Each row is joined to a question of a BENCH and compared with it in all that both have; then its
reply is read by a format of ours, and judged. What the other tool made of it is only counted.
"""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.canonical import record_json, sha256
from surefoot.core.errors import InvalidInputError, NothingKeptError
from surefoot.core.ledger import Done, Failure, Ledger, read_plan
from surefoot.core.question import Answer, Question, Unparsed
from surefoot.datasets.dataset import BadRecord
from surefoot.datasets.files.boxes import read_box
from surefoot.datasets.results.result import RESULTS, ResultRow, ResultsFile, ResultsHead
from surefoot.models.format import Format
from surefoot.models.model import parsed_reply
from surefoot.models.opening import FORMATS, format_of
from surefoot.models.reading import writable
from surefoot.run.asking.answers import answer_key, export_answers
from surefoot.run.asking.runs import asked_questions, remember_bench
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.run.folders.folder import manifest_digest, read_manifest, run_plan
from surefoot.run.imports.labelled import ImportResult, kept_or_undone
from surefoot.run.imports.records import numbered
from surefoot.score.hits import judge

NEAR: Final = 1.0  # pixels by which two spellings of one box may differ
SHOWN: Final = 5  # verdicts that differ, and rows left out, that are named on the terminal
DOUBTFUL: Final = 0.05  # of the verdicts differ where another format is looked for
PICTURE_FACTS: Final = ("img_filename", "file_name", "image_path")
ABSENT: Final = "not-in-file"
UNREPLIED: Final = "no-reply"


class OtherVerdict(msgspec.Struct, frozen=True):
    """Pair another tool's verdict on a reply with ours, and say what we read in it."""

    question: str
    theirs: bool
    ours: bool
    parsed: str
    reply: str


class _Join:
    """Find the question of each row, once each."""

    def __init__(self, bench: Path, questions: Sequence[Question]) -> None:
        self._bench = bench
        self._by_id = {question.id: question for question in questions}
        self._by_text: dict[str, list[Question]] = defaultdict(list)
        for question in questions:
            self._by_text[_plain(question.instruction.text)].append(question)
        plan = read_plan(bench)
        self.numbered = "dataset" in plan
        left_out = read_manifest(bench, "bench").files.get("left_out.jsonl")
        # Rows up to this one are of the set, though the import has left some of them out.
        self.rows = len(questions) + (left_out.count if left_out else 0)
        self.limited = bool(plan.get("limit"))
        self._taken: dict[str, str] = {}

    def find(self, row: ResultRow) -> Question | None:
        """
        Return a row's question, None for a record that an import with a limit has left out.

        Raises InvalidInputError where there is none, it differs, or it was answered before.
        """
        if row.question or row.row >= 0:
            found = self._named(row)
            if found is None:
                return None
            if differing := difference(found, row):
                raise self._refused(row, differing[0], differing[1])
        else:
            found = self._described(row)
        if before := self._taken.get(found.id):
            raise InvalidInputError(
                f"one reply to question {found.id}", found=f"{before} and {row.key}"
            )
        self._taken[found.id] = row.key
        return found

    def _named(self, row: ResultRow) -> Question | None:
        name = row.question or numbered(row.row + 1)
        if row.sample > 1:
            name = f"{name}~{row.sample}"
        found = self._by_id.get(name)
        known = self.numbered and (self.limited or row.row < self.rows)
        if found is None and (row.question or not known):
            raise self._refused(row, f"question {name}", f"none among {len(self._by_id):,}")
        return found

    def _described(self, row: ResultRow) -> Question:
        same = self._by_text.get(_plain(row.text), [])
        fitting = [question for question in same if not difference(question, row)]
        if not fitting:
            seen = [difference(question, row) for question in same[:1]]
            wanted, found = seen[0] if seen and seen[0] else ("its words", f"'{row.text[:80]}'")
            raise self._refused(row, wanted, found)
        # Records that are alike in words, picture and box are asked and answered alike.
        return next((item for item in fitting if item.id not in self._taken), fitting[0])

    def _refused(self, row: ResultRow, expected: str, found: str) -> InvalidInputError:
        return InvalidInputError(
            f"replies to the questions of {self._bench}; at {row.key} there: {expected}",
            found=found,
            remedy="import the very data set that the tool has read, in the order of its rows "
            "(docs/import-results.md)",
        )


def import_results(
    name: str,
    path: Path,
    bench: Path,
    out: Path,
    *,
    model: str = "",
    format_name: str = "",
    strict: bool = False,
) -> ImportResult:
    """
    Read another tool's result file into the RUN ``out``, as replies to a BENCH.

    ``model`` is what the model is called, where the file and its folder do not say. Its replies
    are read in the format named, else in the one that the file was asked in, else in that of the
    model's name. Questions without a reply are failures of the run, and counted.

    Raises InvalidInputError where the file answers another data set or benchmark, or a question
    twice, UnknownNameError for a model of an unknown format, and NothingKeptError, with nothing
    written, where no row is good.
    """
    about = RESULTS.get(name)
    if not path.exists():
        raise InvalidInputError("a result file", found=f"no {path}", remedy="check the path")
    head = about.head(path)
    _require_bench(head, bench)
    called = model or head.model
    form = FORMATS.get(format_name or head.format or format_of(called))
    questions = asked_questions(bench, head.reasoning, 0, head.samples)
    bad: list[BadRecord] = []
    rows = list(about.read(path, strict=strict, report=bad.append))
    joined, beyond = _joined(rows, _Join(bench, questions))
    if not joined:
        raise NothingKeptError(
            f"rows of {about.name} in {path}",
            found=f"none that is good of {len(rows) + len(bad):,}",
            remedy=f"{bad[0].place}: {bad[0].why}" if bad else "",
        )
    identity: dict[str, object] = {
        "name": called,
        "format": form.identity(),
        "results": f"{about.name}@{about.version}",
        "file": digest_of(path),
    }
    with kept_or_undone(out):
        return _write(out, bench, questions, joined, identity, form, head, bad, beyond, about)


def _joined(
    rows: Iterable[ResultRow], join: _Join
) -> tuple[list[tuple[Question, ResultRow]], int]:
    found = [(join.find(row), row) for row in rows]
    kept = [(question, row) for question, row in found if question is not None]
    return kept, len(found) - len(kept)


def _write(  # noqa: PLR0913, PLR0917 - what one run is made of
    out: Path,
    bench: Path,
    questions: Sequence[Question],
    joined: Sequence[tuple[Question, ResultRow]],
    identity: dict[str, object],
    form: Format,
    head: ResultsHead,
    bad: Sequence[BadRecord],
    beyond: int,
    about: ResultsFile,
) -> ImportResult:
    answers = [_answer(question, row, form) for question, row in joined if not row.failure]
    failures = [(question, UNREPLIED, row.failure) for question, row in joined if row.failure]
    seen = {question.id for question, _ in joined}
    failures += [
        (item, ABSENT, "the file has no row") for item in questions if item.id not in seen
    ]
    verdicts = _verdicts(joined, answers)
    asked = {question.id: question for question in questions}
    choices = {
        "reasoning": head.reasoning,
        "limit": 0,
        **({"samples": head.samples} if head.samples > 1 else {}),
    }
    with Ledger.open(out, run_plan(bench, identity, choices)) as ledger:
        remember_bench(out, bench)
        ledger.record_many(
            Done(
                answer_key(asked[answer.question], identity),
                record_json(answer, Answer, what="an answer"),
            )
            for answer in answers
        )
        ledger.record_many(
            Failure(answer_key(question, identity), reason, message)
            for question, reason, message in failures
        )
        differing = [item for item in verdicts if item.theirs != item.ours]
        failed = export_answers(
            out, questions, identity, ledger, {"verdicts.jsonl": differing} if verdicts else {}
        )
    unread = [answer for answer in answers if isinstance(answer.parsed, Unparsed)]
    counts = {
        "questions": len(questions),
        "replies": len(answers),
        "unparsed": len(unread),
        "missing": sum(reason == ABSENT for _, reason, _ in failures),
        "failed": sum(reason == UNREPLIED for _, reason, _ in failures),
        "left_out": dict(sorted(Counter(item.reason for item in bad).items())),
        "beyond": beyond,
        "verdicts": len(verdicts),
        "differing": len(differing),
    }
    lines = [
        *_bad_lines(bad),
        *_count_lines(counts, form, unread, about),
        *_verdict_lines(verdicts, differing, joined, form),
    ]
    tally = Tally(total=len(questions), done=len(answers), failed=len(failures))
    return ImportResult(Outcome(out, tally, failed, tuple(lines)), dict(counts))


def difference(question: Question, row: ResultRow) -> tuple[str, str] | None:
    """
    Return what a question and a row have both and differ in, as (expected, found).

    Compared are the words, the name of the picture, its size, and the box in any of the row's
    conventions to within a pixel.
    """
    words = _plain(question.instruction.text)
    if row.text and _plain(row.text) != words:
        return f"'{question.instruction.text[:80]}'", f"'{row.text[:80]}'"
    if row.prompt and words not in _plain(row.prompt):
        return f"'{question.instruction.text[:80]}'", f"'{row.prompt[-160:]}'"
    names = picture_names(question)
    if row.picture and names and _base(row.picture) not in names:
        return f"the picture {min(names)}", _base(row.picture)
    size = (question.width, question.height)
    if all(row.size) and all(size) and row.size != size:
        return f"a picture of {size[0]} x {size[1]}", f"{row.size[0]} x {row.size[1]}"
    if row.box and question.answerable and question.truth.area and not _same_box(question, row):
        return f"a box at {question.truth}", str(row.box)
    return None


def picture_names(question: Question) -> frozenset[str]:
    """Return the names of a question's picture in its data set; none where none is known."""
    given = (question.facts.get(name, "") for name in PICTURE_FACTS)
    names = {_base(name) for name in (*given, question.page_name) if "." in _base(name)}
    return frozenset(names)


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, or of the names and hashes of a folder's files."""
    if path.is_file():
        return sha256(path.read_bytes())
    files = sorted(item for item in path.iterdir() if item.is_file())
    return sha256("\n".join(f"{sha256(item.read_bytes())} {item.name}" for item in files).encode())


def _same_box(question: Question, row: ResultRow) -> bool:
    size, wanted = (question.width, question.height), question.truth.as_tuple()
    for convention in row.conventions:
        if convention.whole and not all(size):
            return True  # shares of a picture whose size nobody knows cannot be compared
        try:
            box = read_box(row.box, convention, size)
        except InvalidInputError:
            continue
        pairs = zip(box.as_tuple(), wanted, strict=True)
        if all(abs(found - there) <= NEAR for found, there in pairs):
            return True
    return False


def _require_bench(head: ResultsHead, bench: Path) -> None:
    if (found := manifest_digest(bench, "bench")) != head.bench and head.bench:
        raise InvalidInputError(
            f"replies to the benchmark in {bench} ({found[:12]})",
            found=f"replies to another ({head.bench[:12]})",
            remedy="name the benchmark that was asked after --bench",
        )


def _answer(question: Question, row: ResultRow, form: Format) -> Answer:
    text = writable(row.reply)
    return Answer(question.id, text, parsed_reply(text, question, form, cut=row.cut), row.usage)


def _verdicts(
    joined: Iterable[tuple[Question, ResultRow]], answers: Sequence[Answer]
) -> list[OtherVerdict]:
    judged = [(question, row) for question, row in joined if row.verdict is not None]
    by_id = {answer.question: answer for answer in answers}
    judged = [(question, row) for question, row in judged if question.id in by_id]
    ours = judge([question for question, _ in judged], [by_id[item.id] for item, _ in judged])
    return [
        OtherVerdict(
            question.id,
            bool(row.verdict),
            ours[question.id],
            f"{by_id[question.id].parsed}",
            row.reply,
        )
        for question, row in sorted(judged, key=lambda item: item[0].id)
    ]


def _bad_lines(bad: Sequence[BadRecord]) -> list[str]:
    lines = [f"left out {item.place}: {item.why}" for item in bad[:SHOWN]]
    return [*lines, *([f"and {len(bad) - SHOWN:,} more"] if len(bad) > SHOWN else [])]


def _count_lines(
    counts: Mapping[str, object], form: Format, unread: Sequence[Answer], about: ResultsFile
) -> list[str]:
    lines = [
        f"{counts['replies']:,} replies to {counts['questions']:,} questions, read as {form.name}"
    ]
    if counts["missing"]:
        lines.append(f"{counts['missing']:,} questions have no row in the file: failed, not wrong")
    if counts["failed"]:
        lines.append(f"{counts['failed']:,} rows hold no reply: failed, not wrong")
    if counts["beyond"]:
        lines.append(f"{counts['beyond']:,} rows are of records that the benchmark left out")
    if unread:
        first = unread[0]
        lines.append(
            f"{len(unread):,} replies cannot be read as {form.name}; the first: {first.raw[:80]!r}"
        )
    if not counts["verdicts"]:
        lines.append(
            f"the file has no verdicts of {about.name.rpartition('-')[0]} to compare with"
        )
    return lines


def _verdict_lines(
    verdicts: Sequence[OtherVerdict],
    differing: Sequence[OtherVerdict],
    joined: Sequence[tuple[Question, ResultRow]],
    form: Format,
) -> list[str]:
    if not verdicts:
        return []
    lost = sum(item.theirs for item in differing)
    same, won = len(verdicts) - len(differing), len(differing) - lost
    ways = f"{lost:,} hits there are misses here, {won:,} misses there are hits here"
    lines = [f"{same:,} of {len(verdicts):,} verdicts are as the file has them; {ways}"]
    lines += [
        f"  question {item.question}: {'hit' if item.theirs else 'miss'} there; "
        f"{item.reply[:60]!r} is {item.parsed[:60]} here"
        for item in differing[:SHOWN]
    ]
    if len(differing) > DOUBTFUL * len(verdicts):
        best, count = _agreeing_format(joined)
        if best != form.name and count > same:
            lines.append(f"--format {best} would agree with {count:,} of {len(verdicts):,}")
    return lines


def _agreeing_format(joined: Sequence[tuple[Question, ResultRow]]) -> tuple[str, int]:
    """Return the format whose reading agrees most often with the file's verdicts."""
    judged = [(question, row) for question, row in joined if row.verdict is not None]

    def count(form: Format) -> int:
        answers = [_answer(question, row, form) for question, row in judged]
        ours = judge([question for question, _ in judged], answers)
        return sum(ours[question.id] == row.verdict for question, row in judged)

    counts = {name: count(form) for name, form in FORMATS.entries.items()}
    best = max(counts, key=lambda name: counts[name])
    return best, counts[best]


def _plain(text: str) -> str:
    return " ".join(text.split())


def _base(name: str) -> str:
    return posixpath.basename(name.replace("\\", "/"))
