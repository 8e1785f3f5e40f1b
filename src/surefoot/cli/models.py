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
                {"name": item.name, "usage": item.usage, "summary": item.summary}
                for item in backends
            ],
            "formats": [
                {"name": item.name, "version": item.version, "space": item.space.kind}
                for item in formats
            ],
        }
        say(readable_json(listed).decode().rstrip())
        return
    width = max(len(item.usage) for item in backends)
    say("After --model:")
    for backend in backends:
        say(f"  {backend.usage:{width}}  {backend.summary}")
    say("After --format (chosen from the model's name where it is not given):")
    for item in formats:
        say(f"  {item.name}@{item.version}: coordinates in {item.space.kind}")
