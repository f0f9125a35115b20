# SPDX-License-Identifier: BSD-3-Clause
"""Table 1 of Jiang et al. (LDAV 2014): time to make each layout on each storage, from native blocks on remote storage.

    rows = construct(arguments, until)   # of study.py

native-user   a copy of the files of the blocks (cp)
native-mmap   one file of them all (cat)
hilbert       a field file (rivulet convert)

A BOV field of 7^3 blocks lies behind a FUSE file system with the latency of remote storage. The targets are the disk of this machine, a
FUSE file system like an SSD behind SATA, and the remote one. Each target is on the disk when its time ends (sync).
"""

import contextlib
import os
import shutil
import subprocess
import time

import built
from cold_runs import drop_caches
from slow_disk import SlowDevice, SlowDisk

REMOTE = "latency=5ms,bandwidth=1GB/s,depth=64"
SATA = "latency=100us,bandwidth=500MB/s,depth=32"


def blocks_of(folder, nodes):
    """The folder of a BOV field of 7^3 blocks."""
    made = folder / f"bov-{nodes}"
    if not made.exists():
        made.mkdir()
        command = [built.program("rivulet"), "generate", "mixing-layer", made / "mixing.bov", "--size", f"{nodes},{nodes},{nodes}",
                   "--blocks", "7,7,7", "--quiet"]  # fmt: skip
        subprocess.run([str(word) for word in command], check=True)
    return made


def copy(source, target):
    subprocess.run(["cp", *map(str, source.iterdir()), str(target)], check=True)


def join(source, target):
    with open(target / "joined", "wb") as out:
        subprocess.run(["cat", *sorted(str(path) for path in source.iterdir() if path.suffix != ".bov")], check=True, stdout=out)


def convert(source, target):
    subprocess.run([built.program("rivulet"), "convert", str(source / "mixing.bov"), str(target / "field.rvf"), "--quiet"], check=True)


LAYOUTS = {"native-user": copy, "native-mmap": join, "hilbert": convert}


def timed(make, source, target, below):
    """Seconds until the layout is on the storage. It is removed again from the folder below, which has no latency."""
    below.mkdir()
    drop_caches()
    start = time.perf_counter()
    make(source, target)
    os.sync()
    seconds = time.perf_counter() - start
    size = sum(path.stat().st_size for path in below.iterdir())
    shutil.rmtree(below)
    return {"seconds": seconds, "bytes": size}


def construct(arguments, until):
    nodes = 70 if arguments.quick else 420
    source = blocks_of(arguments.folder, nodes)
    rows = []
    with contextlib.ExitStack() as stack:
        below = arguments.folder / "targets"
        below.mkdir(exist_ok=True)
        stack.callback(shutil.rmtree, below, ignore_errors=True)
        remote = stack.enter_context(SlowDisk(source, SlowDevice.parse(REMOTE)))
        targets = {"local disk": below}
        for name, device in (("SSD (slow disk)", SATA), ("remote (slow disk)", REMOTE)):
            disk = stack.enter_context(SlowDisk(below, SlowDevice.parse(device), writable=True))
            targets[name] = disk.path
        for number in range(arguments.rounds):
            for storage, target in targets.items():
                for layout, make in LAYOUTS.items():
                    if time.monotonic() < until:
                        row = {"round": number, "storage": storage, "layout": layout, "nodes": nodes} | timed(make, remote.path, target / layout, below / layout)
                        rows.append(row)
                        print(f"{storage:20} {layout:12} {row['seconds']:7.2f} s", flush=True)
    return rows
