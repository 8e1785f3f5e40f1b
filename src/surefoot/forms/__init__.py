"""
The form platform: a specification, a catalogue, renderers, a server that scores, a driver.
"""

from surefoot.forms.instance import Document, FileValue, Instance, Span, Value
from surefoot.forms.rendering import RENDERERS, PageState, Renderer, Rendering
from surefoot.forms.specification import LANGUAGES, Constraint, Field, Form, Kind, Option, Page

__all__ = [
    "LANGUAGES",
    "RENDERERS",
    "Constraint",
    "Document",
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
    "Span",
    "Value",
]
