#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How fast are single bricks of single time steps had from a series of field files, one file for each step?

gets     100 000 bricks of 12 kB (10^3 nodes of three floats, 8 steps), gets of random ones, pinned.
         warm: all in memory, one value of each is read, with 1 and 2 threads. unread: the same without reading a value.
         half: with a budget for half of them, and the files in the page cache.
         order: keys like 1 / rank with memory for a half and a twentieth, against exact replacement of the least recently used
         brick and of the one that came first.
         cold: each brick once, with 1, 8 and 64 under way, in a memory cgroup of a twentieth of the files; fio reads pieces of
         the same size from the same files in turn. Then warm and cold for other sizes of bricks.

Every value of every brick is compared before anything is timed; in timed gets, the value that is read. Sides take turns in each
round.

usage: store.py [--only PART...] [--cells 9 4 8 16 32] [--rounds 5] [--folder DIR] [--out FOLDER] [--quick]
Needs root (cgroup, page cache) and fio.
"""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import store_gets  # noqa: E402
from pictures import draw_rows  # noqa: E402
from rows import write_rows  # noqa: E402

PARTS = {"gets": store_gets.gets}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--cells", nargs="+", type=int, choices=store_gets.CELLS, help="along an edge of a brick")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/var/tmp/rivulet-store"), help="for the files")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/store"))
    parser.add_argument("--quick", action="store_true", help="small files, twice: to try the benchmark itself")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.folder = 2, arguments.out / "files"
    arguments.out.mkdir(parents=True, exist_ok=True)
    rows = [row for part in arguments.only for row in PARTS[part](arguments)]
    write_rows(arguments.out / "rows.csv", rows)
    draw_rows("store", [arguments.out / "rows.csv"])


if __name__ == "__main__":
    main()
