# SPDX-License-Identifier: BSD-3-Clause
"""Presets of colours by the names that they have in all ParaViews."""
from paraview import servermanager


def apply_preset(table, name):
    """Older ParaViews add the origin to the names of matplotlib's presets. Some take any name and keep their colours."""
    presets = servermanager.vtkSMTransferFunctionPresets.GetInstance()
    known = {presets.GetPresetName(number) for number in range(presets.GetNumberOfPresets())}
    for candidate in (name, f"{name} (matplotlib)"):
        if candidate in known:
            table.ApplyPreset(candidate, True)
            return
    raise ValueError(f"there is no preset of colours named {name}")
