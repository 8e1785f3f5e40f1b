"""
How answers failed, in plain words.
"""

from __future__ import annotations

from surefoot.core.perturbation import variant_title
from surefoot.failures.modes import NEIGHBOURS
from surefoot.failures.shares import FailedCondition, Failures, ModeShare
from surefoot.phrasing.words import amount_words, ends_words, model_name, over_words


def condition_words(found: FailedCondition) -> str:
    """Name a condition: the model, its mode of reasoning, the variant."""
    return f"{_who(found)}, {variant_title(found.variant)}"


def failure_sentences(failures: Failures) -> list[str]:
    """Say of each condition how its answers failed, the commonest mode first."""
    sentences = [_sentence(item) for item in failures.conditions if item.failures]
    return sentences + unjudged_sentences(failures)


def unjudged_sentences(failures: Failures) -> list[str]:
    """Say what was not looked at, and what could not be told, so that it is never taken for 0."""
    failed = [item for item in failures.conditions if item.failures]
    sentences = []
    if few := [item for item in failed if item.drawn < item.failures]:
        sentences.append(
            f"Of the {sum(item.failures for item in few):,} failures of {_those(few, failed)} "
            f"{sum(item.drawn for item in few):,} were drawn and looked at."
        )
    if lost := sum(item.unjudged for item in failed):
        sentences.append(
            f"{lost:,} of {sum(item.drawn for item in failed):,} failures could not be told by a "
            "mode: not one element was asked for."
        )
    if alone := sum(item.alone for item in failed):
        others = ", ".join(NEIGHBOURS)
        sentences.append(
            f"On the screens of {alone:,} failures the target alone is known: {others} cannot be "
            "told there, and stand as undecided."
        )
    silent = [item for item in failed if item.drawn and not item.thoughtful]
    if silent:
        modes = " and ".join(failures.from_thought)
        sentences.append(
            f"Not judged for {_those(silent, failed)}: {modes}, which only a thought before the "
            "answer can show; these replies have none."
        )
    return sentences


def _those(chosen: list[FailedCondition], failed: list[FailedCondition]) -> str:
    """Name some conditions: by the model alone where all of a model's are meant."""
    others = {_who(condition) for condition in failed if condition not in chosen}
    reasoned = {condition.model for condition in failed if condition.reasoning}
    names = (
        condition_words(condition)
        if _who(condition) in others
        else f"{condition.model}, without reasoning"
        if condition.model in reasoned and not condition.reasoning
        else _who(condition)
        for condition in chosen
    )
    return "; ".join(dict.fromkeys(names))


def _who(found: FailedCondition) -> str:
    return model_name(found.model, reasoning=found.reasoning)


def _sentence(found: FailedCondition) -> str:
    failed = f"{condition_words(found)}: {found.failures:,} of {found.answers:,} answers failed"
    shown = sorted((mode for mode in found.modes if mode.count), key=lambda one: -one.count)
    if not shown:
        return f"{failed}; of none the mode could be told."
    over = over_words(next((share.interval for share in shown if share.interval), None))
    rests = (
        f"shares of the {found.judged:,} whose mode could be told" * bool(found.unjudged),
        f"intervals over {over}" * bool(over),
    )
    note = f" ({', '.join(filter(None, rests))})" * any(rests)
    return f"{failed}{note}: {'; '.join(map(_share, shown))}."


def _share(found: ModeShare) -> str:
    share = (amount_words(found.share, "share"), ends_words(found.interval, "share"))
    return f"{found.mode} {found.count:,} ({', '.join(filter(None, share))})"
