"""
Show a window, and before it what the first argument names: a dialog, or an open menu.

With "clock" as the second argument a clock ticks in the window.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from PyQt5.QtCore import QPoint, Qt, QTime, QTimer
from PyQt5.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QMainWindow,
    QMenu,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

LATER_MS = 500


def dialog(window: QMainWindow, title: str = "Front") -> QDialog:
    """Return a dialog of two buttons over a window."""
    made = QDialog(window)
    made.setWindowTitle(title)
    layout = QVBoxLayout(made)
    for word in ("Yes", "No"):
        layout.addWidget(QPushButton(f"{title} {word}"))
    return made


def modal(window: QMainWindow) -> None:
    """Open a dialog without which the program goes on."""
    made = dialog(window)
    made.setWindowModality(Qt.ApplicationModal)
    made.show()


def window_modal(window: QMainWindow) -> None:
    """Open a dialog that blocks its own window alone."""
    made = dialog(window)
    made.setWindowModality(Qt.WindowModal)
    made.show()


def executed(window: QMainWindow) -> None:
    """Open a dialog whose own event loop the program waits for."""
    dialog(window).exec()


def message(window: QMainWindow) -> None:
    """Ask a question in a box of the toolkit's own."""
    QMessageBox.question(window, "Front", "Front or back?")


def nested(window: QMainWindow) -> None:
    """Open a modal dialog from a modal dialog."""
    first = dialog(window, "Middle")
    first.setModal(True)
    first.show()
    QTimer.singleShot(LATER_MS, dialog(first).exec)


def free(window: QMainWindow) -> None:
    """Open a dialog beside which one can go on."""
    dialog(window).show()


def popup(window: QMainWindow) -> None:
    """Open a context menu."""
    menu = QMenu(window)
    for word in ("Cut", "Copy"):
        menu.addAction(f"Front {word}")
    menu.popup(window.mapToGlobal(QPoint(500, 300)))


def choices(window: QMainWindow) -> None:
    """Open the list of a combo box."""
    window.findChild(QComboBox).showPopup()


FRONTS: dict[str, Callable[[QMainWindow], None]] = {
    found.__name__: found
    for found in (modal, window_modal, executed, message, nested, free, popup, choices)
}


def main() -> None:
    """Show a window, then what is before it."""
    application = QApplication(sys.argv)
    window = QMainWindow()
    window.setWindowTitle("Behind")
    window.menuBar().addMenu("Behind Menu").addAction("Behind Item")
    content = QWidget()
    layout = QVBoxLayout(content)
    for word in ("One", "Two", "Three"):
        layout.addWidget(QPushButton(f"Behind {word}"))
    colours = QComboBox()
    colours.addItems(["Front Crimson", "Front Olive"])
    layout.addWidget(colours)
    clock = QLabel()
    layout.addWidget(clock)
    tick = QTimer()
    tick.timeout.connect(lambda: clock.setText(QTime.currentTime().toString("hh:mm:ss.zzz")))
    if "clock" in sys.argv:
        tick.start(100)
    window.setCentralWidget(content)
    window.show()
    QTimer.singleShot(LATER_MS, lambda: FRONTS[sys.argv[1]](window))
    sys.exit(application.exec())


if __name__ == "__main__":
    main()
