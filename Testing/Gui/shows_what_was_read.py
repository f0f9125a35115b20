# SPDX-License-Identifier: BSD-3-Clause
"""Run inside ParaView's GUI: the panel shows how values were read, after the first Apply and after each further one."""

import os

import panel
from in_gui import finish
from paraview.simple import (GetActiveSource, GetActiveViewOrCreate, LoadDistributedPlugin, OpenDataFile, SetActiveSource,
                             Show)


def check():
    LoadDistributedPlugin("Rivulet", remote=False, ns=globals())
    view = GetActiveViewOrCreate("RenderView")
    panel.main_window().resize(1200, 1000)
    field = OpenDataFile(os.environ["RIVULET_FIELD"])
    SetActiveSource(field)
    Show(field, view)
    panel.enter("MemoryBudget", 64)
    panel.press("Accept")
    assert panel.text("StrategyInUse"), "the panel does not show the strategy"
    assert panel.text("StrategyReason").endswith("."), panel.text("StrategyReason")
    assert panel.text("ValuesRead") == "0 B", panel.text("ValuesRead")
    assert panel.text("PeakMemory") == "0 B of 64 MiB", panel.text("PeakMemory")
    assert panel.visible("MemoryBudget"), "the budget is hidden"

    panel.choose_from_menu("RivuletStreamTracer")
    assert GetActiveSource().SMProxy.GetXMLName() == "RivuletStreamTracer"
    assert panel.visible("MemoryBudget"), "the budget is hidden"
    assert panel.text("StrategyInUse") == "", panel.text("StrategyInUse")
    panel.press("Accept")
    first = panel.text("ValuesRead")
    assert first.endswith(" bricks"), first
    assert panel.text("StrategyInUse") and panel.text("PeakMemory").endswith("B")

    panel.enter("MaximumPropagation", 0.3)
    panel.press("Accept")
    assert panel.text("ValuesRead") != first, f"the panel still shows the run before: {first}"
    assert panel.text("ValuesRead") == GetActiveSource().ValuesRead

    SetActiveSource(field)
    assert panel.text("ValuesRead") == field.ValuesRead != "0 B", panel.text("ValuesRead")


finish(check)
