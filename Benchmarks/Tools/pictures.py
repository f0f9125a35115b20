# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of the benchmarks' rows.

    draw_rows("memory", [folder / "rows.csv"])  # writes rows.png beside the rows

Each benchmark has a function that makes panels of its rows. `PICTURES` maps names to functions. Void rows are left out.
"""

import pathlib

import insitu_bars
import local_cache_bars
import plots
import study_figures
from plots import Curves, Ranges
from rows import read_rows

TRACERS = {"rivulet": "Rivulet", "vtk": "VTK 9.7.2", "paraview": "ParaView 5.11"}
WORKLOADS = {
    "rk4": "Runge-Kutta 4, forward",
    "rk45": "Runge-Kutta 4-5, forward",
    "rk45-defaults": "Runge-Kutta 4-5, both ways,\nvorticity",
}


def gathered(rows, *keys, value, factor=1.0):
    """Nested dictionaries by the keys (names of columns, or functions of a row), lists of values at the bottom."""
    result = {}
    for row in rows:
        names = [key(row) if callable(key) else row[key] for key in keys]
        inner = result
        for name in names[:-1]:
            inner = inner.setdefault(name, {})
        inner.setdefault(names[-1], []).append(factor * float(row[value]))
    return result


def alternatives(rows, column):
    return list(dict.fromkeys(row[column] for row in rows))


def in_memory(rows):
    rows = sorted(rows, key=lambda row: list(WORKLOADS).index(row["workload"]))
    rates = gathered(rows, lambda row: TRACERS[row["side"]], lambda row: WORKLOADS[row["workload"]], value="steps_per_second",
                     factor=1e-6)  # fmt: skip
    rates = {name: rates[name] for name in TRACERS.values() if name in rates}
    first = rows[0]
    title = f"Integration steps in memory: ABC flow, {first['nodes']}\u00b3 points, {int(first['seeds']):,} seeds, 2 threads"
    return [Ranges("integration steps per second (millions)", rates, log=True)], 1, title


def meshes(rows):
    panels = []
    for seeds in sorted(alternatives(rows, "seeds"), key=int, reverse=True):
        mine = [row for row in rows if row["seeds"] == seeds]
        one = int(seeds) == 1
        value, factor = ("first_seconds", 1) if one else ("steps_per_second", 1e-6)
        found = gathered(mine, lambda row: TRACERS[row["side"]], lambda row: row["workload"], value=value, factor=factor)
        found = {name: found[name] for name in TRACERS.values() if name in found}
        label = "seconds to the first line" if one else "integration steps per second (millions)"
        panels.append(Ranges(label, found, title=f"{int(seeds):,} seed{'s' * (not one)}", log=True))
    return panels, 1, "Lines through meshes, 2 threads"


def single_seed(rows):
    panels = []
    for nodes in alternatives(rows, "nodes"):
        for workload in alternatives(rows, "workload"):
            mine = [row for row in rows if (row["nodes"], row["workload"]) == (nodes, workload)]
            times = gathered(mine, lambda row: TRACERS[row["side"]], lambda row: int(row["seeds"]), value="seconds", factor=1e3)
            times = {name: times[name] for name in TRACERS.values() if name in times}
            name = {"rk4": "Runge-Kutta 4, forward", "rk45-defaults": "ParaView's defaults"}[workload]
            panels.append(Curves("time (ms)", "seeds", times, title=f"{nodes}\u00b3 points, {name}", log=True))
    return panels, 2, "Few seeds in memory: time of one update, 2 threads"


def kernel(rows):
    def thing(row):
        vorticity = ", vorticity" if row["vorticity"] == "1" else ""
        return {"0": "Runge-Kutta 2", "1": "Runge-Kutta 4", "2": "Runge-Kutta 4-5"}[row["integrator"]] + vorticity

    def series(row):
        return f"{row['type']}, {row['threads']} thread{'s' * (row['threads'] != '1')}"

    titles = {"trace_steps": "streamlines", "trace_steps_in_time": "pathlines"}
    panels = []
    for function in alternatives(rows, "function"):
        rates = gathered([row for row in rows if row["function"] == function], series, thing, value="steps", factor=1e-6)
        title = titles.get(function, function)
        panels.append(Ranges("integration steps per second (millions)", rates, title=title, log=True))
    return panels, 1, "The tracer without a filter around it: ABC flow, 256\u00b3 points in memory, 12,288 seeds"


def conversion(rows):
    mib = float(rows[0]["source_bytes"]) / 2**20
    rates = {name: [mib / float(row[f"{side}_seconds"]) for row in rows]
             for side, name in (("cp", "cp, fsync"), ("convert", "rivulet convert, fsync"))}  # fmt: skip
    panels = [
        Ranges("source bytes per second (MiB/s)", {"": rates}),
        Ranges("speed of convert / speed of cp, by pair", {"": {"convert : cp": [float(row["ratio"]) for row in rows]}},
               limits={"as fast as cp": {"convert : cp": [1.0]}}),
    ]  # fmt: skip
    return panels, 1, f"Converting {mib / 1024:.1f} GiB, {rows[0]['cache']}, in turn with cp"


def opening(rows):
    names = {"stock": "Wavelet (stock, no file)"}
    for row in rows:
        names.setdefault(row["size"], f"field of {row['size']}")
    panels = []
    for value, label in (("seconds", "from opening to the rendered outline (s)"), ("grown_mb", "growth of the process (MB)")):
        panels.append(Ranges(label, {"": gathered(rows, lambda row: names[row["size"]], value=value)}))
    return panels, 1, "Opening a field and showing its outline: nothing is read of its values"


def memory(rows):
    peaks = gathered(rows, "strategy", lambda row: float(row["budget_mib"]), value="over_idle_mib")
    bound = gathered(rows, lambda row: float(row["budget_mib"]), value="bound_mib")
    budget = {place: [place] for place in bound}
    limits = {"allowed: budget + 250 MiB + 2 x output": bound, "the budget alone": budget}
    return [Curves("peak over idle (MiB)", "memory budget (MiB)", peaks, limits=limits)], 1, \
        "Memory of the process while it traces: peak over an idle pvbatch"  # fmt: skip


def outofcore(rows):
    def thing(row):
        name = row["strategy"] or row["run"]
        return f"{name}, {row['threads']} threads" + ("\n(stopped)" if row.get("ended") == "False" else "")

    rows = sorted(rows, key=lambda row: bool(row.get("slow_disk")))
    panels = []
    sources = alternatives(rows, "rows")
    real = [source for source in sources if not any(row.get("slow_disk") for row in rows if row["rows"] == source)]
    for source in sources:
        for seeding in alternatives(rows, "seeding"):
            mine = [row for row in rows if (row["rows"], row["seeding"]) == (source, seeding)]
            if not mine:
                continue
            times = gathered(mine, thing, value="seconds")
            slow = mine[0].get("slow_disk")
            limits = {"what the device needs at least": gathered(mine, thing, value="floor")}
            if slow:
                limits["with as many requests at once as the strategy makes"] = gathered(mine, thing, value="expected")
            place = "on a lattice" if seeding == "uniform" else "where the flow spins"
            title = f"seeds {place}"
            if slow:
                title += f"; slow disk: {slow.replace(',', ', ')}"
            elif len(real) > 1:
                title += f" (run {1 + real.index(source)})"
            panels.append(Ranges("time to trace, cold (s)", {"": times}, title=title, limits=limits, log=bool(slow)))
    return panels, 1, "Tracing through a field eight times as large as memory"


SEEDINGS = {"uniform": "seeds on a lattice", "spinning": "seeds where the flow spins"}


def layouts(rows):
    """Replays: bytes read by each layout. Runs: times relative to the first kind of the same round."""
    panels = []
    replayed = [row for row in rows if row.get("device_seconds") and " by " not in row["layout"]]
    if replayed:
        read = gathered(replayed, lambda row: SEEDINGS[row["seeding"]], "layout", value="bytes_read", factor=1e-6)
        panels.append(Ranges("bytes read (MB)", read, title="replayed, by nodes of an edge"))
    runs = [row for row in rows if row.get("kind") and row.get("hash") and "chosen" not in row]
    for seeding in alternatives(runs, "seeding"):
        mine = [row for row in runs if row["seeding"] == seeding]
        first = mine[0]["kind"]

        def together(row):
            return row.get("session"), row["round"], row["strategy"]

        base = {together(row): float(row["seconds"]) for row in mine if row["kind"] == first}
        ratios = [row | {"ratio": float(row["seconds"]) / base[together(row)]} for row in mine if together(row) in base]
        ratios = [row for row in ratios if row["kind"] != first]
        if ratios:
            label = f"time to trace, cold / that from plain bricks of {first} nodes in the same round"
            beside = gathered(ratios, "strategy", "kind", value="ratio")
            same = {"as long": {row["kind"]: [1.0] for row in ratios}}
            panels.append(Ranges(label, beside, title=SEEDINGS[seeding], limits=same))
    return panels, 1, "What a brick holds: other edges, 16-bit values"


def strategies(rows):
    times = gathered(rows, "run", "situation", value="seconds")
    return [Ranges("time to trace (s)", times, log=True)], 1, "The strategy that Automatic takes, beside the others"


def read(rows):
    """Ratio of the library's time to ours. Where there are rows: times by threads, and rates by threads and processes."""
    panels = []
    for cache in ("warm", "cold"):
        mine = [row for row in rows if row["cache"] == cache and row["part"] in ("small", "deflated", "shared")]
        if mine:
            names = {"library": "HDF5 library, one thread", "rivulet": "Rivulet"}
            times = gathered(mine, lambda row: names[row["side"]], lambda row: f"{row['part']}, {row['what']}", value="seconds")
            panels.append(Ranges("time (s)", times, title=f"all values of a dump, {cache}", log=True))
    for what in alternatives([row for row in rows if row["part"] == "slow"], "what"):
        mine = [row for row in rows if row["part"] == "slow" and row["what"] == what]
        names = {"fixed": "threads told", "chosen": "chosen", "bytes alone": "bytes alone"}
        times = gathered(mine, lambda row: names[row["side"]], lambda row: int(row["threads"]), value="seconds")
        bounded = [row for row in mine if row["bound_seconds"]]
        bound = gathered(bounded, lambda row: int(row["threads"]), value="bound_seconds")
        panels.append(Curves("time (s)", "threads", times, title=f"slow disk, {what}", log=True,
                             limits={"bound": bound}))  # fmt: skip
    mine = [row | {"rate": float(row["bytes_read"]) / float(row["seconds"]) / 1e6} for row in rows if row["part"] == "ranks"]
    if mine:
        rates = gathered(mine, lambda row: f"{row['processes']} x", lambda row: int(row["threads"]), value="rate")
        panels.append(Curves("MB/s", "threads of each of so many processes", rates, title="patches of 6 MB, cold"))
    mine = [row for row in rows if row["part"] in ("large", "paraview")]
    if mine:
        names = {"rivulet": "Rivulet", "core": "patches alone", "reader": "reader in ParaView"}
        times = gathered(mine, lambda row: names[row["side"]], lambda row: f"{row['part']}, {row['what']}", value="seconds")
        panels.append(Ranges("time (s)", times, title="large patches; in ParaView"))
    return panels, 1, "Reading the patches of AMR dumps"


INDEX_SIDES = {"own": "own", "library": "libhdf5", "tuned": "libhdf5, tuned", "image": "libhdf5, image", "kept": "kept index"}


def index(rows):
    """A panel for each kind of storage and state of the cache: looks with values, and the index of many chunks."""
    panels = []
    rows = [row for row in rows if row["what"] != "index" or row["part"] == "shared"]
    for part, cache, title in (("local", "warm", "warm"), ("local", "cold", "cold"),
                               ("slow", "cold", "slow disk"), ("shared", "warm", "many chunks")):  # fmt: skip
        mine = [row for row in rows if (row["part"], row["cache"]) == (part, cache)]
        if mine:
            times = gathered(mine, lambda row: INDEX_SIDES[row["side"]], lambda row: f"{row['dump']}, {row['what']}", value="seconds")
            panels.append(Ranges("time (s)", times, title=title, log=True))
    return panels, 1, "The first look at a dump, by its index"


UNSTEADY = {
    "rotation": "pathlines in memory",
    "rotation-4": "pathlines in memory, dumps four times as far apart",
    "curvilinear": "the same on a curvilinear grid",
    "cells": "the same in tetrahedra",
    "streaks": "particles released at each dump, in memory",
    "gyre": "flow map of a plane field",
    "exponents": "512 MiB: end states, and exponents",
}
UNSTEADY_SIDES = {
    "rivulet": "Rivulet",
    "rivulet-rk45": "Rivulet, RK4-5",
    "vtk": "VTK 9.7.2",
    "rivulet-moving": "Rivulet, points move",
    "vtk-moving": "VTK, points move",
    "parcels": "Parcels 3.1.4",
    "numbacs": "numbacs 0.2.0",
    "numbacs-cubic": "numbacs, splines",
    "pyftle": "pyFTLE 1.0.3",
}


WAYS_TO_STEPS = {"bricks": "as bricks", "steps": "step by step", "two steps": "two steps held", "dense": "dense"}


def streak_surfaces(rows):
    """Distances and longest edges by the number of triangles; cost of the next frame by its number."""
    panels = []
    mine = [row | {"sampling": row["side"].split()[0]} for row in rows if row["part"] == "surfaces"]
    if mine:
        triangles = [int(row["triangles"]) for row in mine]
        powers = [10.0**power for power in range(1, 8)]
        ticks = [factor * power for power in powers for factor in (1, 2, 5) if min(triangles) <= factor * power <= max(triangles)]
        distances = {}
        for value, name in (("mean_distance", "mean"), ("hausdorff", "largest")):
            of_sampling = gathered(mine, "sampling", lambda row: int(row["triangles"]), value=value)
            distances |= {f"{sampling}, {name}": series for sampling, series in of_sampling.items()}
        edges = gathered(mine, "sampling", lambda row: int(row["triangles"]), value="longest_edge")
        for label, values in (("distance", distances), ("longest edge", edges)):
            panels.append(Curves(label, "triangles", values, title="streak surface", log=True, ticks=ticks))
    mine = [row for row in rows if row["part"] == "frames"]
    shares = [row | {"share": float(row["processor_seconds"]) / float(row["anew_processor_seconds"])} for row in mine]
    if mine:
        of_way = gathered(shares, lambda row: WAYS_TO_STEPS[row["side"]], lambda row: int(row["frame"]), value="share")
        label = "processor time of the next\nframe / begun anew"
        panels.append(Curves(label, "frame", of_way, title="streak surface, animated"))
    return panels


def unsteady(rows):
    """Processor time of a path by side, for the parts in memory; wall time for the one out of core; streak surfaces."""
    panels = []
    for part, title in UNSTEADY.items():
        mine = [row | {"each": float(row["processor_seconds"]) / float(row["paths"])} for row in rows if row["part"] == part]
        if mine:
            times = gathered(mine, lambda row: UNSTEADY_SIDES.get(row["side"], row["side"]), value="each", factor=1e6)
            panels.append(Ranges("processor time of a path (\u00b5s)", {"": times}, title=title, log=part == "gyre"))
    mine = [row for row in rows if row["part"] == "outofcore"]
    if mine:
        limits = {"what the device needs at least": gathered(mine, "side", value="floor")}
        times = {"": gathered(mine, "side", value="seconds")}
        panels.append(Ranges("time to trace, cold (s)", times, title="out of core, a twentieth of the field as memory", limits=limits))
    panels += streak_surfaces(rows)
    return panels, 1, "Fields that change with time"


def streak_store(rows):
    """Bytes as shares of the store, and bricks read of each that is needed."""
    shares = {"peak of bricks": "peak_bytes", "bytes read": "bytes_read"}
    of_store = {name: [100 * float(row[column]) / float(row["store_bytes"]) for row in rows] for name, column in shares.items()}
    reads = {"bricks read": [float(row["bricks_read"]) / float(row["bricks_needed"]) for row in rows]}
    panels = [Ranges("share of the store (%)", {"": of_store}), Ranges("reads of a brick that is needed", {"": reads})]
    return panels, 1, "A streak surface through 100 steps of a curvilinear grid"


def panels_of_gets(rows):
    """Rates of gets by access, in memory and cold. The rows have more: memory for half the bricks, and other sizes."""
    panels = []
    usual = [row for row in rows if row.get("cells") == "9"]
    parts = {"warm": "warm random gets"}
    for part, title in parts.items():
        mine = [row for row in usual if row["part"] == part]
        if mine:
            rates = gathered(mine, "side", lambda row: f"{row['threads']} thread{'' if row['threads'] == '1' else 's'}", value="gets_per_second", factor=1e-6)
            panels.append(Ranges("gets per second (millions)", rates, title=title, log=True))
    cold = [row for row in rows if row["part"] == "cold"]
    curves = {
        ("cold, bricks of 9\u00b3 cells", "under way", "under_way", False): [row for row in cold if row["cells"] == "9"],
    }  # fmt: skip
    for (title, over, column, log), mine in curves.items():
        if mine:
            rates = gathered(mine, "side", lambda row, column=column: int(row[column]), value="gets_per_second", factor=1e-3)
            limits = {"fio": rates.pop("fio", {})}
            panels.append(Curves("gets per second (thousands)", over, rates, title=title, limits=limits, log=log))
    return panels


def panels_of_prefetch(rows):
    names = {"without": "without", "path": "paths", "same": "same query before", "near": "one beside before",
             "automatic": "Automatic"}  # fmt: skip
    panels = []
    for flow in alternatives(rows, "flow"):
        mine = [row for row in rows if row["flow"] == flow]
        seconds = gathered(mine, lambda row: names[row["side"]], lambda row: f"{int(row['particles']):,}", value="seconds")
        panels.append(Ranges("seconds", seconds, title=flow, log=True))
    return panels


def panels_of_append(rows):
    case = lambda row: f"{row['cells']}^3 cells, {float(row['value_bytes']) / 1e6:.0f} MB"  # noqa: E731
    ratios = {"appending": {name: [float(row["ratio"]) for row in rows if case(row) == name] for name in dict.fromkeys(map(case, rows))}}
    return [Ranges("times a plain write", ratios, title="appending steps, 4 threads")]


def panels_of_puts(rows):
    ways = {"runs": "in runs", "each": "one by one"}
    size = lambda row: f"{int(row['value_bytes']) // int(row['bricks'])} B, {row['device']}"  # noqa: E731
    rates = gathered(rows, lambda row: ways[row["way"]], size, value="puts_per_second", factor=1e-6)
    return [Ranges("bricks written per second (millions)", rates, title="small bricks, 2 threads")]


def panels_of_queries(rows):
    seconds = gathered(rows, lambda row: row["query"], lambda row: "8.7 GB", value="seconds")
    return [Ranges("seconds", seconds, title="queries of 10 steps")]


def panels_of_ranks(rows):
    panels = []
    names = {"0": "each reads its own", "1": "for each other"}
    for case in alternatives(rows, "case"):
        mine = [row for row in rows if row["case"] == case]
        seconds = gathered(mine, lambda row: names[row["share"]], lambda row: int(row["ranks"]), value="seconds")
        panels.append(Curves("seconds", "ranks", seconds, title=f"ranks, a {case}"))
    return panels


def panels_of_owners(rows):
    balances = {}
    for case in alternatives(rows, "case"):
        mine = [row for row in rows if row["case"] == case]
        balances[f"read, a {case}"] = gathered(mine, lambda row: int(row["ranks"]), value="balance_used")
        balances["all"] = gathered(mine, lambda row: int(row["ranks"]), value="balance")
    return [Curves("bricks of a rank, most / mean", "ranks", balances, title="bricks by owner", log=True)]


def panels_of_sizes(rows):
    panels = []
    for query in alternatives(rows, "query"):
        mine = [row for row in rows if row["query"] == query]
        name = lambda row: "local disk" if row["device"] == "local" else "disk of 5 ms"  # noqa: E731
        seconds = gathered(mine, name, lambda row: int(row["edge"]), value="seconds")
        title = {"cloud": "2 000 pathlines all over", "local": "200 pathlines from a small box"}[query]
        panels.append(Curves("seconds", "nodes along an edge of a brick", seconds, title=title, log=True, ticks=[4, 6, 8, 10, 12, 16, 24, 32]))
    return panels


def store(rows):
    """Each part's rows have columns of their own."""
    panels = []
    for column, panels_of in (("ratio", panels_of_append), ("puts_per_second", panels_of_puts), ("gets_per_second", panels_of_gets), ("flow", panels_of_prefetch),
                              ("memory_limit", panels_of_queries), ("share", panels_of_ranks), ("balance", panels_of_owners),
                              ("edge", panels_of_sizes)):  # fmt: skip
        mine = [row for row in rows if column in row]
        panels += panels_of(mine) if mine else []
    return panels, 1, "Stores of time steps, and single bricks of them"


PICTURES = {
    "conversion": conversion,
    "in_memory": in_memory,
    "index": index,
    "insitu": insitu_bars.panels,
    "kernel": kernel,
    "layouts": layouts,
    "local_cache": local_cache_bars.panels,
    "memory": memory,
    "meshes": meshes,
    "opening": opening,
    "outofcore": outofcore,
    "read": read,
    "single_seed": single_seed,
    "store": store,
    "strategies": strategies,
    "streak_store": streak_store,
    "unsteady": unsteady,
}
SERIES = {"study": study_figures.figures}  # benchmarks with several pictures: a function from rows to panels by name


def host_of(rows):
    facts = [f"{row['cpu']}, {row['cores']} cores, Linux {row['kernel']}" for row in rows if row.get("cpu")]
    return "; ".join(dict.fromkeys(facts))


def draw_rows(benchmark, files, out=None):
    """Draws one picture of all the files, to `out`, or beside the first file. Of a benchmark in SERIES, draws several, with names that
    begin like that. Returns whether they were drawn."""
    rows = []
    for path in map(pathlib.Path, files):
        rows += [row | {"rows": path.stem} for row in read_rows(path)]
    rows = [row for row in rows if row.get("void") != "True"]
    if not rows:
        print(f"no picture: all rows of {', '.join(map(str, files))} are void")
        return False
    out = out or pathlib.Path(files[0]).with_suffix(".png")
    note = "dots: single runs; markers: medians; bars: smallest to largest.  " + host_of(rows)
    if benchmark in SERIES:
        return all([plots.draw(out.with_stem(f"{out.stem}-{name}"), *figure, note) for name, figure in SERIES[benchmark](rows).items()])
    return plots.draw(out, *PICTURES[benchmark](rows), note)
