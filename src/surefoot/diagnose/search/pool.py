"""
The valid instructions for the elements of a folder BENCH: its questions, and more.

To a benchmark's own questions come expressions generated for the same elements on the
screens as captured, and asked in every view of theirs that the benchmark has. Each is proven
on the very screen before it is ever asked: where the element is hidden by the rules for what
is hidden (``masked``), else by the resolver. Besides, the screens have elements that no question
is about: they can be asked about as well.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from surefoot.benchmarks.hidden import KINDS, contextual
from surefoot.core.canonical import digest
from surefoot.core.edit import Hide, Mask, Resize, Tone
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.ledger import read_plan
from surefoot.core.perturbation import LANGUAGE
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.diagnose.features.vocabulary import AS_CAPTURED, described, is_masked
from surefoot.diagnose.search.arms import Arm, Subject
from surefoot.diagnose.search.masked import (
    MaskedView,
    cover_anew,
    hides,
    masked_view,
    put_back,
)
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

VIEWS_KEPT: Final = 48  # of screens that hide something, each with its scenes


class BenchPictures:
    """Give the pictures of benchmarks, and keep those that are made beside them."""

    def __init__(self, own: Path, *benches: Path) -> None:
        self._own = ObjectStore(own)
        self._stores = (self._own, *map(ObjectStore, benches))

    def get(self, sha: str) -> bytes:
        """Return a picture's bytes by hash; raises InvalidInputError without any."""
        known = (store for store in self._stores if store.path(sha).is_file())
        return next(known, self._stores[-1]).get(sha)

    def take(self, folders: Iterable[Path]) -> None:
        """Give the pictures of more folders as well."""
        self._stores += tuple(map(ObjectStore, folders))

    def put(self, png: bytes) -> str:
        """Keep a picture and return its hash."""
        return self._own.put(png)


class BenchPool:
    """
    Give the elements and the valid instructions of a benchmark's questions and screens.

    ``most`` is the largest number of generated instructions an element, 0 for none.
    ``pictures`` keeps those of the views that it makes itself. ``unit`` is what the elements are
    a sample of. ``pillar`` names the benchmark, and ``own`` its screens where the scenes have
    others as well.
    """

    def __init__(  # noqa: PLR0913 - what a pool is made of, all by name
        self,
        questions: Iterable[Question],
        scenes: Scenes,
        pictures: BenchPictures,
        *,
        seed: int = 0,
        most: int = 40,
        unit: Unit = "site",
        pillar: str = "",
        own: Iterable[str] | None = None,
        generated: dict[tuple[str, str], list[Expression]] | None = None,
    ) -> None:
        self.unit = unit
        self.pillar = pillar
        self.pictures = pictures
        self.scenes = scenes
        self._seed = seed
        self._most = most
        self._arms: dict[str, tuple[Arm, ...]] = {}
        self._sketches: dict[str, Arm] = {}
        self._asked: dict[str, list[Question]] = {}
        self._first: dict[str, Question] = {}
        self._asked_on_page: dict[str, set[str]] = {}
        self._hidden: dict[str, list[str]] = {}  # the screens on which an element is hidden
        self._masks: set[str] = set()
        # By screen and target; pools over the same screens share it.
        self._expressions = {} if generated is None else generated
        self._found_hidden: dict[tuple[str, str, Expression], bool] = {}
        for question in (clustered(question, unit) for question in questions):
            self._asked.setdefault(question.pair, []).append(question)
            page = scenes.screens[question.screen].page
            self._first.setdefault(page, question)
            self._asked_on_page.setdefault(page, set()).add(question.instruction.target)
            if is_masked(question):
                self._hidden.setdefault(question.pair, []).append(question.screen)
                self._masks.add(question.cell.variant)
        self._pages: dict[str, list[str]] = {}
        known = [scenes.screens[name] for name in (scenes.screens if own is None else own)]
        self._screens = {screen.id for screen in known}
        for screen in sorted(known, key=lambda item: (item.variant not in AS_CAPTURED, item.id)):
            # Words are made in English: a page in another language is asked as it was.
            if not hides(screen) and not screen.variant.startswith(LANGUAGE):
                self._pages.setdefault(screen.page, []).append(screen.id)
        self._view_of = functools.lru_cache(maxsize=VIEWS_KEPT)(self._masked_view)

    def subjects(self) -> tuple[Subject, ...]:
        """Return every element that a question is about."""
        return tuple(self._subject(pair) for pair in sorted(self._asked))

    def population(self, subjects: Iterable[Subject]) -> Population:
        """Count what some elements are a sample of."""
        return population_of(subjects, self.scenes, self.unit)

    @property
    def cannot_ask(self) -> str:
        """Say why there are no questions but the benchmark's own, "" where others are made."""
        return "" if self._readable else "its words are its own, and no others are proven"

    def arms(self, subject: Subject) -> tuple[Arm, ...]:
        """Return the questions about an element and what was generated, the cheapest first."""
        if subject.pair not in self._arms:
            self._arms[subject.pair] = self._found(subject)
        return self._arms[subject.pair]

    def _found(self, subject: Subject) -> tuple[Arm, ...]:
        found = {_asking(question): self._made(question) for question in self._asks(subject.pair)}
        # Where elements are hidden, what is said in plain sight is what is said of them hidden.
        for arm in (self._masked_arms if self._masks else self._shown_arms)(subject):
            found.setdefault(_asking(arm.question), arm)
        return tuple(sorted(found.values(), key=_order))

    def _asks(self, pair: str) -> list[Question]:
        return self._asked.get(pair, [])

    def _shown_arms(self, subject: Subject) -> Iterator[Arm]:
        """Yield what is generated for an element, on all views of its page."""
        for expression in self._generated(subject):
            for screen in self._views(subject):
                proven = screen == subject.screen
                arm = (self._expressed if proven else self.arm)(subject, expression, screen)
                if arm is not None:
                    yield arm

    def _masked_arms(self, subject: Subject) -> Iterator[Arm]:
        """Yield words that find an element where it is hidden, and the same where it is shown."""
        hidden = self._hidden_views(subject)
        for expression in self._contextual(subject) if hidden else ():
            arms = [self.arm(subject, expression, screen) for screen in hidden]
            under = list(filter(None, arms))
            if under:
                shown = self._expressed(subject, expression, subject.screen)
                yield from filter(None, (shown, *under))

    def _contextual(self, subject: Subject) -> list[Expression]:
        """Return the cheapest words for an element that say nothing of itself."""
        screen = self.scenes.screens[subject.screen]
        if not self._most or hides(screen) or screen.element(subject.target) is None:
            return []
        scene = self.scenes.scene(subject.screen)
        found = contextual(scene, subject.target, kinds=KINDS, seed=self._seed)
        return [description.expression for description in found[: self._most]]

    def _hidden_views(self, subject: Subject) -> tuple[str, ...]:
        """Return the screens on which an element is hidden; those of a stranger are made."""
        if self._masks and subject.pair not in self._asked and subject.pair not in self._hidden:
            scene = self.scenes.scene(subject.screen)
            png = self.pictures.get(scene.screen.image)
            anew = cover_anew(scene, subject.target, png, sorted(self._masks), seed=self._seed)
            made = self._hidden.setdefault(subject.pair, [])
            for screen, covered in anew:
                self.pictures.put(covered)
                self.scenes.screens[screen.id] = screen
                self._screens.add(screen.id)
                made.append(screen.id)
        return tuple(dict.fromkeys(self._hidden.get(subject.pair, ())))

    def _masked_view(self, screen: str, target: str) -> MaskedView | None:
        """Return what is seen of a screen that hides an element, None where nobody can tell."""
        before = self._before(screen)
        if before is None:
            return None
        return masked_view(self.scenes.scene(before), self.scenes.scene(screen), target)

    def _before(self, screen: str) -> str | None:
        """Return the screen that a masked one was before its masks, None where it is not here."""
        shown = self.scenes.screens[screen]
        rest = tuple(edit for edit in shown.edits if not isinstance(edit, Mask | Hide))
        pages = (self.scenes.screens[name] for name in self._pages.get(shown.page, ()))
        return next((item.id for item in pages if item.edits == rest), None)

    def _finds(self, screen: str, target: str, expression: Expression) -> bool:
        """Tell whether words find an element on a screen that hides it; kept, as views are not."""
        asked = screen, target, expression
        if asked not in self._found_hidden:
            view = self._view_of(screen, target)
            self._found_hidden[asked] = view is not None and view.holds(expression)
        return self._found_hidden[asked]

    def stand_in(self, question: Question) -> Question | None:
        """
        Return the question that resolvers judge in the place of one.

        Of what is hidden it is the same words on the screen before, None where they do not find
        it once it is hidden. Any other is judged itself.
        """
        if not hides(self.scenes.screens[question.screen]):
            return question
        asked = question.instruction
        before = self._before(question.screen)
        if before is None or not self._finds(question.screen, asked.target, asked.expression):
            return None
        return msgspec.structs.replace(
            question, id=digest([question.id, before])[:20], screen=before
        )

    def shows(self, screen: str) -> bool:
        """Tell whether a screen is one of the benchmark's, or was made of one of them."""
        return screen in self._screens

    def vouched(self, question: Question) -> bool:
        """
        Tell whether a question holds by the word of its source, which no resolver can read.

        Where resolvers read some of a set's words, only those that they find valid count.
        """
        if is_formal(question) or (question.instruction.kind != "content" and self._readable):
            return False
        return any(question.id == ask.id for ask in self._asks(question.pair))

    @functools.cached_property
    def _readable(self) -> bool:
        return any(is_formal(question) for asked in self._asked.values() for question in asked)

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
        if hides(self.scenes.screens[where]):
            found = self._finds(where, subject.target, expression)
            return self._expressed(subject, expression, where) if found else None
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
        if hides(screens[question.screen]):
            return None
        found = milder_view(captured, self.pictures.get(captured.image), screens[question.screen])
        return None if found is None else self._shown(subject, arm, *found)

    def changed(self, subject: Subject, arm: Arm, edit: Resize | Tone) -> Arm | None:
        """
        Return the same words on a picture of another size or light, None where they do not hold.

        It counts as the same view: nothing but that is another.
        """
        screen = self.scenes.screens[arm.question.screen]
        if hides(screen):
            return None
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
        captured = [
            name for name in self._pages.get(page, ()) if screens[name].variant in AS_CAPTURED
        ]
        first = asked[0]
        screen = (
            first.screen if first.cell.variant in AS_CAPTURED else [*captured, first.screen][0]
        )
        return Subject(pair, first.cluster, screen, first.instruction.target, first.role)

    def _generated(self, subject: Subject) -> list[Expression]:
        if not self._most:
            return []
        asked = subject.screen, subject.target
        if asked not in self._expressions:
            scene = self.scenes.scene(subject.screen)
            found = expressions(scene, subject.target, seed=self._seed, most=self._most)
            self._expressions[asked] = [description.expression for description in found]
        return self._expressions[asked]

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
        cost = cost_of(question.instruction.expression)
        return Arm(question, features, cost, measures, self.pillar)


def open_pool(bench: Path, own: Path, *, seed: int, most: int, unit: Unit = "site") -> BenchPool:
    """
    Read a folder BENCH as a pool; ``own`` is the folder for pictures that it makes.

    Questions about no element of their screen (refusals, words, places that the screen has
    no element for) are left out: there is nothing to say differently. Clusters are those of the
    ``unit``, and elements where all questions are from one site.
    Raises InvalidInputError, also for questions without a picture: no model can be asked
    them, and no resolver can look at them. Raises NothingKeptError for a benchmark without
    questions.
    """
    pictures = BenchPictures(own, bench)
    (pool,) = open_pools([bench], pictures, seed=seed, most=most, unit=unit)
    return pool


def open_pools(
    benches: Sequence[Path],
    pictures: BenchPictures,
    *,
    seed: int,
    most: int,
    unit: Unit = "site",
    alone: bool = True,
) -> list[BenchPool]:
    """
    Read folders BENCH as pools that share their scenes; raises as ``open_pool`` does.

    ``alone`` says that nothing is diagnosed beside them.
    """
    read = [(bench, _questions(bench), read_screens(bench)) for bench in benches]
    screens = {screen.id: screen for _, _, several in read for screen in several}
    for _, questions, _ in read:
        _put_back(questions, screens)
    scenes = Scenes(screens.values(), pictures.get)
    known = [
        (bench, [question for question in questions if _names_element(question, screens)], several)
        for bench, questions, several in read
    ]
    for bench, kept, _ in known:
        if not kept:
            raise InvalidInputError(
                f"a question in {bench} about an element of its screen",
                found="none among those that it has",
                remedy="diagnose a benchmark whose screens have elements",
            )
    if (
        alone
        and unit == "site"
        and len({question.cluster for _, kept, _ in known for question in kept}) == 1
    ):
        unit = "element"
    names = distinct([pillar_of(bench) for bench in benches])
    generated: dict[tuple[str, str], list[Expression]] = {}
    return [
        BenchPool(
            kept,
            scenes,
            pictures,
            seed=seed,
            most=most,
            unit=unit,
            pillar=name,
            own=[screen.id for screen in several],
            generated=generated,
        )
        for name, (_, kept, several) in zip(names, known, strict=True)
    ]


def pillar_of(bench: Path) -> str:
    """Return the name of the benchmark, or of the imported set, in a folder BENCH."""
    plan = read_plan(bench)
    name = str(plan.get("benchmark") or plan.get("dataset") or bench.name)
    return name.partition("@")[0]


def distinct(names: Sequence[str]) -> list[str]:
    """
    Return names, those that come again with a number.

    >>> distinct(["hidden", "words", "hidden"])
    ['hidden', 'words', 'hidden (2)']
    """
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found


def _questions(bench: Path) -> tuple[Question, ...]:
    """Return the questions of a BENCH; raises InvalidInputError for some without a picture."""
    require_questions(bench)
    questions = tuple(cluster_by_site(bench, read_questions(bench)))
    bare = [question.id for question in questions if not question.image]
    if bare:
        raise InvalidInputError(
            f"a picture for each of the {len(questions)} questions in {bench}",
            found=f"none for {len(bare)} of them, the first being '{bare[0]}'",
            remedy="import it again with --images FOLDER, where its pictures are",
        )
    return questions


def _put_back(questions: Sequence[Question], screens: dict[str, Screen]) -> None:
    """Give screens the elements that are gone from them, unseen, so that they can be told of."""
    captured = {
        screen.page: screen for screen in screens.values() if screen.variant in AS_CAPTURED
    }
    for question in questions:
        shown = screens[question.screen]
        before = captured.get(shown.page)
        if before is not None and is_masked(question):
            screens[shown.id] = put_back(shown, before, question.instruction.target)


def population_of(subjects: Iterable[Subject], scenes: Scenes, unit: Unit) -> Population:
    """Count what some elements are a sample of."""
    homes = [scenes.screens[subject.screen] for subject in subjects]
    return Population(
        unit=unit,
        elements=len(homes),
        pages=len({screen.page for screen in homes}),
        sites=len({screen.site or screen.page for screen in homes}),
    )


def is_formal(question: Question) -> bool:
    """Tell whether a question's words have a logical form, which resolvers can judge."""
    asked = question.instruction
    return asked.kind != "content" and asked.expression != Expression()


def clustered(question: Question, unit: Unit) -> Question:
    """Return a question with the unit that it belongs to as its cluster."""
    if unit == "site":
        return question
    cluster = question.pair if unit == "element" else question.page_name
    return msgspec.structs.replace(question, cluster=cluster, page=question.page_name)


def _names_element(question: Question, screens: Mapping[str, Screen]) -> bool:
    if question.asks != "place" or not question.answerable:
        return False
    return screens[question.screen].element(question.instruction.target) is not None


def _asking(question: Question) -> tuple[str, str, bool]:
    """Return what tells two questions about an element apart."""
    return question.screen, question.instruction.text, question.cell.reasoning


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
