"""
Build the benchmark `multilingual` over all applications that speak several of its languages.

    python scripts/multilingual.py --out out/multilingual

Explores each, captures what was found there and its pages side by side in each language, builds
the benchmark, proves every answer again, and some of them live. What failed, as under load, is
tried twice. It takes hours; a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Final

from rich.console import Console

from surefoot.capture.applications.installing import RECIPES
from surefoot.capture.parallel.languages import primary

LANGUAGES: Final = ("en", "zh", "fr", "ru", "ja", "th")
LEAST: Final = 4  # languages; what speaks fewer is not worth the time
ADMINER: Final = "/adminer.php?sqlite=&username=maria&db=shop.sqlite"
MEDIAWIKI: Final = "/index.php?title=Special:"
# Pages beyond those that exploring begins from, of applications with words on every one.
MORE: Final = {
    "adminer": [
        f"{ADMINER}&{page}"
        for page in (
            *("select=lines", "select=changes", "select=orders&order[0]=placed&limit=20"),
            *("table=changes", "table=unpaid", "table=bestsellers", "edit=lines", "edit=changes"),
            *("edit=goods", "edit=customers&where[id]=2", "edit=orders&where[id]=7"),
            *("create=orders", "create=lines", "create=changes", "view=bestsellers"),
            *("indexes=goods", "indexes=customers", "indexes=lines", "foreign=lines"),
            *("foreign=customers", "trigger=orders", "trigger=customers", "dump=orders"),
        )
    ],
    "mediawiki": [
        f"{MEDIAWIKI}{page}"
        for page in (
            *("AncientPages", "AutoblockList", "BookSources", "BotPasswords", "BrokenRedirects"),
            *("ChangeContentModel", "ChangeEmail", "ComparePages", "DeadendPages"),
            *("DoubleRedirects", "EmailUser/Olga", "ExpandTemplates", "FewestRevisions"),
            *("FileDuplicateSearch", "Import", "LinkSearch", "ListFiles", "ListGrants"),
            *("ListRedirects", "LonelyPages", "LongPages", "MediaStatistics", "MergeHistory"),
            *("MIMESearch", "MostCategories", "MostLinked", "MostRevisions", "NewFiles"),
            *("PasswordPolicies", "PrefixIndex", "ProtectedTitles", "ResetTokens", "ShortPages"),
            *("RecentChangesLinked/Main_Page", "Tags", "TrackingCategories", "Undelete"),
            *("Unblock/Barnacle", "UncategorizedPages", "UnusedCategories", "UnwatchedPages"),
            "WantedCategories",
            *(
                f"Preferences#mw-prefsection-{part}"
                for part in ("rendering", "editing", "rc", "watchlist", "searchoptions")
            ),
        )
    ],
}


def main() -> int:
    """Run all steps, and return 1 where the proof of an answer failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/multilingual"))
    parser.add_argument("--replayed", type=int, default=60, help="how many items are done again")
    given = parser.parse_args()
    bench, folders = given.out / "bench", []
    for name in RECIPES.entries:
        if len(languages := _languages(name)) < LEAST:
            continue
        explored = given.out / "explored" / name
        folders.append(given.out / "screens" / name)
        _tried("explore", f"app:{name}", "--out", explored)
        pages = [f"app:{name}{page}" for page in ("", *MORE.get(name, ()))]
        spoken = ",".join(languages)
        _tried("capture", "--parallel", spoken, f"trials:{explored}", *pages, "--out", folders[-1])
    _run("build", "multilingual", *(f"--screens={folder}" for folder in folders), "--out", bench)
    proven = _run("check", "multilingual", bench)
    return max(proven, _run("check", "multilingual", bench, "--replay", "--count", given.replayed))


def _languages(name: str) -> list[str]:
    spoken = {primary(tag) for tag in RECIPES.get(name).languages}
    return [language for language in LANGUAGES if language in spoken]


def _tried(*arguments: object) -> None:
    """Run a command, and once more what failed."""
    if _run(*arguments) == 1:
        _run(*arguments, "--retry-failed")


def _run(*arguments: object) -> int:
    """Run a command, and return its status if some of its units or proofs failed."""
    command = [sys.executable, "-m", "surefoot", *map(str, arguments)]
    Console().print("==", *command[2:], soft_wrap=True, highlight=False)
    status = subprocess.run(command, check=False).returncode
    if status > 1:
        sys.exit(status)
    return status


if __name__ == "__main__":
    sys.exit(main())
