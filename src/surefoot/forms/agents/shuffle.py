"""
The shuffle agent: it says every right value, and puts each into a wrong field.

A score that asks only whether a value occurs in the replies gives it everything; a score
that asks what the right field holds gives it next to nothing. A page that is refused is
filled in anew with values that the form accepts, so that all pages are seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from surefoot.core.seeds import derive_seed
from surefoot.forms.driver.agent import AgentKind, FormTask
from surefoot.forms.driver.filler import Filler
from surefoot.forms.instance import FileValue, Instance, Value
from surefoot.forms.specification import Field, Form, Holds
from surefoot.forms.values.making import make_instance
from surefoot.forms.values.spelling import labelled_lines

CANDIDATES: Final = 8


def misplaced(form: Form, values: Mapping[str, Value]) -> dict[str, Value]:
    """
    Return values in wrong fields of the same page: texts and files move on by one field.

    A page's only text gives way to one of another page. Of a list another option is taken,
    of a multi-choice the complement; what may be left unticked is turned round. A page's
    only file and a box that must be ticked stay right, since nothing else is accepted.
    """
    wrong: dict[str, Value] = {}
    everywhere = [field for field in form.fields if field.id in values and field.traits.written]
    for page in form.pages:
        given = [field for field in page.fields if field.id in values]
        texts = [field for field in given if field.traits.written]
        files = [field for field in given if field.traits.holds is Holds.FILE]
        wrong |= _moved_on(texts, values) | _moved_on(files, values)
        for alone in texts[:1] if len(texts) == 1 else ():
            others = [values[field.id] for field in everywhere if field is not alone]
            wrong[alone.id] = next((other for other in others if other != values[alone.id]), "")
        for field in given:
            if not field.traits.written and field.traits.holds is not Holds.FILE:
                wrong[field.id] = _another(field, values[field.id])
    return wrong


def decoys(form: Form, instance: Instance) -> dict[str, Value]:
    """
    Return values that a form accepts and that are not the right ones, but for files.

    They are those of another instance, the one of a few that agrees least with the first.
    """
    others = (
        make_instance(form, seed=derive_seed(instance.seed, "decoy", str(number)), index=0)
        for number in range(CANDIDATES)
    )
    best = min(others, key=lambda other: _agreement(other.values, instance.values))
    return {name: value for name, value in best.values.items() if not isinstance(value, FileValue)}


def open_shuffle(task: FormTask) -> Filler:
    """Return an agent that misplaces the task's right values and says all of them."""
    form, instance = task.gold()
    return Filler(
        "shuffle",
        form,
        misplaced(form, instance.values),
        task.language,
        instead=decoys(form, instance),
        words=labelled_lines(form, instance),
    )


def _moved_on(fields: Sequence[Field], values: Mapping[str, Value]) -> dict[str, Value]:
    """Give each field the value of the one before it, the first that of the last."""
    held = [values[field.id] for field in fields]
    moved = [*held[-1:], *held[:-1]]
    return {field.id: value for field, value in zip(fields, moved, strict=True)}


def _agreement(one: Mapping[str, Value], other: Mapping[str, Value]) -> int:
    return sum(other.get(name) == value for name, value in one.items())


def _another(field: Field, value: Value) -> Value:
    if isinstance(value, bool):
        return value if field.required else not value
    names = [option.value for option in field.options]
    if field.traits.holds is Holds.OPTION:
        others = [name for name in names if name != value]
        return others[0] if others else value
    chosen = set(value) if isinstance(value, tuple) else {str(value)}
    rest = tuple(sorted(set(names) - chosen))
    return rest or tuple(sorted(chosen))[:1]


SHUFFLE = AgentKind(
    name="shuffle",
    version=5,
    summary="says every right value and puts each into a wrong field",
    open=open_shuffle,
    privileged=True,
)
