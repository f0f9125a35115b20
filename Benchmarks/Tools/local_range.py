# SPDX-License-Identifier: BSD-3-Clause
"""A query that needs a small part of a large store, by a filter of Rivulet. A process of store.py; prints a line of JSON.

usage: pvpython local_range.py STORE --query surface --strategy 4 --budget 100
surface      streak surface from a curve of a tenth of the domain, over ten time steps
destination  source-destination query from a ball to a ball of a twentieth of the domain, over ten time steps
"""

import argparse
import hashlib
import json
import os
import time

STEPS = 10
STRATEGIES = ["Automatic", "Memory Map", "Buffered Cache", "Direct Cache", "Asynchronous"]


def streak_surface(rivulet, simple, reader, lower, size, _):
    start = [lower[axis] + share * size[axis] for axis, share in enumerate((0.45, 0.5, 0.45))]
    end = [lower[axis] + share * size[axis] for axis, share in enumerate((0.55, 0.5, 0.45))]
    line = simple.Line(Point1=start, Point2=end, Resolution=10)
    return rivulet["RivuletStreakSurfaceWithCustomSource"](Input=reader, SeedSource=line)


def source_destination(rivulet, simple, reader, lower, size, duration):
    query = rivulet["RivuletSourceDestination"](Input=reader, Vectors=["POINTS", "velocity"])
    query.SourceFunction, query.DestinationFunction = "Sphere", "Sphere"
    for ball, share in ((query.SourceFunction, (0.45, 0.5, 0.5)), (query.DestinationFunction, (0.5, 0.5, 0.6))):
        ball.Center = [lower[axis] + share[axis] * size[axis] for axis in range(3)]
        ball.Radius = min(size) / 20
    query.NumberOfSeeds = 1000
    query.Duration = duration
    return query


QUERIES = {"surface": streak_surface, "destination": source_destination}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("store")
    parser.add_argument("--query", choices=QUERIES, required=True)
    parser.add_argument("--strategy", type=int, default=4)
    parser.add_argument("--budget", type=int, required=True, help="MiB")
    arguments = parser.parse_args()
    from paraview import servermanager, simple
    from vtkmodules.util.numpy_support import vtk_to_numpy

    rivulet = {"__name__": "rivulet"}  # ParaView treats an empty value as none
    simple.LoadPlugin(os.environ["RIVULET_PLUGIN"], remote=False, ns=rivulet)
    reader = rivulet["RivuletStoreReader"](FileNames=[arguments.store])
    reader.UpdatePipeline()
    times = list(reader.TimestepValues)
    bounds = reader.GetDataInformation().GetBounds()
    lower, size = bounds[::2], [bounds[2 * axis + 1] - bounds[2 * axis] for axis in range(3)]
    proxy = QUERIES[arguments.query](rivulet, simple, reader, lower, size, times[STEPS] - times[0])
    proxy.Vectors = ["POINTS", "velocity"]
    proxy.AccessStrategy = STRATEGIES[arguments.strategy]
    proxy.MemoryBudget = arguments.budget
    proxy.NumberOfThreads = 2
    started = time.monotonic()
    proxy.UpdatePipeline(times[STEPS])
    seconds = time.monotonic() - started
    output = servermanager.Fetch(proxy)
    data = output.GetFieldData()
    said = {name: int(data.GetArray(name).GetValue(0)) for name in ("BricksRead", "BytesRead")}
    assert output.GetNumberOfPoints() > 0, "the query has no result"
    points = vtk_to_numpy(output.GetPoints().GetData())
    print(json.dumps({"query": arguments.query, "seconds": seconds, "bricks_read": said["BricksRead"], "bytes_read": said["BytesRead"],
                      "points": len(points), "hash": hashlib.sha256(points.tobytes()).hexdigest()}))  # fmt: skip


main()
