"""
An expression as a noun phrase of any language, in the case that is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import msgspec

from surefoot.core.errors import UnknownNameError
from surefoot.core.instruction import Expression
from surefoot.refer.languages.phrases import Language, Noun, Part, filled, form_of, quoted

__all__ = ["apart", "contained", "referred", "without_container"]


def referred(language: Language, expression: Expression, case: str = "") -> str:
    """
    Say a well-formed expression in a case; a text alone is said as it is.

    Raises UnknownNameError for a role without a word, and InvalidInputError for words that
    no quotes can hold.
    """
    if expression == Expression(text=expression.text):
        return quoted(expression.text)
    said = _parts(language, expression, case)
    return language.joiner.join(said[each] for each in language.parts if said.get(each))


def apart(expression: Expression) -> bool:
    """Tell whether a container would stand between a reference and what it is related to."""
    return expression.container is not None and (
        expression.landmark is not None or expression.region is not None
    )


def contained(language: Language, expression: Expression) -> Callable[[str], str]:
    """Return what says the container of an expression in a case."""
    return partial(referred, language, expression.container or Expression())


def _parts(language: Language, given: Expression, case: str) -> Mapping[Part, str]:
    noun = _noun(language, given)
    agreed = ("", case) if noun is None else (noun.gender, case)
    name: dict[str, Callable[[str], str]] = {"name": lambda _: quoted(given.name)}
    plain_name = bool(given.name) and not given.name_cut and "{" not in _does(language, given)
    return {
        "article": "" if noun is None else form_of(language.article, *agreed),
        "nth": _nth(language, given, agreed),
        "size": form_of(language.sizes.get(given.size, {}), *agreed),
        "state": form_of(language.states.get(given.state, {}), *agreed),
        "colour": form_of(language.colours.get(given.colour, {}), *agreed),
        "shape": form_of(language.shapes.get(given.shape, {}), *agreed),
        "content": ""
        if _is_icon(given)
        else form_of(language.contents.get(given.content, {}), *agreed),
        "name": filled(language.name, name) if plain_name else "",
        "noun": "" if noun is None else _counted(given, noun, case),
        "beginning": filled(language.beginning, name) if given.name_cut else "",
        "text": filled(language.text, {"text": lambda _: quoted(given.text)})
        if given.text
        else "",
        "label": filled(language.label, {"name": lambda _: quoted(given.label)})
        if given.label
        else "",
        "function": filled(_does(language, given), name),
        "counting": _counting(language, given, agreed),
        "container": _container(language, given),
        "region": _region(language, given),
        "relation": _relation(language, given),
    }


def _is_icon(given: Expression) -> bool:
    return given.role == "control" and given.content == "icon"


def _noun(language: Language, given: Expression) -> Noun | None:
    if not given.role:
        return None
    key = "icon" if _is_icon(given) else given.role
    if key not in language.nouns or given.role == "icon":
        known = ", ".join(each for each in language.nouns if each != "icon")
        raise UnknownNameError(f"a role among {known}", found=f"'{given.role}'")
    return language.nouns[key]


def _counted(given: Expression, noun: Noun, case: str) -> str:
    counted = given.ordinal is not None and noun.counted
    return form_of(noun.counted if counted else noun.forms, noun.gender, case)


def _does(language: Language, given: Expression) -> str:
    return language.functions[given.function] if given.function else ""


def _nth(language: Language, given: Expression, agreed: tuple[str, str]) -> str:
    ordinal = given.ordinal
    if ordinal is None:
        return ""
    turned = ordinal.order in ("row", "column")
    from_start = ordinal.position > 0 or turned
    count = language.from_start if from_start else language.from_end
    return count(abs(ordinal.position), *agreed)


def _counting(language: Language, given: Expression, agreed: tuple[str, str]) -> str:
    ordinal = given.ordinal
    if ordinal is None:
        return ""
    count = language.from_start if ordinal.row > 0 else language.from_end
    said = partial(count, abs(ordinal.row), agreed[0])
    template = language.counting[ordinal.order][ordinal.position < 0]
    return filled(template, {"row": said})


def _container(language: Language, given: Expression) -> str:
    if given.container is None:
        return ""
    order = "" if given.ordinal is None else given.ordinal.order
    return filled(language.containers[order], {"container": contained(language, given)})


def _region(language: Language, given: Expression) -> str:
    return "" if given.region is None else language.places[given.region.place][given.region.of]


def _relation(language: Language, given: Expression) -> str:
    if given.landmark is None:
        return ""
    template = (
        language.relations[given.relation]
        if given.direction is None
        else language.directions[given.direction]
    )
    second = partial(referred, language, given.second or Expression())
    said = {"landmark": partial(referred, language, given.landmark), "second": second}
    return filled(template, said)


def without_container(expression: Expression) -> Expression:
    """Return an expression whose container is said elsewhere."""
    return msgspec.structs.replace(expression, container=None)
