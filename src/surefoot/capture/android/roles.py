"""
Android view classes as ARIA roles.

A class that is not here takes the role of its nearest ancestor class that is, where the
dump tells ancestors; else it is a control only by what it can do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

__all__ = ["HOLDING", "SELF_ACTING", "class_role"]

# By the simple name, without package or enclosing class: libraries ship the same widgets
# under several packages, and Proguard keeps the framework's names.
_ROLES: Final[Mapping[str, str]] = {
    "ActionBar": "toolbar",
    "ActionMenuItemView": "button",
    "AutoCompleteTextView": "textbox",
    "BottomNavigationItemView": "tab",
    "BottomNavigationView": "navigation",
    "Button": "button",
    "CalendarView": "grid",
    "CheckBox": "checkbox",
    "CheckedTextView": "checkbox",
    "Chip": "button",
    "Chronometer": "text",
    "CompoundButton": "checkbox",
    "DatePicker": "group",
    "EditText": "textbox",
    "DraweeView": "img",
    "ExpandableListView": "list",
    "FloatingActionButton": "button",
    "GridView": "grid",
    "Image": "img",
    "ImageButton": "button",
    "ImageView": "img",
    "ListMenuItemView": "menuitem",
    "ListView": "list",
    "MaterialButton": "button",
    "MultiAutoCompleteTextView": "textbox",
    "NavigationView": "navigation",
    "NumberPicker": "spinbutton",
    "ProgressBar": "progressbar",
    "RadioButton": "radio",
    "RadioGroup": "radiogroup",
    "RatingBar": "slider",
    "RecyclerView": "list",
    "SearchAutoComplete": "searchbox",
    "SearchView": "search",
    "SeekBar": "slider",
    "SimpleDraweeView": "img",
    "Slider": "slider",
    "Spinner": "combobox",
    "Switch": "switch",
    "SwitchCompat": "switch",
    "SwitchMaterial": "switch",
    "TabLayout": "tablist",
    "TabView": "tab",
    "TabWidget": "tablist",
    "TextInputEditText": "textbox",
    "TextClock": "text",
    "TextView": "text",
    "TimePicker": "group",
    "ToggleButton": "button",
    "Toolbar": "toolbar",
    "WebView": "document",
}
# What takes touches though its dump does not call it clickable.
SELF_ACTING: Final = frozenset({"combobox", "searchbox", "slider", "spinbutton", "textbox"})
# What holds others and hides what lies below it.
HOLDING: Final = frozenset({
    "document", "grid", "group", "list", "navigation", "radiogroup", "search", "tablist",
    "toolbar",
})  # fmt: skip


def class_role(name: str, ancestors: Iterable[str] = ()) -> str:
    """
    Return the ARIA role of a view class, or of its nearest known ancestor class, or "".

    >>> class_role("android.widget.Switch"), class_role("a.b", ["android.widget.Button"])
    ('switch', 'button')
    """
    simple = (each.replace("$", ".").rpartition(".")[2] for each in (name, *ancestors))
    return next((_ROLES[each] for each in simple if each in _ROLES), "")
