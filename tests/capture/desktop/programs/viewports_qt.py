"""
Show buttons and fields through every kind of viewport that Qt has.

Each says of itself what Qt paints of it: what is wholly painted bears its own name, what is not
painted at all begins with "Away", what is painted in part with "Part".
"""

from __future__ import annotations

import sys

from PyQt5.QtCore import QTimer
from PyQt5.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QLineEdit,
    QMdiArea,
    QPushButton,
    QScrollArea,
    QSplitter,
    QTabWidget,
    QToolBox,
    QVBoxLayout,
    QWidget,
)

WORDS = ("Anchor", "Basket", "Candle", "Dragon", "Engine", "Falcon", "Garden", "Hammer", "Island")
SETTLED_MS = 400
LEAST_WIDTH, LEAST_HEIGHT = 300, 190


def rows(kind: str, wide: int = 200) -> QWidget:
    """Return a tall widget of buttons and tick boxes, each 30 pixels high."""
    content = QWidget()
    content.setFixedSize(wide, 30 * len(WORDS))
    for at, word in enumerate(WORDS):
        made = QCheckBox if at % 3 == 2 else QPushButton
        control = made(f"{kind} {word}", content)
        control.setGeometry(4, 30 * at + 2, wide - 8, 26)
    return content


def columns(kind: str) -> QWidget:
    """Return a wide widget of buttons side by side."""
    content = QWidget()
    content.setFixedSize(110 * len(WORDS), 60)
    for at, word in enumerate(WORDS):
        QPushButton(f"{kind} {word}", content).setGeometry(110 * at + 4, 8, 106, 30)
    return content


def scrolled(content: QWidget, down: int = 0, across: int = 0) -> QScrollArea:
    """Return a scroll area, scrolled by so many pixels."""
    area = QScrollArea()
    area.setWidget(content)
    QTimer.singleShot(
        0,
        lambda: (
            area.verticalScrollBar().setValue(down),
            area.horizontalScrollBar().setValue(across),
        ),
    )
    return area


def form() -> QWidget:
    """Return fields with labels, as settings have them."""
    content = QWidget()
    layout = QFormLayout(content)
    for word in ("Surname", "Street", "Town", "Country", "Phone", "Mobile", "Employer", "Fax"):
        layout.addRow(word, QLineEdit())
    colours = QComboBox()
    colours.addItems(["Crimson", "Olive"])
    layout.addRow("Colour", colours)
    return content


def nested() -> QScrollArea:
    """Return a scroll area within a scroll area, both scrolled."""
    content = QWidget()
    content.setFixedSize(250, 400)
    layout = QVBoxLayout(content)
    layout.addWidget(scrolled(rows("Inner"), down=65))
    layout.addWidget(QPushButton("Below Inner"))
    return scrolled(content, down=40)


def moved() -> QWidget:
    """Return a plain widget in which another is moved up, without any scroll area."""
    held = QWidget()
    content = rows("Plain")
    content.setParent(held)
    content.move(0, -75)
    return held


def shifted() -> QWidget:
    """Return a plain widget whose buttons are moved one by one, some of them out of it."""
    held = QWidget()
    for at, word in enumerate(WORDS):
        QPushButton(f"Single {word}", held).setGeometry(6, 30 * at - 58, 200, 26)
    return held


def windows() -> QMdiArea:
    """Return an area of inner windows, one of which reaches out of it."""
    area = QMdiArea()
    for place, kind in (((0, 0), "Framed"), ((120, 60), "Second")):
        inner = QWidget()
        QPushButton(f"{kind} Anchor", inner).setGeometry(6, 6, 150, 26)
        QPushButton(f"{kind} Basket", inner).setGeometry(6, 70, 150, 26)
        window = area.addSubWindow(inner)
        window.resize(200, 140)
        window.move(*place)
        window.setWindowTitle(kind)
    return area


def tabs() -> QTabWidget:
    """Return pages of which one is shown, in a scroll area of its own."""
    made = QTabWidget()
    made.addTab(scrolled(rows("Page"), down=30), "First")
    made.addTab(scrolled(rows("Hidden")), "Other")
    return made


def toolbox() -> QToolBox:
    """Return drawers, which Qt makes scroll areas of its own."""
    made = QToolBox()
    made.addItem(rows("Drawer"), "Upper")
    made.addItem(rows("Closed"), "Lower")
    return made


def split() -> QSplitter:
    """Return two scroll areas beside each other."""
    made = QSplitter()
    made.addWidget(scrolled(rows("West", wide=120), down=100))
    made.addWidget(scrolled(rows("East", wide=120), down=10))
    return made


def name_by_sight(window: QWidget) -> None:
    """Rename what is not painted, or not wholly."""
    for control in window.findChildren((QPushButton, QCheckBox)):
        painted = control.visibleRegion()
        whole = painted.boundingRect() == control.rect() and painted.rectCount() == 1
        if control.text() and not whole:
            control.setText(("Away " if painted.isEmpty() else "Part ") + control.text())


def main() -> None:
    """Show all of them in one window."""
    application = QApplication(sys.argv)
    window = QWidget()
    window.setWindowTitle("Viewports")
    grid = QGridLayout(window)
    kinds = (
        scrolled(rows("Still")),
        scrolled(rows("Down"), down=75),
        scrolled(columns("Across"), across=150),
        scrolled(form(), down=20),
        nested(),
        moved(),
        shifted(),
        windows(),
        tabs(),
        toolbox(),
        split(),
    )
    for at, kind in enumerate(kinds):
        kind.setMinimumSize(LEAST_WIDTH, LEAST_HEIGHT)
        grid.addWidget(kind, at // 4, at % 4)
    window.show()
    QTimer.singleShot(SETTLED_MS, lambda: name_by_sight(window))
    sys.exit(application.exec())


if __name__ == "__main__":
    main()
