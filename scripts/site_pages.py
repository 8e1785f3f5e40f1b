"""
What mkdocs does beside its own: the pages of the repository's root, and links out of docs/.

No page asks another address for a script: the one that lets search work on files that are
opened from a disk lies in docs/assets. README.md becomes the first page. A link from docs/ to
a file that is in the repository but not on the site is left as plain text; one that leads
nowhere stays, and stops the build.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from mkdocs.structure.files import File, Files

__all__ = ["on_files", "on_page_markdown", "on_post_page", "on_post_template", "rewritten"]

ROOT: Final = Path(__file__).parent.parent
PAGES: Final = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
SHIM: Final = re.compile(r"https://[^\"]*/iframe-worker/shim")
LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: Any, **_: Any) -> Files:  # noqa: ANN401 - mkdocs' own mapping
    """Add the pages of the root."""
    for source, page in PAGES.items():
        text = rewritten((ROOT / source).read_text("utf-8"), ROOT)
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:  # noqa: ANN401 - the same
    """Send links to the root's pages to where these are on the site."""
    generated = page.file.src_uri in PAGES.values()
    return markdown if generated else rewritten(markdown, ROOT / "docs")


def on_post_page(output: str, page: Any, **_: Any) -> str:  # noqa: ANN401 - the same
    """Take the shim of workers from the site itself."""
    return SHIM.sub("../" * page.url.count("/") + "assets/iframe-worker.js", output)


def on_post_template(output_content: str, **_: Any) -> str:  # noqa: ANN401 - the same
    """Do the same on the page of what is not found, which may stand for any folder."""
    return SHIM.sub("/assets/iframe-worker.js", output_content)


def rewritten(text: str, folder: Path) -> str:
    """Return a page of a folder with its links as they are on the site."""
    docs = ROOT / "docs"

    def place(match: re.Match[str]) -> str:
        picture, words, target, anchor = match.groups(default="")
        path = (folder / target).resolve()
        if path.is_relative_to(docs) and path.suffix != ".py":
            return f"{picture}[{words}]({path.relative_to(docs).as_posix()}{anchor})"
        inside = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
        if inside in PAGES:
            return f"[{words}]({PAGES[inside]}{anchor})"
        return words if path.exists() else match[0]

    return LINK.sub(place, text)
