# SPDX-License-Identifier: BSD-3-Clause
"""Run inside ParaView's GUI: a store is opened by its folder or its description, grows, and is saved."""

import os
import subprocess

from in_gui import finish
from paraview import servermanager
from paraview.modules.vtkRemotingServerManager import vtkSMReaderReloadHelper
from paraview.simple import (GetActiveViewOrCreate, GetDisplayProperties, GetTimeKeeper, LoadDistributedPlugin,
                             OpenDataFile, Render, SaveData, Show)

STORE = os.environ["RIVULET_STORE"]


def grow(steps):
    command = [os.environ["RIVULET_PROGRAM"], "generate", "double-gyre", STORE, "--dims", "41,21,9", "--dt", "0.5", "-q"]
    subprocess.run([*command, "--steps", str(steps), "--append"], check=True)


def check():
    LoadDistributedPlugin("Rivulet", remote=False, ns=globals())
    grow(2)
    view = GetActiveViewOrCreate("RenderView")
    for name in (STORE, os.path.join(STORE, "store.json")):
        reader = OpenDataFile(name)
        assert reader.SMProxy.GetXMLName() == "RivuletStoreReader", reader
        Show(reader, view)
        Render(view)
        assert GetDisplayProperties(reader, view).Representation == "Outline"
        assert list(reader.TimestepValues) == [0.0, 0.5]
    grow(4)
    helper = vtkSMReaderReloadHelper()
    assert helper.SupportsReload(reader.SMProxy)
    helper.ReloadFiles(reader.SMProxy)
    reader.UpdatePipelineInformation()
    Render(view)
    assert list(reader.TimestepValues) == [0.0, 0.5, 1.0, 1.5], reader.TimestepValues
    assert list(GetTimeKeeper().TimestepValues)[-1] == 1.5
    writers = servermanager.vtkSMProxyManager.GetProxyManager().GetWriterFactory().GetSupportedFileTypes(
        reader.SMProxy, reader.Port)
    assert "Rivulet store(*.rvs" in writers.replace(" (", "("), writers
    saved = STORE.replace("growing", "saved")
    SaveData(saved, proxy=reader)
    assert sorted(os.listdir(saved)) == sorted(os.listdir(STORE)), os.listdir(saved)


finish(check)
