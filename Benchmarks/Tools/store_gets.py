# SPDX-License-Identifier: BSD-3-Clause
"""Part of store.py: rates of access to single bricks of a series of field files, one file for each time step.

    rows = gets(arguments)    # dictionaries, one for each measurement
"""

import contextlib
import pathlib

import built
import outofcore
from cold_runs import drop_caches
from rows import summary
from unsteady_files import needs, run_in_group

MAPPED, BUFFERED, DIRECT, ASYNCHRONOUS = outofcore.MEMORY_MAP, outofcore.BUFFERED, outofcore.DIRECT, outofcore.ASYNCHRONOUS
NODES = "226,226,181"  # 12 500 bricks of 9^3 cells a step
STEPS = 8
USUAL = 9
CELLS = {4: 2, 8: 6, 9: 8, 16: 8, 32: 8}  # time steps by cells along an edge: fewer of small bricks, which are padded to pages
WARM = {"mapped": MAPPED, "buffered": BUFFERED, "asynchronous": ASYNCHRONOUS}
COLD = {"asynchronous": ASYNCHRONOUS, "direct": DIRECT}
DEPTHS = (1, 8, 64)
LEAST_MEMORY = 48 << 20  # of the program without bricks
COLUMNS = ["part", "round", "side", "cells", "brick_bytes", "bricks", "threads", "under_way", "budget", "gets", "seconds",
           "processor_seconds", "gets_per_second", "hits", "misses", "least_recently_used_hits", "first_come_hits", "bricks_read",
           "bytes_read", "device_bytes", "peak_bytes", "void"]  # fmt: skip


class Series:
    """A series of field files with bricks of so many cells along an edge. Removed at the end."""

    def __init__(self, stack, folder, cells, quick):
        self.cells = cells
        self.files = [folder / f"cells-{cells}-step-{step}.rvf" for step in range(2 if quick else CELLS[cells])]
        for file in self.files:
            stack.callback(file.unlink, missing_ok=True)
        self.run("--write", "46,46,37" if quick else NODES, "--cells", cells)
        _, self.brick_bytes = outofcore.field_facts(self.files[0])
        self.bricks = self.run("--check", "--strategy", MAPPED, "--threads", 2)["bricks"]
        self.bytes = self.bricks * self.brick_bytes

    def run(self, *words, limit=None):
        return run_in_group([built.program("get_bricks"), *self.files, *words], limit)

    def row(self, part, side, result, **more):
        facts = {"part": part, "side": side, "cells": self.cells, "brick_bytes": self.brick_bytes, "bricks": self.bricks}
        kept = {column: value for column, value in result.items() if column in COLUMNS}
        return facts | kept | {"gets_per_second": result["gets"] / result["seconds"]} | more


def warm(series, gets):
    """Sides: random gets of bricks in memory, of which a value is read or not. Then with a budget for half of them."""
    sides = {}
    ways = {"warm": (1.25, gets, "--warm"), "unread": (1.25, gets, "--warm --unread"), "half": (0.5, gets // 100, "--warm")}
    for name, strategy in WARM.items():
        for part, (share, count, way) in ways.items():
            for threads in (1, 2):
                words = [*way.split(), "--strategy", strategy, "--threads", threads, "--gets", count]
                words += ["--budget", int(share * series.bytes)]

                def turn(name=name, part=part, share=share, threads=threads, words=words):
                    result = series.run(*words)
                    assert share < 1 or result["misses"] == 0, f"{name}: bricks were not in memory: {result}"
                    assert result["peak_bytes"] <= share * series.bytes, f"{name}: over its budget: {result}"
                    return series.row(part, name, result, threads=threads)

                sides[f"{part}, {name}, {threads} threads"] = turn
    return sides


def order(series, gets):
    """Sides: gets of which few bricks have most, with memory for a part, against exact replacement with the same keys."""

    def turn(name, strategy, part):
        budget = series.bytes // part
        result = series.run("--order", "--strategy", strategy, "--budget", budget, "--gets", gets)
        assert result["peak_bytes"] <= budget, f"{name}: over its budget: {result}"
        return series.row(f"order, 1/{part} of the bricks", name, result, threads=1)

    pairs = [(name, part) for name in ("mapped", "buffered") for part in (2, 20)]  # asynchronous has the cache of buffered
    return {f"{name}, order, {part}": lambda name=name, part=part: turn(name, WARM[name], part) for name, part in pairs}


def cold(series, gets, depths, names, seconds):
    """Sides: random gets from the device, each brick once, and reads of the same size by fio."""
    limit = max(LEAST_MEMORY, series.bytes // 20)

    def turn(name, strategy, depth):
        drop_caches()
        words = ["--cold", "--strategy", strategy, "--under-way", depth, "--gets", gets[depth], "--budget", limit // 2]
        result = series.run(*words, limit=limit)
        void = result["device_bytes"] < result["gets"] * series.brick_bytes
        return series.row("cold", name, result, under_way=depth, void=void)

    def device(depth):
        drop_caches()
        files = ":".join(map(str, series.files))
        rate, _ = outofcore.device(files, series.brick_bytes, depth=depth, jobs=1, seconds=seconds)
        return series.row("cold", "fio", {"gets": int(rate * seconds), "seconds": seconds}, under_way=depth)

    sides = {}
    for depth in depths:
        sides[f"fio, {depth} under way"] = lambda depth=depth: device(depth)
        for name in names:
            sides[f"{name}, {depth} under way"] = lambda name=name, depth=depth: turn(name, COLD[name], depth)
    return sides


def in_turn(sides, rounds):
    rows = []
    for number in range(rounds):
        for turn in sides.values():
            rows.append({"round": number} | turn())
    return rows


def report(rows):
    keys = ("part", "cells", "side", "threads", "under_way")
    for place in dict.fromkeys(tuple(row.get(key, "") for key in keys) for row in rows):
        mine = [row for row in rows if tuple(row.get(key, "") for key in keys) == place]
        words = ", ".join(f"{key} {value}" for key, value in zip(keys, place) if value != "")
        rates = summary([row["gets_per_second"] / 1000 for row in mine])
        hits = ""
        if "least_recently_used_hits" in mine[0]:
            shares = [100 * mine[0][key] / mine[0]["gets"] for key in ("hits", "least_recently_used_hits", "first_come_hits")]
            hits = "; hits {:.1f} %, exact LRU {:.1f} %, first come {:.1f} %".format(*shares)
        print(f"{words}: {rates} thousand gets a second{hits}", flush=True)


def gets(arguments):
    needs("fio")
    quick = arguments.quick
    folder = pathlib.Path(arguments.folder)
    folder.mkdir(parents=True, exist_ok=True)
    many = 20_000 if quick else 5_000_000
    counts = {depth: 300 if quick else count for depth, count in ((1, 40_000), (8, 100_000), (64, 100_000))}
    seconds = 1 if quick else 3
    rows = []
    for cells in arguments.cells or ((USUAL, 4) if quick else (USUAL, *(cells for cells in CELLS if cells != USUAL))):
        with contextlib.ExitStack() as stack:
            series = Series(stack, folder, cells, quick)
            sides = {}
            if cells == USUAL:
                sides = warm(series, many) | order(series, many // 10) | cold(series, counts, DEPTHS, COLD, seconds)
            else:
                whole = {name: turn for name, turn in warm(series, many // 5).items() if "2 threads" in name and "half" not in name}
                sides = whole | cold(series, counts, (64,), ("asynchronous",), seconds)
            rows += in_turn(sides, arguments.rounds)
    report(rows)
    return [{column: row.get(column, "") for column in COLUMNS} for row in rows]
