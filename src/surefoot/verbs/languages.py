"""
``surefoot languages``: the sentences of a language, for a native reader to check.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

from surefoot.api.parameters import CliArgument, CliOption
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from surefoot.refer.say.patterns import LanguagePatterns


def languages(
    language: Annotated[str, CliArgument("The language's code, such as ru.")] = "",
) -> tuple[LanguagePatterns, ...]:
    """
    Print all sentence patterns of a language with examples, and its words in all their forms.

    Without a language, those there are. A native reader can correct its file.

    Raises UnknownNameError for a language without a table.

    >>> [found.title for found in languages("fr")]
    ['français']
    """
    from surefoot.benchmarks.dimensions.examples import sentence_patterns

    return sentence_patterns(language)


def command(
    work: Callable[[], tuple[LanguagePatterns, ...]],
    *,
    language: str,
    json: Annotated[bool, CliOption("Print JSON.")] = False,
) -> None:
    """Print the languages, or the sentences of one."""
    from surefoot.cli.output import print_json, say

    listed = work()
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


VERB = CliVerb(
    "languages",
    "Build",
    "Print the sentences of a language for a native reader.",
    languages,
    command,
    ("surefoot languages", "surefoot languages ru", "surefoot languages th --json"),
)
