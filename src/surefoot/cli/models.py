"""
``surefoot models``: what can be named after --model and --format.
"""

from __future__ import annotations

from typing import Annotated, Final

import typer

EXAMPLES: Final = ("surefoot models", "surefoot models --json")


def models(*, json: Annotated[bool, typer.Option(help="Print JSON.")] = False) -> None:
    """
    List the backends that run models, and the formats that models answer in.
    """
    from surefoot.cli.output import print_json, say
    from surefoot.models.listing import list_models

    found = list_models()
    if json:
        print_json(found)
        return
    width = max(len(item.usage) for item in found.backends)
    say("After --model:")
    for backend in found.backends:
        say(f"  {backend.usage:{width}}  {backend.summary}")
    say("After --format (chosen from the model's name where it is not given):")
    wide = max(len(f"{item.name}@{item.version}") for item in found.formats)
    for item in found.formats:
        called = f"{item.name}@{item.version}"
        say(f"  {called:{wide}}  {item.space:14}  {item.summary} [{item.source}]")
