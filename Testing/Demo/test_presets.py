# SPDX-License-Identifier: BSD-3-Clause
"""Colours of the demo are the same in all ParaViews, whose names of presets differ."""
import os
import sys

import numpy as np
from paraview import simple
from plugin_testing import run

sys.path.insert(0, os.path.join(os.environ["RIVULET_SOURCE"], "Demo"))
from presets import apply_preset  # noqa: E402 (the path comes first)


def first_and_last(name):
    table = simple.GetColorTransferFunction(name)
    apply_preset(table, name)
    points = np.array(table.RGBPoints).reshape(-1, 4)
    return np.round(points[[0, -1], 1:], 3).tolist()


def test_presets_of_matplotlib_have_their_colours():
    assert first_and_last("Inferno") == [[0.001, 0.0, 0.014], [0.988, 0.998, 0.645]], first_and_last("Inferno")
    assert first_and_last("Viridis") == [[0.267, 0.005, 0.329], [0.993, 0.906, 0.144]], first_and_last("Viridis")


def test_a_name_that_is_none_is_refused():
    table = simple.GetColorTransferFunction("speed")
    try:
        apply_preset(table, "None of these")
    except ValueError as error:
        assert "None of these" in str(error)
        return
    raise AssertionError("it was taken")


run(globals())
