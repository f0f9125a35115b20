#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How fast is a dump's first look with Rivulet's own HDF5 index, against an index by libhdf5 and values by own threads?

    ./run bench index [--parts local slow shared] [--rounds 5] [--folder DIR] [--quick]

local     4 096 patches with 8 datasets of 4 kB each, in 64 files and in 4, contiguous and in 4 deflated chunks. Warm and cold.
slow      the same behind a file system that takes 5 ms for each request (FUSE).
shared    one AMReX plot file of 134 MB with 16 384 chunks in its dataset: the index only. Warm.

The sides are those of Tools/index_patches.cxx: own, library, tuned, image, kept. What is timed: the index of all datasets; the
first look at all variables and at one of them, index and values together. Sides take turns in every round. All sides must agree
in the offsets, sizes, types, filters and chunks of all datasets before any time counts, and in the sums of the values. Needs root
for cold rows, /dev/fuse for `slow`.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import built  # noqa: E402
from pictures import draw_rows  # noqa: E402
from read import can_drop, drop_caches, made, same, second_cold, summaries, warm_up  # noqa: E402
from rows import write_rows  # noqa: E402
from slow_disk import SlowDevice, SlowDisk, Unavailable  # noqa: E402

SIDES = ("own", "library", "tuned", "image", "kept")
SLOW = "latency=5ms,bandwidth=1GB/s,depth=64"
MANY = ["--preset", "many-small"]
SMALL = ["--cells", "64", "32", "32", "--patches", "4x4x4"]
CHUNKS = ["--storage", "chunked", "--filters", "shuffle", "deflate", "--chunk", "256"]
LOOKS = {"index": [], "all variables": ["--values"], "one variable": ["--values", "--variables", "density"]}


def dumps(quick):
    """Options of the generator by the name of the dump."""
    files = (4, 2) if quick else (64, 4)
    chosen = {}
    for count in files:
        options = MANY + (SMALL if quick else []) + ["--processors", str(count)]
        chosen[f"{count} files"] = options
        chosen[f"{count} files, chunks"] = options + CHUNKS
    return chosen


def plot_file(quick):
    cells = ["64", "64", "32"] if quick else ["256", "256", "256"]
    return ["--format", "amrex", "--storage", "chunked", "--chunk", "1024", "--levels", "1", "--cells", *cells,
            "--patches", "8x8x8", "--variable", "type=f8,name=density"]  # fmt: skip


def asked(*words):
    command = [built.program("index_patches"), *map(str, words)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


class Dump:
    """A dump, and the indices of it that earlier runs kept: one for each look."""

    def __init__(self, place):
        (self.summary,) = summaries(place)
        self.kept = {what: place / f"kept-{number}.cbor" for number, what in enumerate(LOOKS)}

    def save(self, *looks):
        for what in looks:
            asked(self.summary, "--way", "save", "--file", self.kept[what], *(LOOKS[what][1:]))

    def look(self, side, what, threads):
        """Rivulet chooses the number of its threads for values itself."""
        chosen = 0 if side == "own" and "--values" in LOOKS[what] else threads
        return asked(self.summary, "--way", side, "--file", self.kept[what], "--threads", chosen, *LOOKS[what])

    def must_agree(self, sides=SIDES):
        """All sides have the same index."""
        digests = {side: self.look(side, "index", 2)["digest"] for side in sides}
        assert len(set(digests.values())) == 1, f"{self.summary}: the indices differ: {digests}"


class Rows:
    def __init__(self):
        self.rows = []

    def add(self, part, dump, what, cache, side, number, answer, requests=""):
        self.rows.append({"part": part, "dump": dump, "what": what, "cache": cache, "side": side, "round": number,
                          "seconds": round(answer["seconds"], 6), "datasets": answer["datasets"], "requests": requests})  # fmt: skip

    def tell(self, part, dump, what, cache):
        mine = [row for row in self.rows if (row["part"], row["dump"], row["what"], row["cache"]) == (part, dump, what, cache)]
        own = {row["round"]: row["seconds"] for row in mine if row["side"] == "own"}
        for side in dict.fromkeys(row["side"] for row in mine):
            times = {row["round"]: row["seconds"] for row in mine if row["side"] == side}
            ratios = [times[number] / own[number] for number in times]
            print(f"{part}, {dump}, {what}, {cache}, {side}: {statistics.median(times.values()):.4f} s"
                  f" ({min(times.values()):.4f} to {max(times.values()):.4f}), times own {statistics.median(ratios):.2f}"
                  f" ({min(ratios):.2f} to {max(ratios):.2f}, {len(ratios)} rounds)", flush=True)  # fmt: skip


def in_turn(number, sides=SIDES):
    """The sides of one round; each round begins with another one."""
    first = number % len(sides)
    return sides[first:] + sides[:first]


def timed(cache, work):
    """The second of two runs; cold: each after the page cache was dropped."""
    if cache == "cold":
        return second_cold(work)
    work()
    return work()


def local(folder, arguments, rows):
    caches = ["warm"] + (["cold"] if can_drop() and not arguments.quick else [])
    for name, options in dumps(arguments.quick).items():
        dump = Dump(made(folder, name.replace(", ", "-").replace(" ", "-"), options))
        dump.save(*LOOKS)
        dump.must_agree()
        for cache in caches:
            for what in LOOKS:
                for number in range(arguments.rounds):
                    answers = {side: timed(cache, lambda side=side, what=what: dump.look(side, what, 2)) for side in in_turn(number)}
                    if what != "index":
                        same(list(answers.values()))
                    for side in SIDES:
                        rows.add("local", name, what, cache, side, number, answers[side])
                rows.tell("local", name, what, cache)


def slow_look(place, side, what, arguments):
    """One look through a slow disk of its own, whose files are in the page cache behind it, and requests."""
    warm_up(place)
    with SlowDisk(place, SlowDevice.parse(SLOW)) as disk:
        dump = Dump(disk.path)
        if side == "kept":
            dump.kept = {what: arguments.out / "kept.cbor"}
            dump.save(what)
            drop_caches()
            warm_up(place)
        before = disk.served()[0]
        answer = dump.look(side, what, 16)
        return answer, disk.served()[0] - before


def slow(folder, arguments, rows):
    if not can_drop():
        raise Unavailable("only root can drop the page cache")
    for name, options in dumps(arguments.quick).items():
        place = made(folder, name.replace(", ", "-").replace(" ", "-"), options)
        for what in list(LOOKS)[1:]:
            for number in range(arguments.rounds):
                sides = SIDES if number < arguments.slowest_rounds else tuple(side for side in SIDES if side != "library")
                answers = {side: slow_look(place, side, what, arguments) for side in in_turn(number, sides)}
                same([answer for answer, _ in answers.values()])
                for side, (answer, requests) in answers.items():
                    rows.add("slow", name, what, "cold", side, number, answer, requests)
            rows.tell("slow", name, what, "cold")


def shared(folder, arguments, rows):
    dump = Dump(made(folder, "plot-file", plot_file(arguments.quick)))
    dump.save("index")
    dump.must_agree(("own", "library", "kept"))
    for number in range(arguments.rounds):
        for side in in_turn(number, ("own", "library", "kept")):
            rows.add("shared", "plot file", "index", "warm", side, number, timed("warm", lambda side=side: dump.look(side, "index", 2)))
    rows.tell("shared", "plot file", "index", "warm")


PARTS = {"local": local, "slow": slow, "shared": shared}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slowest-rounds", type=int, default=5, help="of libhdf5 with default properties on the slow disk")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/var/tmp/rivulet-index"), help="for dumps; kept")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/index"))
    parser.add_argument("--quick", action="store_true", help="small dumps, twice: to try the benchmark itself")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.slowest_rounds, arguments.folder = 2, 1, arguments.out / "dumps"
    arguments.folder.mkdir(parents=True, exist_ok=True)
    arguments.out.mkdir(parents=True, exist_ok=True)
    rows = Rows()
    for part in arguments.parts:
        try:
            PARTS[part](arguments.folder.resolve(), arguments, rows)
        except Unavailable as reason:
            print(f"{part} is left out: {reason}")
    write_rows(arguments.out / "rows.csv", rows.rows)
    draw_rows("index", [arguments.out / "rows.csv"])


if __name__ == "__main__":
    main()
