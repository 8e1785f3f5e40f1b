"""
Scores and comparisons in plain words, without claiming more than their evidence holds.
"""

from __future__ import annotations

from typing import Final

from surefoot.core.perturbation import OVER, variant_title
from surefoot.score.conditions.rows import Condition
from surefoot.score.conditions.scores import Score
from surefoot.score.contrasts.comparisons import Comparison, is_claimed, is_clear
from surefoot.score.contrasts.effects import Effect
from surefoot.score.contrasts.orders import Orders
from surefoot.score.contrasts.totals import Total
from surefoot.score.stats.intervals import CONFIDENCE, Interval
from surefoot.score.stats.units import Population
from surefoot.score.summary import MetricFacts, Summary

FEWEST_ELEMENTS: Final = 10  # of which anything is said first
FEWEST_CLUSTERS: Final = 5  # from which anything is said first of others
BY_PICTURE: Final = "not comparable, since the picture's size changes"
METHOD: Final = (
    f"{100 * CONFIDENCE:.0f} % unless another is named, Student's t over {{one}}s, with the "
    "degrees of freedom that Bell and McCaffrey give for {one}s of such sizes. A rate has "
    "Wilson's interval, and a change of the same elements half a change added each way, both at "
    "the number of independent elements that would tell as much, which the jackknife over {one}s "
    "gives; a number without an upper bound has the jackknife's own error"
)
_FURTHER: Final = 3  # digits at most that are added to an end beside zero
_DIGITS: Final = {"share": 1, "per 100 questions": 1, "pixels": 1, "square pixels": 0}
_SIGNS: Final = {"share": "%", "pixels": "px", "square pixels": "px²", "ratio": ""}


def p_words(p: float) -> str:
    """
    Write a p-value with two digits, never as zero.

    >>> p_words(0.0312), p_words(0.00001)
    ('p = 0.031', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"  # noqa: PLR2004 - the usual floor


def amount_words(value: float | None, unit: str, *, bare: bool = False) -> str:
    """
    Write a number in its unit, "" for none; ``bare`` where the unit is named elsewhere.

    >>> amount_words(0.825, "share"), amount_words(0.25, "diagonals"), amount_words(None, "share")
    ('82.5 %', '0.250 diagonals', '')
    """
    if value is None:
        return ""
    sign = "" if bare else unit_sign(unit)
    return f"{value * unit_factor(unit):,.{_DIGITS.get(unit, 3)}f}{sign}"


def confidence_words(confidence: float) -> str:
    """
    Write a confidence in percent, with the digits that it needs.

    >>> confidence_words(0.95), confidence_words(1 - 0.05 / 4)
    ('95 %', '98.75 %')
    """
    return f"{100 * confidence:.4g} %"


def unit_words(unit: str) -> str:
    """
    Write a unit as the head of a column does.

    >>> unit_words("share"), unit_words("")
    (', %', '')
    """
    sign = unit_sign(unit)
    return f",{sign}" if sign else ""


def change_words(value: float | None, unit: str) -> str:
    """
    Write a signed change in its unit, shares as percentage points.

    >>> change_words(-0.095, "share"), change_words(0.02, "ratio")
    ('-9.5 points', '+0.020')
    """
    if value is None:
        return ""
    sign = " points" if unit == "share" else unit_sign(unit)
    return f"{value * unit_factor(unit):+,.{_DIGITS.get(unit, 3)}f}{sign}"


def interval_words(
    interval: Interval | None,
    unit: str = "share",
    *,
    digits: int | None = None,
    signed: bool = False,
) -> str:
    """
    Write the ends of an interval with the number of clusters that it rests on; "" for none.

    >>> interval_words(Interval(0.25, 0.5, "jackknife t", clusters=6, over="sites"))
    '25.0 to 50.0 (6 sites)'
    """
    over = over_words(interval)
    return f"{ends_words(interval, unit, digits=digits, signed=signed)}{f' ({over})' * bool(over)}"


def ends_words(
    interval: Interval | None,
    unit: str = "share",
    *,
    digits: int | None = None,
    signed: bool = False,
) -> str:
    """
    Write the ends of an interval in a unit that is named elsewhere; "" for none.

    >>> ends_words(Interval(-0.1, 0.25, ""), signed=True), ends_words(Interval(1, 2, ""), "pixels")
    ('-10.0 to +25.0', '1.0 to 2.0')
    """
    if interval is None:
        return ""
    factor = unit_factor(unit)
    least = _DIGITS.get(unit, 3) if digits is None else digits
    low, high = (end * factor for end in (interval.low, interval.high))
    return f"{end_words(low, least, signed=signed)} to {end_words(high, least, signed=signed)}"


def end_words(end: float, digits: int, *, signed: bool = False) -> str:
    """
    Write an end of an interval; beside zero with the digits that tell on which side it is.

    >>> end_words(-0.03, 1), end_words(0.03, 1, signed=True), end_words(0.0, 1)
    ('-0.03', '+0.03', '0.0')
    """
    most = digits + _FURTHER
    while (end < 0 or (signed and end > 0)) and not round(end, digits) and digits < most:
        digits += 1
    return f"{round(end, digits) + 0.0:{'+' if signed else ''},.{digits}f}"


def over_words(interval: Interval | None) -> str:
    """
    Say how many clusters an interval rests on; "" for one that has none.

    >>> over_words(Interval(0.25, 0.5, "jackknife t", clusters=1, over="sites"))
    '1 site'
    """
    if interval is None or interval.clusters is None:
        return ""
    return cluster_words(interval.clusters, interval.over)


def cluster_words(count: int, over: str) -> str:
    """
    Count clusters; ``over`` is their plural.

    >>> cluster_words(1, "sites"), cluster_words(1200, "forms")
    ('1 site', '1,200 forms')
    """
    return f"{count:,} {over[: None if count != 1 else -1]}"


def from_words(count: int, over: str) -> str:
    """
    Say which clusters elements are from; "" where each element is one.

    >>> from_words(6, "sites"), from_words(6, "elements")
    (' from 6 sites', '')
    """
    return "" if over == "elements" else f" from {cluster_words(count, over)}"


def model_name(model: str, *, reasoning: bool) -> str:
    """
    Name a model together with its mode.

    >>> model_name("ocr", reasoning=True)
    'ocr, reasoning'
    """
    return f"{model}, reasoning" if reasoning else model


def condition_name(found: Score | Comparison | Condition) -> str:
    """Name a condition by its parts, leaving out those that say nothing."""
    name = model_name(found.model, reasoning=found.reasoning)
    parts = (name, found.instruction, variant_title(found.variant))
    value = "" if isinstance(found, Condition) or is_by_base(found) else found.value
    return ", ".join(part for part in parts if part) + (f": {value}" if value else "")


def is_by_base(found: Score | Comparison) -> bool:
    """Tell whether what is compared with what differs in its base, which the variant names."""
    return isinstance(found, Comparison) and found.varies == OVER


def comparison_name(found: Comparison) -> str:
    """Name what is compared with what."""
    if found.varies == "model":
        rest = condition_name(found).removeprefix(found.model)
        return f"{found.model} against {found.baseline}{rest}"
    if found.varies == "reasoning":
        return f"{condition_name(found)} against without"
    if found.varies == OVER:
        return f"{condition_name(found)} against without {variant_title(found.value)}"
    baseline = variant_title(found.baseline) if found.varies == "variant" else found.baseline
    return f"{condition_name(found)} against {baseline}"


def total_name(found: Total) -> str:
    """Name what was added up, and what it was compared with."""
    if found.contrast == "model":
        return f"{found.model} against {found.baseline}"
    if found.contrast == "reasoning":
        return f"{found.model}, reasoning against without"
    sides = (found.value, found.baseline)
    screens = found.contrast in ("variant", "base")
    value, baseline = map(variant_title, sides) if screens else sides
    return f"{found.model}, {value} against {baseline}"


def total_sentence(found: Total) -> str:
    """Say how many flips the comparisons of one kind have together."""
    return (
        f"{total_name(found)}, {found.comparisons} comparisons together: {found.flips:,} flips "
        f"of {found.n:,}, {found.b:,} lost (b) and {found.c:,} gained (c); "
        f"{found.significant} of {found.comparisons} significant after Holm."
    )


def order_sentences(orders: Orders) -> list[str]:
    """Say how far the order of models by hit rate is that by each metric, or why it is not."""
    sentences = [
        f"{item.models} models ordered by hit rate on {orders.standard}, and by {item.metric}: "
        f"tau-b {'unknown' if item.tau is None else f'{item.tau:.2f}'} "
        f"({interval_words(item.interval, '', digits=2) or 'no interval'})."
        for item in orders.comparisons
    ]
    return sentences or [orders.missing]


def facts(summary: Summary) -> str:
    """Say what a summary was made from, and with which tolerance."""
    home = from_words(summary.clusters, summary.unit)
    if (found := summary.population) is not None and found.unit != "site":
        pages = f" on {cluster_words(found.pages, 'pages')}"
        home = f"{pages} of {cluster_words(found.sites, found.site_noun)}"
    return (
        f"{summary.answers:,} answers about {cluster_words(summary.elements, 'elements')}"
        f"{home}{_sizes(summary)}; tolerance {summary.tolerance:g} px; "
        f"{cluster_words(summary.failed, 'questions')} failed"
    )


def _sizes(summary: Summary) -> str:
    """Say how many elements a cluster has, where that is no matter of course."""
    least, median, most = summary.cluster_sizes
    if summary.unit in {"elements", "pages"} or summary.clusters < 2:  # noqa: PLR2004 - none to compare
        return ""
    one = f" a {summary.unit[:-1]}"
    if least == most:
        return f" ({least:,}{one})"
    return f" ({least:,} to {most:,}{one}, median {median:g})"


def verdict_words(found: Comparison, metric: MetricFacts) -> str:
    """Give the verdict on a comparison in a word or two."""
    if found.change is None:
        return "not known"
    if found.clusters < 2:  # noqa: PLR2004 - what one has says nothing of others
        return "too few to say"
    if is_claimed(found, metric.unit):
        return "gain" if (found.change > 0) == metric.higher_is_better else "loss"
    if is_clear(found.interval, found.p_holm):
        return BY_PICTURE
    return "may be chance" if found.change else "the same"


def too_few(found: Effect, unit: str) -> str:
    """Say what is missing for an effect to be said first; "" where nothing is."""
    if found.n < FEWEST_ELEMENTS:
        elements = cluster_words(found.n, "elements")
        return f"too few to say, {elements} where {FEWEST_ELEMENTS} are needed"
    if unit != "elements" and found.clusters < FEWEST_CLUSTERS:
        return (
            f"too few {unit} to say anything of others, {found.clusters} where "
            f"{FEWEST_CLUSTERS} are needed"
        )
    return ""


def effect_verdict(found: Effect, metric: MetricFacts, unit: str) -> str:
    """Give the verdict on an effect in a word or two."""
    if too_few(found, unit):
        return "too few to say"
    if not found.found:
        return "may be chance" if found.change else "the same"
    if found.beside or found.varies == "model":
        return "differs"
    return "gain" if ((found.change or 0.0) > 0) == metric.higher_is_better else "loss"


def unit_sign(unit: str) -> str:
    """
    Return what is written behind a number in a unit, with a space before it; "" for none.

    >>> unit_sign("share"), unit_sign("ratio")
    (' %', '')
    """
    sign = _SIGNS.get(unit, unit)
    return f" {sign}" if sign else ""


def unit_factor(unit: str) -> float:
    """Return what a number is multiplied by before it is written in a unit."""
    return 100.0 if unit == "share" else 1.0


def population_sentence(found: Population) -> str:
    """
    Say for what the numbers hold, and for what nothing follows from them.

    >>> population_sentence(Population(unit="element", elements=31, pages=4, sites=1))
    'All this is about these 31 elements of one site; for other pages and sites nothing follows.'
    >>> population_sentence(Population(unit="site", elements=256, pages=84, sites=29))
    'The 256 elements are from 29 sites; what is said holds for sites like these.'
    """
    one = found.site_noun[:-1]
    home = f"one {one}" if found.sites == 1 else f"{found.sites:,} {found.site_noun}"
    these = "this" if found.sites == 1 else "these"
    elements = _counted(found.elements, "element")
    if found.unit == "element":
        those = "this element" if found.elements == 1 else f"these {elements}"
        return (
            f"All this is about {those} of {home}; for other pages and {found.site_noun} "
            "nothing follows."
        )
    verb = "is" if found.elements == 1 else "are"
    if found.unit == "page":
        return (
            f"The {elements} {verb} from {_counted(found.pages, 'page')} of {home}; what is said "
            f"holds for pages of {these} {one if found.sites == 1 else found.site_noun}; for "
            f"other {found.site_noun} nothing follows."
        )
    if found.sites == 1:
        return f"The {elements} {verb} from {home}; for other {found.site_noun} nothing follows."
    return (
        f"The {elements} {verb} from {home}; what is said holds for {found.site_noun} like these."
    )


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"
