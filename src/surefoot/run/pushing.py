"""
The work behind ``surefoot export --push``: a BENCH becomes a data set of the Hugging Face Hub.

The published form goes up as one commit: card, manifest and shards with the pictures, over
whatever shards an earlier push has left. The token comes from where huggingface_hub looks for it
(HF_TOKEN, or its own sign-in), and is neither asked for nor kept here.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.errors import InvalidInputError, MissingComponentError
from surefoot.core.foreign.model_folders import guarded
from surefoot.core.scratch import scratch_folder
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.run.folders.folder import manifest_digest, require_questions

_REPOSITORY: Final = re.compile(r"[\w.-]+/[\w.-]+")
_KIND: Final = "dataset"


class Pushed(msgspec.Struct, frozen=True):
    """Say where a benchmark was pushed to: the repository, the commit, and its address."""

    repository: str
    revision: str
    url: str
    private: bool


def push_bench(bench: Path, repository: str, *, public: bool = False) -> Pushed:
    """
    Push a BENCH as a data set, private unless it is to be ``public``.

    HF_ENDPOINT names another server. Raises InvalidInputError for what is no OWNER/NAME, for a
    repository of other visibility, and where the server refuses; NothingKeptError for a benchmark
    without questions; and MissingComponentError without huggingface_hub.
    """
    if not _REPOSITORY.fullmatch(repository):
        raise InvalidInputError("a repository OWNER/NAME", found=f"'{repository}'")
    require_questions(bench)
    try:
        from huggingface_hub import HfApi

        from surefoot.run.parquet.shards import publish
    except ImportError as error:
        raise MissingComponentError(
            "the package huggingface_hub", found="none", remedy="run pip install 'surefoot[hub]'"
        ) from error
    hub = HfApi(endpoint=os.environ.get("HF_ENDPOINT") or None)
    remedy = "see to the network, to HF_ENDPOINT, and to a token that may write (HF_TOKEN)"
    with scratch_folder() as scratch, guarded(f"a push to {repository}", remedy):
        folder = Path(scratch) / "published"
        publish(bench, folder, place=repository)
        hub.create_repo(repository, repo_type=_KIND, private=not public, exist_ok=True)
        found = bool(hub.dataset_info(repository).private)
        _require_visibility(repository, found=found, wanted=not public)
        commit = hub.upload_folder(
            repo_id=repository,
            repo_type=_KIND,
            folder_path=folder,
            commit_message=f"Benchmark {manifest_digest(bench, 'bench')[:12]}",
            delete_patterns=["*.parquet"],
        )
    return Pushed(repository, str(commit.oid), str(commit.commit_url), not public)


def pushed_outcome(bench: Path, pushed: Pushed) -> Outcome:
    """Return how a push ended, with the lines that say where it is."""
    seen = "private" if pushed.private else "for everybody to read"
    lines = (
        f"pushed to {pushed.repository}, {seen}, at revision {pushed.revision}",
        f'load_dataset("{pushed.repository}", "questions", revision="{pushed.revision}")',
    )
    return Outcome(bench, Tally(), (), lines)


def _require_visibility(repository: str, *, found: bool, wanted: bool) -> None:
    """Raise InvalidInputError before anything goes up where others may read what is private."""
    if found != wanted:
        named, seen = ("private", "public") if wanted else ("public", "private")
        advice = "give --public, or name another repository" if wanted else "leave --public out"
        raise InvalidInputError(
            f"a {named} data set at {repository}",
            found=f"a {seen} one that is there already",
            remedy=f"change its visibility on the Hub, {advice}",
        )
