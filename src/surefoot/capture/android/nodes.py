"""
Android views become nodes: roles, names and states as TalkBack tells them.

A view that can be touched speaks for the words in it, unless it holds several others that
can: then it only watches touches. A switch that cannot be touched itself lends its role
and state to the row that can.

A class that has no role of its own takes that of its nearest ancestor class that has one,
where the dump tells ancestors; else it is a control only by what it can do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from surefoot.capture.android.views import AndroidView
from surefoot.capture.described.assembly import DescribedNode
from surefoot.capture.described.stacking import ancestors_of
from surefoot.core.geometry import Box
from surefoot.core.screen import INTERACTIVE_ROLES

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
TOGGLES: Final = frozenset({"checkbox", "radio", "switch"})
MOST_OF_SCREEN: Final = 0.5  # a larger button with others in it only watches touches
_TYPED: Final = frozenset({"searchbox", "textbox"})
_UNSPOKEN: Final = frozenset({"progressbar", "slider"})  # their text is a value, not drawn


def class_role(name: str, ancestors: Iterable[str] = ()) -> str:
    """
    Return the ARIA role of a view class, or of its nearest known ancestor class, or "".

    >>> class_role("android.widget.Switch"), class_role("a.b", ["android.widget.Button"])
    ('switch', 'button')
    """
    simple = (ancestor.replace("$", ".").rpartition(".")[2] for ancestor in (name, *ancestors))
    return next((_ROLES[item] for item in simple if item in _ROLES), "")


def nodes_of(
    views: Sequence[AndroidView], boxes: Sequence[Box], bounds: Box
) -> list[DescribedNode]:
    """
    Return a node for each view, in painting order.

    ``views`` name their parents by place in this list; ``boxes`` are theirs in pixels of
    the picture, whose box is ``bounds``.
    """
    return _Reading(views, boxes, bounds).nodes()


class _Reading:
    """Work out what each view is from what it and its relations can do."""

    def __init__(self, views: Sequence[AndroidView], boxes: Sequence[Box], bounds: Box) -> None:
        self.views = views
        self.boxes = boxes
        self.bounds = bounds
        self.above = ancestors_of([view.parent for view in views])
        self.below: list[list[int]] = [[] for _ in views]
        for place, above in enumerate(self.above):
            for item in above:
                self.below[item].append(place)
        self.base = [class_role(view.class_name, view.ancestors) for view in views]
        self.lent: dict[int, int] = {}
        for place in range(len(views)):
            self._lend(place)
        self.lenders = set(self.lent.values())

    def nodes(self) -> list[DescribedNode]:
        """Return the views as nodes."""
        return [self._node(place) for place in range(len(self.views))]

    def _touched(self, place: int) -> bool:
        return self.views[place].acts or self.base[place] in SELF_ACTING

    def _lend(self, place: int) -> None:
        """Find the one toggle that a touchable view stands for."""
        if not self.views[place].acts or self.base[place] in TOGGLES | SELF_ACTING | HOLDING:
            return
        toggles = [
            item
            for item in self._inside(place)
            if self.base[item] in TOGGLES or self.views[item].checkable
        ]
        if len(toggles) == 1:
            self.lent[place] = toggles[0]

    def _inside(self, place: int) -> list[int]:
        """Return the views in a view that no other touchable one in it speaks for."""
        return [
            item
            for item in sorted(self.below[place])
            if not any(
                self._touched(step)
                for step in (item, *self.above[item])
                if step != place and place in self.above[step]
            )
        ]

    def _role(self, place: int) -> str:
        view, base = self.views[place], self.base[place]
        if place in self.lenders or self._spoken_for(place):
            return "img" if base == "img" else ""
        if base in INTERACTIVE_ROLES and self._touched(place):
            return base
        if base in HOLDING:
            return base
        if view.acts:
            return self._touchable(place)
        if base in INTERACTIVE_ROLES or base == "text" or not base:
            return "text" if self._words(place) else ("img" if self._pictured(place) else "")
        return base

    def _words(self, place: int) -> str:
        """Return what a view writes itself; the text of one that holds others is their sum."""
        view, base = self.views[place], self.base[place]
        silent = view.password or base in _UNSPOKEN | HOLDING
        held = self.below[place] and base != "text" and base not in INTERACTIVE_ROLES
        return "" if silent or held else " ".join(view.text.split())

    def _pictured(self, place: int) -> bool:
        return bool(self.views[place].description) and not self.below[place]

    def _spoken_for(self, place: int) -> bool:
        """Tell whether a touchable view that holds no others' own speaks for this one."""
        if self._touched(place) or self.base[place] in HOLDING:
            return False
        owners = (item for item in self.above[place] if self._touched(item))
        owner = next(owners, None)
        return owner is not None and bool(self._touchable(owner))

    def _touchable(self, place: int) -> str:
        """Return the role of a touchable view whose class does not tell."""
        base = self.base[place]
        if base in HOLDING:
            return ""
        if base in INTERACTIVE_ROLES:
            return base
        if place in self.lent:
            return self.base[self.lent[place]] or "checkbox"
        others = sum(self._touched(item) for item in self.below[place])
        large = self.boxes[place].area > MOST_OF_SCREEN * self.bounds.area
        nameless = not self._merged(place)
        if others > 1 or (others and (large or nameless)) or (large and nameless):
            return ""
        return "checkbox" if self.views[place].checkable else "button"

    def _merged(self, place: int) -> str:
        """Return a view's own description or text, or the words in it, joined by commas."""
        view = self.views[place]
        own = view.description or view.text
        parts = (self.views[item] for item in self._inside(place))
        words = [part.description or part.text for part in parts]
        return own or ", ".join(word for word in words if word)

    def _named(self, place: int, role: str) -> tuple[str, str]:
        """Return a view's accessible name, and where it is from."""
        view = self.views[place]
        if view.description:
            return view.description, "aria-label"
        if role in _TYPED:
            shown = "" if view.password else view.text
            return (view.hint, "placeholder") if view.hint else (shown, "value")
        if role in HOLDING or role in _UNSPOKEN or not role:
            return "", ""
        return self._merged(place), "value" if role == "combobox" else "content"

    def _states(self, place: int, role: str) -> tuple[str, ...]:
        view = self.views[place]
        owner = self.views[self.lent.get(place, place)]
        checked = (owner.checked or view.checked) and (owner.checkable or role in TOGGLES)
        found = {
            "pressed" if role == "button" else "checked": checked,
            "disabled": not view.enabled,
            "selected": view.selected,
            "focused": view.focused,
        }
        return tuple(sorted(name for name, holds in found.items() if holds))

    def _attributes(self, place: int, role: str) -> dict[str, str]:
        view = self.views[place]
        typed = role in _TYPED
        found = {
            "class": view.class_name,
            "resource-id": view.resource_id,
            "placeholder": view.hint if typed else "",
            "editable": "true" if typed and view.enabled else "",
            "type": "password" if view.password else "",
        }
        return {name: value for name, value in found.items() if value}

    def _node(self, place: int) -> DescribedNode:
        view, role = self.views[place], self._role(place)
        name, origin = self._named(place, role)
        words = self._words(place)
        return DescribedNode(
            id=view.id,
            role=role,
            box=self.boxes[place],
            parent=view.parent,
            name=" ".join(name.split()),
            name_from=origin,
            words=words,
            states=self._states(place, role) if role else (),
            attributes=self._attributes(place, role),
            opaque=bool(role or words or view.acts),
            clips=bool(self.below[place]),
        )
