"""
Roles of Windows UI Automation and of the macOS accessibility API as ARIA roles.

"" stands for what has no role of its own: it shapes what can be seen, but is no element.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from surefoot.capture.described.assembly import CONTAINERS
from surefoot.core.screen import INTERACTIVE_ROLES

ARIA_ROLES: Final = (
    CONTAINERS
    | INTERACTIVE_ROLES
    | {
        "alert", "blockquote", "caption", "cell", "code", "columnheader", "definition",
        "deletion", "emphasis", "gridcell", "heading", "img", "insertion", "listitem", "mark",
        "marquee", "math", "meter", "note", "paragraph", "progressbar", "rowheader",
        "scrollbar", "status", "strong", "subscript", "superscript", "term", "text", "time",
        "timer", "tooltip",
    }
)  # fmt: skip
STATES: Final = frozenset({
    "checked", "collapsed", "disabled", "expanded", "focused", "invalid", "mixed", "pressed",
    "readonly", "required", "selected",
})  # fmt: skip
# ControlType of UI Automation.
UIA_ROLES: Final[Mapping[str, str]] = {
    "AppBar": "toolbar",
    "Button": "button",
    "Calendar": "grid",
    "CheckBox": "checkbox",
    "ComboBox": "combobox",
    "Custom": "",
    "DataGrid": "grid",
    "DataItem": "row",
    "Document": "document",
    "Edit": "textbox",
    "Group": "group",
    "Header": "rowgroup",
    "HeaderItem": "columnheader",
    "Hyperlink": "link",
    "Image": "img",
    "List": "listbox",
    "ListItem": "option",
    "Menu": "menu",
    "MenuBar": "menubar",
    "MenuItem": "menuitem",
    "Pane": "",
    "ProgressBar": "progressbar",
    "RadioButton": "radio",
    "ScrollBar": "scrollbar",
    "SemanticZoom": "group",
    "Separator": "separator",
    "Slider": "slider",
    "Spinner": "spinbutton",
    "SplitButton": "button",
    "StatusBar": "status",
    "Tab": "tablist",
    "TabItem": "tab",
    "Table": "table",
    "Text": "text",
    "Thumb": "",
    "TitleBar": "",
    "ToolBar": "toolbar",
    "ToolTip": "tooltip",
    "Tree": "tree",
    "TreeItem": "treeitem",
    "Window": "window",
}
# AXRole of the macOS accessibility API.
AX_ROLES: Final[Mapping[str, str]] = {
    "AXApplication": "",
    "AXBrowser": "group",
    "AXBusyIndicator": "progressbar",
    "AXButton": "button",
    "AXCell": "cell",
    "AXCheckBox": "checkbox",
    "AXColorWell": "button",
    "AXColumn": "",
    "AXComboBox": "combobox",
    "AXDateField": "textbox",
    "AXDisclosureTriangle": "button",
    "AXDockItem": "button",
    "AXDrawer": "group",
    "AXGrid": "grid",
    "AXGroup": "group",
    "AXGrowArea": "",
    "AXHandle": "",
    "AXHeading": "heading",
    "AXHelpTag": "tooltip",
    "AXImage": "img",
    "AXIncrementor": "spinbutton",
    "AXLayoutArea": "",
    "AXLayoutItem": "",
    "AXLevelIndicator": "meter",
    "AXLink": "link",
    "AXList": "list",
    "AXMatte": "",
    "AXMenu": "menu",
    "AXMenuBar": "menubar",
    "AXMenuBarItem": "menuitem",
    "AXMenuButton": "button",
    "AXMenuItem": "menuitem",
    "AXOutline": "tree",
    "AXPopUpButton": "combobox",
    "AXPopover": "dialog",
    "AXProgressIndicator": "progressbar",
    "AXRadioButton": "radio",
    "AXRadioGroup": "radiogroup",
    "AXRelevanceIndicator": "meter",
    "AXRow": "row",
    "AXRuler": "",
    "AXRulerMarker": "",
    "AXScrollArea": "",
    "AXScrollBar": "scrollbar",
    "AXSheet": "dialog",
    "AXSlider": "slider",
    "AXSplitGroup": "group",
    "AXSplitter": "separator",
    "AXStaticText": "text",
    "AXTabGroup": "tablist",
    "AXTable": "table",
    "AXTextArea": "textbox",
    "AXTextField": "textbox",
    "AXTimeField": "textbox",
    "AXToolbar": "toolbar",
    "AXUnknown": "",
    "AXValueIndicator": "",
    "AXWebArea": "document",
    "AXWindow": "window",
}
# AXSubrole, where it says more than the role.
AX_SUBROLES: Final[Mapping[str, str]] = {
    "AXApplicationAlert": "alert",
    "AXContentList": "list",
    "AXDialog": "dialog",
    "AXLandmarkBanner": "banner",
    "AXLandmarkComplementary": "complementary",
    "AXLandmarkContentInfo": "contentinfo",
    "AXLandmarkMain": "main",
    "AXLandmarkNavigation": "navigation",
    "AXLandmarkRegion": "region",
    "AXLandmarkSearch": "search",
    "AXOutlineRow": "treeitem",
    "AXSearchField": "searchbox",
    "AXSwitch": "switch",
    "AXSystemDialog": "alertdialog",
    "AXTabButton": "tab",
    "AXToggle": "button",
}
ROLE_SPACES: Final[Mapping[str, Mapping[str, str]]] = {
    "aria": {role: role for role in sorted(ARIA_ROLES)} | {"generic": "", "none": ""},
    "uia": UIA_ROLES,
    "ax": AX_ROLES,
}
