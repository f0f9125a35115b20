# SPDX-License-Identifier: BSD-3-Clause
"""Run inside ParaView's GUI: filters have icons of their own in the menu, and what was made has them in the pipeline browser."""

import panel
from in_gui import finish
from paraview.simple import LoadDistributedPlugin


def pixels(icon):
    """Its picture, or None where it cannot be drawn."""
    picture = icon.pixmap(24, 24)
    return None if picture.isNull() else picture.toImage()


def check():
    LoadDistributedPlugin("Rivulet", remote=False, ns=globals())
    panel.settle()
    filters = panel.main_window().findChild(panel.QtWidgets.QMenu, "menuFilters")
    menu = next(menu for menu in filters.findChildren(panel.QtWidgets.QMenu) if menu.objectName() == "Rivulet")
    pictures = {action.text(): pixels(action.icon()) for action in menu.actions()}
    assert len(pictures) == 12 and None not in pictures.values(), pictures
    different = []
    for picture in pictures.values():
        different += [picture] if picture not in different else []
    # A filter and its twin with a custom source have one icon, but those of the stream tracer two.
    assert len(different) == 9, f"{len(different)} icons for {sorted(pictures)}"

    colours = {"RivuletFieldReader": "#1565c0", "RivuletSAMRAIReader": "#1565c0"}
    for name, colour in colours.items():
        reader = globals()[name](registrationName=name)
        panel.settle()
        icons = icons_of(next(model for model in panel.main_window().findChildren(panel.QtCore.QAbstractItemModel)
                              if model.metaObject().className() == "pqPipelineModel"))
        assert any(colour in drawn for drawn in icons), f"{name} ({reader}) has no icon of its own"


def icons_of(model):
    """The colours of each icon in the pipeline browser."""
    decoration = panel.QtCore.Qt.ItemDataRole.DecorationRole
    found = []
    waiting = [model.index(row, column) for row in range(model.rowCount()) for column in range(model.columnCount())]
    while waiting:
        index = waiting.pop()
        waiting += [model.index(row, column, index) for row in range(model.rowCount(index)) for column in range(2)]
        data = model.data(index, decoration)
        if data is not None and not data.isNull():
            image = (data.pixmap(32, 32) if hasattr(data, "pixmap") else data).toImage()
            found.append({image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())})
    return found


finish(check)
