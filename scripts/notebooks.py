"""
Execute the notebooks of the documentation and keep what they show, without what is volatile.

    python scripts/notebooks.py [NOTEBOOK...]

Each is executed in an empty folder, in a kernel of its own, and written back in place.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Final

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

NOTEBOOKS: Final = sorted((Path(__file__).parents[1] / "docs" / "notebooks").glob("*.ipynb"))
SECONDS: Final = 600  # for a cell


def executed(notebook: Path) -> NotebookNode:
    """Return a notebook with what its cells show now; raises where a cell fails."""
    node = nbformat.read(notebook, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(
            node,
            timeout=SECONDS,
            kernel_name="python3",
            record_timing=False,
            resources={"metadata": {"path": folder}},
        ).execute()
    return without_volatile_parts(node)


def without_volatile_parts(node: NotebookNode) -> NotebookNode:
    """Return a notebook without times, versions, random ids and what went to stderr."""
    for number, cell in enumerate(node.cells, start=1):
        cell.id = f"cell-{number}"
        cell.metadata = NotebookNode()
        if cell.cell_type == "code":
            streams = [output for output in cell.outputs if output.get("name") != "stderr"]
            cell.outputs = [NotebookNode({**output, **_plain(output)}) for output in streams]
    node.metadata = NotebookNode({"language_info": {"name": "python"}})
    return node


def _plain(output: NotebookNode) -> dict[str, object]:
    return {"metadata": NotebookNode()} if "metadata" in output else {}


if __name__ == "__main__":
    for path in [Path(name) for name in sys.argv[1:]] or NOTEBOOKS:
        nbformat.write(executed(path), path)
