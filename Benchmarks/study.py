# SPDX-License-Identifier: BSD-3-Clause
"""The study of access strategies of Jiang et al. (LDAV 2014) on this machine.

A turbulent mixing layer of 840^3 float vectors (7.1 GB; 10.2 GB along the Hilbert curve, 8.6 GB as native blocks of 64^3 nodes) is
traced as the paper's figures ask for (Tools/study_cells.py), with RK4. Each run is a process in a memory cgroup of an eighth of the
Hilbert file, starts with an empty page cache, and must trace the lines of a run without limits. A run ends after --time-limit seconds,
and its cell is not tried again. Table 1 writes the layouts from native blocks on slow storage to three storages.

--slow traces a field of 420^3 (1.3 GB) through a FUSE file system with a latency, as a remote parallel file system has.

The rows of earlier calls with the same --out count: each cell is run until it has --rounds rows. --minutes ends a call early.

usage: study.py [--parts table-1 figure-4 figure-5 table-2 figure-6 figure-7 figure-8] [--slow] [--rounds 3] [--minutes M]
                [--time-limit 30] [--long 10] [--folder DIR] [--out FOLDER] [--quick]
Needs root (cgroup, page cache), fio, and for Table 1 and --slow /dev/fuse.
"""

import argparse
import contextlib
import dataclasses
import json
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import built  # noqa: E402
import outofcore  # noqa: E402
import study_tables  # noqa: E402
from cold_runs import MemoryGroup, uniform_seeds  # noqa: E402
from pictures import draw_rows  # noqa: E402
from rows import read_rows, write_rows  # noqa: E402
from slow_disk import SlowDevice, SlowDisk, Unavailable  # noqa: E402
from study_cells import NATIVE, PARTS, RECORD_PAGES, SIZES, cell_of, cells_of  # noqa: E402
from study_verdicts import verdicts  # noqa: E402
from unsteady_files import Unavailable as NoMachine  # noqa: E402
from unsteady_files import needs  # noqa: E402

SLOW = "latency=5ms,bandwidth=1GB/s,depth=64"
STRATEGY = {"automatic": 0, "asynchronous": 4}
VORTICITY = 30.0  # of the feature seeds at least
LEAST_MEMORY = 48 << 20  # of the program without a field
UNLIMITED = 9 << 10  # MiB
KEEP_AFTER = 50  # rows; what comes after is lost if the program is killed


class Field:
    """The two layouts of the mixing layer, and the seeds."""

    def __init__(self, folder, nodes, block):
        self.folder, self.nodes = folder, nodes
        self.hilbert, self.blocks = folder / f"mixing-{nodes}.rvf", folder / f"blocks-{nodes}.rvf"
        for path, brick in ((self.hilbert, None), (self.blocks, block)):
            if not path.exists():
                cut = ["--brick", f"{brick},{brick},{brick}"] if brick else []
                command = [built.program("rivulet"), "generate", "mixing-layer", path, "--size", f"{nodes},{nodes},{nodes}", "--quiet", *cut]
                subprocess.run([str(word) for word in command], check=True)
        self.grid, self.stride = outofcore.field_facts(self.hilbert)
        self.limit = max(LEAST_MEMORY, self.hilbert.stat().st_size // 8)
        self.budget = max(4, self.limit // 2 >> 20)  # MiB; the rest is for the lines and the program

    def seeds(self, seeding, count, densest):
        path = self.folder / f"{seeding}-{self.nodes}-{count}.seeds"
        if not path.exists():
            if seeding == "uniform":
                uniform_seeds(path, *(self.grid[key] for key in ("nodes", "spacing", "origin")), count)
            else:
                self.feature_seeds(path, count, densest)
        return path

    def feature_seeds(self, path, count, densest):
        """Some of those of the densest set, so that the sets are of the same places."""
        all_of_them = self.folder / f"feature-{self.nodes}-all-{densest}"
        if not all_of_them.exists():  # the search reads the whole field
            outofcore.spinning_seeds(all_of_them, self.hilbert, VORTICITY, densest)
        position = 24  # bytes
        seeds = all_of_them.read_bytes()
        chosen = random.Random(1).sample(range(len(seeds) // position), min(count, len(seeds) // position))
        path.write_bytes(b"".join(seeds[position * each : position * (each + 1)] for each in sorted(chosen)))


def trace(path, seeds, steps, threads, budget, *options, group=None, time_limit=None):
    command = [built.program("trace_field"), path, "--seeds", seeds, "--steps", steps, "--threads", threads, "--budget", budget, *options]
    done = subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True, timeout=time_limit,
                          preexec_fn=group and group.enter)  # fmt: skip
    return json.loads(done.stdout)


def options_of(cell):
    """Options of trace_field for a cell."""
    if cell.side.endswith("-mmap"):
        return ["--kernel", "--drop-every", cell.drop]
    if cell.side.endswith("-user"):
        chunk = 1 if cell.side in NATIVE else cell.pages // RECORD_PAGES
        return ["--chunk", chunk, "--banks", cell.banks, *(["--standard"] if cell.standard else [])]
    return ["--strategy", STRATEGY[cell.side]]


class Study:
    """Runs cells until each has its rounds."""

    def __init__(self, field, device, sizes, arguments):
        self.field, self.device, self.sizes, self.arguments = field, device, sizes, arguments
        self.references, self.rows = {}, []
        self.path = arguments.out / f"rows-{time.strftime('%Y%m%d-%H%M%S')}.csv"
        self.counts, self.given_up = {}, set()
        for path in sorted(arguments.out.glob("rows-*.csv")):
            for row in read_rows(path):
                if row.get("device") == device.name:
                    self.count(row)

    def count(self, row):
        cell = cell_of(row)
        self.counts[cell] = self.counts.get(cell, 0) + 1
        if row["ended"] != "yes" or float(row["seconds"]) > self.arguments.long:
            self.given_up.add(cell)

    def reference(self, cell):
        """The lines without limits, and the bricks that they touch."""
        if cell.lines not in self.references:
            seeds = self.field.seeds(cell.seeding, cell.seeds, max(self.sizes.densities))
            answer = trace(self.field.hilbert, seeds, cell.steps, 2, UNLIMITED, "--strategy", STRATEGY["asynchronous"], "--without-prefetch")
            self.references[cell.lines] = (seeds, answer)
        return self.references[cell.lines]

    def floor(self, answer):
        """Least seconds of the device. Its rates are measured again every few minutes."""
        return self.device.least_seconds(answer["bricks_read"], self.field.stride)

    def run(self, cell):
        seeds, right = self.reference(cell)
        path = self.device.paths["blocks" if cell.side in NATIVE else "rvf"]
        self.device.cold()
        group = MemoryGroup(self.field.limit)
        row = dataclasses.asdict(cell) | {"device": self.device.name, "nodes": self.field.nodes, "limit": self.field.limit}
        try:
            answer = trace(path, seeds, cell.steps, cell.threads, self.field.budget, *options_of(cell), group=group,
                           time_limit=self.arguments.time_limit)  # fmt: skip
            assert answer["hash"] == right["hash"], f"{cell}: other lines than without limits"
            answer |= {"ended": "yes"}
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
            if isinstance(error, subprocess.CalledProcessError) and error.returncode != -signal.SIGKILL:
                raise
            ended = "no memory" if isinstance(error, subprocess.CalledProcessError) else "no time"
            answer = dict.fromkeys(right) | {"seconds": self.arguments.time_limit, "ended": ended, "device_bytes": 0}
        finally:
            group.close()
        served = self.device.served(answer)
        kept = ("seconds", "ended", "hits", "asked", "bricks_read", "bytes_read", "strategy", "hash", "largest_rss_mib")
        row |= {name: answer[name] for name in kept} | served
        return row | {"line_steps": right["steps"], "line_bricks": right["bricks_read"], "floor": self.floor(right)}

    def run_all(self, cells, until):
        for number in range(self.arguments.rounds):
            for cell in cells:
                if self.counts.get(cell, 0) > number or cell in self.given_up:
                    continue
                if time.monotonic() > until:
                    return False
                row = self.run(cell)
                self.rows.append(row)
                self.count(row)
                show(row)
                if len(self.rows) % KEEP_AFTER == 0:
                    write_rows(self.path, self.rows)
        return True


def show(row):
    way = row["side"] + (f" {row['pages']} pages" if row["pages"] else "") + (" standard" if row["standard"] else "")
    way += f" {row['banks']} banks" if row["banks"] else ""
    way += f" drop {row['drop']:g} s" if row["drop"] else ""
    print(f"{row['seeding']} {row['seeds']} x {row['steps']}  {row['threads']:2} threads  {way:32} {row['seconds']:7.2f} s  "
          f"{row['seconds'] / row['floor']:6.2f} of the limit" + ("" if row["ended"] == "yes" else f"  not ended: {row['ended']}"), flush=True)  # fmt: skip


class LocalDisk(outofcore.RealDevice):
    """The disk of the fields. Its rates are measured again every five minutes."""

    name = "local"

    def __init__(self, field):
        super().__init__({"rvf": field.hilbert, "blocks": field.blocks})
        self.rates, self.when = None, 0.0

    def least_seconds(self, bricks, stride):
        if self.rates is None or time.monotonic() > self.when + 300:
            (requests, _), (_, bandwidth) = outofcore.device(self.files["rvf"], stride), outofcore.device(self.files["rvf"], 512 * 1024)
            self.rates, self.when = (requests, bandwidth), time.monotonic()
        return max(bricks * stride / self.rates[1], bricks / self.rates[0])


@contextlib.contextmanager
def storage(field, slow):
    if not slow:
        yield LocalDisk(field)
        return
    with SlowDisk(field.folder, SlowDevice.parse(SLOW)) as disk:
        device = outofcore.FuseDevice({"rvf": field.hilbert, "blocks": field.blocks}, disk, SLOW)
        device.name = "slow"
        yield device


def trace_parts(arguments, until):
    parts = [part for part in arguments.parts if part in PARTS]
    if not parts:
        return
    name = "quick" if arguments.quick else "slow" if arguments.slow else "whole"
    nodes, block = {"quick": (96, 31), "slow": (420, 31), "whole": (840, 63)}[name]
    field = Field(arguments.folder, nodes, block)
    print(f"{field.hilbert.stat().st_size / 1e9:.2f} GB, memory limit {field.limit / 1e9:.2f} GB, budget {field.budget} MiB", flush=True)
    with storage(field, arguments.slow) as device:
        study = Study(field, device, SIZES[name], arguments)
        cells = cells_of(parts, SIZES[name])
        try:
            done = study.run_all(cells, until)
        except KeyboardInterrupt:
            done = False
        print("all cells have their rounds" if done else "stopped early: call it again to go on", flush=True)
        if study.rows:
            write_rows(study.path, study.rows)


def parsed_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="+", choices=["table-1", *PARTS], default=["table-1", *PARTS])
    parser.add_argument("--slow", action="store_true", help="through the slow disk, a smaller field")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--time-limit", type=float, default=30)
    parser.add_argument("--long", type=float, default=10)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/var/tmp/rivulet-study"))
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/study"))
    parser.add_argument("--quick", action="store_true", help="a small field, once: to try the benchmark itself")
    arguments = parser.parse_args()
    arguments.out = arguments.out.resolve()
    if arguments.quick:
        arguments.rounds, arguments.folder = 1, arguments.out / "files"
    return arguments


def main():
    arguments = parsed_arguments()
    until = time.monotonic() + 60 * arguments.minutes
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also in the background
    try:
        needs("fio")
        arguments.out.mkdir(parents=True, exist_ok=True)
        arguments.folder.mkdir(parents=True, exist_ok=True)
        tables = study_tables.construct(arguments, until) if "table-1" in arguments.parts else []
        if tables:
            write_rows(arguments.out / f"table-{time.strftime('%Y%m%d-%H%M%S')}.csv", tables)
        trace_parts(arguments, until)
    except (Unavailable, NoMachine) as reason:
        built.skip(f"study: {reason}")
    finally:
        if arguments.quick:
            shutil.rmtree(arguments.folder, ignore_errors=True)
    kept = sorted(arguments.out.glob("rows-*.csv"))
    rows = [row for path in kept for row in read_rows(path)]
    for device in dict.fromkeys(row["device"] for row in rows):
        print(f"\n{device}\n{verdicts([row for row in rows if row['device'] == device])}")
    if kept:
        draw_rows("study", kept)


if __name__ == "__main__":
    main()
