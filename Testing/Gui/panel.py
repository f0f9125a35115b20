# SPDX-License-Identifier: BSD-3-Clause
"""The Properties panel as a user sees it: what it shows, and its buttons. Needs PyQt of ParaView's version of Qt."""

import importlib
import time

with open("/proc/self/maps", encoding="ascii", errors="replace") as loaded:
    VERSION = 6 if "libQt6Widgets" in loaded.read() else 5
QtCore = importlib.import_module(f"PyQt{VERSION}.QtCore")
QtWidgets = importlib.import_module(f"PyQt{VERSION}.QtWidgets")


def settle():
    """Lets the GUI answer to what has changed; some answers wait for a timer."""
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        QtWidgets.QApplication.processEvents()
        time.sleep(0.01)


def main_window():
    return next(w for w in QtWidgets.QApplication.topLevelWidgets() if w.objectName() == "pqClientMainWindow")


def visible(name):
    """What of the panel has this name and is shown, outermost first."""
    settle()
    dock = main_window().findChild(QtWidgets.QDockWidget, "propertiesDock")
    return [w for w in dock.findChildren(QtWidgets.QWidget, name) if w.isVisible()]


def text(name):
    """The text that the panel shows for a property, or None where it shows none."""
    for widget in visible(name):
        for kind, read in ((QtWidgets.QLineEdit, lambda w: w.text()), (QtWidgets.QTextEdit, lambda w: w.toPlainText())):
            if isinstance(widget, kind):
                return read(widget)
            found = widget.findChildren(kind)
            if found:
                return read(found[0])
    return None


def press(name):
    """A button of the panel: Accept is Apply, Help the question mark."""
    button = visible(name)[0]
    assert button.isEnabled(), name
    button.click()
    settle()


def show_advanced():
    """Presses the wheel beside the search, unless it is pressed."""
    button = visible("AdvancedButton")[0]
    if not button.isChecked():
        button.click()
    settle()


def enter(name, value):
    """Types a number into the panel, or ticks a box."""
    widget = visible(name)[0]
    boxes = widget.findChildren(QtWidgets.QCheckBox)
    if boxes:
        boxes[0].setChecked(value)
    else:
        widget.findChildren(QtWidgets.QLineEdit)[0].setText(str(value))
    settle()


def choose_from_menu(name):
    """Makes the filter of that XML name from the menu."""
    settle()
    filters = main_window().findChild(QtWidgets.QMenu, "menuFilters")
    filters.aboutToShow.emit()  # enables what takes the active source
    next(a for menu in filters.findChildren(QtWidgets.QMenu) for a in menu.actions() if a.objectName() == name).trigger()
    settle()


def photograph(path):
    settle()
    assert main_window().grab().save(path), path
