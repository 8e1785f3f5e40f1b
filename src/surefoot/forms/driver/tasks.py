"""
What an agent is handed: the text, and a folder with the files to upload.
"""

from __future__ import annotations

from pathlib import Path

from surefoot.forms.driver.agent import Task
from surefoot.forms.instance import FileValue, Instance, Value
from surefoot.forms.specification import Field, Form, said
from surefoot.forms.values.files import file_bytes

__all__ = ["labelled_lines", "prepare_task"]


def prepare_task(
    form: Form, instance: Instance, folder: Path, *, language: str = "en", text: str = ""
) -> Task:
    """
    Write the instance's files into a folder, which is made, and return the whole task.

    ``text`` is what a person would hand over; without one it is the instance's document,
    or else one labelled line a field. The task holds the right values: see Task.bare.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names: list[str] = []
    for field in form.fields:
        value = instance.values.get(field.id)
        if isinstance(value, FileValue):
            (folder / value.name).write_bytes(file_bytes(form, instance, field))
            names.append(value.name)
    document = instance.document.text if instance.document else ""
    return Task(
        text or document or labelled_lines(form, instance, language),
        language,
        folder,
        tuple(names),
        form,
        instance,
    )


def labelled_lines(form: Form, instance: Instance, language: str) -> str:
    """Return one line a field that has a value, "Label: value", in the form's order."""
    lines = (
        f"{said(field.label, language)}: {_shown(field, instance.values[field.id], language)}"
        for field in form.fields
        if field.id in instance.values
    )
    return "\n".join(lines)


def _shown(field: Field, value: Value, language: str) -> str:
    """Return a value on one line, options by their labels."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, FileValue):
        return value.name
    several = value if isinstance(value, tuple) else (value,)
    options = (field.option(each) for each in several)
    labels = [
        said(option.label, language) if option else each
        for option, each in zip(options, several, strict=True)
    ]
    return "; ".join(" ".join(each.split()) for each in labels)
