# SPDX-License-Identifier: BSD-3-Clause
"""Part of store.py: the time of pathline queries by the size of the store's bricks.

    rows = sizes(arguments)    # dictionaries, one for each run
"""

import contextlib
import json
import shutil
import statistics
import subprocess

import built
import numpy as np
import outofcore
from cold_runs import drop_caches
from slow_disk import SlowDevice, SlowDisk
from unsteady_files import LEAST_MEMORY, needs, run_in_group

DEVICE = "latency=5ms,bandwidth=1GB/s,depth=64"
EDGES = (4, 6, 8, 10, 12, 16, 24, 32)  # nodes along an edge of a brick
NODES, STEPS = 161, 12  # 0.6 GB of values
BUDGET = 32  # MiB, about a twentieth of the values
QUERIES = {"cloud": (2000, 0.3, 0.7), "local": (200, 0.45, 0.5)}  # paths, and the part of each axis where they begin
KEPT = ["seconds", "steps", "bricks_read", "bytes_read", "device_bytes", "prefetched", "prefetched_used", "peak_bytes"]


def make_store(folder, edge, nodes, steps):
    store = folder / f"edge-{edge}.rvs"
    command = [built.program("rivulet"), "generate", "tornado", store, "--dims", f"{nodes},{nodes},{nodes}", "--steps", steps,
               "--brick", f"{edge - 1},{edge - 1},{edge - 1}", "--force", "-q"]  # fmt: skip
    subprocess.run([str(word) for word in command], check=True)
    return store


def write_seeds(path, grid, query):
    count, low, high = QUERIES[query]
    lower, spacing, nodes = (np.array(grid[key]) for key in ("origin", "spacing", "nodes"))
    at = np.random.default_rng(1).random((count, 3))
    (lower + spacing * (nodes - 1) * (low + (high - low) * at)).tofile(path)


def trace(store, seeds, strategy, budget, limit=None):
    words = [built.program("trace_in_time"), store, "--seeds", seeds, "--strategy", strategy, "--budget", budget, "--threads", 2]
    return run_in_group(words, limit)


def measure(stores, disk, seeds, arguments):
    """Rows of one query: each store from the local disk and from the slow one, in turn. The lines must be the same for all."""
    query = seeds.stem
    # A mapping counts each brick once.
    needed = {edge: trace(store, seeds, outofcore.MEMORY_MAP, 4096) for edge, store in stores.items()}
    assert len({answer["hash"] for answer in needed.values()}) == 1, "lines depend on the size of the bricks"
    rows = []
    for number in range(arguments.rounds):
        for edge, store in list(stores.items())[:: -1 if number % 2 else 1]:
            for device, path in {"local": store, DEVICE: disk.path / store.name}.items():
                drop_caches()
                answer = trace(path, seeds, outofcore.ASYNCHRONOUS, BUDGET, LEAST_MEMORY + (BUDGET << 20))
                assert answer["hash"] == needed[edge]["hash"], "other lines than without a limit"
                size = sum(file.stat().st_size for file in store.iterdir())
                void = device == "local" and answer["device_bytes"] < 0.98 * needed[edge]["bytes_read"]
                rows.append({"part": "sizes", "query": query, "round": number, "device": device, "edge": edge, "store_bytes": size,
                             "needed_bricks": needed[edge]["bricks_read"], "needed_bytes": needed[edge]["bytes_read"],
                             **{key: answer[key] for key in KEPT}, "void": void})  # fmt: skip
    return rows


def sizes(arguments):
    needs()
    folder = arguments.folder / "sizes"
    folder.mkdir(parents=True, exist_ok=True)
    nodes, steps, edges = (33, 3, (6, 10)) if arguments.quick else (NODES, STEPS, EDGES)
    rows = []
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        stores = {edge: make_store(folder, edge, nodes, steps) for edge in edges}
        info = subprocess.run([built.program("rivulet"), "info", stores[edges[0]], "--json"], capture_output=True, check=True)
        disk = stack.enter_context(SlowDisk(folder, SlowDevice.parse(DEVICE)))
        for query in QUERIES:
            seeds = folder / f"{query}.seeds"
            write_seeds(seeds, json.loads(info.stdout)["grid"], query)
            rows += measure(stores, disk, seeds, arguments)
    report(rows)
    return rows


def report(rows):
    for query, device, edge in dict.fromkeys((row["query"], row["device"], row["edge"]) for row in rows):
        mine = [row for row in rows if (row["query"], row["device"], row["edge"]) == (query, device, edge)]
        seconds = [row["seconds"] for row in mine]
        read = statistics.median(row["bytes_read"] for row in mine) / 1e6
        print(f"sizes: {query}, {device.partition(',')[0]}, {edge}^3 nodes: {statistics.median(seconds):.3f} s ({min(seconds):.3f} to "
              f"{max(seconds):.3f}), {read:.0f} MB read, {mine[0]['needed_bytes'] / 1e6:.0f} needed of {mine[0]['store_bytes'] / 1e6:.0f}")  # fmt: skip
