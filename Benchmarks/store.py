# SPDX-License-Identifier: BSD-3-Clause
"""How fast are bricks found, read and foreseen?

prefetch    Streamlines and pathlines of 1 to 10 000 particles through a disk that takes 5 ms for a request, with bricks that
            are read before a particle asks for them, and without (Tools/prefetching.py).

usage: store.py [--only PART...] [--particles N...] [--rounds 5] [--out FOLDER] [--quick]
prefetch needs /dev/fuse.
"""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import built  # noqa: E402
import prefetching  # noqa: E402
from pictures import draw_rows  # noqa: E402
from rows import write_rows  # noqa: E402
from slow_disk import Unavailable  # noqa: E402

PARTS = {"prefetch": prefetching}


def parsed_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--particles", nargs="+", type=int, help="of prefetch; by default 1, 4, 16 and 10 000")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/store"))
    parser.add_argument("--quick", action="store_true", help="small fields, once: to try the benchmark itself")
    arguments = parser.parse_args()
    arguments.rounds = 1 if arguments.quick else arguments.rounds
    arguments.out = arguments.out.resolve()
    return arguments


def main():
    arguments = parsed_arguments()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for part in arguments.only:
        try:
            rows = PARTS[part].measure(arguments)
        except Unavailable as error:
            built.skip(f"{part}: {error}")
        path = arguments.out / f"rows-{part}.csv"
        write_rows(path, rows)
        PARTS[part].report(rows)
        draw_rows("store", [path])


if __name__ == "__main__":
    main()
