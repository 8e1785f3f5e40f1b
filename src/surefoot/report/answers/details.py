"""
Sections of what no metric says: where misses fall, how boxes fit, orders of models.

A detail of a ``Scoring`` has its section here under the same name.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from surefoot.core.perturbation import variant_title
from surefoot.phrasing.tables import Rows, refusals_table, rulers_table, samples_table, sizes_table
from surefoot.phrasing.values import Number, Value, amount, change, count, ends, number, p_value
from surefoot.phrasing.words import interval_words, model_name
from surefoot.report.answers.languages import agreement_section, crossed_section, language_section
from surefoot.report.answers.overlap_figures import histogram_figure
from surefoot.report.answers.standing import Beside
from surefoot.report.html.curves import Curve, curve_plot
from surefoot.report.html.section import Figure, Section, Table
from surefoot.score.conditions.direction import Bias
from surefoot.score.conditions.rulers import RulerRate, SizePart
from surefoot.score.conditions.samples import RepeatedSamples
from surefoot.score.conditions.scores import Score
from surefoot.score.contrasts.orders import Orders
from surefoot.score.scorings.overlap import ConstantBox, IouSpread, SetCount
from surefoot.score.summary import Summary

_SIDES: Final = ("left", "top", "right", "bottom")


def detail_sections(summary: Summary) -> tuple[Section, ...]:
    """Lay out the details that a summary has, those without a section left out."""
    return tuple(
        make(found)
        for name, make in _SECTIONS.items()
        if (found := summary.details.get(name)) is not None and found != ()
    )


def _directions(biases: Sequence[Bias]) -> Section:
    head = (
        "condition", "direction", "located", "misses", "mean x, px", "mean y, px", "left",
        "right", "above", "below",
    )  # fmt: skip
    rows: Rows = tuple(
        (
            ", ".join(
                (
                    model_name(bias.model, reasoning=bias.reasoning),
                    bias.instruction,
                    variant_title(bias.variant),
                )
            ),
            bias.direction or "(none)",
            count(bias.located),
            count(bias.misses),
            number(bias.mean_x, "+.1f"),
            number(bias.mean_y, "+.1f"),
            *(amount(share, "share") for share in (bias.left, bias.right, bias.above, bias.below)),
        )
        for bias in biases
    )
    lead = (
        "To which side of the target's centre the misses fell, and the mean signed error of "
        "every located reply, in pixels to the right and down; for relational instructions by "
        "where the target lies from its landmark."
    )
    figure = Figure("To which side the misses fall", Table(head, rows))
    return Section("directions", "Directions", lead, (figure,))


def _counts(counts: Sequence[SetCount]) -> Section:
    rows: Rows = tuple(
        (item.set or "own screens", item.split or "(none)", count(item.targets)) for item in counts
    )
    lead = "How many targets there are of each set and split, each counted once under all masks."
    figure = Figure("Targets by set and split", Table(("set", "split", "targets"), rows))
    return Section("counts", "What was asked", lead, (figure,), chapter="measured")


def _spreads(spreads: Sequence[IouSpread]) -> Section:
    figures = []
    for model in dict.fromkeys(
        model_name(spread.model, reasoning=spread.reasoning) for spread in spreads
    ):
        own = [
            spread
            for spread in spreads
            if model_name(spread.model, reasoning=spread.reasoning) == model
        ]
        title = f"{model}: how the IoUs are spread"
        drawn = histogram_figure(
            [(variant_title(spread.mask), spread.histogram) for spread in own], title=title
        )
        figures.append(Figure(title, _histogram_table(own), drawn))
        title = f"{model}: replies that reach an IoU"
        curves = [
            Curve(
                variant_title(spread.mask),
                tuple(zip(spread.thresholds, spread.shares, strict=True)),
            )
            for spread in own
        ]
        ticks, words = (0, 0.25, 0.5, 0.75, 1), "least IoU that counts"
        drawn = curve_plot(curves, ticks, title=title, words=words)
        figures.append(Figure(title, _curve_table(own), drawn))
    lead = (
        "A mean hides that most boxes are either quite wrong or quite right. The peaks are "
        "IoUs of exactly 0 and of 0.99 or more; between them bins have equal widths."
    )
    return Section("spread", "How the boxes fit", lead, tuple(figures), chapter="fell")


def _histogram_table(spreads: Sequence[IouSpread]) -> Table:
    edges = spreads[0].histogram.edges
    bins = [f"{low:.2f} to {high:.2f}" for low, high in itertools.pairwise(edges)]
    rows: Rows = tuple(
        (
            variant_title(spread.mask),
            *map(count, (spread.histogram.zeros, *spread.histogram.counts, spread.histogram.ones)),
        )
        for spread in spreads
    )
    return Table(("mask", "0", *bins, "0.99 and over"), rows)


def _curve_table(spreads: Sequence[IouSpread]) -> Table:
    rows: Rows = tuple(
        (variant_title(spread.mask), *(number(share, ".3f") for share in spread.shares))
        for spread in spreads
    )
    heads = (f"{threshold:.2f}" for threshold in spreads[0].thresholds)
    return Table(("mask, IoU from", *heads), rows)


def _constants(constants: Sequence[ConstantBox]) -> Section:
    rows: Rows = tuple(
        (
            constant.split or "none named",
            count(constant.n),
            amount(constant.iou, "ratio"),
            amount(constant.bcp, "share"),
            Value(
                " ".join(f"{side:.3f}" for side in constant.box),
                tuple(
                    Number(side, part=name)
                    for side, name in zip(constant.box, _SIDES, strict=True)
                ),
            ),
        )
        for constant in constants
    )
    head = ("split", "targets", "IoU", "BCP", f"box: {' '.join(_SIDES)}")
    lead = (
        "What is to be had without looking at the picture: one box, the best one found for "
        "the split train, in widths and heights of the picture."
    )
    figure = Figure("Best constant box, fitted on train", Table(head, rows))
    title = "How much of a score is no understanding"
    return Section("constant", title, lead, (figure,), chapter="sure")


def _standard(found: Sequence[Beside]) -> Section:
    head = (
        "model", "standard set", "elements", "hit rate there", "instruction here",
        "hit rate on the original", "here minus there", "worst variant", "change there", "flips",
    )  # fmt: skip
    rows: Rows = tuple(
        (
            model_name(beside.standard.model, reasoning=beside.standard.reasoning),
            beside.set,
            beside.element or "all",
            amount(beside.standard.amount, "share"),
            beside.original.instruction,
            amount(beside.original.amount, "share"),
            change(_minus(beside.original.amount, beside.standard.amount), "share"),
            variant_title(beside.worst) if beside.worst else "",
            change(beside.change, "share"),
            amount(beside.flips, "share"),
        )
        for beside in found
    )
    lead = (
        "What a standard set, which asks each target once, says of the same models. Its elements "
        "are others, so the difference is no effect of anything and has no test. The worst "
        "variant is the one with the largest loss, on the same elements; being chosen as the "
        "largest, it looks larger than it is."
    )
    figure = Figure("Hit rates on standard sets and here", Table(head, rows))
    return Section("standard", "Beside a standard set", lead, (figure,), chapter="sure")


def _minus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _rulers(found: Sequence[RulerRate]) -> Section:
    lead = (
        "Over all answers of a model: how many lie in the target's box, made wider and "
        "higher by so many pixels, half of them on each side. GUI-Perturbed's code takes 20."
    )
    figure = Figure("The hit rate at several tolerances", Table(*rulers_table(found)))
    return Section("rulers", "Does the ruler matter?", lead, (figure,), chapter="sure")


def _sizes(found: Sequence[SizePart]) -> Section:
    lead = (
        "If the original's hit rate in each bin of sizes is weighed by how many of the variant's "
        "targets lie in it, so much of the change goes with size. It says what size could "
        "account for, not what it caused."
    )
    figure = Figure("Changes weighed for the size of targets", Table(*sizes_table(found)))
    return Section(
        "size-parts", "Is it only that targets shrink?", lead, (figure,), chapter="sure"
    )


def _orders(orders: Orders) -> Section:
    lead = (
        f"Whether the models that hit most on {orders.standard} are those that waver least. "
        f"{orders.missing}"
    ).strip()
    names = list(orders.models[0].metrics) if orders.models else []
    rows: Rows = tuple(
        (
            model_name(model.model, reasoning=model.reasoning),
            amount(model.hit_rate, "share"),
            *(number(model.metrics[name], ".3f") for name in names),
        )
        for model in sorted(orders.models, key=lambda one: -one.hit_rate)
    )
    figures = []
    if rows:
        title = "The models, the best hit rate first"
        figures.append(Figure(title, Table(("model", "hit rate", *names), rows)))
    if orders.comparisons:
        compared: Rows = tuple(
            (
                comparison.metric,
                count(comparison.models),
                "all tied" if comparison.tau is None else number(comparison.tau, ".2f"),
                msgspec.structs.replace(
                    ends(comparison.interval, ""),
                    words=interval_words(comparison.interval, "", digits=2),
                ),
                p_value(comparison.p),
            )
            for comparison in orders.comparisons
        )
        head = ("metric", "models", "Kendall's tau-b", "interval", "p")
        figures.append(Figure("How far the orders agree", Table(head, compared)))
    return Section("orders", "Does the hit rate tell it?", lead, tuple(figures), chapter="sure")


def _refusals(found: Sequence[Score]) -> Section:
    lead = (
        "Some questions ask for what the screen does not show, and only a refusal is right. A "
        "model that declines often is right about these and wrong about what is there, so both "
        "rates are needed; each is over all conditions that a model was asked under."
    )
    figure = Figure("What is declined", Table(*refusals_table(found)))
    return Section("refusals", "Does it say what is not there?", lead, (figure,), chapter="fell")


def _samples(found: Sequence[RepeatedSamples]) -> Section:
    lead = (
        "What came of asking each question several times. All numbers are means over questions "
        "and their intervals are over sites: further samples make the number of each question "
        "more precise, and are no further questions. pass@k is how likely at least one of k "
        "samples is right; pass@1 is the mean."
    )
    figure = Figure("Several samples of each question", Table(*samples_table(found)))
    title = "The same question several times"
    return Section("samples", title, lead, (figure,), chapter="sure")


_SECTIONS: Final[dict[str, Callable[[Any], Section]]] = {
    "direction": _directions,
    "counts": _counts,
    "spreads": _spreads,
    "constants": _constants,
    "standard": _standard,
    "orders": _orders,
    "refusals": _refusals,
    "samples": _samples,
    "rulers": _rulers,
    "size parts": _sizes,
    "languages": language_section,
    "agreement": agreement_section,
    "crossed": crossed_section,
}
