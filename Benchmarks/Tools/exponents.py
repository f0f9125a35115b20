# SPDX-License-Identifier: BSD-3-Clause
"""Lyapunov exponents on a lattice by Rivulet FTLE, once, for unsteady.py. Says {"missing": ...} where the plugin lacks the filter.

usage: pvpython exponents.py --file FIELD.rvf --edge 256 --step 0.5 --duration 10 --threads 2
"""

import argparse
import json
import os
import pathlib
import resource
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from turns import seconds_of  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", required=True)
    parser.add_argument("--edge", type=int, required=True)
    parser.add_argument("--step", type=float, required=True)
    parser.add_argument("--duration", type=float, required=True)
    parser.add_argument("--threads", type=int, required=True)
    arguments = parser.parse_args()
    from paraview import simple

    rivulet = {"__name__": "rivulet"}  # ParaView treats an empty value as none
    simple.LoadPlugin(os.environ["RIVULET_PLUGIN"], remote=False, ns=rivulet)
    if "RivuletFTLE" not in rivulet:
        print(json.dumps({"missing": "RivuletFTLE"}))
        return
    field = rivulet["RivuletFieldReader"](FileNames=[arguments.file])
    exponents = rivulet["RivuletFTLE"](Input=field, Lattice=1, Bounds=[0, 2, 0, 1, 0, 1], Dimensions=[arguments.edge] * 3)
    exponents.Vectors = ["POINTS", "velocity"]
    exponents.Duration = arguments.duration
    exponents.IntegratorType = "Runge-Kutta 4"
    exponents.IntegrationStepUnit = "Time"
    exponents.InitialStepLength = arguments.step
    exponents.NumberOfThreads = arguments.threads
    exponents.MemoryBudget = 64
    exponents.UpdatePipelineInformation()
    _, row = seconds_of(lambda: exponents.UpdatePipeline(0.0))
    output = exponents.GetClientSideObject().GetOutputDataObject(0)
    facts = output.GetFieldData()
    row |= {"paths": output.GetNumberOfPoints(), "steps": facts.GetArray("IntegrationSteps").GetValue(0)}
    row |= {"peak_bytes": facts.GetArray("PeakBytes").GetValue(0)}
    row |= {"largest_rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}
    print(json.dumps(row))


if __name__ == "__main__":
    main()
