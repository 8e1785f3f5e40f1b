"""
The sections of the reanalysis: numbers in, Markdown out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from surefoot.core.errors import InvalidInputError
from surefoot.core.perturbation import ORIGINAL
from surefoot.datasets.dataset import BadRecord
from surefoot.phrasing.headlines import headlines
from surefoot.phrasing.tables import effect_table
from surefoot.phrasing.words import p_words
from surefoot.score.conditions.rulers import standardised_rate
from surefoot.score.conditions.scores import Score
from surefoot.score.contrasts.comparisons import Comparison, Discordance
from surefoot.score.summary import Summary
from surefoot_studies.reanalysis.agreement import PublishedAgreement, PublishedRuler
from surefoot_studies.reanalysis.markdown import interval_points, percent, points, table

LEVEL = 0.05
ZOOMED = "precision"
SIDES = ("above", "below", "left", "right")


def head_section(exact: Summary, bad: Sequence[BadRecord]) -> str:
    """Introduce the data and the rulers."""
    models = sorted({cell.model for cell in _cells(exact)})
    return f"""\
# The published replies, read again

GUI-Perturbed published the raw replies of {len(models)} models ({", ".join(models)}) to
{exact.elements} steps of {exact.clusters} web tasks, each step in four variants, with direct and
relational instructions, with and without reasoning: {exact.answers:,} replies.
{len(bad)} records could not be read. This page scores them anew from their raw words.

Unless said otherwise: tolerance {exact.tolerance:g} (the point lies in the target's box),
a reply without a place is a miss, {100 * exact.confidence:.0f} % intervals and tests by
Student's t over tasks at the effective size (docs/metrics.md), and beside them McNemar's test,
which takes steps as independent. A change is the variant's
hit rate minus the original's, in percentage points, so a loss is negative.

This page is written by a command and holds no number typed by hand."""


def effects_section(exact: Summary) -> str:
    """Say what each factor does as a whole, in the sentences that a report begins with."""
    metric = exact.metric("hit")
    said = "\n\n".join(
        "\n".join(f"- {sentence}" for sentence in line.sentences)
        for line in headlines(exact.only(["hit"]))
    )
    head, rows = effect_table(exact.only(["hit"]), metric, crossed=False)
    return f"""\
## What each factor does

Variants of the screen, kinds of words and reasoning are three factors of a model; each has a
third of the 5 %, and interactions are tested of what was found alone:

{said}

{table(head, [tuple(map(str, row)) for row in rows])}"""


def agreement_section(agreement: Sequence[PublishedAgreement]) -> str:
    """Say how the published numbers follow from the published counts."""
    rows = [
        (item.what, item.rows, f"{item.distance:.2g} {item.unit}".strip()) for item in agreement
    ]
    head = ("published number", "values", "largest distance from ours")
    return f"""\
## The published numbers follow from the published counts

From the counts in the published tables alone our statistics give:

{table(head, rows)}

The published bootstrap intervals of changes are paired, one for each reasoning mode, and not
averaged. Bootstrap bounds of counts can only fall on whole counts, so a bound either agrees
or differs by one count, as random draws do. The published column of exact p-values is
exact only under 25 flips and repeats the chi-square's p from there on."""


def ruler_section(rulers: Sequence[PublishedRuler], exact: Summary, unconverted: Summary) -> str:
    """Say which ruler can have given the published counts."""
    rows = [
        (
            ", ".join(
                f"{model}{'' if converted else ' (as said)'}"
                for model, converted in zip(ruler.models, ruler.converted, strict=True)
            ),
            f"{ruler.tolerance:g}",
            ruler.counts,
            "0" if ruler.miscount == 0 else f"{ruler.miscount:.1f}",
        )
        for ruler in rulers
    ]
    fits = [row[:2] for row, ruler in zip(rows, rulers, strict=True) if ruler.miscount == 0]
    fit_words = "; ".join(f"{who} at tolerance {tolerance}" for who, tolerance in fits) or "none"
    head = ("models", "tolerance", "counts", "least miscount")
    chosen = rulers[0].chosen
    return f"""\
## Which ruler gave the published counts

The published tables rest on {chosen} of the {exact.elements} steps; which
{exact.elements - chosen} were left out is not told.
So we ask of each ruler whether *any* choice of {chosen} steps gives the published counts:
the hits of each condition, and the pairs hit both times.
The table tells by how many counts the best choice misses them, even with steps taken in part.
Above zero, the ruler cannot have been used on these replies.
"As said" takes coordinates as pixels of the 1920 x 1080 screenshot; otherwise they are
converted from the 1932 x 1092 that the models saw.
Tolerance is the total growth of each side of the box.

{table(head, rows)}

Rulers that fit: {fit_words}.
A fit is no proof that a ruler was used, but a miss proves that it was not, for these replies.
Which steps were left out cannot be told from these files.

Reading the coordinates as said rather than converted changes the hit rate at tolerance 0:

{_conversion_table(exact, unconverted)}"""


def _conversion_table(exact: Summary, unconverted: Summary) -> str:
    rows = []
    for model in sorted({cell.model for cell in _cells(exact)}):
        for variant in sorted({cell.variant for cell in _cells(exact)}, key=_original_first):
            rates = [_pooled(_cells(summary), model, variant) for summary in (exact, unconverted)]
            change = points(rates[1] - rates[0])
            rows.append((model, variant, percent(rates[0]), percent(rates[1]), change))
    return table(("model", "variant", "converted", "as said", "difference"), rows)


def _pooled(cells: Iterable[Score], model: str, variant: str) -> float:
    chosen = [cell for cell in cells if (cell.model, cell.variant) == (model, variant)]
    return sum(cell.total for cell in chosen) / sum(cell.n for cell in chosen)


def _original_first(variant: str) -> tuple[bool, str]:
    return variant != ORIGINAL, variant


def tolerance_section(exact: Summary, grown: Summary) -> str:
    """Set the zoom's loss at the two tolerances side by side."""
    pairs = [
        (strict, wide)
        for strict, wide in zip(exact.comparisons, grown.comparisons, strict=True)
        if strict.contrast == "variant" and strict.variant == ZOOMED
    ]
    rows = [
        (
            *_names(strict),
            *(
                f"{points(comparison.change or 0.0)} ({_interval(comparison)})"
                for comparison in (strict, wide)
            ),
        )
        for strict, wide in pairs
    ]
    smaller = sum((wide.change or 0.0) > (strict.change or 0.0) for strict, wide in pairs)
    head = (
        "model",
        "reasoning",
        "instruction",
        f"change, tolerance {exact.tolerance:g}",
        f"change, tolerance {grown.tolerance:g}",
    )
    return f"""\
## Tolerance {exact.tolerance:g} against {grown.tolerance:g}

A tolerance in pixels forgives small targets more than large ones, and the zoomed-out variant
('{ZOOMED}', 70 %) is the one with small targets. With {grown.tolerance:g} px the loss looks
smaller in {smaller} of {len(rows)} comparisons:

{table(head, rows)}"""


def clustering_section(exact: Summary) -> str:
    """Say what clustering and correction leave of the significant changes."""
    family = _variants(exact)
    flips = [_flips(comparison) for comparison in family]
    effects = sorted(flip.design_effect for flip in flips if flip.design_effect is not None)
    kept = [comparison for comparison in family if comparison.p_holm < LEVEL]
    mdes = sorted(comparison.detectable for comparison in family if comparison.detectable)
    rows = [
        ("McNemar, uncorrected", sum(flip.p < LEVEL for flip in flips)),
        ("McNemar, Holm", sum(flip.p_holm < LEVEL for flip in flips)),
        ("by task, uncorrected", sum(comparison.p < LEVEL for comparison in family)),
        ("by task, Holm", len(kept)),
    ]
    changes = [
        (*_names(comparison), comparison.variant, points(comparison.change or 0.0))
        for comparison in kept
    ]
    held = [
        (*change, p_words(comparison.p_holm))
        for change, comparison in zip(changes, kept, strict=True)
    ]
    head = ("model", "reasoning", "instruction", "variant", "change", "by task, Holm")
    z_tests = sum(flip.p_z is not None and flip.p_z < LEVEL for flip in flips)
    return f"""\
## Clustering by task, and {len(family)} tests at once

{exact.elements} steps come from {exact.clusters} tasks, and steps of one task need not be
independent. The variance of a change over that of independent steps (the design effect; 1
where clustering does not matter) lies between {effects[0]:.2f} and {effects[-1]:.2f}, its
median at {effects[len(effects) // 2]:.2f}.
Of {len(family)} changes, this many have p under {LEVEL}, where Holm's correction runs over the
{family[0].family} changes of a model:

{table(("test", "changes"), rows)}

The unpaired z-test, which ignores that the steps are the same, finds {z_tests}. After
clustering and correction these changes stand:

{table(head, held)}

What does not stand is not shown to be zero: with power 0.8 a single test sees changes from
{100 * mdes[0]:.1f} to {100 * mdes[-1]:.1f} points, depending on how many pairs flip, and a
corrected one only larger ones."""


def size_section(exact: Summary) -> str:
    """Say how much of the zoom's loss goes with the size of targets."""
    rows = []
    for variant in _variants(exact):
        if variant.variant == ZOOMED and variant.change is not None and variant.before is not None:
            weighed = standardised_rate(
                _sizes(exact, variant, ORIGINAL), _sizes(exact, variant, ZOOMED)
            )
            if weighed is None:
                continue
            size_part = weighed - variant.before
            cells = (percent(variant.before), percent(weighed), percent(variant.after or 0.0))
            left = variant.change - size_part
            rows.append((*_names(variant), *cells, points(size_part), points(left)))
    head = (
        "model",
        "reasoning",
        "instruction",
        "original",
        f"original, weighed to '{ZOOMED}' sizes",
        ZOOMED,
        "goes with size",
        "left",
    )
    return f"""\
## The size of targets

Zooming out shrinks the targets, and small targets may be harder in the original too. The
shorter side of the targets, in pixels:

{_size_table(exact)}

If the original's hit rate in each bin is weighed by how many '{ZOOMED}' targets fall into it,
this much of the change goes with size alone:

{table(head, rows)}

The two cannot be parted cleanly: which targets are small was not decided by chance, bins
are coarse, and bins with few targets are noisy. The table says what size could account for,
not what it caused."""


def _size_table(exact: Summary) -> str:
    model = _cells(exact)[0].model
    direct = [
        share
        for share in _by_size(exact)
        if (share.model, share.reasoning, share.instruction) == (model, False, "direct")
    ]
    bins = sorted({share.value for share in direct}, key=_bin_order)
    counts = {(share.variant, share.value): share.n for share in direct}
    variants = sorted({share.variant for share in direct}, key=_original_first)
    rows = [(name, *(counts.get((name, value), 0) for value in bins)) for name in variants]
    return table(("variant", *bins), rows)


def _bin_order(value: str) -> tuple[float, bool]:
    words = value.split()
    return (0.0 if words[0] == "under" else float(words[0])), words[0] != "under"


def _sizes(exact: Summary, comparison: Comparison, variant: str) -> list[Score]:
    wanted = (comparison.model, comparison.reasoning, comparison.instruction, variant)
    return [
        share
        for share in _by_size(exact)
        if (share.model, share.reasoning, share.instruction, share.variant) == wanted
    ]


def direction_section(exact: Summary) -> str:
    """Show to which side the misses of relational instructions fall."""
    rows = [
        (
            detail.model,
            _mode(detail.reasoning),
            detail.direction,
            detail.located,
            detail.misses,
            *(percent(getattr(detail, side) or 0.0) for side in SIDES),
        )
        for detail in exact.details["direction"]
        if detail.variant == ORIGINAL and detail.instruction == "relational" and detail.direction
    ]
    head = ("model", "reasoning", "target lies", "replies", "misses", *SIDES)
    return f"""\
## Where the misses fall

For relational instructions on the original screens: the side of the target's centre that
misses fall to, by the longer component of the error. A model that clicks the landmark
instead of the target misses on the landmark's side: below, where the target lies above it.
The direction is read from the instruction's words outside quotation marks.

{table(head, rows)}"""


def unread_section(exact: Summary) -> str:
    """Count the replies without a place."""
    modes = sorted({(cell.model, cell.reasoning) for cell in _cells(exact)})
    rows = []
    for model, reasoning in modes:
        cells = [
            cell for cell in _cells(exact) if (cell.model, cell.reasoning) == (model, reasoning)
        ]
        counts = [sum(values) for values in zip(*map(_states, cells), strict=True)]
        rows.append((model, _mode(reasoning), *counts))
    total = sum(cell.unparsed for cell in _cells(exact))
    refused = sum(cell.refused for cell in _cells(exact))
    return f"""\
## Replies without a place

{total} replies name no place that could be read, and {refused} declare the task impossible.
They count as misses, never as clicks at (0, 0).

{table(("model", "reasoning", "replies", "unparsed", "refused"), rows)}"""


def _states(cell: Score) -> tuple[int, int, int]:
    return cell.n, cell.unparsed, cell.refused


def _variants(exact: Summary) -> list[Comparison]:
    return [comparison for comparison in exact.comparisons if comparison.contrast == "variant"]


def _flips(comparison: Comparison) -> Discordance:
    if comparison.discordance is None:
        raise InvalidInputError("steps that were hit or missed", found="none in both conditions")
    return comparison.discordance


def _cells(exact: Summary) -> list[Score]:
    return [score for score in exact.scores if score.metric == "hit"]


def _by_size(exact: Summary) -> list[Score]:
    return [score for score in exact.slices if (score.metric, score.trait) == ("hit", "size")]


def _names(comparison: Comparison) -> tuple[str, str, str]:
    return comparison.model, _mode(comparison.reasoning), comparison.instruction


def _mode(reasoning: bool) -> str:  # noqa: FBT001 - a value of the table, not a switch
    return "yes" if reasoning else "no"


def _interval(comparison: Comparison) -> str:
    return interval_points(comparison.interval) if comparison.interval else ""
