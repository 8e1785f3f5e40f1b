"""
The findings about a site, as data: controls missed, edits that bring them back, rules broken.
"""

from __future__ import annotations

import msgspec

from surefoot.core.geometry import Box
from surefoot.phrasing.words import cluster_words
from surefoot.run.fixes.known import ChangedFaults
from surefoot.run.fixes.rules import SiteFinding
from surefoot.score.fixes import FixCount, FixFinding


class ShownControl(msgspec.Struct, frozen=True):
    """Say where a picture of a control lies: a folder, the picture's hash, the control's box."""

    folder: str
    image: str
    width: int
    height: int
    box: Box


class FaultShown(msgspec.Struct, frozen=True):
    """
    Hold how many controls have just these ``faults``, and how many of these were missed.

    ``edits`` are kinds that were tried at those, each with how many it brought back of how many.
    """

    faults: tuple[str, ...]
    asked: int
    missed: int
    edits: tuple[tuple[str, int, int], ...] = ()


class MendedControl(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what one fix did to one control, and how to make it.

    ``count`` has its answers, ``words`` what it was asked for by, and ``new_words`` by what with
    the fix, where those are others. ``css``, and HTML ``before`` and ``after``, are to be copied.
    """

    control: str
    page: str
    count: FixCount
    words: str
    new_words: str
    css: str
    before: str
    after: str
    variant: str
    unfixed: ShownControl
    fixed: ShownControl


class SiteFound(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what was found of a site.

    ``missed`` are controls that the model missed, each with its page and the changes under which
    it did; ``unaskable`` are those that cannot be asked for by their names, with the reason, and
    ``unasked`` counts those that were asked for on another page, or cannot be under every change.
    ``named`` are controls that had no name to be asked for by, with the edit that gave them one.
    ``idle`` are controls with a page and an edit that had no effect there, which is no attempt.
    Without a model ``model`` is "", and nothing was asked. ``changed`` is what is new since a
    baseline, None where there is none.
    """

    title: str
    pages: int
    controls: int
    findings: tuple[SiteFinding, ...]
    unaskable: tuple[tuple[str, str, str], ...]
    pictures: dict[str, ShownControl]
    model: str = ""
    variants: tuple[str, ...] = ()
    samples: int = 0
    asked: int = 0
    unasked: int = 0
    missed: tuple[tuple[str, str, str], ...] = ()
    faults: tuple[FaultShown, ...] = ()
    idle: tuple[tuple[str, str, str], ...] = ()
    fixes: tuple[FixFinding, ...] = ()
    mended: tuple[MendedControl, ...] = ()
    named: tuple[MendedControl, ...] = ()
    changed: ChangedFaults | None = None

    @property
    def size(self) -> str:
        """Say how many controls there are on how many pages."""
        pages = cluster_words(self.pages, "pages")
        return f"{cluster_words(self.controls, 'controls')} on {pages}"
