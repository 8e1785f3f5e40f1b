"""
The form platform: a specification, a catalogue, renderers, a server that scores, a driver.
"""

from surefoot.forms.instance import FileValue, Instance, TaskDocument, Value, ValueSpan
from surefoot.forms.rendering import RENDERERS, PageState, Renderer, Rendering
from surefoot.forms.specification import LANGUAGES, Constraint, Field, Form, Kind, Option, Page

__all__ = [
    "LANGUAGES",
    "RENDERERS",
    "Constraint",
    "Field",
    "FileValue",
    "Form",
    "Instance",
    "Kind",
    "Option",
    "Page",
    "PageState",
    "Renderer",
    "Rendering",
    "TaskDocument",
    "Value",
    "ValueSpan",
]
