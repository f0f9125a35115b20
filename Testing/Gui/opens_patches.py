# SPDX-License-Identifier: BSD-3-Clause
"""Run inside ParaView's GUI: dumps of patches are opened by the readers for them, whichever way they are named."""

import glob
import os

from in_gui import finish
from paraview import servermanager
from paraview.modules.vtkRemotingServerManager import vtkSMReaderReloadHelper
from paraview.simple import (GetActiveViewOrCreate, GetDisplayProperties, GetTimeKeeper, LoadDistributedPlugin,
                             OpenDataFile, Render, Show)


def check_opened(what, expected, view):
    reader = OpenDataFile(what)
    assert reader.SMProxy.GetXMLName() == expected, (what, reader)
    Show(reader, view)
    Render(view)
    assert GetDisplayProperties(reader, view).Representation == "Outline"
    assert reader.GetDataInformation().GetNumberOfCells() > 1000
    assert vtkSMReaderReloadHelper().SupportsReload(reader.SMProxy)
    return reader


def check():
    LoadDistributedPlugin("Rivulet", remote=False, ns=globals())
    types = servermanager.vtkSMProxyManager.GetProxyManager().GetReaderFactory().GetSupportedFileTypes(
        servermanager.ActiveConnection.Session)
    for shown in ("Rivulet: SAMRAI dumps (*.visit *.samrai *.javis)", "Rivulet: plot files of Chombo and AMReX (*.hdf5 *.h5)"):
        assert shown in types, types
    view = GetActiveViewOrCreate("RenderView")
    dumps = os.environ["RIVULET_DUMPS"]
    for name in ("dumps.visit", "visit_dump.00010", os.path.join("visit_dump.00010", "summary.samrai")):
        check_opened(os.path.join(dumps, name), "RivuletSAMRAIReader", view)
    plots = sorted(glob.glob(os.path.join(os.environ["RIVULET_PLOTS"], "*.hdf5")))
    series = check_opened(plots, "RivuletChomboReader", view)
    assert len(series.TimestepValues) == 3
    assert list(GetTimeKeeper().TimestepValues)[-1] == series.TimestepValues[2]


finish(check)
