"""
What an agent is handed: the text, and a folder with the files to upload.
"""

from __future__ import annotations

from pathlib import Path

from surefoot.forms.driver.agent import FormTask
from surefoot.forms.instance import FileValue, Instance
from surefoot.forms.specification import Form
from surefoot.forms.values.files import file_bytes
from surefoot.forms.values.spelling import labelled_lines

__all__ = ["prepare_task"]


def prepare_task(
    form: Form, instance: Instance, folder: Path, *, language: str = "en", text: str = ""
) -> FormTask:
    """
    Write the instance's files into a folder, which is made, and return the whole task.

    ``text`` is what a person would hand over; without one it is one labelled line a field.
    ``language`` is the one that the form is shown in. The task holds the right values: see
    FormFormTask.bare.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names: list[str] = []
    for field in form.fields:
        value = instance.values.get(field.id)
        if isinstance(value, FileValue):
            (folder / value.name).write_bytes(file_bytes(form, instance, field))
            names.append(value.name)
    given = text or labelled_lines(form, instance)
    return FormTask(given, language, folder, tuple(names), form, instance)
