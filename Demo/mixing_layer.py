# SPDX-License-Identifier: BSD-3-Clause
"""pvbatch mixing_layer.py FIELD PICTURE BUDGET_MIB REPORT: streamlines through a field larger than the budget."""

import sys

import scene
from paraview.simple import *  # noqa: F403 the plugin's proxies appear here

FIELD, PICTURE, BUDGET_MIB, REPORT = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]


def main():
    scene.load_rivulet(globals())
    idle = scene.peak_memory()
    field = RivuletFieldReader(FileNames=[FIELD], MemoryBudget=BUDGET_MIB)
    field.UpdatePipelineInformation()
    print(field.GetDataInformation().GetBounds())


main()
