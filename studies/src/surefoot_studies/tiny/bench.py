"""
Small benchmarks of drawn screens in Surefoot's own layout: clicks, and choices in languages.

``memory``, ``validation`` and ``test`` are three folders of the same choices in each language;
no screen of one is in another, nor among those that the model is trained on.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import Funnel
from surefoot.core.canonical import digest
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.ledger import Ledger
from surefoot.core.perturbation import ORIGINAL
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import derive_seed, random_source
from surefoot.core.store import ObjectStore
from surefoot.run.folders.folder import export
from surefoot_studies.tiny.asking import LABELS, LANGUAGES, ChoiceItem, ClickItem, choices, clicks
from surefoot_studies.tiny.drawing import (
    MASKS,
    DrawnFigure,
    DrawnLayout,
    DrawnScreen,
    changed,
    draw,
    masked,
    png,
)

_VERSION: Final = 2
TRAIN: Final = "train"
CLICKS: Final = "click"
# How many screens each has unless it is said otherwise.
SPLITS: Final[Mapping[str, int]] = {"memory": 160, "validation": 80, "test": 160}
_NOWHERE: Final = Box(0.0, 0.0, 0.0, 0.0)


def drawn(seed: int, split: str, number: int, layout: DrawnLayout = DrawnLayout()) -> DrawnScreen:  # noqa: B008
    """Return the so-manieth screen of a split; the same one in every process."""
    return draw(derive_seed(seed, "tiny", split, str(number)), layout)


def write_benches(
    out: Path,
    *,
    seed: int = 0,
    screens: Mapping[str, int] = SPLITS,
    clicked: int = 160,
    languages: tuple[str, ...] = LANGUAGES,
) -> tuple[Path, ...]:
    """
    Write a BENCH of clicks and one of choices for each split below ``out``; return their paths.

    ``screens`` are counts by split, ``clicked`` screens are clicked on, three clicks each.
    """
    return (
        write_clicks(out / CLICKS, seed=seed, screens=clicked),
        *(
            write_choices(out / split, split, seed=seed, screens=count, languages=languages)
            for split, count in screens.items()
        ),
    )


def write_clicks(
    out: Path,
    *,
    seed: int = 0,
    screens: int = 160,
    clicked: int = 3,
    variants: Sequence[str] = (ORIGINAL,),
    look: int = 0,
) -> Path:
    """
    Write a BENCH of so many clicks on each of so many screens, scored by hits.

    Each screen is drawn in all ``variants``, and the same is asked of it in each. Masks are
    variants too: a mask covers what is asked for, so each click has a picture of its own, and
    the BENCH is scored by overlap. ``look`` is which draw of the variant "style" is taken.
    """
    hidden = any(variant in MASKS for variant in variants)
    plan = {"kind": "bench", "seed": seed, **_plan(CLICKS, screens), "clicked": clicked}
    plan |= {"variants": list(variants)} if list(variants) != [ORIGINAL] else {}
    plan |= {"benchmark": "hidden@10"} if hidden else {}
    plan |= {"look": look} if look else {}
    with Ledger.open(out, plan):
        store, shown, asked = ObjectStore(out), [], []
        for number, variant in itertools.product(range(screens), variants):
            plain = drawn(seed, CLICKS, number)
            drawing = plain if variant in MASKS else changed(plain, variant, look)
            found = list(clicks(drawing))
            random_source(seed, CLICKS, str(number)).shuffle(found)
            for item in found[:clicked]:
                covered = masked(drawing, item.figure, variant) if variant in MASKS else drawing
                screen = _screen(covered, CLICKS, number, "en", store.put(png(covered)), variant)
                if variant in MASKS:
                    name = f"{screen.id}-{_id(drawing, item.figure)}"
                    screen = msgspec.structs.replace(screen, id=name)
                shown.append(screen)
                asked.append(_clicked(item, drawing, screen, variant))
        _export(out, list({screen.id: screen for screen in shown}.values()), asked)
    return out


def write_choices(
    out: Path,
    split: str,
    *,
    seed: int = 0,
    screens: int,
    languages: tuple[str, ...] = LANGUAGES,
    layout: DrawnLayout = DrawnLayout(),  # noqa: B008 - frozen
) -> Path:
    """
    Write a BENCH of choices in each language, scored as the multilingual benchmark is.

    A page is a screen in each language, with one picture: nothing in it is written.
    """
    plan = {
        "kind": "bench",
        "benchmark": "multilingual@8",
        "seed": seed,
        **_plan(split, screens, layout),
        "languages": list(languages),
    }
    with Ledger.open(out, plan):
        store, shown, asked = ObjectStore(out), [], []
        for number in range(screens):
            drawing = drawn(seed, split, number, layout.lone())
            image = store.put(png(drawing))
            items = choices(drawing)
            for language in languages:
                screen = _screen(drawing, split, number, language, image)
                shown.append(screen)
                asked += [_chosen(item, drawing, screen, language) for item in items]
        _export(out, shown, [msgspec.structs.replace(question, split=split) for question in asked])
    return out


def _plan(
    split: str,
    screens: int,
    layout: DrawnLayout = DrawnLayout(),  # noqa: B008 - frozen
) -> dict[str, object]:
    drawn = {"version": _VERSION, "split": split, "screens": screens}
    return {"drawn": {**drawn, "layout": msgspec.to_builtins(layout)}}


def _export(out: Path, screens: list[Screen], questions: list[Question]) -> None:
    tables: dict[str, Sequence[object]] = {
        "screens.jsonl": screens,
        "questions.jsonl": questions,
    }
    export(out, "bench", tables, {"funnel.json": Funnel((), {})})


def _screen(
    drawing: DrawnScreen,
    split: str,
    number: int,
    language: str,
    image: str,
    variant: str = ORIGINAL,
) -> Screen:
    page = f"drawn/{split}-{number:05d}"
    return Screen(
        id=f"{page}-{language}" + f"-{variant}" * (variant != ORIGINAL),
        page=page,
        source=f"drawn:{drawing.seed}",
        image=image,
        width=drawing.layout.width,
        height=drawing.layout.height,
        scale=1.0,
        platform="desktop",
        locale=language,
        elements=tuple(_elements(drawing)),
    )


def _elements(drawing: DrawnScreen) -> Iterator[Element]:
    for at, figure in enumerate(drawing.figures):
        yield Element(
            f"f{at}",
            "button",
            figure.box,
            name=f"{figure.colour} {figure.shape}",
            name_from="aria-label",
            visible_fraction=1.0,
            hits=(True,),
        )


def _id(drawing: DrawnScreen, figure: DrawnFigure) -> str:
    return f"f{drawing.figures.index(figure)}"


def _worded(item: ClickItem, target: str) -> Instruction:
    """Return what is asked, with the figure's name as its expression where the words have it."""
    figure = item.figure
    named = f"{figure.colour} {figure.shape}" if item.kind == "both" else ""
    expression = Expression(role="button", name=named) if named else Expression()
    return Instruction(
        item.text(), "en", "given", "high", expression, target, name_visible=not named
    )


def _clicked(item: ClickItem, drawing: DrawnScreen, screen: Screen, variant: str) -> Question:
    target = _id(drawing, item.figure)
    pair = f"{screen.page}#{target}"
    changed_by = [variant] if variant != ORIGINAL else []
    return Question(
        id=digest([pair, item.kind, *changed_by])[:20],
        pair=pair,
        cluster=screen.page,
        cell=Cell(variant, item.kind),
        screen=screen.id,
        image=screen.image,
        width=screen.width,
        height=screen.height,
        instruction=_worded(item, target),
        truth=item.figure.box,
        role="button",
        platform=screen.platform,
    )


def _chosen(item: ChoiceItem, drawing: DrawnScreen, screen: Screen, language: str) -> Question:
    target = _id(drawing, item.figure)
    pair = f"{screen.page}#{item.dimension}#{target}"
    cell = Cell(ORIGINAL if language == LANGUAGES[0] else language, item.dimension)
    labelled = dict(zip(LABELS, item.words(language), strict=True))
    return Question(
        id=digest([pair, cell])[:20],
        pair=pair,
        cluster=screen.page,
        cell=cell,
        screen=screen.id,
        image=screen.image,
        width=screen.width,
        height=screen.height,
        instruction=Instruction(
            item.text(language), language, "given", "high", Expression(), target
        ),
        truth=_NOWHERE,
        role="button",
        answers=(item.label,),
        asks="option",
        options=tuple(LABELS),
        page=screen.page,
        platform=screen.platform,
        facts={"dimension": item.dimension, "keys": "|".join(item.options), **labelled},
    )
