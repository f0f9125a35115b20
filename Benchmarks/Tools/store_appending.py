# SPDX-License-Identifier: BSD-3-Clause
"""Part of store.py: the cost of appending a step to a store beside that of writing as many bytes plainly.

    rows = appending(arguments)    # dictionaries, one for each step
"""

import json
import statistics
import subprocess

import built
from rows import summary

THREADS = 4  # two for each of two cores, as `rivulet convert` has: half of them wait for the device
NODES = {4: 121, 8: 235, 9: 235, 16: 235, 32: 235}  # along an edge, by cells of a brick
SMALL = 100  # nodes along an edge of a small step, of 16 MB in bricks of 9^3 cells


def appending(arguments):
    """Steps of 0.1 to 0.2 GB in bricks of several sizes, and small steps of the usual ones; each beside a plain write."""
    cases = [(9, 40), (4, 30)] if arguments.quick else [*((cells, nodes) for cells, nodes in NODES.items()), (9, SMALL)]
    rows = []
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for number in range(arguments.rounds):
        for cells, nodes in cases:
            command = [built.program("append_steps"), arguments.folder, nodes, cells, 4, THREADS]
            done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
            for line in done.stdout.splitlines():
                step = json.loads(line)
                rows.append({"part": "append", "round": number, **step, "seconds": step["append_seconds"],
                             "amplification": step["file_bytes"] / step["value_bytes"],
                             "ratio": step["append_seconds"] / step["plain_seconds"]})  # fmt: skip
    for cells, nodes in cases:
        mine = [row for row in rows if (row["cells"], row["nodes"]) == (cells, nodes)]
        print(f"append: bricks of {cells}^3 cells, steps of {mine[0]['value_bytes'] / 1e6:.0f} MB: "
              f"{summary([row['ratio'] for row in mine])} times a plain write, "
              f"{statistics.median(row['amplification'] for row in mine):.3f} bytes for each of the values")  # fmt: skip
    return rows
