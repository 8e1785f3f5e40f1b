"""
Public sets fetched by name from the Hugging Face Hub, at a revision that the plan keeps.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import msgspec

from surefoot.core.errors import InvalidInputError, MissingComponentError
from surefoot.core.foreign.model_folders import guarded
from surefoot.datasets.labelled import LABELLED


class Fetched(msgspec.Struct, frozen=True):
    """Say where a set's files lie, and of which repository and commit they are."""

    folder: Path
    repository: str
    revision: str

    def plan(self) -> dict[str, str]:
        """Return what a plan keeps of it."""
        return {"repository": self.repository, "revision": self.revision}


def fetchable() -> list[str]:
    """Return the names of the sets whose repository is known."""
    return sorted(name for name, about in LABELLED.entries.items() if about.repository)


def fetch(name: str, out: Path, *, revision: str = "") -> Fetched:
    """
    Fetch a set's labels and pictures into huggingface_hub's cache.

    ``revision`` is a commit, a branch or a tag; without one an import that goes on in ``out``
    stays at its own, and a new one takes the newest. HF_ENDPOINT names another server. Raises
    InvalidInputError for a set of no known repository and where nothing can be fetched, and
    MissingComponentError without huggingface_hub.
    """
    about = LABELLED.get(name)
    if not about.repository:
        raise InvalidInputError(
            f"the path of '{about.name}', which no repository is known for",
            found="none",
            remedy=f"give its folder; by name come {', '.join(fetchable())}",
        )
    try:
        from huggingface_hub import HfApi
    except ImportError as error:
        raise MissingComponentError(
            "the package huggingface_hub", found="none", remedy="run pip install 'surefoot[hub]'"
        ) from error
    hub = HfApi(endpoint=os.environ.get("HF_ENDPOINT") or None)
    commit = revision or _known_revision(out, about.repository)
    what = f"the files of {about.repository} at {commit or 'its newest revision'}"
    remedy = "see to the network, to HF_ENDPOINT and HF_TOKEN, or give the set's folder"
    with guarded(what, remedy):
        if not _is_commit(commit):
            commit = _newest(hub, about.repository, commit)
        folder = hub.snapshot_download(
            about.repository,
            repo_type="dataset",
            revision=commit,
            allow_patterns=[*about.labels, *(f"{folder}/*" for folder in about.pictures)],
        )
    return Fetched(Path(folder), about.repository, commit)


def _newest(hub: Any, repository: str, revision: str) -> str:  # noqa: ANN401 - a library's
    found = hub.dataset_info(repository, revision=revision or None).sha
    if not _is_commit(found):
        raise ValueError(f"no commit of {repository}")
    return str(found)


def _is_commit(revision: object) -> bool:
    return (
        isinstance(revision, str)
        and len(revision) == 40  # noqa: PLR2004 - digits of a SHA-1
        and set(revision) <= set("0123456789abcdef")
    )


def _known_revision(out: Path, repository: str) -> str:
    """Return the revision that an import into a folder was begun with."""
    try:
        fetched = json.loads((out / "plan.json").read_bytes())["fetched"]
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    return str(fetched["revision"]) if fetched.get("repository") == repository else ""
