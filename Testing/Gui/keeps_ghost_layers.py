# SPDX-License-Identifier: BSD-3-Clause
"""Run inside ParaView's GUI: ghost layers are kept once the box is ticked, shown as a surface, and survive a state file."""

import os

import panel
from in_gui import finish
from paraview.simple import (FindSource, GetActiveViewOrCreate, GetDisplayProperties, GetSources, LoadDistributedPlugin,
                             LoadState, OpenDataFile, RenameSource, Render, ResetSession, SaveState, SetActiveSource, Show)


def cells(reader):
    """How many the reader shows, ghosts included."""
    reader.UpdatePipeline()
    return reader.GetDataInformation().GetNumberOfCells()


def show_surface(reader):
    view = GetActiveViewOrCreate("RenderView")
    display = Show(reader, view)
    display.SetRepresentationType("Surface")
    Render(view)
    assert GetDisplayProperties(reader, view).Representation == "Surface"


def check():
    LoadDistributedPlugin("Rivulet", remote=False, ns=globals())
    reader = OpenDataFile(os.path.join(os.environ["RIVULET_GHOSTED"], "dumps.visit"))
    RenameSource("ghosted", reader)
    show_surface(reader)
    without = cells(reader)
    SetActiveSource(reader)
    panel.show_advanced()
    panel.enter("KeepGhostLayers", True)
    panel.press("Accept")
    assert reader.KeepGhostLayers == 1
    kept = cells(reader)
    assert kept > without, (kept, without)
    show_surface(reader)

    state = os.path.join(os.environ["RIVULET_GHOSTED"], "kept.pvsm")
    SaveState(state)
    ResetSession()
    assert not GetSources()
    LoadState(state)
    again = FindSource("ghosted")
    assert again is not None and again.KeepGhostLayers == 1
    assert cells(again) == kept
    show_surface(again)
    panel.settle()


finish(check)
