# SPDX-License-Identifier: BSD-3-Clause
"""Run inside ParaView's GUI: the question mark of the panel opens the page of the reader or filter at hand."""

import os

import panel
from in_gui import finish
from paraview.simple import LoadDistributedPlugin, OpenDataFile, SetActiveSource, Show


def shown_page():
    """The address and text of the page in ParaView's help window."""
    windows = [w for w in panel.QtWidgets.QApplication.topLevelWidgets() if w.objectName() == "pqHelpWindow"]
    assert windows, "there is no help window"
    browsers = windows[0].findChildren(panel.QtWidgets.QTextBrowser)
    assert browsers, [w.metaObject().className() for w in windows[0].findChildren(panel.QtWidgets.QWidget)]
    browser = max(browsers, key=lambda w: len(w.toPlainText()))
    return browser.source().path(), browser.toPlainText()


def check():
    LoadDistributedPlugin("Rivulet", remote=False, ns=globals())
    field = OpenDataFile(os.environ["RIVULET_FIELD"])
    Show(field)
    SetActiveSource(field)
    panel.press("Help")
    address, text = shown_page()
    assert address == "/Rivulet/sources.RivuletFieldReader.html", address
    assert "Memory in MiB" in text and "Point Arrays" in text, text

    lines = RivuletStreamTracer(Input=field)
    SetActiveSource(lines)
    panel.press("Help")
    address, text = shown_page()
    assert address == "/Rivulet/filters.RivuletStreamTracer.html", address
    assert "Maximum Streamline Length" in text and "Memory Budget" in text, text


finish(check)
