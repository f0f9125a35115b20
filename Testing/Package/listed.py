# SPDX-License-Identifier: BSD-3-Clause
# In ParaView's GUI: the word "loaded" goes into the file `verdict` if the Plugin Manager lists Rivulet as that.
import os

from paraview import servermanager

plugins = servermanager.vtkSMProxyManager.GetProxyManager().GetPluginManager().GetLocalInformation()
loaded = {plugins.GetPluginName(at): plugins.GetPluginLoaded(at) for at in range(plugins.GetNumberOfPlugins())}
with open("verdict", "w", encoding="ascii") as verdict:
    print("loaded" if loaded.get("Rivulet") else f"not as it should be: {loaded}", file=verdict)
os._exit(0)
