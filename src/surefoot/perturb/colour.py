"""
Colours as the Web Content Accessibility Guidelines measure them.
"""

from __future__ import annotations

import re

import msgspec

from surefoot.core.errors import InvalidInputError

_HEX = re.compile(r"#(?P<channels>(?:[0-9a-fA-F]{2}){3})(?P<alpha>[0-9a-fA-F]{2})?")
_KNEE = 0.04045  # where sRGB goes over from a line to a power (IEC 61966-2-1)


class Colour(msgspec.Struct, frozen=True):
    """Hold sRGB channels in 0-255 and an opacity in [0, 1]."""

    red: float
    green: float
    blue: float
    alpha: float = 1.0

    def over(self, below: Colour) -> Colour:
        """
        Return what is seen where this colour lies on an opaque one.

        >>> Colour(255, 255, 255, 0.5).over(Colour(0, 0, 0))
        Colour(red=127.5, green=127.5, blue=127.5, alpha=1.0)
        """

        def mixed(above: float, under: float) -> float:
            return above * self.alpha + under * (1 - self.alpha)

        return Colour(
            mixed(self.red, below.red),
            mixed(self.green, below.green),
            mixed(self.blue, below.blue),
        )

    @property
    def luminance(self) -> float:
        """Return the relative luminance in [0, 1] of WCAG 2.2; the opacity is left out."""
        red, green, blue = (_linear(value / 255) for value in (self.red, self.green, self.blue))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def parse_colour(text: str) -> Colour:
    """
    Read #rrggbb or #rrggbbaa; raises InvalidInputError for anything else.

    >>> parse_colour("#ff8000")
    Colour(red=255.0, green=128.0, blue=0.0, alpha=1.0)
    """
    match = _HEX.fullmatch(text)
    if match is None:
        raise InvalidInputError("a colour as #rrggbb or #rrggbbaa", found=f"'{text}'")
    red, green, blue = bytes.fromhex(match["channels"])
    alpha = int(match["alpha"], 16) / 255 if match["alpha"] else 1.0
    return Colour(float(red), float(green), float(blue), alpha)


def contrast(first: Colour, second: Colour) -> float:
    """
    Return the contrast ratio of two opaque colours, from 1 to 21 (WCAG 2.2, 1.4.3).

    >>> round(contrast(parse_colour("#000000"), parse_colour("#ffffff")), 6)
    21.0
    """
    low, high = sorted((first.luminance, second.luminance))
    return (high + 0.05) / (low + 0.05)


def _linear(channel: float) -> float:
    if channel <= _KNEE:
        return channel / 12.92
    return float(((channel + 0.055) / 1.055) ** 2.4)
