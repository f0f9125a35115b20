# SPDX-License-Identifier: BSD-3-Clause
"""Run inside ParaView's GUI: opening reads nothing and shows an outline, tracing makes lines."""

import os

from in_gui import finish
from paraview.simple import (GetActiveViewOrCreate, GetDisplayProperties, LoadDistributedPlugin, OpenDataFile, Render,
                             Show)


def bytes_read(field):
    field.SMProxy.UpdatePropertyInformation()
    return field.SMProxy.GetProperty("BytesRead").GetElement(0)


def check():
    LoadDistributedPlugin("Rivulet", remote=False, ns=globals())
    view = GetActiveViewOrCreate("RenderView")
    field = OpenDataFile(os.environ["RIVULET_FIELD"])
    Show(field, view)
    Render(view)
    assert GetDisplayProperties(field, view).Representation == "Outline"
    assert bytes_read(field) == 0, "showing the outline touched the values"

    lines = RivuletStreamTracer(Input=field, SeedType="Point Cloud", MemoryBudget=16)
    Show(lines, view)
    Render(view)
    assert lines.GetDataInformation().GetNumberOfCells() > 100
    assert bytes_read(field) > 0


finish(check)
