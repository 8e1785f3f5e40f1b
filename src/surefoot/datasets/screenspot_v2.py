"""
ScreenSpot-v2: ScreenSpot with its labels corrected, in the same layout.

One JSON array for each platform, ``screenspot_{mobile,desktop,web}_v2.json``, and the
pictures in ``screenspotv2_image/``. Mirrors that rename the fields are other layouts.
"""

from __future__ import annotations

import functools
from typing import Final

from surefoot.datasets.labelled import LabelledSet
from surefoot.datasets.screenspot import CONVENTION, read_screenspot

__all__ = ["SCREENSPOT_V2"]

LABELS: Final = (
    "screenspot_mobile_v2.json",
    "screenspot_desktop_v2.json",
    "screenspot_web_v2.json",
)

SCREENSPOT_V2 = LabelledSet(
    name="screenspot-v2",
    version=1,
    summary="ScreenSpot with its labels corrected",
    convention=CONVENTION,
    licence="not stated",
    labels=LABELS,
    pictures=("screenspotv2_image",),
    splits=("test",),
    read=functools.partial(read_screenspot, labels=LABELS),
)
