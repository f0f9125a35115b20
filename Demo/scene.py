# SPDX-License-Identifier: BSD-3-Clause
"""What the demo's scenes share: the plugin, the look of the view, and the table of what a run cost."""

import json
import os
import time

from paraview.simple import (CreateView, GetColorTransferFunction, GetScalarBar, LoadPlugin, Render, SaveScreenshot,
                             servermanager)

SIZE = [1600, 1000]
DARK = [0.035, 0.045, 0.075]
LESS_DARK = [0.16, 0.19, 0.26]


def load_rivulet(namespace):
    """Loads the plugin from the folder that RIVULET_PLUGIN names."""
    LoadPlugin(os.environ["RIVULET_PLUGIN"], remote=False, ns=namespace)


def make_view(camera_position, focal_point, view_up=(0, 0, 1), angle=30.0):
    view = CreateView("RenderView")
    view.ViewSize = SIZE
    view.UseColorPaletteForBackground = 0
    view.BackgroundColorMode = "Gradient"
    view.Background = DARK
    view.Background2 = LESS_DARK
    view.OrientationAxesVisibility = 0
    view.CameraPosition = list(camera_position)
    view.CameraFocalPoint = list(focal_point)
    view.CameraViewUp = list(view_up)
    view.CameraViewAngle = angle
    view.UseFXAA = 1
    return view


def colour_by(display, view, array, preset, value_range, title):
    display.ColorArrayName = ["POINTS", array]
    table = GetColorTransferFunction(array)
    table.ApplyPreset(preset, True)
    table.RescaleTransferFunction(*value_range)
    display.LookupTable = table
    bar = GetScalarBar(table, view)
    bar.Title = title
    bar.ComponentTitle = ""
    bar.Orientation = "Horizontal"
    bar.WindowLocation = "Any Location"
    bar.Position = [0.34, 0.045]
    bar.ScalarBarLength = 0.32
    bar.ScalarBarThickness = 12
    bar.TitleFontSize = bar.LabelFontSize = 17
    bar.TitleColor = bar.LabelColor = [0.92, 0.94, 0.97]
    bar.AddRangeLabels = 1
    bar.RangeLabelFormat = "%.2g"
    bar.AutomaticLabelFormat = 0
    bar.LabelFormat = "%.2g"
    bar.DrawTickMarks = 0
    display.SetScalarBarVisibility(view, True)


def peak_memory():
    """The most memory this process ever held, in bytes."""
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])
    return 0


def update(proxy):
    """Runs a filter and returns its first output and the seconds that took."""
    began = time.perf_counter()
    proxy.UpdatePipeline()
    return servermanager.Fetch(proxy), time.perf_counter() - began


def statistics(output):
    """The statistics that Rivulet's filters leave in field data, as a dictionary."""
    field = output.GetFieldData()
    arrays = [field.GetArray(index) for index in range(field.GetNumberOfArrays())]
    return {array.GetName(): array.GetTuple1(0) for array in arrays if array and array.GetNumberOfTuples() == 1}


def save(view, picture):
    Render(view)
    SaveScreenshot(picture, view, ImageResolution=SIZE)


def write_report(path, rows):
    with open(path, "w", encoding="ascii") as report:
        json.dump(rows, report, indent=2)
