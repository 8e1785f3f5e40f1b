"""
``surefoot agreement``: roles and names compared with Chromium's own accessibility tree.
"""

from __future__ import annotations

from typing import Final

import typer

from surefoot.cli.options import SourcesArgument

__all__ = ["agreement"]

EXAMPLES: Final = (
    "surefoot agreement npm:startbootstrap-sb-admin-2@4.1.4",
    "surefoot agreement demo: > agreement.md",
)


def agreement(sources: SourcesArgument) -> None:
    """
    Compare the roles and names of interactive elements with Chromium's, page by page.

    Prints a Markdown table, and each disagreement below it. Exits with 1 if a page could
    not be loaded.
    """
    from surefoot.capture.settings import Settings
    from surefoot.capture.sources import list_addresses
    from surefoot.capture.web.accessibility import agreement_of_pages, agreement_table
    from surefoot.cli.output import say
    from surefoot.core.errors import ExitCode

    addresses = [address for spec in sources for address in list_addresses(spec)]
    found, failed = agreement_of_pages(addresses, Settings())
    say(agreement_table(found))
    for page in found:
        for each in page.disagreements:
            say(
                f"- {page.page}: {each.what} of {each.element}: "
                f"ours '{each.ours}', Chromium's '{each.theirs}'"
            )
    for error in failed:
        say(f"- failed: {error}")
    if failed:
        raise typer.Exit(ExitCode.SOME_UNITS_FAILED)
