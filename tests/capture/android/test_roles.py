"""
View classes have the roles that people know them by.
"""

from __future__ import annotations

import pytest

from surefoot.capture.android.roles import HOLDING, SELF_ACTING, class_role
from surefoot.capture.described.roles import ARIA_ROLES
from surefoot.core.screen import INTERACTIVE_ROLES

CLASSES = (
    "android.widget.{}", "androidx.appcompat.widget.{}", "com.google.android.material.x.{}",
    "android.support.v7.widget.Outer${}",
)  # fmt: skip


@pytest.mark.parametrize("pattern", CLASSES)
@pytest.mark.parametrize(
    ("simple", "role"),
    [("Button", "button"), ("EditText", "textbox"), ("SwitchCompat", "switch"),
     ("SearchAutoComplete", "searchbox"), ("RecyclerView", "list"), ("TextView", "text")],
)  # fmt: skip
def test_packages_make_no_difference(pattern: str, simple: str, role: str) -> None:
    """A widget has its role in every package and enclosing class that ships it."""
    assert class_role(pattern.format(simple)) == role


def test_an_unknown_class_has_the_role_of_its_nearest_ancestor() -> None:
    """Ancestors are asked from the nearest; without a known one there is no role."""
    above = ["android.widget.CheckBox", "android.widget.Button", "android.view.View"]

    assert class_role("com.shop.Fancy", above) == "checkbox"
    assert class_role("com.shop.Fancy", ["android.view.View", "java.lang.Object"]) == ""
    assert class_role("com.shop.PriceButtonHolder") == ""


def test_roles_are_aria_roles() -> None:
    """What acts by itself is interactive, what holds others is not, and all are known."""
    assert SELF_ACTING <= INTERACTIVE_ROLES
    assert not HOLDING & INTERACTIVE_ROLES
    assert HOLDING <= ARIA_ROLES
