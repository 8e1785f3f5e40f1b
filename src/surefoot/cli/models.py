"""
``surefoot models``: what can be named after --model and --format.
"""

from __future__ import annotations

from typing import Annotated, Final

import typer

__all__ = ["models"]

EXAMPLES: Final = ("surefoot models", "surefoot models --json")


def models(*, json: Annotated[bool, typer.Option(help="Print JSON.")] = False) -> None:
    """
    List the backends that run models, and the formats that models answer in.
    """
    from surefoot.cli.output import say
    from surefoot.core.canonical import readable_json
    from surefoot.models import BACKENDS, FORMATS

    backends, formats = BACKENDS.entries.values(), FORMATS.entries.values()
    if json:
        listed = {
            "backends": [
                {"name": each.name, "usage": each.usage, "summary": each.summary}
                for each in backends
            ],
            "formats": [
                {"name": each.name, "version": each.version, "space": each.space.kind}
                for each in formats
            ],
        }
        say(readable_json(listed).decode().rstrip())
        return
    width = max(len(each.usage) for each in backends)
    say("After --model:")
    for backend in backends:
        say(f"  {backend.usage:{width}}  {backend.summary}")
    say("After --format (chosen from the model's name where it is not given):")
    for each in formats:
        say(f"  {each.name}@{each.version}: coordinates in {each.space.kind}")
