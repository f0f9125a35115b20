# SPDX-License-Identifier: BSD-3-Clause
"""Part of store.py: queries that need a small part of a store much larger than memory, through ParaView's filters.

    rows = queries(arguments)    # dictionaries, one for each run
"""

import os
import pathlib
import shutil
import subprocess

import built
from cold_runs import drop_caches
from rows import summary
from unsteady_files import needs, run_in_group

NODES, STEPS = 213, 51  # 8.7 GB
QUERIES = ["surface", "destination"]
LEAST_MEMORY = 400 << 20  # of ParaView and the filter
BUDGET = 64  # MiB, within the limit
MEMORY_MAP, ASYNCHRONOUS = 1, 4
SCRIPT = pathlib.Path(__file__).parent / "local_range.py"


def run(store, query, strategy, limit):
    drop_caches()
    return run_in_group(["pvpython", SCRIPT, store, "--query", query, "--strategy", strategy, "--budget", BUDGET], limit)


def queries(arguments):
    """Each query in a memory cgroup of a twentieth of the store. A mapping, which counts each brick once, tells which are needed."""
    needs("pvpython")
    os.environ["RIVULET_PLUGIN"] = built.plugin()
    store = arguments.folder / "tornado.rvs"
    arguments.folder.mkdir(parents=True, exist_ok=True)
    nodes, steps = (60, 12) if arguments.quick else (NODES, STEPS)
    command = [built.program("rivulet"), "generate", "tornado", store, "--dims", f"{nodes},{nodes},{nodes}", "--steps", steps, "--dt", 1, "--force", "-q"]
    rows = []
    try:
        subprocess.run([str(word) for word in command], check=True)
        size = sum(file.stat().st_size for file in store.iterdir())
        limit = max(LEAST_MEMORY, size // 20)
        for query in QUERIES:
            needed = run(store, query, MEMORY_MAP, None)
            for number in range(arguments.rounds):
                result = run(store, query, ASYNCHRONOUS, limit)
                assert result["hash"] == needed["hash"], "other values than without a limit"
                rows.append({"part": "queries", "round": number, "store_bytes": size, "memory_limit": limit, "needed_bricks": needed["bricks_read"],
                             "needed_bytes": needed["bytes_read"], **result})  # fmt: skip
            mine = [row for row in rows if row["query"] == query]
            print(f"queries: {query}: {summary([row['bytes_read'] / row['needed_bytes'] for row in mine])} times the bytes of the bricks needed, "
                  f"{summary([100 * row['bytes_read'] / size for row in mine])} % of {size / 1e9:.1f} GB, {summary([row['seconds'] for row in mine])} s")  # fmt: skip
    finally:
        shutil.rmtree(store, ignore_errors=True)
    return rows
