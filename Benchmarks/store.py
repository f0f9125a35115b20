#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How fast do stores of time steps grow, and how fast are bricks had from them, found, and foreseen?

append    Steps of 0.1 to 0.2 GB, in bricks of 4 to 32 cells along an edge, and small steps, each beside a plain write of as many bytes.
puts      Bricks of about 1 kB written to a step, in memory and on the disk, in runs and one by one.
gets      100 000 bricks of 12 kB (10^3 nodes of three floats, 8 steps), gets of random ones, pinned. warm: all in memory, one
          value of each is read, for each access, with 1 and 2 threads. unread: the same without reading a value. half: with a budget for half of them, and the files in the page
          cache. order: keys like 1 / rank with memory for a half and a twentieth, against exact replacement of the least recently used brick and
          of the one that came first. cold: each brick once, with 1, 8 and 64 under way, in a memory cgroup of a twentieth of the
          files; fio reads pieces of the same size from the same files in turn. Then warm and cold for other sizes of bricks.
prefetch  Streamlines and pathlines of 1 to 10 000 particles through a disk that takes 5 ms for a request, with bricks that
          are read before a particle asks for them, and without (Tools/prefetching.py).
queries   A streak surface from a curve of a tenth of the domain, and a source-destination query, over 10 steps of a store of 8.7 GB, in
          ParaView, in a memory cgroup of a twentieth of the store.
ranks     Pathlines by 1 to 8 processes on a slow disk, which read bricks for each other, or not.
sizes     Pathlines from a cloud and from a small box through stores with bricks of 4 to 32 nodes along an edge, in little memory,
          from the local disk and a slow one.
owners    How evenly bricks are shared out over 2 to 1 024 ranks: computed, not run.

Values are compared before anything is timed. Sides take turns in each round.

usage: store.py [--only PART...] [--rounds 5] [--cells N...] [--particles N...] [--folder DIR] [--out FOLDER] [--quick]
Needs root (cgroup, page cache), fio, pvpython and /dev/fuse; parts without what they need are left out.
"""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import built  # noqa: E402
import prefetching  # noqa: E402
import slow_disk  # noqa: E402
import unsteady_files  # noqa: E402
from pictures import draw_rows  # noqa: E402
from rows import write_rows  # noqa: E402
from store_appending import appending, puts  # noqa: E402
from store_gets import CELLS, gets  # noqa: E402
from store_queries import queries  # noqa: E402
from store_ranks import owners, ranks  # noqa: E402
from store_sizes import sizes  # noqa: E402


def prefetch(arguments):
    rows = prefetching.measure(arguments)
    prefetching.report(rows)
    return rows


PARTS = {"append": appending, "puts": puts, "gets": gets, "prefetch": prefetch, "queries": queries, "ranks": ranks, "owners": owners,
         "sizes": sizes}  # fmt: skip


def parsed_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--particles", nargs="+", type=int, help="of prefetch; by default 1, 4, 16 and 10 000")
    parser.add_argument("--cells", nargs="+", type=int, choices=CELLS, help="along an edge of a brick, of gets")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/var/tmp/rivulet-store"), help="for the files")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/store"))
    parser.add_argument("--quick", action="store_true", help="small files, once: to try the benchmark itself")
    arguments = parser.parse_args()
    arguments.out = arguments.out.resolve()
    if arguments.quick:
        arguments.rounds, arguments.folder = 1, arguments.out / "files"
    return arguments


def main():
    arguments = parsed_arguments()
    arguments.out.mkdir(parents=True, exist_ok=True)
    missing = []
    for part in arguments.only:
        try:
            rows = PARTS[part](arguments)
        except (slow_disk.Unavailable, unsteady_files.Unavailable) as reason:
            missing.append(f"{part}: {reason}")
            continue
        path = arguments.out / f"rows-{part}.csv"
        write_rows(path, rows)
        draw_rows("store", [path])
    if len(missing) == len(arguments.only):
        built.skip("; ".join(missing))
    print("\n".join(missing))


if __name__ == "__main__":
    main()
