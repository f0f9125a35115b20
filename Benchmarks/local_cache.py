#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does a local disk between slow storage and memory pay? (Camp 2011, Figure 2)

Three fields (Tools/storage_fields.py) of 256^3 float vectors are traced from 2 500 and 10 000 seeds by 1, 2 and 4 processes, each with its
share of the seeds and a memory budget of 1/32 of the file (together 1/8 with four), in a memory cgroup. Where the bytes come from:

remote     the slow storage alone: a FUSE file system of 5 ms, 200 MB/s, 64 requests at once
cache ssd  the slow storage, with a local cache on the disk of this machine: a first session, whose cache is empty, and a second one
all ssd    a copy on that disk
cache hd   as cache ssd, on a hard disk: a FUSE file system with one head, 8 ms to move it, 150 MB/s
all hd     a copy on that hard disk

Each run starts with an empty page cache and must trace the lines of a run without limits. Copies are timed: by cp, and by `rivulet
stage` into a cache. Sides take turns in each round. ^C ends it with the rows of what was measured.

usage: local_cache.py [--nodes 256] [--seeds 2500 10000] [--ranks 1 2 4] [--steps 600] [--rounds 3] [--only FIELD...] [--remote DEVICE]
                      [--without-hd] [--folder DIR] [--out FOLDER] [--quick]
Needs root (cgroup, page cache) and /dev/fuse.
"""

import argparse
import contextlib
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import built  # noqa: E402
import numpy as np  # noqa: E402
from cold_runs import MemoryGroup, drop_caches  # noqa: E402
from pictures import draw_rows  # noqa: E402
from rows import write_rows  # noqa: E402
from slow_disk import SlowDevice, SlowDisk, Unavailable  # noqa: E402
from storage_fields import KINDS, make_field  # noqa: E402
from unsteady_files import Unavailable as NoMachine  # noqa: E402
from unsteady_files import needs  # noqa: E402

REMOTE = "latency=5ms,bandwidth=200MB/s,depth=64"
HARD_DISK = "latency=8ms,bandwidth=150MB/s,depth=1,head=1"
ASYNCHRONOUS = 4
PROGRAM = 48 << 20  # memory of a process without a field and lines
POINT = 48  # bytes of a point of a line, while it is made
COUNTS = ["steps", "bricks_read", "bytes_read", "bytes_from_local_cache", "prefetched", "device_bytes"]


def shares_of(folder, count, ranks):
    """Files with the seeds of each process. Seeds of neighbours are apart, as a scheduler's would be."""
    seeds = -0.85 + 1.7 * np.random.default_rng(1).random((count, 3))
    paths = [folder / f"seeds-{count}-{ranks}-{rank}" for rank in range(ranks)]
    for rank, path in enumerate(paths):
        seeds[rank::ranks].tofile(path)
    return paths


def run(field, shares, steps, budget, cache=None, limit=True):
    """All processes at once, and their answers together."""
    drop_caches()
    ranks = len(shares)
    seeds = sum(share.stat().st_size for share in shares) // 24
    memory = ranks * (PROGRAM + 2 * (budget << 20)) + seeds * (steps + 1) * POINT
    group = MemoryGroup(memory) if limit else None
    common = [built.program("trace_field"), field, "--strategy", ASYNCHRONOUS, "--budget", budget, "--threads", max(1, 2 // ranks),
              "--steps", steps, *(["--local-cache", cache] if cache else [])]  # fmt: skip
    try:
        start = time.perf_counter()
        processes = [subprocess.Popen([str(word) for word in [*common, "--seeds", share]], stdout=subprocess.PIPE, text=True,
                                      preexec_fn=group.enter if group else None) for share in shares]  # fmt: skip
        answers = [json.loads(process.communicate()[0].strip().splitlines()[-1]) for process in processes]
        wall = time.perf_counter() - start
    finally:
        if group:
            group.close()
    return {"wall": wall, "seconds": max(answer["seconds"] for answer in answers), "hash": " ".join(answer["hash"] for answer in answers),
            "reason": answers[0]["reason"], **{name: sum(answer[name] for answer in answers) for name in COUNTS}}


def timed(command):
    drop_caches()
    start = time.perf_counter()
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


class Storage:
    """The five configurations of one field."""

    def __init__(self, stack, field, scratch, arguments):
        self.name, self.scratch = field.stem.partition("-")[0], scratch
        remote = stack.enter_context(SlowDisk(field.parent, SlowDevice.parse(arguments.remote)))
        self.remote, self.ssd, self.caches, self.hd = remote.path / field.name, field, {"ssd": scratch / "cache"}, None
        if not arguments.without_hd:
            below = scratch / "hd"
            below.mkdir(exist_ok=True)
            disk = stack.enter_context(SlowDisk(below, SlowDevice.parse(HARD_DISK), writable=True))
            shutil.copy(field, below)
            self.hd, self.caches["hd"] = disk.path / field.name, disk.path / "cache"
            (below / "cache").mkdir(mode=0o700, exist_ok=True)

    def empty(self, kind):
        for file in (self.scratch / ("hd/cache" if kind == "hd" else "cache")).glob("*"):
            file.unlink()

    def sides(self):
        """name: path, kind of cache, whether the cache is empty before."""
        sides = {"remote": (self.remote, None, False), "cache ssd, first": (self.remote, "ssd", True),
                 "cache ssd, second": (self.remote, "ssd", False), "all ssd": (self.ssd, None, False)}  # fmt: skip
        if self.hd:
            sides |= {"cache hd, first": (self.remote, "hd", True), "cache hd, second": (self.remote, "hd", False), "all hd": (self.hd, None, False)}
        return sides

    def copies(self):
        """Rows of the time of a copy, in all ways."""
        target = self.scratch / "copy"
        rows = {"copy ssd, cp": timed(["cp", self.remote, target])}
        target.unlink()
        self.empty("ssd")
        rows["copy ssd, stage"] = timed([built.program("rivulet"), "stage", self.remote, "--cache", self.caches["ssd"], "--quiet"])
        self.empty("ssd")
        if self.hd:
            copy = self.hd.parent / "copy"
            rows["copy hd, cp"] = timed(["dd", f"if={self.remote}", f"of={copy}", "bs=1M"])
            copy.unlink()
        return [{"field": self.name, "side": side, "wall": wall, "seconds": wall} for side, wall in rows.items()]


def measure(storage, shares, count, arguments, budget):
    """Rows of one set of seeds and one number of processes."""
    rows = []
    right = run(storage.ssd, shares, arguments.steps, 4 * budget * 32, limit=False)
    for number in range(arguments.rounds):
        for side, (path, cache, empty) in storage.sides().items():
            if empty:
                storage.empty(cache)
            answer = run(path, shares, arguments.steps, budget, storage.caches.get(cache))
            assert answer["hash"] == right["hash"], f"{side}: other lines than without limits"
            assert "There is no local cache" not in answer["reason"], f"{side}: {answer['reason']}"
            assert side != "cache ssd, second" or answer["bytes_from_local_cache"] > 0, f"{side}: {answer['reason']}"
            rows.append({"field": storage.name, "seeds": count, "ranks": len(shares), "side": side, "round": number, "budget_mib": budget,
                         **{name: answer[name] for name in ("wall", "seconds", *COUNTS)}})  # fmt: skip
    return rows


def report(rows):
    for case in dict.fromkeys((row["field"], row["seeds"], row["ranks"]) for row in rows if "seeds" in row):
        mine = [row for row in rows if (row["field"], row.get("seeds"), row.get("ranks")) == case]
        middle = {side: statistics.median(row["wall"] for row in mine if row["side"] == side) for side in dict.fromkeys(row["side"] for row in mine)}
        print(f"{case[0]}, {case[1]} seeds, {case[2]} processes: remote {middle['remote']:.2f} s; " +
              ", ".join(f"{side} {middle[side] / middle['remote']:.3f}" for side in middle if side != "remote") +
              f"; second session over all ssd {middle['cache ssd, second'] / middle['all ssd']:.3f}")  # fmt: skip
    for row in rows:
        if "seeds" not in row:
            print(f"{row['field']}: {row['side']} {row['wall']:.2f} s")


def parsed_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=256)
    parser.add_argument("--seeds", nargs="+", type=int, default=[2500, 10000])
    parser.add_argument("--ranks", nargs="+", type=int, default=[1, 2, 4])
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--remote", default=REMOTE)
    parser.add_argument("--without-hd", action="store_true")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/var/tmp/rivulet-local-cache"))
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/local_cache"))
    parser.add_argument("--quick", action="store_true", help="small fields, once: to try the benchmark itself")
    arguments = parser.parse_args()
    arguments.out = arguments.out.resolve()
    if arguments.quick:
        arguments.nodes, arguments.seeds, arguments.ranks, arguments.rounds, arguments.steps = 64, [200], [2], 1, 100
        arguments.folder = arguments.out / "files"
    return arguments


def main():
    arguments = parsed_arguments()
    arguments.out.mkdir(parents=True, exist_ok=True)
    rows = []
    try:
        needs()
        fields = arguments.folder / "fields"
        fields.mkdir(parents=True, exist_ok=True)
        for kind in arguments.only:
            field = make_field(kind, fields, arguments.nodes)
            time.sleep(0.1)  # the identity of a file that has just been written is not known for sure
            budget = max(2, field.stat().st_size // 32 >> 20)
            scratch = arguments.folder / "scratch"
            scratch.mkdir(exist_ok=True)
            with contextlib.ExitStack() as stack:
                stack.callback(shutil.rmtree, scratch, ignore_errors=True)
                (scratch / "cache").mkdir(mode=0o700, exist_ok=True)
                storage = Storage(stack, field, scratch, arguments)
                rows += storage.copies()
                for count in arguments.seeds:
                    for ranks in arguments.ranks:
                        rows += measure(storage, shares_of(scratch, count, ranks), count, arguments, budget)
    except KeyboardInterrupt:
        print("stopped early")
    except (Unavailable, NoMachine) as reason:
        print(reason)
        sys.exit(77)
    finally:
        if arguments.quick:
            shutil.rmtree(arguments.folder, ignore_errors=True)
    report(rows)
    columns = dict.fromkeys(name for row in rows for name in row)
    rows = [{name: row.get(name, "") for name in columns} for row in rows]
    write_rows(arguments.out / "rows.csv", rows)
    draw_rows("local_cache", [arguments.out / "rows.csv"])


if __name__ == "__main__":
    main()
