"""
Where the thoughts of a reply end and its answer begins.

Served without a parser of its thoughts, a model that thinks has them in the text of its reply,
between marks of its family. Where the prompt already holds the opening mark, only the closing one
is there.
"""

from __future__ import annotations

import re
from typing import Final

# Tags in any letter case, also where a server escaped them: <think> (Qwen, DeepSeek, GLM),
# <thinking>, <Thought> (UI-TARS), <seed:think>, <mm:think> (MiniMax), <longcat_think>.
_NAME: Final = (
    r"(?:[a-z0-9]{1,12}[:_|])?(?:think(?:ing)?|thoughts?|thought_process|reason(?:ing)?"
    r"|chain_of_thought|analysis|reflection)"
)
_SPACE: Final = r"\s{0,3}"
_OPENING: Final = re.compile(
    rf"(?:<|&lt;){_SPACE}{_NAME}{_SPACE}(?:>|&gt;)"
    r"|\[THINK\]"  # Mistral
    r"|\u25c1think\u25b7"  # Kimi
    r"|<\|(?:begin_of_thought|START_THINKING|thinking|think_start|think)\|>"
    r"|<unused94>"  # MedGemma
    r"|<\|channel\|?>\s?(?:analysis|thought)"  # gpt-oss, Gemma 4
    r"|\A\s{0,9}analysis(?=[A-Z])",  # gpt-oss, its marks left out
    re.IGNORECASE,
)
_CLOSING: Final = re.compile(
    rf"(?:<|&lt;){_SPACE}/{_SPACE}{_NAME}{_SPACE}(?:>|&gt;)"
    r"|\[/THINK\]"
    r"|\u25c1/think\u25b7"
    r"|<\|(?:end_of_thought|END_THINKING|/thinking|think_end|/think)\|>"
    r"|<unused95>"
    r"|<\|channel\|>\s?(?:final|commentary)[^<]{0,100}(?:<\|constrain\|>[^<]{0,20})?<\|message\|>"
    r"|<channel\|>"
    r"|assistantfinal",  # gpt-oss, its marks left out
    re.IGNORECASE,
)


def answer_behind(text: str) -> str | None:
    """
    Return what stands behind the last end of thoughts, all where there are none.

    None where thoughts begin that do not end: the answer had not come.

    >>> answer_behind("Is it (1, 1)? No.</think>(2, 2)"), answer_behind("(2, 2)")
    ('(2, 2)', '(2, 2)')
    >>> answer_behind("<think>Is it (1, 1)?") is None
    True
    """
    start = 0
    for found in _CLOSING.finditer(text):
        start = found.end()
    return None if _OPENING.search(text[start:]) else text[start:]


def marked_thoughts(text: str) -> str | None:
    """
    Return what stands before the last end of thoughts, None where no thoughts end.

    >>> marked_thoughts("<think>Is it (1, 1)? No.</think>(2, 2)"), marked_thoughts("(2, 2)")
    ('Is it (1, 1)? No.', None)
    """
    ends = [found.start() for found in _CLOSING.finditer(text)]
    if not ends:
        return None
    thoughts = text[: ends[-1]]
    begin = _OPENING.search(thoughts)
    return thoughts[begin.end() :] if begin else thoughts


def blank_thoughts(text: str) -> str:
    r"""
    Return the answer with the lines of the thoughts before it left empty.

    >>> blank_thoughts("<think>a\nb</think>c"), blank_thoughts("a\n<think>b")
    ('\nc', '\n')
    """
    answer = answer_behind(text) or ""
    return "\n" * text.count("\n", 0, len(text) - len(answer)) + answer
