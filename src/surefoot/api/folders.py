"""
The folders that Surefoot writes, opened: what is in them, record by record and as a table.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias, TypeVar, overload

import msgspec

from surefoot.api.options import AnyPath
from surefoot.api.pictures import (
    Exchange,
    PicturedQuestion,
    PicturedScreen,
    image_of,
    with_picture,
)
from surefoot.api.tables import FlatTable, RecordTable, counted, flat_row
from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.ledger import read_plan
from surefoot.core.registry import suggest
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.run.folders.folder import WRITERS, FolderKind, Manifest, read_manifest
from surefoot.run.folders.tables import stream_table

if TYPE_CHECKING:
    import pyarrow as pa
    from PIL import Image

    from surefoot.core.question import Question
    from surefoot.diagnose.findings import Diagnosis, ElementFinding, FailingInstruction
    from surefoot.run.asking.runs import FinishedRun
    from surefoot.run.forms.units import FormResult

__all__ = [
    "AnyFolder",
    "Bench",
    "FailedInstruction",
    "FilledForms",
    "ModelDiagnosis",
    "ModelRun",
    "OpenedFolder",
    "Screens",
    "open",
    "open_bench",
    "open_diagnosis",
    "open_forms",
    "open_run",
    "open_screens",
]

R = TypeVar("R", bound=msgspec.Struct)
SUGGESTED: Final = 8  # ids that an unknown one is answered with


class OpenedFolder(RecordTable[R]):
    """
    Offer what a finished folder holds; raises InvalidInputError for a folder that is none.

    ``outcome`` tells what the call that wrote it did: the tally, the units that failed, and
    what there is to say; nothing where the folder was only opened.
    """

    kind: ClassVar[FolderKind]
    table: ClassVar[str]

    def __init__(self, folder: AnyPath, outcome: Outcome | None = None) -> None:
        self.folder = Path(folder)
        self.outcome = outcome or Outcome(self.folder, Tally())
        if outcome is None:
            read_manifest(self.folder, self.kind)

    @functools.cached_property
    def manifest(self) -> Manifest:
        """Return what the folder says of its files."""
        return read_manifest(self.folder, self.kind)

    def __fspath__(self) -> str:
        """Return the folder, so that it can be given wherever a path can."""
        return str(self.folder)

    def __len__(self) -> int:
        """Count the records."""
        return self.manifest.files[self.table].count

    @functools.cached_property
    def records(self) -> tuple[R, ...]:
        """Return all records, read once."""
        return tuple(self)

    @functools.cached_property
    def plan(self) -> Mapping[str, object]:
        """Return all that determined what is in the folder."""
        return read_plan(self.folder)

    @overload
    def __getitem__(self, which: int | str) -> R: ...

    @overload
    def __getitem__(self, which: slice) -> Sequence[R]: ...

    def __getitem__(self, which: int | str | slice) -> R | Sequence[R]:
        """Return a record by its place or its id, or several; raises UnknownNameError."""
        if not isinstance(which, str):
            return self.records[which]
        if which not in self._places:
            raise UnknownNameError(
                f"an id of {self.folder}",
                found=f"'{which}'",
                remedy=suggest(which, list(self._places)[:SUGGESTED]),
            )
        return self.records[self._places[which]]

    @functools.cached_property
    def _places(self) -> dict[str, int]:
        return {self.id_of(record): place for place, record in enumerate(self.records)}

    def id_of(self, record: R) -> str:
        """Return what a record is called in this folder."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.folder)!r}): {counted(len(self), 'record')}"


class Screens(OpenedFolder[PicturedScreen]):
    """
    Offer the screens that ``capture`` wrote.
    """

    kind = "screens"
    table = "screens.jsonl"

    def __iter__(self) -> Iterator[PicturedScreen]:
        """Yield the screens in the order of their ids."""
        for screen in stream_table(self.folder, self.table, PicturedScreen, kind=self.kind):
            yield with_picture(screen, self.folder)

    def id_of(self, record: PicturedScreen) -> str:
        """Return the screen's id."""
        return record.id

    def schema(self) -> pa.Schema:
        """Return the columns: those of the published form, the picture by its hash."""
        return _screen_schema()

    def row(self, record: PicturedScreen) -> dict[str, Any]:
        """Return a screen's cells; elements and edits are JSON."""
        return _screen_cells(record)

    def picture_bytes(self, record: PicturedScreen) -> bytes | None:
        """Return the screen's PNG."""
        return _png(self.folder, record.image)

    def shown(self, record: PicturedScreen) -> dict[str, object]:
        """Return what a notebook shows of a screen."""
        named = ("page", "site", "platform", "width", "height")
        count = sum(element.hit for element in record.elements)
        return {**{name: getattr(record, name) for name in named}, "clickable": count}

    def caption(self) -> str:
        """Count the screens."""
        return counted(len(self), "screen")


class Bench(OpenedFolder[PicturedQuestion]):
    """
    Offer the questions of a benchmark that ``build`` or an import wrote.
    """

    kind = "bench"
    table = "questions.jsonl"

    def __iter__(self) -> Iterator[PicturedQuestion]:
        """Yield the questions in the order of their ids."""
        for question in stream_table(self.folder, self.table, PicturedQuestion, kind=self.kind):
            yield with_picture(question, self.folder, self.screen)

    def screen(self, screen_id: str) -> PicturedScreen | None:
        """Return the screen with this id, None where the benchmark has none."""
        return self._screens.get(screen_id)

    @functools.cached_property
    def _screens(self) -> dict[str, PicturedScreen]:
        if "screens.jsonl" not in self.manifest.files:
            return {}
        found = stream_table(self.folder, "screens.jsonl", PicturedScreen, kind=self.kind)
        return {screen.id: with_picture(screen, self.folder) for screen in found}

    def id_of(self, record: PicturedQuestion) -> str:
        """Return the question's id."""
        return record.id

    def schema(self) -> pa.Schema:
        """Return the columns: those of the published form."""
        from surefoot.run.parquet.layout import QUESTIONS

        return QUESTIONS

    def row(self, record: PicturedQuestion) -> dict[str, Any]:
        """Return a question's cells; facts and the whole instruction are JSON."""
        from surefoot.run.parquet.layout import question_row

        return question_row(record)

    def picture_bytes(self, record: PicturedQuestion) -> bytes | None:
        """Return the PNG that the question is about."""
        return _png(self.folder, record.image)

    def shown(self, record: PicturedQuestion) -> dict[str, object]:
        """Return what a notebook shows of a question."""
        return _told(record)

    def caption(self) -> str:
        """Count the questions."""
        return counted(len(self), "question")


class ModelRun(OpenedFolder[Exchange]):
    """
    Offer a model's answers, each with its question: what ``run`` wrote.

    ``bench`` is the benchmark's folder, if it was moved. Raises InvalidInputError as
    ``surefoot score`` does.
    """

    kind = "run"
    table = "answers.jsonl"

    def __init__(
        self, folder: AnyPath, outcome: Outcome | None = None, *, bench: AnyPath | None = None
    ) -> None:
        super().__init__(folder, outcome)
        self._bench = None if bench is None else Path(bench)

    def __len__(self) -> int:
        """Count the questions that were asked, those without an answer among them."""
        return len(self._whole.questions)

    def __iter__(self) -> Iterator[Exchange]:
        """Yield questions and answers in the order of the questions' ids."""
        from surefoot.score.hits import judge

        whole, bench = self._whole, self.bench
        answers = {answer.question: answer for answer in whole.answers}
        failures = {failure.question: failure.reason for failure in whole.failures}
        hits = judge(whole.questions, whole.answers)
        for question in whole.questions:
            pictured = PicturedQuestion(**_fields(question))
            yield Exchange(
                with_picture(pictured, bench.folder, bench.screen),
                answers.get(question.id),
                hits[question.id],
                failures.get(question.id, ""),
            )

    @property
    def model(self) -> str:
        """Return the model's name."""
        return self._whole.name

    @functools.cached_property
    def bench(self) -> Bench:
        """Return the benchmark that was asked."""
        return Bench(self._whole.bench)

    @functools.cached_property
    def _whole(self) -> FinishedRun:
        from surefoot.run.asking.runs import open_run as read_run

        return read_run(self.folder, self._bench)

    def id_of(self, record: Exchange) -> str:
        """Return the question's id."""
        return record.question.id

    def schema(self) -> pa.Schema:
        """Return the columns: those of the questions, then those of the answers."""
        import pyarrow as pa

        number, text = pa.float64(), pa.string()
        return pa.schema(
            [
                *self.bench.schema(),
                ("model", text),
                ("hit", pa.bool_()),
                ("parsed", text),
                ("x", number),
                ("y", number),
                ("reply", text),
                ("failure", text),
                ("prompt_tokens", pa.int64()),
                ("completion_tokens", pa.int64()),
                ("cost", number),
            ]
        )

    def row(self, record: Exchange) -> dict[str, Any]:
        """Return the cells of a question and its answer; "parsed" says what the reply is."""
        answer, click = record.answer, record.click
        told = {} if answer is None else msgspec.structs.asdict(answer.usage)
        return {
            **self.bench.row(record.question),
            "model": self.model,
            "hit": record.hit,
            "parsed": "" if answer is None else type(answer.parsed).__name__.lower(),
            "x": None if click is None else float(click.x),
            "y": None if click is None else float(click.y),
            "reply": None if answer is None else answer.raw,
            "failure": record.failure,
            **told,
        }

    def picture_bytes(self, record: Exchange) -> bytes | None:
        """Return the PNG that the question is about."""
        return self.bench.picture_bytes(record.question)

    def shown(self, record: Exchange) -> dict[str, object]:
        """Return what a notebook shows of a question and its answer."""
        reply = record.failure if record.answer is None else record.answer.raw
        return {**_told(record.question), "hit": record.hit, "reply": reply}

    def caption(self) -> str:
        """Name the model and count the questions."""
        return f"{self.model}: {counted(len(self), 'question')}"


class FailedInstruction(msgspec.Struct, frozen=True):
    """Pair a valid instruction that a model failed with what was found of its element."""

    element: ElementFinding
    failing: FailingInstruction

    def __repr__(self) -> str:
        failing = self.failing
        return f"FailedInstruction({failing.question!r}, {failing.instruction.text!r})"


class ModelDiagnosis(OpenedFolder[FailedInstruction]):
    """
    Offer the valid instructions that a model failed: what ``diagnose`` wrote.
    """

    kind = "diagnosis"
    table = "answers.jsonl"

    def __len__(self) -> int:
        """Count the failing instructions."""
        return sum(len(element.failures) for element in self.findings.elements)

    def __iter__(self) -> Iterator[FailedInstruction]:
        """Yield the failing instructions, element by element."""
        for element in self.findings.elements:
            for failing in element.failures:
                yield FailedInstruction(element, failing)

    @functools.cached_property
    def findings(self) -> Diagnosis:
        """Return all that was found."""
        from surefoot.diagnose.folder import read_diagnosis

        return read_diagnosis(self.folder)

    @property
    def model(self) -> str:
        """Return the model's name."""
        return self.findings.model

    @property
    def sentences(self) -> list[str]:
        """Return what was found in words, without more than the intervals hold."""
        from surefoot.diagnose.summary import diagnosis_sentences

        return diagnosis_sentences(self.findings)

    @property
    def failing(self) -> Bench:
        """Return the benchmark of the failing instructions."""
        from surefoot.diagnose.folder import FAILING

        return Bench(self.folder / FAILING)

    def id_of(self, record: FailedInstruction) -> str:
        """Return the question's id, which the benchmark of failing instructions has too."""
        return record.failing.question

    def schema(self) -> pa.Schema:
        """Return the columns: the element's, then those of the failing instruction."""
        import pyarrow as pa

        from surefoot.diagnose.findings import FailingInstruction

        own = FlatTable((), FailingInstruction).schema()
        added = [(name, pa.string()) for name in (*_OF_ELEMENT, "text")]
        return pa.schema([*added, *own])

    def row(self, record: FailedInstruction) -> dict[str, Any]:
        """Return the cells of a failing instruction; its lists are JSON."""
        named = {name: getattr(record.element, name) for name in _OF_ELEMENT}
        text = record.failing.instruction.text
        return {**named, "text": text, **flat_row(record.failing)}

    def shown(self, record: FailedInstruction) -> dict[str, object]:
        """Return what a notebook shows of a failing instruction."""
        failing = record.failing
        words = {"instruction": failing.instruction.text, "view": failing.view}
        return {**words, "role": record.element.role, "how": failing.taxonomy, "why": failing.why}

    def caption(self) -> str:
        """Say what was found."""
        return "; ".join(self.sentences)


class FilledForms(OpenedFolder["FormResult"]):
    """
    Offer the forms that agents filled in: what ``run_forms`` wrote.
    """

    kind = "forms"
    table = "episodes.jsonl"

    def __iter__(self) -> Iterator[FormResult]:
        """Yield what came of each attempt."""
        from surefoot.run.forms.running import read_results

        return iter(read_results(self.folder))

    def pictures(self, record: FormResult) -> list[Image.Image]:
        """Return each page of a form as it was left (RGB); DamageError where one is gone."""
        store = ObjectStore(self.folder)
        return [image_of(store.get(page.image)) for page in record.filled]

    def id_of(self, record: FormResult) -> str:
        """Return the attempt's id."""
        return record.id

    def schema(self) -> pa.Schema:
        """Return the columns: those of the score of an attempt."""
        from surefoot.forms.scoring.episodes import EpisodeScore

        return FlatTable((), EpisodeScore).schema()

    def row(self, record: FormResult) -> dict[str, Any]:
        """Return the cells of an attempt's score; its lists are JSON."""
        return flat_row(record.score)

    def shown(self, record: FormResult) -> dict[str, object]:
        """Return what a notebook shows of an attempt."""
        score = record.score
        arrived = sum(field.submitted for field in score.fields)
        form = {"form": record.title or score.form, "agent": score.agent}
        return {**form, "fields arrived": arrived, "all right": score.right, "ended": score.ended}

    def caption(self) -> str:
        """Count the attempts."""
        return counted(len(self), "attempt")


_OF_ELEMENT: Final = ("pair", "cluster", "screen", "target", "role", "platform")
AnyFolder: TypeAlias = Screens | Bench | ModelRun | ModelDiagnosis | FilledForms
_OPENERS: Final[dict[FolderKind, Callable[[AnyPath], AnyFolder]]] = {
    "screens": Screens,
    "bench": Bench,
    "run": ModelRun,
    "diagnosis": ModelDiagnosis,
    "forms": FilledForms,
}


def open(folder: AnyPath) -> AnyFolder:  # noqa: A001 - reads best as surefoot.open
    """
    Open whatever Surefoot wrote: screens, a benchmark, a run, a diagnosis or filled-in forms.

    Raises InvalidInputError for a folder that is unfinished or none of these.
    """
    kind = read_manifest(Path(folder)).kind
    if kind not in _OPENERS:
        raise InvalidInputError(
            f"screens, a benchmark, a run, a diagnosis or filled-in forms in {folder}",
            found=f"what `{WRITERS[kind]}` writes",
            remedy="open the run that was made with it",
        )
    return _OPENERS[kind](folder)


def open_screens(folder: AnyPath) -> Screens:
    """Open what ``capture`` wrote; raises InvalidInputError for any other folder."""
    return Screens(folder)


def open_bench(folder: AnyPath) -> Bench:
    """Open what ``build`` or an import wrote; raises InvalidInputError for any other folder."""
    return Bench(folder)


def open_run(folder: AnyPath, *, bench: AnyPath | None = None) -> ModelRun:
    """
    Open what ``run`` wrote; raises InvalidInputError for any other folder.

    ``bench`` is where its benchmark lies, if that was moved.
    """
    return ModelRun(folder, bench=bench)


def open_diagnosis(folder: AnyPath) -> ModelDiagnosis:
    """Open what ``diagnose`` wrote; raises InvalidInputError for any other folder."""
    return ModelDiagnosis(folder)


def open_forms(folder: AnyPath) -> FilledForms:
    """Open what ``run_forms`` wrote; raises InvalidInputError for any other folder."""
    return FilledForms(folder)


def _told(question: Question) -> dict[str, object]:
    cell = question.cell
    words = {"instruction": question.instruction.text, "variant": cell.variant}
    return {**words, "kind": cell.instruction, "role": question.role, "site": question.cluster}


def _fields(question: Question) -> dict[str, Any]:
    return {name: getattr(question, name) for name in question.__struct_fields__}


def _png(folder: Path, image: str) -> bytes | None:
    return ObjectStore(folder).get(image) if image else None


def _screen_schema() -> pa.Schema:
    import pyarrow as pa

    from surefoot.run.parquet.layout import IMAGE, SCREENS

    plain = [field for field in SCREENS if field.type != IMAGE]
    return pa.schema([*plain, ("image_sha256", pa.string())])


def _screen_cells(screen: Screen) -> dict[str, Any]:
    from surefoot.run.parquet.layout import screen_row

    cells = screen_row(screen, b"")
    del cells["image"]
    return {**cells, "image_sha256": screen.image}
