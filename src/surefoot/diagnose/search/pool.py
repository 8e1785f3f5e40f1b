"""
The valid instructions for the elements of a folder BENCH: its questions, and more.

To a benchmark's own questions come expressions generated for the same elements on the
screens as captured, and asked in every view of theirs that the benchmark has. Each is proven
on the very screen before it is ever asked. Besides, the screens have elements that no question
is about: they can be asked about as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
import numpy as np

from surefoot.core.canonical import digest
from surefoot.core.edit import Resize, Tone
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.perturbation import ORIGINAL
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.diagnose.features.vocabulary import AS_CAPTURED, described
from surefoot.diagnose.search.arms import Arm, Subject
from surefoot.diagnose.search.milder import milder_view
from surefoot.perturb.image.change import change_picture
from surefoot.refer.generate.describe import cost_of
from surefoot.refer.generate.expressions import expressions
from surefoot.refer.generate.hold import holds
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.say.kinds import kind_of, specificity_of
from surefoot.refer.say.realise import action_for, realise
from surefoot.refer.scene.scene import Scene
from surefoot.refer.scene.scenes import Scenes
from surefoot.run.folders.folder import read_questions, read_screens, require_questions
from surefoot.run.folders.tables import cluster_by_site
from surefoot.score.stats.units import Population, Unit


class BenchPictures:
    """Give the pictures of a benchmark, and keep those that are made beside them."""

    def __init__(self, bench: Path, own: Path) -> None:
        self._bench = ObjectStore(bench)
        self._own = ObjectStore(own)

    def get(self, sha: str) -> bytes:
        """Return a picture's bytes by hash; raises InvalidInputError without any."""
        made = self._own.path(sha).is_file()
        return self._own.get(sha) if made else self._bench.get(sha)

    def put(self, png: bytes) -> str:
        """Keep a picture and return its hash."""
        return self._own.put(png)


class BenchPool:
    """
    Give the elements and the valid instructions of a benchmark's questions and screens.

    ``most`` is the largest number of generated instructions an element, 0 for none.
    ``pictures`` keeps those of the views that it makes itself. ``unit`` is what the elements are
    a sample of.
    """

    def __init__(
        self,
        questions: Iterable[Question],
        scenes: Scenes,
        pictures: BenchPictures,
        *,
        seed: int = 0,
        most: int = 40,
        unit: Unit = "site",
    ) -> None:
        self.unit = unit
        self.pictures = pictures
        self.scenes = scenes
        self._seed = seed
        self._most = most
        self._arms: dict[str, tuple[Arm, ...]] = {}
        self._sketches: dict[str, Arm] = {}
        self._asked: dict[str, list[Question]] = {}
        self._first: dict[str, Question] = {}
        self._asked_on_page: dict[str, set[str]] = {}
        for question in (_clustered(question, unit) for question in questions):
            if not question.cell.reasoning:
                self._asked.setdefault(question.pair, []).append(question)
                page = scenes.screens[question.screen].page
                self._first.setdefault(page, question)
                self._asked_on_page.setdefault(page, set()).add(question.instruction.target)
        self._pages: dict[str, list[str]] = {}
        known = scenes.screens.values()
        for screen in sorted(known, key=lambda item: (item.variant not in AS_CAPTURED, item.id)):
            self._pages.setdefault(screen.page, []).append(screen.id)

    def subjects(self) -> tuple[Subject, ...]:
        """Return every element that a question is about."""
        return tuple(self._subject(pair) for pair in sorted(self._asked))

    def population(self, subjects: Iterable[Subject]) -> Population:
        """Count what some elements are a sample of."""
        homes = [self.scenes.screens[subject.screen] for subject in subjects]
        return Population(
            unit=self.unit,
            elements=len(homes),
            pages=len({screen.page for screen in homes}),
            sites=len({screen.site or screen.page for screen in homes}),
        )

    def arms(self, subject: Subject) -> tuple[Arm, ...]:
        """Return the questions about an element and what was generated, the cheapest first."""
        if subject.pair not in self._arms:
            self._arms[subject.pair] = self._found(subject)
        return self._arms[subject.pair]

    def _found(self, subject: Subject) -> tuple[Arm, ...]:
        asked = self._asked.get(subject.pair, [])
        found = {
            (question.screen, question.instruction.text): self._made(question)
            for question in asked
        }
        for expression in self._generated(subject):
            for screen in self._views(subject):
                proven = screen == subject.screen
                arm = (self._expressed if proven else self.arm)(subject, expression, screen)
                if arm is not None:
                    found.setdefault((screen, arm.question.instruction.text), arm)
        return tuple(sorted(found.values(), key=_order))

    def strangers(self) -> tuple[Subject, ...]:
        """Return the controls of the screens as captured that no question is about."""
        found = []
        for page, screens in sorted(self._pages.items()):
            screen, first = self.scenes.screens[screens[0]], self._first.get(page)
            if first is None or screen.variant not in AS_CAPTURED:
                continue
            scene = self.scenes.scene(screen.id)
            for place in np.flatnonzero(scene.thing & scene.plain).tolist():
                target = scene.elements[place]
                pair = f"{page}#{target.id}"
                if pair not in self._asked and not scene.kin(place)[self._targets(page)].any():
                    cluster = pair if self.unit == "element" else first.cluster
                    found.append(Subject(pair, cluster, screen.id, target.id, target.role))
        return tuple(found)

    def sketch(self, subject: Subject) -> Arm:
        """Return what is known of an element before anything is said of it, as an arm."""
        if subject.pair not in self._sketches:
            self._sketches[subject.pair] = self._sketched(subject)
        return self._sketches[subject.pair]

    def _sketched(self, subject: Subject) -> Arm:
        template = self._template(subject)
        screen = self.scenes.screens[subject.screen]
        target = screen.element(subject.target)
        bare = msgspec.structs.replace(
            template.instruction, text="", expression=Expression(role=subject.role)
        )
        question = msgspec.structs.replace(template, instruction=bare)
        return self._made(_asked_on(screen, target.box if target else template.truth, question))

    def _targets(self, page: str) -> list[int]:
        """Return the places of what questions are about, on a page's first screen."""
        place = self.scenes.scene(self._pages[page][0]).place
        return sorted(place[target] for target in self._asked_on_page[page] if target in place)

    def _views(self, subject: Subject) -> tuple[str, ...]:
        """Return the screens of an element's page, its own first."""
        screens = self._pages[self.scenes.screens[subject.screen].page]
        return (subject.screen, *(screen for screen in screens if screen != subject.screen))

    def _template(self, subject: Subject) -> Question:
        """Return a question to make others of: about the element, or one of its page's."""
        asked = self._asked.get(subject.pair)
        if asked:
            return min(asked, key=lambda item: item.id)
        screen = self.scenes.screens[subject.screen]
        target = screen.element(subject.target)
        first = self._first[screen.page]
        if target is None:  # no stranger of this pool
            return first
        action, value = action_for(target, self._seed)
        instruction = msgspec.structs.replace(
            first.instruction, target=target.id, action=action, value=value, wording=""
        )
        cell = Cell("original", "direct")
        return msgspec.structs.replace(
            first,
            pair=subject.pair,
            cluster=subject.cluster,
            role=subject.role,
            instruction=instruction,
            cell=cell,
        )

    def arm(self, subject: Subject, expression: Expression, screen: str = "") -> Arm | None:
        """Return an expression as an arm, None where it does not hold there or has no words."""
        where = screen or subject.screen
        try:
            rejection = holds(expression, subject.target, self.scenes.scene(where))
        except InvalidInputError:  # parts that cannot stand together
            return None
        return None if rejection is not None else self._expressed(subject, expression, where)

    def milder(self, subject: Subject, arm: Arm) -> Arm | None:
        """
        Return the same words on a view that changes the screen half as much.

        None where there is no milder view, or where the expression does not hold on it.
        """
        screens, question = self.scenes.screens, arm.question
        captured = screens[subject.screen]
        found = milder_view(captured, self.pictures.get(captured.image), screens[question.screen])
        return None if found is None else self._shown(subject, arm, *found)

    def changed(self, subject: Subject, arm: Arm, edit: Resize | Tone) -> Arm | None:
        """
        Return the same words on a picture of another size or light, None where they do not hold.

        It counts as the same view: nothing but that is another.
        """
        screen = self.scenes.screens[arm.question.screen]
        png = self.pictures.get(screen.image)
        view = change_picture(screen, png, (edit,), variant=screen.variant)
        return self._shown(subject, arm, *view)

    def _shown(self, subject: Subject, arm: Arm, view: Screen, png: bytes) -> Arm | None:
        """Return the same words on a view that is made here, None where they do not hold."""
        screens, question = self.scenes.screens, arm.question
        screens.setdefault(view.id, view)
        self.pictures.put(png)
        instruction, target = question.instruction, view.element(subject.target)
        if target is None or holds(
            instruction.expression, subject.target, self.scenes.scene(view.id)
        ):
            return None
        return self._made(_asked_on(view, target.box, question))

    def _subject(self, pair: str) -> Subject:
        asked = sorted(
            self._asked[pair], key=lambda item: (item.cell.variant not in AS_CAPTURED, item.id)
        )
        screens = self.scenes.screens
        page = screens[asked[0].screen].page
        captured = sorted(
            item.id
            for item in screens.values()
            if item.page == page and item.variant in AS_CAPTURED
        )
        first = asked[0]
        screen = (
            first.screen if first.cell.variant in AS_CAPTURED else [*captured, first.screen][0]
        )
        return Subject(pair, first.cluster, screen, first.instruction.target, first.role)

    def _generated(self, subject: Subject) -> list[Expression]:
        if not self._most:
            return []
        scene = self.scenes.scene(subject.screen)
        found = expressions(scene, subject.target, seed=self._seed, most=self._most)
        return [description.expression for description in found]

    def _expressed(self, subject: Subject, expression: Expression, screen: str) -> Arm | None:
        scene = self.scenes.scene(screen)
        target = scene.screen.element(subject.target)
        template = self._template(subject)
        instruction = _instruction(expression, template.instruction, scene)
        if target is None or instruction is None:
            return None
        for asked in self._asked.get(subject.pair, ()):
            if (asked.screen, asked.instruction.text) == (screen, instruction.text):
                return self._made(asked)
        about = msgspec.structs.replace(
            template,
            instruction=instruction,
            cell=Cell(template.cell.variant, instruction.kind),
        )
        return self._made(_asked_on(scene.screen, target.box, about))

    def _made(self, question: Question) -> Arm:
        features, measures = described(question, self.scenes.scene(question.screen))
        return Arm(question, features, cost_of(question.instruction.expression), measures)


def open_pool(bench: Path, own: Path, *, seed: int, most: int, unit: Unit = "site") -> BenchPool:
    """
    Read a folder BENCH as a pool; ``own`` is the folder for pictures that it makes.

    Questions about no element of their screen (refusals, words, places that the screen has
    no element for) are left out: there is nothing to say differently. Clusters are those of the
    ``unit``, and elements where all questions are from one site.
    Raises InvalidInputError, also for questions without a picture: no model can be asked
    them, and no resolver can look at them. So it does for elements that are masked: no
    resolver finds what the picture does not show, and every miss would be left out. Raises
    NothingKeptError for a benchmark without questions.
    """
    require_questions(bench)
    questions = tuple(cluster_by_site(bench, read_questions(bench)))
    masked = sum("masked" in one.facts and one.cell.variant != ORIGINAL for one in questions)
    if masked:
        raise InvalidInputError(
            f"questions about elements that can be seen in {bench}",
            found=f"{masked} of {len(questions)} about elements that are masked or hidden",
            remedy="score that benchmark, and diagnose one that was built from the same screens "
            "without masks, such as `surefoot build sensitivity`",
        )
    pictures = BenchPictures(bench, own)
    bare = [question.id for question in questions if not question.image]
    if bare:
        raise InvalidInputError(
            f"a picture for each of the {len(questions)} questions in {bench}",
            found=f"none for {len(bare)} of them, the first being '{bare[0]}'",
            remedy="import it again with --images FOLDER, where its pictures are",
        )
    scenes = Scenes(read_screens(bench), pictures.get)
    kept = [question for question in questions if _names_element(question, scenes.screens)]
    if not kept:
        raise InvalidInputError(
            f"a question in {bench} about an element of its screen",
            found=f"none among {len(questions)}",
            remedy="diagnose a benchmark whose screens have elements",
        )
    if unit == "site" and len({question.cluster for question in kept}) == 1:
        unit = "element"
    return BenchPool(kept, scenes, pictures, seed=seed, most=most, unit=unit)


def _clustered(question: Question, unit: Unit) -> Question:
    """Return a question with the unit that it belongs to as its cluster."""
    if unit == "site":
        return question
    cluster = question.pair if unit == "element" else question.page_name
    return msgspec.structs.replace(question, cluster=cluster, page=question.page_name)


def _names_element(question: Question, screens: Mapping[str, Screen]) -> bool:
    if question.asks != "place" or not question.answerable:
        return False
    return screens[question.screen].element(question.instruction.target) is not None


def _asked_on(screen: Screen, truth: Box, question: Question) -> Question:
    """Return a question as it is asked on a screen, of one element, under an id of its own."""
    return msgspec.structs.replace(
        question,
        id=digest([question.pair, screen.id, question.instruction])[:20],
        cell=msgspec.structs.replace(question.cell, variant=screen.variant),
        screen=screen.id,
        image=screen.image,
        width=screen.width,
        height=screen.height,
        truth=truth,
        boxes=(),
        polygon=(),
    )


def _order(arm: Arm) -> tuple[bool, float, str]:
    """Sort by cost, what is asked of the screen as captured in unchanged words before."""
    question = arm.question
    changed = question.cell.variant not in AS_CAPTURED or bool(question.instruction.wording)
    return changed, arm.cost, question.id


def _instruction(
    expression: Expression, template: Instruction, scene: Scene
) -> Instruction | None:
    """Say an expression with the action and the value of another instruction."""
    try:
        text = realise(expression, template.action, template.value, language=template.language)
    except InvalidInputError:
        return None
    there = None
    if expression.landmark is not None:
        there = landmark_place(scene, expression.landmark)
    return msgspec.structs.replace(
        template,
        text=text,
        kind=kind_of(expression),
        specificity=specificity_of(expression),
        expression=expression,
        landmark="" if there is None else scene.elements[there].id,
        name_visible=True,
        wording="",
    )
