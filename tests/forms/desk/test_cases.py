"""
Looks of forms that can be drawn here, and those that cannot.
"""

from __future__ import annotations

import msgspec
import pytest

from surefoot.core.errors import MissingComponentError
from surefoot.forms.desk.cases import checked_look
from surefoot.forms.rendering import RENDERERS, Rendering


def test_what_is_not_built_is_named_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command stands in the error as it is to be typed, small letters and all."""
    absent = msgspec.structs.replace(RENDERERS.get("rjsf"), missing=lambda: "scripts/build.sh")
    monkeypatch.setitem(RENDERERS.entries, "rjsf", absent)
    with pytest.raises(MissingComponentError, match=r"Build it: scripts/build\.sh\.$"):
        checked_look(Rendering("rjsf"))
