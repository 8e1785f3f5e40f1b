"""
What mkdocs does beside its own: the root's pages, the notebooks, and links out of docs/.

No page asks another address for a script: the one that lets search work on files that are
opened from a disk lies in docs/assets. README.md becomes the first page. A link from docs/ to
a file that is in the repository but not on the site is left as plain text; one that leads
nowhere stays, and stops the build.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from mkdocs.structure.files import File, Files

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
    """Add the pages of the root and the notebooks, and what the navigation does not name."""
    added = {
        page: rewritten((ROOT / source).read_text("utf-8"), ROOT) for source, page in PAGES.items()
    }
    notebooks = sorted((ROOT / "docs").glob("notebooks/*.ipynb"))
    added |= {
        f"notebooks/{path.stem}.md": page_of(json.loads(path.read_text("utf-8")))
        for path in notebooks
    }
    for page, text in added.items():
        if (there := files.get_file_from_path(page)) is not None:
            files.remove(there)
        files.append(File.generated(config, page, content=text))
    sections = {name: pages for entry in config["nav"] for name, pages in entry.items()}
    named = {page for pages in sections.values() for page in pages}
    for file in files.documentation_pages():
        if file.src_uri not in named and file.inclusion.name != "EXCLUDED":
            sections["Start" if file.src_uri in added else "Reference"].append(file.src_uri)
    return files


def page_of(notebook: dict[str, Any]) -> str:
    """Return an executed notebook as a page: its words, its code, and what that showed."""
    return "\n\n".join(part for cell in notebook["cells"] for part in parts_of(cell)) + "\n"


def parts_of(cell: dict[str, Any]) -> Iterator[str]:
    """Yield the parts of a page that a cell becomes."""
    source = "".join(cell["source"]).strip()
    if cell["cell_type"] == "markdown":
        yield source
    elif source:
        yield f"```python\n{source}\n```"
        for output in cell.get("outputs", ()):
            data = {kind: "".join(text) for kind, text in output.get("data", {}).items()}
            if "text/html" in data:
                yield f'<div class="output">{" ".join(data["text/html"].split())}</div>'
            elif "image/png" in data:
                yield f"![](data:image/png;base64,{data['image/png'].strip()})"
            else:
                said = data.get("text/plain", "".join(output.get("text", ())))
                yield f"```text\n{said.rstrip()}\n```"


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
            page = path.with_suffix(".md") if path.suffix == ".ipynb" and path.exists() else path
            return f"{picture}[{words}]({page.relative_to(docs).as_posix()}{anchor})"
        inside = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
        if inside in PAGES:
            return f"[{words}]({PAGES[inside]}{anchor})"
        return words if path.exists() else match[0]

    return LINK.sub(place, text)
