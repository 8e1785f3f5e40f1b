"""
``surefoot models``: what can be named after --model and --format.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

from surefoot.api.parameters import CliOption
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from surefoot.models.listing import ModelLists


def list_models() -> ModelLists:
    """
    List the backends that run models, and the formats that models answer in.

    >>> [backend.usage for backend in list_models().backends if backend.name == "ocr"]
    ['ocr']
    """
    from surefoot.models import listing

    return listing.list_models()


def command(
    work: Callable[[], ModelLists], *, json: Annotated[bool, CliOption("Print JSON.")] = False
) -> None:
    """Print a line a backend and a line a format."""
    from surefoot.cli.output import print_json, say

    found = work()
    if json:
        print_json(found)
        return
    width = max(len(item.usage) for item in found.backends)
    say("After --model:")
    for backend in found.backends:
        say(f"  {backend.usage:{width}}  {backend.summary}")
    say("Before such a name, to ask the model more than once for one answer:")
    for wrapper in found.wrappers:
        say(f"  {wrapper.usage:{width}}  {wrapper.summary}")
    say("After --format (chosen from the model's name where it is not given):")
    wide = max(len(f"{item.name}@{item.version}") for item in found.formats)
    for item in found.formats:
        called = f"{item.name}@{item.version}"
        say(f"  {called:{wide}}  {item.space:14}  {item.summary} [{item.source}]")


VERB = CliVerb(
    "models",
    "Ask",
    "Say what can be named after --model.",
    list_models,
    command,
    ("surefoot models", "surefoot models --json"),
)
