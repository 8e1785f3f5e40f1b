"""
The sentences of a site's report: controls missed, edits proven to help, rules broken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from surefoot.phrasing.words import cluster_words
from surefoot.report.site.found import SiteFound
from surefoot.run.fixes.kinds import FIXES, FixKind, fix_named
from surefoot.run.fixes.known import ChangedFaults
from surefoot.run.fixes.rules import LEAST_PX, RULES
from surefoot.score.fixes import FixFinding

TITLES: Final[Mapping[str, str]] = {kind.name: kind.title for kind in FIXES}
# The words for one control that breaks a rule, and for several.
SHORT_RULES: Final[Mapping[str, tuple[str, str]]] = {
    "unlabelled": ("has no name at all", "have no name at all"),
    "covered": ("is covered", "are covered"),
    "ambiguous": ("shares its name", "share a name"),
    "look-alike": ("looks like another of another name", "look like another of another name"),
    "icon-alone": ("shows no words of its name", "show no words of their names"),
    "small": ("is less than 24 px wide or high", "are less than 24 px wide or high"),
    "low-contrast": ("hardly stands out", "hardly stand out"),
}
# The words for controls with a fault, whatever else they have.
FAULT_WORDS: Final[Mapping[str, str]] = {
    "label": "show no words of their names",
    "name": "show only a part of their names",
    "size": f"are under {LEAST_PX:.0f} px",
    "contrast": "hardly stand out",
}
NAMED: Final = 5  # new faults in a sentence; the page and --json have all


def site_sentences(found: SiteFound) -> Iterator[str]:
    """Yield what is said of a site: what is missed, what helps, what rules find."""
    if found.model:
        asked = cluster_words(found.asked, "controls")
        missed = len(found.missed)
        yield f"{found.model} misses {missed} of {asked} that can be asked for by name."
        if missed:
            yield from _of_faults(found)
            yield from _of_edits(found)
    yield from _of_rules(found)


def verdict_of(fix: FixFinding) -> str:
    """Say in a few words what is known of a kind of edit."""
    if fix.adds:
        return "helps"
    if fix.helps:
        return "helps, not surely where those above do not"
    if fix.compared_elsewhere < fix.needed:
        return f"too few to tell: it takes {fix.needed}"
    return "not shown to help"


def part_alone(found: SiteFound, fix: FixFinding) -> str:
    """Return the title of a part of several edits that brings back as many, "" for none."""
    own = fix_named(fix.kind)
    group = next((fault for fault in found.faults if fault.faults == own.faults), None)
    back = {} if group is None else {name: number for name, number, _ in group.edits}
    parts = [kind for kind in FIXES if _is_part(kind, own)]
    alone = (kind.title for kind in parts if back.get(kind.name, -1) >= back.get(fix.kind, 0))
    return next(alone, "")


def _is_part(kind: FixKind, whole: FixKind) -> bool:
    return bool(kind.faults) and set(kind.faults) < set(whole.faults)


def _of_faults(found: SiteFound) -> Iterator[str]:
    """Yield how many controls have each fault, and how many of these are missed."""
    parts = []
    for name, words in FAULT_WORDS.items():
        own = [group for group in found.faults if name in group.faults]
        asked = sum(group.asked for group in own)
        if asked:
            parts.append(f"{sum(group.missed for group in own)} of {asked} that {words}")
    parts += [
        f"{group.missed} of {group.asked} that have no such fault"
        for group in found.faults
        if not group.faults
    ]
    under = ", each under each change" * (len(found.variants) > 1)
    several = sum(group.asked for group in found.faults if len(group.faults) > 1)
    more = f"; {several} of these {'has' if several == 1 else 'have'} several faults"
    if parts:
        yield f"It misses {_listed(parts)}{under}{more * bool(several)}."


def _of_edits(found: SiteFound) -> Iterator[str]:
    helping = [fix for fix in found.fixes if fix.adds]
    listed = "; ".join(_back(fix, tuple(_details(found, fix))) for fix in helping)
    yield f"What helps, proven: {listed}." if listed else "No kind of edit is proven to help."
    same = [fix for fix in found.fixes if fix.helps and not fix.adds]
    if same:
        listed = "; ".join(_back(fix, tuple(_details(found, fix))) for fix in same)
        yield f"Proven, too, but not shown to bring back what these do not: {listed}."
    few = [fix for fix in found.fixes if not fix.helps and fix.compared_elsewhere < fix.needed]
    if few:
        yield f"Tried at too few controls to tell: {'; '.join(map(_back, few))}."
    useless = [fix for fix in found.fixes if not fix.helps and fix not in few]
    if useless:
        yield f"Not shown to help, so not recommended: {', '.join(map(_back, useless))}."
    if found.idle:
        number = cluster_words(len(found.idle), "edits")
        be = "is" if len(found.idle) == 1 else "are"
        yield f"{number} had no effect, and {be} not counted."


def _back(fix: FixFinding, details: Sequence[str] = ()) -> str:
    came = f"{fix.back} of {fix.controls} come back"
    return f"{TITLES[fix.kind]} ({'; '.join((came, *details))})"


def _details(found: SiteFound, fix: FixFinding) -> Iterator[str]:
    """Yield what else is to be known of an edit that helps."""
    if fix.more < fix.back:
        yield f"{fix.more} of them with no edit before"
    part = part_alone(found, fix)
    if part:
        yield f"to {part} brings back as many"


def _of_rules(found: SiteFound) -> Iterator[str]:
    rules = Counter(finding.rule for finding in found.findings)
    broken = len({(finding.page, finding.control.element) for finding in found.findings})
    counts = ", ".join(
        f"{rules[rule]} {SHORT_RULES[rule][rules[rule] > 1]}" for rule in RULES if rules[rule]
    )
    yield f"By rules, {broken} of {found.size} are hard to find{f': {counts}' * bool(counts)}."
    if found.changed is not None:
        yield _change_words(found.changed)
    if found.unaskable:
        number = cluster_words(len(found.unaskable), "controls")
        named = len(found.named)
        hit = sum(2 * item.count.fix[0] > item.count.fix[1] for item in found.named)
        tried = f"; {hit} of {named} that an edit gave one are found by it"
        yield (
            f"{number} cannot be asked for by a name of their own, which is a fault itself"
            f"{tried * bool(named)}."
        )


def _listed(parts: Sequence[str]) -> str:
    """
    Return parts of a sentence in a row.

    >>> _listed(["a", "b", "c"])
    'a, b, and c'
    """
    return ", ".join((*parts[:-1], f"and {parts[-1]}")) if len(parts) > 1 else parts[0]


def _change_words(changed: ChangedFaults) -> str:
    """Say which faults are new since a baseline, and how many are gone."""
    new = changed.new
    listed = "; ".join(
        f"{finding.control.title} on {finding.page}: {RULES[finding.rule]}"
        for finding in new[:NAMED]
    )
    more = f"; and {len(new) - NAMED} more" * (len(new) > NAMED)
    count = f"{cluster_words(len(new), 'new faults')} ({listed}{more})" if new else "no new fault"
    return f"Since the baseline: {count}, {changed.gone} gone."
