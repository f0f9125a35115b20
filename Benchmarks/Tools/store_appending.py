# SPDX-License-Identifier: BSD-3-Clause
"""Parts of store.py: the cost of appending a step to a store beside that of writing as many bytes plainly, and rates of small bricks.

    rows = appending(arguments)    # dictionaries, one for each step
    rows = puts(arguments)
"""

import contextlib
import json
import pathlib
import shutil
import statistics
import subprocess
import tempfile

import built
from rows import summary

THREADS = 4  # two for each of two cores, as `rivulet convert` has: half of them wait for the device
NODES = {4: 121, 8: 235, 9: 235, 16: 235, 32: 235}  # along an edge, by cells of a brick
PUTS = {3: 121, 4: 121}  # bricks of about 1 kB: 4^3 and 5^3 nodes
MEMORY = pathlib.Path("/dev/shm")
SMALL = 100  # nodes along an edge of a small step, of 16 MB in bricks of 9^3 cells


def steps_of(folder, nodes, cells, steps, threads, *ways):
    """What append_steps prints of each step. It compares all bricks with what was written."""
    command = [built.program("append_steps"), folder, nodes, cells, steps, threads, *ways]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def appending(arguments):
    """Steps of 0.1 to 0.2 GB in bricks of several sizes, and small steps of the usual ones; each beside a plain write."""
    cases = [(9, 40), (4, 30)] if arguments.quick else [*((cells, nodes) for cells, nodes in NODES.items()), (9, SMALL)]
    rows = []
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for number in range(arguments.rounds):
        for cells, nodes in cases:
            for step in steps_of(arguments.folder, nodes, cells, 4, THREADS):
                rows.append({"part": "append", "round": number, **step, "seconds": step["append_seconds"],
                             "amplification": step["file_bytes"] / step["value_bytes"],
                             "ratio": step["append_seconds"] / step["plain_seconds"]})  # fmt: skip
    for cells, nodes in cases:
        mine = [row for row in rows if (row["cells"], row["nodes"]) == (cells, nodes)]
        print(f"append: bricks of {cells}^3 cells, steps of {mine[0]['value_bytes'] / 1e6:.0f} MB: "
              f"{summary([row['ratio'] for row in mine])} times a plain write, "
              f"{statistics.median(row['amplification'] for row in mine):.3f} bytes for each of the values")  # fmt: skip
    return rows


def puts(arguments):
    """Small bricks, in memory and on the disk, in runs and one by one, by 2 threads. The first step of a run warms up."""
    rows = []
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        memory = pathlib.Path(tempfile.mkdtemp(prefix="rivulet-puts-", dir=MEMORY if MEMORY.is_dir() else arguments.folder))
        stack.callback(shutil.rmtree, memory, ignore_errors=True)
        folders = {"memory": memory, "disk": arguments.folder}
        for number in range(arguments.rounds):
            for cells, nodes in [(3, 31)] if arguments.quick else PUTS.items():
                for device, folder in folders.items():
                    for way in ("runs", "each"):
                        for step in steps_of(folder, nodes, cells, 3, 2, *(["each"] if way == "each" else []))[1:]:
                            rows.append({"part": "puts", "round": number, "device": device, "way": way, **step, "seconds": step["write_seconds"],
                                         "puts_per_second": step["bricks"] / step["write_seconds"]})  # fmt: skip
    for cells, device, way in dict.fromkeys((row["cells"], row["device"], row["way"]) for row in rows):
        mine = [row for row in rows if (row["cells"], row["device"], row["way"]) == (cells, device, way)]
        whole = summary([row["bricks"] / row["append_seconds"] / 1e6 for row in mine])
        print(f"puts: bricks of {mine[0]['value_bytes'] // mine[0]['bricks']} B, {device}, {way}: "
              f"{summary([row['puts_per_second'] / 1e6 for row in mine])} million a second; with the file's making and end {whole}")  # fmt: skip
    return rows
