"""
Let the oracle fill in every form of the catalogue, on every renderer, in every language.

A form that the oracle does not get wholly right cannot be answered, or is scored wrongly.
The script prints a table and ends with 1 where one is not right; a stopped run goes on.
"""

from __future__ import annotations

import argparse
import collections
import sys
from pathlib import Path

from rich.console import Console

from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.rendering import RENDERERS, Rendering
from surefoot.forms.specification import LANGUAGES
from surefoot.run.forms.running import fill_in_forms, read_results
from surefoot.run.forms.units import FormChoices, FormResult

__all__ = ["main", "renderings"]

# Themes of these are whole libraries of widgets; those of the others are colours and lines.
LIBRARIES = ("rjsf",)


def renderings(languages: tuple[str, ...]) -> tuple[Rendering, ...]:
    """Return each renderer, and each library of widgets, in each language."""
    return tuple(
        Rendering(renderer.name, theme, language=language)
        for renderer in RENDERERS.entries.values()
        for theme in (renderer.themes if renderer.name in LIBRARIES else ("",))
        for language in languages
    )


def main() -> int:
    """Run, print how many forms were right per rendering, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/forms-oracle"))
    parser.add_argument("--languages", nargs="+", default=list(LANGUAGES))
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    console = Console()
    choices = FormChoices(
        tuple(catalogue().values()), ("oracle",), renderings(tuple(given.languages))
    )
    outcome = fill_in_forms(choices, given.out, workers=given.workers, console=console)
    tallies: dict[tuple[str, str, str], list[FormResult]] = collections.defaultdict(list)
    for result in read_results(given.out):
        look = result.score.rendering
        tallies[look.renderer, look.theme, look.language].append(result)
    for (renderer, theme, language), results in sorted(tallies.items()):
        wrong = [item.score.form for item in results if not item.score.right]
        right = len(results) - len(wrong)
        console.print(f"{renderer:10}{theme:12}{language:4}{right:3} of {len(results)}", *wrong)
    failures = len(outcome.failures)
    for failure in outcome.failures:
        console.print(f"failed: {failure.reason}")
    return int(failures > 0 or any(not item.score.right for item in read_results(given.out)))


if __name__ == "__main__":
    sys.exit(main())
