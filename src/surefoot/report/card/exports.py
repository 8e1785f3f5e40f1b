"""
A card for other places: Markdown with Hugging Face's metadata, result entries, LaTeX.

What is written as YAML is JSON, which YAML holds. Neither ``model-index`` nor the newer
``.eval_results`` has a field for an interval: it stands in ``args``, and in ``notes``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.version import __version__
from surefoot.phrasing.card import losses, plain_score, rate_of, speaks
from surefoot.phrasing.words import amount_words, change_words, ends_words
from surefoot.report.card.record import CardRecord
from surefoot.score.conditions.scores import Score
from surefoot.score.pillars import Pillar

_TASK: Final = {"type": "image-text-to-text", "name": "GUI grounding"}
_SPECIAL: Final = re.compile(r"[&%$#_{}~^\\]")
_ESCAPED: Final = {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
}


def model_card(record: CardRecord) -> str:
    """
    Write the card of one model as a README for Hugging Face, with ``model-index`` metadata.

    Raises InvalidInputError for several models: the metadata are one model's.
    """
    model = _one_model(record)
    results = [
        {
            "task": _TASK,
            "dataset": {"type": "surefoot", "name": pillar.name},
            "metrics": [
                {
                    "type": "accuracy",
                    "name": f"{rate_of(pillar).title} on unchanged screens",
                    "value": round(score.amount, 6),
                    "args": {
                        "interval": _ends(score),
                        "questions": score.n,
                        "above_chance": pillar.stands_above(model),
                    },
                },
                *_refusals(pillar, model),
                *_changes(pillar, model),
            ],
        }
        for pillar, score in _plain(record, model)
        if score.amount is not None
    ]
    index = canonical_json([{"name": model, "results": results}]).decode()
    rows = "".join(
        f"| {_cell(pillar.name)} | {amount_words(score.amount, 'share')} | "
        f"{ends_words(score.interval)} | {score.n:,} | {_cell(_worst(pillar, model))} |\n"
        for pillar, score in _plain(record, model)
    )
    sentences = "\n\n".join(map(_plain_text, (*record.headlines[0].sentences, *record.causes)))
    nothing = "".join(f"- {_plain_text(sentence)}\n" for sentence in record.nothing)
    return (
        f"---\ntags:\n- surefoot\nmodel-index: {index}\n---\n\n"
        f"# Where {_plain_text(model)} stands\n\n{sentences}\n\n"
        "| pillar | unchanged, % | 95 % interval | questions | surest loss found |\n"
        f"| --- | --- | --- | --- | --- |\n{rows}\n"
        f"## What nothing follows for\n\n{nothing}\n"
        f"Measured by Surefoot {__version__}, tolerance {record.tolerance:g} px.\n"
    )


def result_entries(record: CardRecord, dataset: str) -> str:
    """
    Write what a model has in each pillar as ``.eval_results`` of a data set on the Hub.

    ``dataset`` is its id, OWNER/NAME. Raises InvalidInputError for another one, and for several
    models.
    """
    model = _one_model(record)
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", dataset, re.ASCII):
        raise InvalidInputError("the id of a data set, OWNER/NAME", found=f"'{dataset}'")
    lines = []
    for pillar, score in _plain(record, model):
        if score.amount is None:
            continue
        notes = f"{score.n} questions, 95 % interval {ends_words(score.interval) or 'unknown'}"
        worst = _worst(pillar, model)
        notes += f"; surest loss found: {worst}" if worst else ""
        entry = {
            "dataset": {"id": dataset, "task_id": re.sub(r"\W+", "_", pillar.name).strip("_")},
            "value": round(100 * score.amount, 4),
            "notes": notes,
        }
        lines.append(f"- {canonical_json(entry).decode()}\n")
    return "".join(lines)


def latex_table(record: CardRecord) -> str:
    """Write models by pillars as a LaTeX table, which needs no package."""
    lines = []
    for model in record.models:
        for pillar, score in _plain(record, model):
            ends = ends_words(score.interval).replace(" to ", ", ")
            chance = "" if pillar.stands_above(model) else r"$^{*}$"
            lines.append(
                f"{_tex(model)} & {_tex(pillar.name)} & "
                f"{amount_words(score.amount, 'share', bare=True)}{chance} & [{ends}] & "
                f"{score.n} & {_tex(_worst(pillar, model)) or '--'} \\\\\n"
            )
    return (
        "% $^{*}$: not above chance, so nothing follows about changes\n"
        "\\begin{tabular}{llrrrl}\n\\hline\n"
        "model & pillar & unchanged, \\% & 95 \\% interval & $n$ & surest loss found "
        "\\\\\n\\hline\n"
        f"{''.join(lines)}\\hline\n\\end{{tabular}}\n"
    )


def _one_model(record: CardRecord) -> str:
    if len(record.models) != 1:
        raise InvalidInputError(
            "the runs of one model for a card on Hugging Face",
            found=f"{len(record.models)}: {', '.join(record.models)}",
            remedy="make a card for each",
        )
    return record.models[0]


def _plain(record: CardRecord, model: str) -> Iterator[tuple[Pillar, Score]]:
    for pillar in record.pillars:
        score = plain_score(pillar, model)
        if score is not None:
            yield pillar, score


def _refusals(pillar: Pillar, model: str) -> Iterator[dict[str, object]]:
    """Yield what is declined of what is not there, and of what is, where both were asked."""
    found: tuple[Score, ...] = pillar.summary.details.get("refusals", ())
    for score in found:
        if score.model == model and score.amount is not None:
            yield {
                "type": score.metric,
                "name": score.metric.replace("_", " "),
                "value": round(score.amount, 6),
                "args": {"interval": _ends(score), "questions": score.n},
            }


def _changes(pillar: Pillar, model: str) -> Iterator[dict[str, object]]:
    """Yield every change that was tested, where anything follows from it."""
    if not speaks(pillar, model):
        return
    for effect in pillar.effects_on(model):
        if effect.beside or effect.change is None or effect.interval is None:
            continue
        yield {
            "type": "change",
            "name": f"{effect.factor} {effect.value or 'as a whole'} against {effect.baseline}",
            "value": round(effect.change, 6),
            "args": {
                "interval": [round(effect.interval.low, 6), round(effect.interval.high, 6)],
                "level": round(effect.level, 8),
                "elements": effect.n,
                "found": effect.found,
            },
        }


def _worst(pillar: Pillar, model: str) -> str:
    found = losses([pillar], model)
    if not found:
        return ""
    words = found[0].words.removesuffix(f" ({pillar.name})")
    return f"{words} {change_words(found[0].change, 'share')}"


def _ends(score: Score) -> list[float] | None:
    interval = score.interval
    return None if interval is None else [round(interval.low, 6), round(interval.high, 6)]


def _plain_text(words: str) -> str:
    r"""
    Keep Markdown and HTML out of words that are somebody's own.

    >>> _plain_text("a*b <i>")
    'a\\*b &lt;i>'
    """
    return re.sub(r"([\\`*_\[\]#])", r"\\\1", words).replace("<", "&lt;")


def _cell(words: str) -> str:
    return _plain_text(words).replace("|", r"\|")


def _tex(words: str) -> str:
    r"""
    Write words for LaTeX.

    >>> _tex("a_b 5 %")
    'a\\_b 5 \\%'
    """
    return _SPECIAL.sub(lambda found: _ESCAPED.get(found[0], f"\\{found[0]}"), words)
