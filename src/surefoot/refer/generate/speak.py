"""
An expression in a screen's language, kept only where its words are read back as what they say.
"""

from __future__ import annotations

from typing import Final

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.screen import Element, Screen
from surefoot.refer.languages.tables import WRITTEN
from surefoot.refer.read.read_back import InstructionReading, read_back
from surefoot.refer.resolve.rejection import Rejection
from surefoot.refer.say.realise import instruct
from surefoot.refer.scene.scene import Scene

OWN: Final = "own"
# Locales whose people write what the Chinese table does not.
_TRADITIONAL: Final = frozenset({"hant", "tw", "hk", "mo"})


def language_for(screen: Screen, wanted: str) -> str:
    """
    Return the language to speak about a screen: the wanted one, or by its locale for "own".

    >>> from surefoot.core.screen import Screen
    >>> paris = Screen("a", "p", "s", "", 9, 9, 1.0, "web", "fr-FR", ())
    >>> language_for(paris, "own"), language_for(paris, "ru")
    ('fr', 'ru')
    """
    if wanted != OWN:
        return wanted
    language, *regions = screen.locale.replace("_", "-").lower().split("-")
    return f"{language}-hant" if _TRADITIONAL.intersection(regions) else language


def speak(
    expression: Expression,
    target: Element,
    scene: Scene,
    *,
    language: str,
    seed: int,
    name_visible: bool = True,
) -> Instruction | Rejection:
    """Return the instruction for a target in a language, or why there is none."""
    if language not in WRITTEN.entries:
        return Rejection("no-language", language)
    try:
        made = instruct(
            expression, target, scene, seed=seed, language=language, name_visible=name_visible
        )
        found = read_back(made.text, language)
    except UnknownNameError as error:
        return Rejection("no-words", str(error))
    except InvalidInputError as error:
        return Rejection("read-otherwise", str(error))
    same = found == InstructionReading(expression, made.action, made.value)
    return made if same else Rejection("read-otherwise", made.text)
