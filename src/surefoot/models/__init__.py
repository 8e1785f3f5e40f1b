"""
From a question to an answer: formats (prompt, space, parser) and backends (where it runs).
"""

from surefoot.models.backend import Backend, Options
from surefoot.models.checking.self_check import SelfCheck, self_check
from surefoot.models.format import Format
from surefoot.models.function import FunctionModel, named_function
from surefoot.models.model import Model
from surefoot.models.opening import (
    BACKENDS,
    FORMATS,
    ModelSpec,
    bare_spec,
    check_one_server,
    format_of,
    open_chat,
    open_model,
    open_seeing,
)

__all__ = [
    "BACKENDS",
    "FORMATS",
    "Backend",
    "Format",
    "FunctionModel",
    "Model",
    "ModelSpec",
    "Options",
    "SelfCheck",
    "bare_spec",
    "check_one_server",
    "format_of",
    "named_function",
    "open_chat",
    "open_model",
    "open_seeing",
    "self_check",
]
