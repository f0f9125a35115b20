# SPDX-License-Identifier: BSD-3-Clause
"""Helpers of the demo's scenes: the plugin, the view's colours, and the table of a run's costs."""

import os
import time

from paraview.simple import CreateView, GetColorTransferFunction, GetScalarBar, LoadPlugin, Render, SaveScreenshot
from presets import apply_preset

SIZE = [1600, 1000]
DARK = [0.035, 0.045, 0.075]
LESS_DARK = [0.16, 0.19, 0.26]


def load_rivulet(namespace):
    """Loads the plugin from the folder that RIVULET_PLUGIN names."""
    LoadPlugin(os.environ["RIVULET_PLUGIN"], remote=False, ns=namespace)


def make_view():
    view = CreateView("RenderView")
    view.ViewSize = SIZE
    view.UseColorPaletteForBackground = 0
    view.BackgroundColorMode = "Gradient"
    view.Background = DARK
    view.Background2 = LESS_DARK
    view.OrientationAxesVisibility = 0
    view.UseFXAA = 1
    return view


def without_darkest(points, share):
    """The colour map without its dark lower part, which is invisible on a dark background."""
    values = [points[at:at + 4] for at in range(0, len(points), 4)]
    low, high = values[0][0], values[-1][0]
    kept = [value for value in values if value[0] >= low + share * (high - low)]
    return [number for value in kept for number in value]


def move(shown, by):
    """Draws a representation elsewhere. ParaView 5.12 renamed the property."""
    setattr(shown, "Translation" if "Translation" in shown.ListProperties() else "Position", by)


def colour_by(display, view, array, preset, value_range, title):
    display.ColorArrayName = ["POINTS", array]
    table = GetColorTransferFunction(array)
    apply_preset(table, preset)
    table.RGBPoints = without_darkest(list(table.RGBPoints), 0.13)
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
    bar.AutomaticLabelFormat = 0
    # ParaView 6.1 writes numbers by std::format, earlier ones by printf.
    bar.LabelFormat = bar.RangeLabelFormat = "{:.2g}" if "{" in bar.RangeLabelFormat else "%.2g"
    bar.DrawTickMarks = 0
    display.SetScalarBarVisibility(view, True)


def peak_memory():
    """Peak memory of this process in bytes."""
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])
    return 0


def update(proxy, at=None):
    """Runs a filter, at a time if one is given. Returns its first output, without a copy, and the seconds."""
    began = time.perf_counter()
    proxy.UpdatePipeline() if at is None else proxy.UpdatePipeline(at)
    return proxy.GetClientSideObject().GetOutputDataObject(0), time.perf_counter() - began


def statistics(output):
    """Statistics of Rivulet's filters from field data, as a dictionary."""
    field = output.GetFieldData()
    arrays = [field.GetArray(index) for index in range(field.GetNumberOfArrays())]
    return {array.GetName(): array.GetTuple1(0) for array in arrays if array and array.GetNumberOfTuples() == 1}


def save(view, picture, position, focal_point, angle, view_up=(0, 0, 1), size=SIZE):
    Render(view)  # the first rendering resets the camera
    view.CameraPosition = list(position)
    view.CameraFocalPoint = list(focal_point)
    view.CameraViewUp = list(view_up)
    view.CameraViewAngle = angle
    SaveScreenshot(picture, view, ImageResolution=size)


def size(count):
    """Bytes as text: 1610612736 becomes '1.50 GiB'."""
    for unit, factor in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= factor:
            return f"{count / factor:.3g} {unit}"
    return f"{count:.0f} B"


def print_table(path, rows):
    """Writes rows of a label and two values to the terminal and to a file."""
    table = "".join(f"{label:<28}{first:>16}{second:>16}".rstrip() + "\n" for label, first, second in rows)
    print(table, end="", flush=True)
    with open(path, "w", encoding="ascii") as report:
        report.write(table)
