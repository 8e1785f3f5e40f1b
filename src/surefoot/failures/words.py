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
    sentences = [_sentence(one) for one in failures.conditions if one.failures]
    return sentences + unjudged_sentences(failures)


def unjudged_sentences(failures: Failures) -> list[str]:
    """Say what was not looked at, and what could not be told, so that it is never taken for 0."""
    failed = [one for one in failures.conditions if one.failures]
    sentences = []
    if few := [one for one in failed if one.drawn < one.failures]:
        sentences.append(
            f"Of the {sum(one.failures for one in few):,} failures of {_those(few, failed)} "
            f"{sum(one.drawn for one in few):,} were drawn and looked at."
        )
    if lost := sum(one.unjudged for one in failed):
        sentences.append(
            f"{lost:,} of {sum(one.drawn for one in failed):,} failures could not be told by a "
            "mode: not one element was asked for."
        )
    if alone := sum(one.alone for one in failed):
        others = ", ".join(NEIGHBOURS)
        sentences.append(
            f"On the screens of {alone:,} failures the target alone is known: {others} cannot be "
            "told there, and stand as undecided."
        )
    silent = [one for one in failed if one.drawn and not one.thoughtful]
    if silent:
        modes = " and ".join(failures.from_thought)
        sentences.append(
            f"Not judged for {_those(silent, failed)}: {modes}, which only a thought before the "
            "answer can show; these replies have none."
        )
    return sentences


def _those(chosen: list[FailedCondition], failed: list[FailedCondition]) -> str:
    """Name some conditions: by the model alone where all of a model's are meant."""
    others = {_who(one) for one in failed if one not in chosen}
    reasoned = {one.model for one in failed if one.reasoning}
    names = (
        condition_words(one)
        if _who(one) in others
        else f"{one.model}, without reasoning"
        if one.model in reasoned and not one.reasoning
        else _who(one)
        for one in chosen
    )
    return "; ".join(dict.fromkeys(names))


def _who(found: FailedCondition) -> str:
    return model_name(found.model, reasoning=found.reasoning)


def _sentence(found: FailedCondition) -> str:
    failed = f"{condition_words(found)}: {found.failures:,} of {found.answers:,} answers failed"
    shown = sorted((one for one in found.modes if one.count), key=lambda one: -one.count)
    if not shown:
        return f"{failed}; of none the mode could be told."
    over = over_words(next((one.interval for one in shown if one.interval), None))
    rests = (
        f"shares of the {found.judged:,} whose mode could be told" * bool(found.unjudged),
        f"intervals over {over}" * bool(over),
    )
    note = f" ({', '.join(filter(None, rests))})" * any(rests)
    return f"{failed}{note}: {'; '.join(map(_share, shown))}."


def _share(found: ModeShare) -> str:
    share = (amount_words(found.share, "share"), ends_words(found.interval, "share"))
    return f"{found.mode} {found.count:,} ({', '.join(filter(None, share))})"
