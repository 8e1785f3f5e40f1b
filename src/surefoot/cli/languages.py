"""
``surefoot languages``: the sentences of a language, for a native reader to check.
"""

from __future__ import annotations

from typing import Annotated, Final

import typer

EXAMPLES: Final = ("surefoot languages", "surefoot languages ru", "surefoot languages th --json")


def languages(
    language: Annotated[str, typer.Argument(help="The language's code, such as ru.")] = "",
    *,
    json: Annotated[bool, typer.Option(help="Print JSON.")] = False,
) -> None:
    """
    Print all sentence patterns of a language with examples, and its words in all their forms.

    Without a language, those there are. A native reader can correct its file.
    """
    from surefoot.benchmarks.dimensions.examples import languages as list_languages
    from surefoot.cli.output import print_json, say

    listed = list_languages(language)
    if json:
        print_json(listed)
        return
    if not language:
        for found in listed:
            say(f"{found.language}  {found.title}")
        return
    found = listed[0]
    for pattern in found.patterns:
        say(f"{pattern.name}:")
        for example in pattern.examples:
            say(f"  {example}")
    for kind, words in found.words.items():
        say(f"{kind}:")
        for name, forms in words.items():
            said = ", ".join(f"{form} {word}".strip() for form, word in forms.items())
            say(f"  {name}: {said}")
