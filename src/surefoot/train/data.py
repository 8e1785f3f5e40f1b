"""
The work behind ``surefoot train data``: examples from benchmarks and runs, in a folder.

Sites whose pictures are nearly the same stay on one side of the split, and nothing that will
be scored is learned: a picture that is nearly one of those is an error that names it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError, NothingKeptError
from surefoot.core.ledger import Ledger
from surefoot.core.question import Answer, Question
from surefoot.core.seeds import derive_seed
from surefoot.core.store import ObjectStore
from surefoot.models.format import Format
from surefoot.run.asking.runs import FinishedRun, open_run
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.run.folders.folder import (
    CLASSES,
    WRITERS,
    FolderKind,
    export,
    is_kind,
    manifest_digest,
    read_manifest,
    read_questions,
)
from surefoot.score.hits import is_hit
from surefoot.train.examples import EXAMPLES, TrainingExample, example_of
from surefoot.train.layout import Layout
from surefoot.train.mixture import Mixture, drawn
from surefoot.train.similar import Likeness, grouped, likeness_of, same_pictures

NAMED: Final = 5  # pictures in an error


SameWords: TypeAlias = tuple[str, str, int, int, bool]
OwnReplies: TypeAlias = Mapping[SameWords, Sequence[Answer]]


class TrainingSource(msgspec.Struct, frozen=True):
    """Hold the examples that a folder gives, and where their pictures lie."""

    name: str
    digest: str
    pictures: Path
    examples: tuple[TrainingExample, ...]


class Split(msgspec.Struct, frozen=True):
    """Say what share of the sites is for validation, by a seed."""

    share: float = 0.0
    seed: int = 0

    def of(self, site: str) -> str:
        """Return "train" or "validation"."""
        drawn_share = derive_seed(self.seed, "validation", site) % 10**6 / 10**6
        return "validation" if drawn_share < self.share else "train"


def build_data(  # noqa: PLR0913 - one argument an option
    sources: Sequence[Path],
    out: Path,
    *,
    form: Format,
    mixture: Mixture,
    layout: Layout,
    against: Sequence[Path] = (),
    validation: float = 0.0,
    seed: int = 0,
) -> Outcome:
    """
    Write the examples of a mixture, drawn from benchmarks and from runs, and a layout of them.

    A run gives the replies that were hits, as its model wrote them, of several samples each
    different one; a benchmark its questions, each with such a reply to the same words about the
    same element if that hits here as well, and else with the right answer as the format spells
    it. So a model keeps its own style. A diagnosis gives the questions of its confirmed classes
    and as many others. Sources of one name are numbered.
    Raises InvalidInputError for other folders, for a picture that is nearly one of ``against``,
    and as ``drawn`` does; NothingKeptError where there is no example.
    """
    own = own_replies(sources)
    read: list[TrainingSource] = []
    for folder in sources:
        name = folder.resolve().name
        same = sum(other.name.split("~")[0] == name for other in read)
        read.append(read_source(folder, form, own, f"{name}~{same + 1}" if same else name))
    plan = {
        "kind": "training-data",
        "sources": [[source.name, source.digest] for source in read],
        "against": sorted(manifest_digest(bench, "bench") for bench in against),
        "format": form.identity(),
        "mixture": msgspec.to_builtins(mixture),
        "layout": f"{layout.name}@{layout.version}",
        "validation": validation,
        "seed": seed,
    }
    with Ledger.open(out, plan):
        chosen = list(
            drawn([example for source in read for example in source.examples], mixture, seed)
        )
        if not chosen:
            raise NothingKeptError(
                "an example to learn from", found="none", remedy="name a folder"
            )
        likenesses = _copy_pictures(chosen, read, ObjectStore(out))
        _refuse_leaks(chosen, likenesses, against)
        examples = _split(chosen, likenesses, Split(validation, seed))
        export(out, "training-data", {EXAMPLES: examples})
        layout.write(out, examples)
    lines = [*_counted(examples), f"layout '{layout.name}' in {out / layout.name}"]
    return Outcome(out, Tally(total=len(examples), done=len(examples)), (), tuple(lines))


def own_replies(sources: Iterable[Path]) -> OwnReplies:
    """Return the replies that hit of all runs among some folders, by what was asked."""
    found: dict[SameWords, list[Answer]] = {}
    for folder in sources:
        if is_kind(folder, "run"):
            for question, reply in _different_hits(open_run(folder)):
                found.setdefault(_same_words(question), []).append(reply)
    return found


def _same_words(question: Question) -> SameWords:
    """Return what questions share whose replies read alike: picture's size and prompt."""
    asked = question.pair, question.instruction.text
    return *asked, question.width, question.height, question.cell.reasoning


def _different_hits(run: FinishedRun) -> Iterator[tuple[Question, Answer]]:
    """Yield the questions with their replies that hit, of equal replies of samples the first."""
    replies = {answer.question: answer for answer in run.answers}
    seen: set[tuple[str, str]] = set()
    for question in run.questions:
        reply = replies.get(question.id)
        if reply is not None and is_hit(question, reply):
            key = question.first_sample, reply.raw
            if key not in seen:
                seen.add(key)
                yield question, reply


def read_source(folder: Path, form: Format, own: OwnReplies, name: str) -> TrainingSource:
    """
    Read what a BENCH, a RUN or a DIAGNOSIS gives to learn.

    Raises InvalidInputError for other folders, and for a diagnosis that confirmed no class.
    """
    kind: FolderKind = read_manifest(folder).kind
    bench = folder / CLASSES if kind == "diagnosis" else folder
    if kind == "run":
        run = open_run(folder)
        bench = run.bench
        asked = [(question, reply.raw) for question, reply in _different_hits(run)]
    elif kind not in {"bench", "diagnosis"}:
        raise InvalidInputError(
            "benchmarks, runs and diagnoses to learn from",
            found=f"{folder}, which `{WRITERS[kind]}` wrote",
            remedy="name what `surefoot build`, `run`, `select`, `import` or `diagnose` wrote",
        )
    elif not bench.exists():
        raise InvalidInputError(
            f"a class that fresh questions confirmed, in {folder}",
            found="none",
            remedy=f"diagnose on more screens, or learn from {folder / 'failing'}",
        )
    else:
        asked = [(question, _own_reply(question, own)) for question in read_questions(bench)]
    examples = tuple(example_of(question, form, name, reply=reply) for question, reply in asked)
    digest = manifest_digest(*((folder, "run") if kind == "run" else (bench, "bench")))
    return TrainingSource(name, digest, bench, examples)


def _own_reply(question: Question, own: OwnReplies) -> str:
    replies = own.get(_same_words(question), ())
    here = (msgspec.structs.replace(reply, question=question.id) for reply in replies)
    return next((reply.raw for reply in here if is_hit(question, reply)), "")


def _copy_pictures(
    chosen: Iterable[TrainingExample], read: Iterable[TrainingSource], store: ObjectStore
) -> dict[str, Likeness]:
    """Copy every picture of the examples, and return what is compared of each, by its hash."""
    stores = {source.name: ObjectStore(source.pictures) for source in read}
    found: dict[str, Likeness] = {}
    for example in chosen:
        for image in example.question.images:
            if image not in found:
                picture = stores[example.source].get(image)
                store.put(picture)
                found[image] = likeness_of(picture)
    return found


def _refuse_leaks(
    chosen: Sequence[TrainingExample], likenesses: Mapping[str, Likeness], against: Iterable[Path]
) -> None:
    for bench in against:
        store, scored = ObjectStore(bench), dict[str, Likeness]()
        pages: dict[str, str] = {}
        for question in read_questions(bench):
            for image in question.images:
                if image not in scored:
                    scored[image] = likeness_of(store.get(image))
                    pages[image] = question.page_name
        leaked = dict(same_pictures(scored, likenesses))
        if leaked:
            learned = {image: example for example in chosen for image in example.question.images}
            pairs = [
                f"{pages[image]} ({image[:8]}) is nearly {learned[other].question.page_name} "
                f"({other[:8]})"
                for image, other in list(leaked.items())[:NAMED]
            ]
            raise InvalidInputError(
                f"no picture of {bench}, which will be scored, among those learned from",
                found=f"{len(leaked)}: {'; '.join(pairs)}",
                remedy="leave their sites out of the sources, or score another benchmark",
            )


def _split(
    chosen: Sequence[TrainingExample], likenesses: Mapping[str, Likeness], split: Split
) -> list[TrainingExample]:
    if not split.share:
        return list(chosen)
    sites = {
        image: example.question.cluster for example in chosen for image in example.question.images
    }
    group = grouped(sites, likenesses)
    return [
        msgspec.structs.replace(example, split=split.of(group(example.question.cluster)))
        for example in chosen
    ]


def _counted(examples: Sequence[TrainingExample]) -> Iterator[str]:
    """Say how many examples there are, by split and by condition."""
    for split, count in sorted(Counter(example.split for example in examples).items()):
        sites = len({example.question.cluster for example in examples if example.split == split})
        yield f"{split}: {count:,} examples of {sites:,} sites"
    cells = Counter(example.question.cell.variant for example in examples)
    yield "variants: " + ", ".join(f"{name} {count:,}" for name, count in cells.most_common(9))
