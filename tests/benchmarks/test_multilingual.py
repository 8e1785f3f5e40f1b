"""
Questions in several languages: the same item in each, proven by both resolvers, and balanced.
"""

from __future__ import annotations

import io
import json
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from PIL import Image, ImageDraw, ImageFont

from surefoot.benchmarks.benchmark import (
    AssembledBench,
    BuildOptions,
    Candidate,
    PageResult,
    Phrase,
)
from surefoot.benchmarks.dimensions.items import ITEMS
from surefoot.benchmarks.dimensions.lines import joined
from surefoot.benchmarks.dimensions.proving import doubts, unmatched
from surefoot.benchmarks.dimensions.rewording import reword
from surefoot.benchmarks.drawing import PARTNER, with_partners
from surefoot.benchmarks.multilingual import MULTILINGUAL_BENCH, assemble, page
from surefoot.benchmarks.proofs import RECORDED, count_proofs
from surefoot.capture.parallel.pages import PageInLanguage
from surefoot.capture.settings import Settings
from surefoot.core.canonical import sha256
from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.geometry import Box
from surefoot.core.ledger import Ledger
from surefoot.core.pictures import pixels_of
from surefoot.core.question import Question
from surefoot.core.screen import Element, Screen
from surefoot.core.store import ObjectStore
from surefoot.models import open_chat
from surefoot.run.asking.writer import question_writer
from surefoot.run.building.pages import build_benchmark
from surefoot.run.building.writers import WordsWriter
from surefoot.run.folders.folder import export, read_questions, read_table
from surefoot.run.proving import prove_again

WIDE, TALL = 1200, 800
# Role, then name in English and in French; nine places of a picture, three in a row.
CONTROLS: Final = (
    ("heading", "Orders", "Commandes"),
    ("link", "Help", "Aide"),
    ("button", "Leave", "Quitter"),
    ("textbox", "Surname", "Nom"),
    ("checkbox", "Urgent", "Pressant"),
    ("combobox", "Country", "Pays"),
    ("button", "Print", "Imprimer"),
    ("heading", "Payment", "Paiement"),
    ("link", "Terms", "Conditions"),
)
# Links beside these, by turns to the right of one and below it.
NEIGHBOURS: Final = (
    ("Draft", "Brouillon"), ("Ledger", "Registre"), ("Mirror", "Miroir"), ("Violin", "Violon"),
    ("Wagon", "Chariot"), ("Yard", "Cour"), ("Zebra", "Rayure"), ("Quartz", "Cristal"),
    ("Jungle", "For\u00eat"),
)  # fmt: skip
COUNT: Final = len(CONTROLS) + len(NEIGHBOURS)
OPTIONS: Final = msgspec.structs.replace(MULTILINGUAL_BENCH.defaults, kinds=tuple(ITEMS))


class Pictures:
    """Keep pictures in memory."""

    def __init__(self) -> None:
        self.held: dict[str, bytes] = {}

    def put(self, data: bytes, suffix: str = "png") -> str:
        """Keep bytes."""
        del suffix
        self.held[sha256(data)] = data
        return sha256(data)

    def get(self, sha: str, suffix: str = "png") -> bytes:
        """Return them."""
        del suffix
        return self.held[sha]


def drawn(pictures: Pictures, locale: str, name: str, site: str, shift: int) -> Screen:
    """Draw a page in a language, its controls in three rows turned by so many places."""
    image = Image.new("RGB", (WIDE, TALL), "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(22)
    elements: list[Element] = []
    english = locale.startswith("en")

    def add(role: str, words: str, left: float, top: float) -> Box:
        text = Box(*map(float, pen.textbbox((left + 8, top + 8), words, font=font)))
        box = Box(left, top, text.right + 8, text.bottom + 8)
        pen.rectangle(box.as_tuple(), outline="#888")
        pen.text((left + 8, top + 8), words, fill="black", font=font)
        elements.append(
            Element(
                # Another language gives other ids, as real pages do.
                id=f"{locale}-{len(elements)}",
                role=role,
                box=box,
                name=words,
                name_from="content",
                name_boxes=(text,),
                text=words,
                text_boxes=(text,),
                font_px=22.0,
                visible_fraction=1.0,
                hits=() if role == "heading" else (True,) * 5,
                attributes={"editable": "true"} if role == "textbox" else {},
            )
        )
        return box

    for number, (role, own, french) in enumerate(CONTROLS):
        row, column = divmod((number + shift) % len(CONTROLS), 3)
        said = f"{own if english else french} {site[-1]}"
        box = add(role, said, 40.0 + column * 420, 40.0 + row * 320)
        beside = f"{NEIGHBOURS[number][0 if english else 1]} {site[-1]}"
        if number % 2:
            add("link", beside, box.left, box.bottom + 14)
        else:
            add("link", beside, box.right + 20, box.top)
    file = io.BytesIO()
    image.save(file, "PNG")
    sha = pictures.put(file.getvalue())
    return Screen(
        id=f"{name}@{locale}", page=name, source="", image=sha, width=WIDE, height=TALL, scale=1.0,
        platform="web", locale=locale, elements=tuple(elements), site=site,
    )  # fmt: skip


@cache
def captured() -> tuple[Pictures, tuple[Screen, ...], tuple[PageInLanguage, ...]]:
    """Return six pages of three sites in English and French, and which elements are partners."""
    pictures, screens, records = Pictures(), [], []
    for number in range(6):
        name, site = f"page {number}", f"site {number % 3}"
        both = [drawn(pictures, tag, name, f"{site}", number) for tag in ("en-US", "fr-FR")]
        screens += both
        for screen in both:
            tag = screen.locale
            pairs = {f"en-US-{at}": f"{tag}-{at}" for at in range(COUNT)}
            records.append(PageInLanguage(name, site, tag[:2], tag, screen.id, pairs, 1.0))
    return pictures, tuple(screens), tuple(records)


@cache
def pages() -> tuple[Pictures, tuple[Screen, ...]]:
    """Return the pages with their partners marked."""
    pictures, screens, records = captured()
    return pictures, with_partners(screens, records)


@cache
def results() -> tuple[PageResult, ...]:
    """Return what the pages give."""
    pictures, screens = pages()
    return tuple(page(screen, None, pictures, OPTIONS) for screen in screens)  # type: ignore[arg-type]


@cache
def built(seed: int = 0) -> AssembledBench:
    """Return the benchmark of all pages."""
    return assemble(results(), msgspec.structs.replace(OPTIONS, seed=seed))


def _candidates(screen: Screen) -> tuple[Candidate, ...]:
    return next(one.candidates for one in results() if one.screens[0].id == screen.id)


def doubted(questions: Sequence[Question]) -> list[str]:
    """Return what the second proof doubts of questions."""
    pictures, screens = pages()
    return [
        doubt
        for screen in screens
        for doubt in doubts(
            screen,
            pixels_of(pictures.get(screen.image)),
            [question for question in questions if question.screen == screen.id],
        )
    ]


def test_partners_are_marked_by_the_first_languages_ids() -> None:
    """An element bears the id of its partner, and one without a partner bears none."""
    _, screens = pages()
    assert screens[1].locale == "fr-FR"
    assert [item.attributes[PARTNER] for item in screens[1].elements] == [
        item.id for item in screens[0].elements
    ]
    record = PageInLanguage("page 0", "s", "fr", "fr-FR", screens[1].id, {"a": "fr-FR-1"}, 0.5)
    bare = msgspec.structs.replace(
        screens[1],
        elements=tuple(msgspec.structs.replace(e, attributes={}) for e in screens[1].elements),
    )
    (marked,) = with_partners([bare], [record])
    assert [PARTNER in item.attributes for item in marked.elements] == [
        at == 1 for at in range(COUNT)
    ]
    (left_out,) = with_partners([bare], [msgspec.structs.replace(record, reason="unmatched")])
    assert left_out == bare


def test_every_dimension_is_asked_and_proven_twice() -> None:
    """All four have questions in both languages, and the second proof doubts none of them."""
    questions = built().questions
    cells = Counter((one.cell.instruction, one.cell.variant) for one in questions)
    assert {name for name, _ in cells} == set(OPTIONS.kinds)
    withheld = Counter(
        one.cell.instruction
        for one in questions
        if one.cell.variant == "original" and "withheld" in one.facts
    )
    assert all(
        cells[name, "original"] == cells[name, "fr"] + withheld[name] for name in OPTIONS.kinds
    )
    assert withheld.total() < len(questions) / 4
    assert count_proofs(questions) == {RECORDED: len(questions)}
    assert doubted(questions) == []
    assert list(unmatched(questions, {})) == []


def test_an_item_is_one_question_in_both_languages() -> None:
    """Label and order of options are shared; words are each language's own."""
    by_pair: defaultdict[str, list[Question]] = defaultdict(list)
    for question in built().questions:
        by_pair[question.pair].append(question)
    both = [own for own in by_pair.values() if len(own) > 1]
    assert all("withheld" in own[0].facts for own in by_pair.values() if own not in both)
    for own in both:
        english, french = sorted(own, key=lambda question: question.cell.variant == "fr")
        assert english.answers == french.answers
        assert english.cluster == french.cluster
        assert (english.instruction.language, french.instruction.language) == ("en", "fr")
        assert english.instruction.text != french.instruction.text
        told = [[one.facts[label] for label in one.options] for one in (english, french)]
        assert all(f"{label}: {words}" in english.instruction.text
                   for label, words in zip(english.options, told[0], strict=True))  # fmt: skip
        assert not set(told[0]) & set(told[1])


def test_a_crossed_item_is_asked_in_each_language_on_the_screen_in_each() -> None:
    """Words are one language's, names in them the screen's, and one question less is missed."""
    parameters = {"crossed": True}
    options = msgspec.structs.replace(OPTIONS, parameters=parameters)
    questions = assemble(results(), options).questions
    plain = {one.id: one for one in built().questions}
    screens = {screen.id: screen for screen in pages()[1]}

    assert {one.id: one for one in questions if "shown" not in one.facts} == plain
    by_cell = defaultdict(list)
    for one in questions:
        by_cell[one.cell.variant].append(one)
    assert set(by_cell) == {"original", "fr", "original+asked-fr", "fr+asked-en"}
    assert len(by_cell["original+asked-fr"]) == len(by_cell["fr"]) == len(by_cell["fr+asked-en"])
    named = [one for one in by_cell["original+asked-fr"] if one.cell.instruction != "wf"]
    assert named
    for one in named:
        screen = screens[one.screen]
        target = screen.element(one.instruction.target)
        assert (screen.locale, one.instruction.language) == ("en-US", "fr")
        assert target is not None
        assert target.name in one.instruction.text
    assert doubted(questions) == []
    assert list(unmatched(questions, {})) == []

    less = [one for one in questions if one.id != by_cell["fr+asked-en"][0].id]
    assert list(unmatched(less, {})) == [
        f"item {by_cell['fr+asked-en'][0].pair}: not once in each language of its page"
    ]
    for wrong in ({"crossed": "yes"}, {"cross": True}):
        with pytest.raises((InvalidInputError, UnknownNameError)):
            assemble(results(), msgspec.structs.replace(OPTIONS, parameters=wrong))


def test_positions_are_balanced_and_nothing_leaks() -> None:
    """Each label is right as often as any other, give or take one, and blind readers fail."""
    bench = built()
    for name in OPTIONS.kinds:
        right = Counter(
            one.answers for one in bench.questions
            if one.cell == type(one.cell)("original", name)
        )  # fmt: skip
        assert max(right.values()) - min(right.get((label,), 0) for label in "ABCD") <= 1
    told = [line.split(":")[0] for line in bench.lines]
    assert [name for name in told if " in " not in name] == sorted(OPTIONS.kinds)
    assert "baselines.json" in bench.documents


def test_an_element_is_asked_about_again_only_where_the_answer_is_another() -> None:
    """On the second page of a site, where controls lie elsewhere, no answer comes again."""
    asked = [
        (one.cluster, one.instruction.text.partition("\n")[0], one.facts[one.answers[0]])
        for one in built().questions
        if one.cell.variant == "original" and one.cell.instruction != "wf"
    ]
    assert len({*asked}) == len(asked)
    assert len({found[:2] for found in asked}) < len(asked)


def test_a_role_is_not_said_where_it_is_the_answer() -> None:
    """What a control is for and how it is used is asked by its name alone."""
    for question in built().questions:
        words = question.instruction.text
        told = any(f"({role})" in words for role in ("button", "link", "text field", "lien"))
        assert not told or question.cell.instruction in {"ael", "rel"}


@pytest.mark.long
def test_a_seed_gives_the_same_questions() -> None:
    """Built again it is the same; another seed orders other options."""
    again = assemble(results(), OPTIONS)
    assert again.questions == built().questions
    assert built(1).questions != built().questions


@pytest.mark.parametrize("name", OPTIONS.kinds)
def test_a_wrong_answer_is_doubted(name: str) -> None:
    """Whatever the dimension, another label in the place of the right one is found."""
    own = [one for one in built().questions if one.cell.instruction == name]
    spoilt = [
        msgspec.structs.replace(one, answers=("ABCD"[("ABCD".index(one.answers[0]) + 1) % 4],))
        for one in own
    ]
    doubted_of = {doubt.split(":")[0] for doubt in doubted(spoilt)}
    assert doubted_of == {f"question {one.id}" for one in own}


def test_an_item_that_differs_between_languages_is_found() -> None:
    """Another label, another order and a missing language are each told."""
    first, *rest = built().questions
    other = "B" if first.answers != ("B",) else "C"
    keys = "|".join(reversed(first.facts["keys"].split("|")))
    turned = msgspec.structs.replace(first, facts=first.facts | {"keys": keys})
    assert list(unmatched(rest, {}))
    assert list(unmatched([msgspec.structs.replace(first, answers=(other,)), *rest], {}))
    if first.cell.instruction != "wf":
        assert list(unmatched([turned, *rest], {}))


def test_names_that_two_elements_bear_are_not_asked_about() -> None:
    """An element whose twin bears its name is no candidate, whichever of both it is."""
    pictures, (screen, *_) = pages()
    twin = msgspec.structs.replace(
        screen.elements[1], id="twin", box=Box(900, 600, 1000, 640), attributes={PARTNER: "twin"}
    )
    doubled = msgspec.structs.replace(screen, elements=(*screen.elements, twin))
    found = page(doubled, None, pictures, OPTIONS)  # type: ignore[arg-type]
    assert not {screen.elements[1].id, "twin"} & {one.target for one in found.candidates}


def test_a_name_that_is_another_controls_is_not_asked_about() -> None:
    """A field whose label is but the words of the button beside it has no name to be asked by."""
    pictures, (screen, *_) = pages()
    button, field = screen.elements[12], screen.elements[6]
    assert (button.role, field.role) == ("button", "textbox")
    named = {"name": button.name, "name_boxes": button.name_boxes}
    borrowing = msgspec.structs.replace(field, **named)
    elements = tuple(borrowing if item is field else item for item in screen.elements)
    changed = msgspec.structs.replace(screen, elements=elements)
    found = page(changed, None, pictures, OPTIONS)  # type: ignore[arg-type]
    assert field.id in {one.direct.target for one in _candidates(screen) if one.direct}
    assert field.id not in {one.direct.target for one in found.candidates if one.direct}
    assert "its name is that of another control" in {fall.reason for fall in found.falls}


def test_a_link_that_was_seen_to_stay_leads_nowhere() -> None:
    """Where a click on a link showed something on its page, it is no answer to what leads on."""
    pictures, screens = pages()
    leading = next(
        one
        for one in built().questions
        if one.cell.instruction == "wf" and one.facts["function"] == "go to"
        if one.instruction.language == "en"
    )
    link = _right_key(leading)
    shown = [screen for screen in screens if screen.page == leading.page]
    more = msgspec.structs.replace(screens[0].elements[0], id="more", name="More")
    opened = [
        msgspec.structs.replace(
            screen,
            id=f"{screen.id} opened",
            page=f"{screen.page}~opened",
            source=f"x.html >> click {link}",
            elements=(*screen.elements, more),
        )
        for screen in shown
    ]
    given = [msgspec.structs.replace(screen, source="x.html") for screen in shown]
    made = [page(one, None, pictures, OPTIONS) for one in (*given, *opened)]  # type: ignore[arg-type]
    others = [one for one in results() if one.page != leading.page]
    bench = assemble([*made, *others], OPTIONS)
    asked = [one for one in bench.questions if one.facts.get("function") == "go to"]
    assert asked
    # Ids count places, so that those of other pages are the same: they were not clicked there.
    site = [one for one in asked if one.cluster == leading.cluster]
    assert link not in {_right_key(one) for one in site}


def _right_key(question: Question) -> str:
    return question.facts["keys"].split("|")["ABCD".index(question.answers[0])]


def test_a_language_without_sentences_and_one_alone_give_nothing() -> None:
    """Each is counted with its reason, and no question is asked."""
    pictures, (screen, *_) = pages()
    strange = msgspec.structs.replace(screen, locale="xx-XX")
    (fall,) = page(strange, None, pictures, OPTIONS).falls  # type: ignore[arg-type]
    assert fall.reason == "no sentences in 'xx'"
    alone = assemble([results()[0]], OPTIONS)
    assert alone.questions == ()
    assert "not in English and another language" in {fall.reason for fall in alone.funnel.falls}


def test_an_unknown_dimension_is_named() -> None:
    """A misspelt dimension is the user's mistake."""
    pictures, (screen, *_) = pages()
    with pytest.raises(UnknownNameError, match="dimension"):
        page(screen, None, pictures, BuildOptions(kinds=("wg",)))  # type: ignore[arg-type]


def test_a_folder_is_proven_again(tmp_path: Path) -> None:
    """A benchmark's folder has no complaint, and one with a spoilt answer names its page."""
    pictures, screens = pages()
    questions = built().questions
    spoilt = msgspec.structs.replace(
        questions[0], answers=("A" if questions[0].answers != ("A",) else "B",)
    )
    for name, asked in (("good", questions), ("bad", (spoilt, *questions[1:]))):
        folder = tmp_path / name
        with Ledger.open(folder, {"kind": "bench", "benchmark": "multilingual@1"}):
            for data in pictures.held.values():
                ObjectStore(folder).put(data)
            export(folder, "bench", {"screens.jsonl": screens, "questions.jsonl": asked})
    good = prove_again("multilingual", [tmp_path / "good"])
    bad = prove_again("multilingual", [tmp_path / "bad"])

    assert {check.page for check in good} == {screen.page for screen in screens}
    assert not any(check.complaints for check in good)
    assert next(check.page for check in bad if check.complaints) == spoilt.page
    for name, folders in (("multilingual", []), ("perturbed", [tmp_path / "good"])):
        with pytest.raises(InvalidInputError, match="proven again"):
            prove_again(name, folders)


def _write_screens(folder: Path, sites: Sequence[str], settings: Settings) -> Path:
    """Write a SCREENS of the pages of some sites."""
    pictures, screens, records = captured()
    own = [screen for screen in screens if screen.site in sites]
    plan: dict[str, object] = {"settings": msgspec.to_builtins(settings), "renderer": {}}
    with Ledger.open(folder, plan):
        for screen in own:
            ObjectStore(folder).put(pictures.get(screen.image))
        kept = [record for record in records if record.site in sites]
        export(folder, "screens", {"screens.jsonl": own, "parallel.jsonl": kept})
    return folder


@pytest.mark.long
def test_several_folders_are_one_benchmark(tmp_path: Path) -> None:
    """Sites captured one by one, or twice, give the questions that they give in one folder."""
    sites = sorted({screen.site for screen in captured()[1]})
    whole = _write_screens(tmp_path / "whole", sites, Settings())
    parts = [_write_screens(tmp_path / site, [site], Settings()) for site in sites]
    for name, folders in (("one", whole), ("many", parts)):
        build_benchmark("multilingual", folders, tmp_path / name, OPTIONS, workers=1)
    assert read_questions(tmp_path / "one") == read_questions(tmp_path / "many") != ()

    build_benchmark("multilingual", [*parts, parts[0]], tmp_path / "again", OPTIONS, workers=1)
    assert read_questions(tmp_path / "again") == read_questions(tmp_path / "one")

    other = _write_screens(tmp_path / "other", sites[:1], Settings(width=900))
    with pytest.raises(InvalidInputError, match="settings"):
        build_benchmark("multilingual", [*parts, other], tmp_path / "out", OPTIONS)


def _moody(prompt: str) -> str:
    """Say good, wrong and hostile things, always the same of one prompt, and good ones mostly."""
    body = prompt.rpartition("\n\n")[2]
    lines = dict(line.split(": ", 1) for line in body.splitlines())
    plain = {label: words if "lines A" in prompt or label == "Q" else f"{words} "
             for label, words in lines.items()}  # fmt: skip
    if "wf" not in prompt and "direction" not in prompt:
        plain["Q"] = f"{lines['Q']} (A-D)"
    good = joined({label: words.replace("  ", " ") for label, words in plain.items()})
    turned = joined({**lines, "A": lines["B"], "B": lines["A"]})
    said = {0: turned, 1: "", 2: "I cannot help with that.", 3: body, 4: "\0" * 50}
    return said.get(zlib.crc32(body.encode()) % 25, good)


def test_a_model_may_say_questions_in_its_own_words() -> None:
    """Items are kept whole where all is proven; the others stay as they were, with the reason."""
    before = built()
    pictures, screens = pages()
    every = {screen.id: screen for screen in screens}
    asked: list[str] = []

    def chat(prompts: Sequence[str]) -> list[str]:
        asked.extend(prompts)
        return [_moody(prompt) for prompt in prompts]

    after, phrases = reword(before, every, chat, pictures)
    said = [one for one in after.questions if one.instruction.wording == "writer"]
    old = {one.id: one for one in before.questions}
    by_pair = Counter(one.pair for one in said)
    fates = Counter(phrase.fate for phrase in phrases)

    assert len(asked) == len(set(asked))
    assert said
    assert {*fates} == {"kept", "no reply", "not understood", "not proven", "unchanged"}
    assert fates["kept"] == len(said) < len(before.questions)
    languages = Counter(one.pair for one in before.questions)
    assert all(by_pair[one.pair] == languages[one.pair] for one in said)
    assert [one.id for one in after.questions] == [one.id for one in before.questions]
    assert all(one == old[one.id] for one in after.questions if not one.instruction.wording)
    assert all(one.instruction.text != old[one.id].instruction.text for one in said)
    assert all(one.answers == old[one.id].answers for one in said)
    assert doubted(after.questions) == []
    assert list(unmatched(after.questions, every)) == []
    assert after.lines
    assert {fall.reason: fall.count for fall in after.funnel.falls if fall.stage == "writer"} == {
        **fates
    }
    silent, told = reword(before, every, lambda prompts: [""] * len(prompts), pictures)
    assert silent.questions == before.questions
    assert silent.documents == before.documents
    assert silent.lines == before.lines
    assert {phrase.fate for phrase in told} == {"no reply"}


@pytest.mark.long
def test_a_build_with_a_writer_goes_on_and_is_proven_again(
    server: Any,  # noqa: ANN401 - the fake server of all tests
    step: Callable[..., Any],
    tmp_path: Path,
) -> None:
    """A server's words come through the ledger, are asked for once, and pass the whole proof."""

    def choose(body: dict[str, Any]) -> Any:  # noqa: ANN401 - a step of the fake server
        message = {"content": _moody(body["messages"][-1]["content"])}
        return step(json.dumps({"choices": [{"message": message}]}).encode())

    server.choose = choose
    screens = _write_screens(tmp_path / "screens", ["site 0", "site 1"], Settings())

    def build(out: str, *, written: bool) -> Path:
        chat = open_chat(f"openai:m@{server.base}")
        writer = WordsWriter(question_writer(chat, concurrency=4)) if written else None
        how: dict[str, Any] = {"writer": writer, "workers": 1}
        build_benchmark("multilingual", screens, tmp_path / out, OPTIONS, **how)
        return tmp_path / out

    plain, bench = build("plain", written=False), build("bench", written=True)
    asked, first = len(server.bodies), (bench / "questions.jsonl").read_bytes()
    build("bench", written=True)
    phrases = read_table(bench, "phrases.jsonl", Phrase, kind="bench")

    assert len(server.bodies) == asked > 0
    assert (bench / "questions.jsonl").read_bytes() == first
    assert first != (plain / "questions.jsonl").read_bytes()
    assert len(phrases) == len(read_questions(plain))
    assert not (plain / "phrases.jsonl").exists()
    assert not any(check.complaints for check in prove_again("multilingual", [bench]))
