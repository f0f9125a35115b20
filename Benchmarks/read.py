#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How fast are the patches of AMR dumps read, against one thread of the HDF5 library over the same datasets?

    ./run bench read [--parts small deflated shared slow large ranks paraview] [--rounds 5] [--folder DIR] [--quick]

small     32 768 datasets of 4 kB in 64 files: the first time, again, another variable of the same files, the next time step;
          the library opens each file once and each dataset by its path. Warm and cold.
deflated  2 048 datasets of 131 kB, shuffled and deflated, 2 threads. Warm and cold.
shared    a Chombo plot file of 1.6 GB: patches are runs of one dataset. Warm.
slow      small, deflated, and medium (like deflated, without filters) through a file system with 5 ms for each request (FUSE), by
          number of threads, and with the number that Rivulet chooses. The bound is
          max(bytes / bandwidth, requests * latency / requests at once).
large     1 274 patches of 6 MB (the set of the paper: one level, one variable, 7.8 GB), cold, against fio's rate for the same
          files with requests of the same size and number. --gib makes it smaller.
ranks     the rate of the large dump, cold, by processes and threads of each (the paper's Fig. 13 to 15).
paraview  pvbatch with the reader: its time, and its memory beyond the values. The same for an AMR of as many grids and arrays
          from a script.

Sides take turns in each round. The sums of all values are compared before any time counts. Needs root for cold rows, fio for
`large`, /dev/fuse for `slow`.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import built  # noqa: E402
from pictures import draw_rows  # noqa: E402
from rows import write_rows  # noqa: E402
from slow_disk import SlowDevice, SlowDisk, Unavailable  # noqa: E402

MAKE = pathlib.Path(__file__).resolve().parents[1] / "Data" / "make_samrai.py"
DUMPS = {
    "small": ["--preset", "many-small", "--steps", "2"],
    "medium": ["--preset", "medium"],
    "deflated": ["--preset", "deflated"],
    "shared": ["--preset", "chombo"],
}
QUICK = {
    "small": ["--preset", "many-small", "--cells", "64", "32", "32", "--patches", "4x4x4", "--processors", "4", "--steps", "2"],
    "medium": ["--preset", "medium", "--cells", "64", "64", "64", "--patches", "2x2x2", "--processors", "2"],
    "deflated": ["--preset", "deflated", "--cells", "64", "64", "64", "--patches", "2x2x2", "--processors", "2"],
    "shared": ["--preset", "chombo", "--cells", "64", "64", "64", "--patches", "2x2x2"],
}
SLOW = "latency=5ms,bandwidth=1GB/s,depth=64"
CHUNK_OF_LARGE = 6 << 20


def drop_caches():
    os.sync()
    pathlib.Path("/proc/sys/vm/drop_caches").write_text("3", encoding="ascii")


def can_drop():
    return os.access("/proc/sys/vm/drop_caches", os.W_OK)


def made(folder, name, options):
    """Path of a dump. The first call makes it."""
    place = folder / name
    if not (place / "complete").exists():
        shutil.rmtree(place, ignore_errors=True)
        print(f"making {place}", flush=True)
        subprocess.run([sys.executable, str(MAKE), str(place), *options], check=True, stdout=subprocess.DEVNULL)
        (place / "complete").touch()
    return place


def summaries(place):
    found = sorted(place.rglob("summary.samrai")) or sorted(path for path in place.rglob("*") if path.suffix in (".hdf5", ".h5"))
    return [str(path) for path in found]


def passes(*words):
    """Results of read_patches, one for each pass."""
    command = [built.program("read_patches"), *map(str, words)]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    found = [json.loads(line) for line in answer.splitlines()]
    for row in found:
        assert not row.get("error"), row["error"]
    return found


def same(rows):
    sums = [row["sum"] for row in rows]
    assert max(sums) - min(sums) <= 1e-9 * max(map(abs, sums)), f"the values differ: {sums}"


class Rows:
    def __init__(self):
        self.rows = []

    def add(self, part, what, cache, side, round_number, answer, **more):
        row = {"part": part, "what": what, "cache": cache, "side": side, "round": round_number,
               "seconds": round(answer["seconds"], 6), "datasets": answer.get("datasets", 0),
               "bytes": answer.get("bytes", 0), "bytes_read": answer.get("bytes_read", 0), "threads": answer.get("threads", 1),
               "processes": 1, "bound_seconds": "", "requests": ""}  # fmt: skip
        self.rows.append(row | more)

    def ratios(self, part, what, cache):
        """Ratios of the library's time to ours, one for each round."""
        mine = [row for row in self.rows if (row["part"], row["what"], row["cache"]) == (part, what, cache)]
        sides = {side: {row["round"]: row["seconds"] for row in mine if row["side"] == side} for side in ("library", "rivulet")}
        return [sides["library"][number] / sides["rivulet"][number] for number in sides["rivulet"]]

    def tell(self, part, what, cache):
        ratios = self.ratios(part, what, cache)
        if ratios:
            print(f"{part}, {what}, {cache}: library / rivulet {statistics.median(ratios):.2f}"
                  f" ({min(ratios):.2f} to {max(ratios):.2f}, {len(ratios)} rounds)", flush=True)  # fmt: skip


def caches_of(arguments):
    return ["warm"] + (["cold"] if can_drop() and not arguments.quick else [])


def timed(cache, *words):
    """Results of the second of two runs. Cold: the page cache is dropped before each. In a virtual machine the first run also waits
    for memory that the host had taken back."""
    if cache == "cold":
        return second_cold(lambda: passes(*words))
    passes(*words)
    return passes(*words)


def second_cold(work):
    """Result of the second of two runs, each after the page cache was dropped. In a virtual machine the first run also waits for
    memory that the host had taken back."""
    drop_caches()
    work()
    drop_caches()
    return work()


def small(folder, arguments, rows):
    first, second = summaries(made(folder, "small", arguments.dumps["small"]))
    for cache in caches_of(arguments):
        for number in range(arguments.rounds):
            library = timed(cache, first, "--library")[0]
            ours, again = timed(cache, first, "--passes", 2)
            same([library, ours, again])
            rows.add("small", "first time", cache, "library", number, library)
            rows.add("small", "first time", cache, "rivulet", number, ours)
            if cache == "warm":
                rows.add("small", "again", cache, "library", number, timed(cache, first, "--library", "--passes", 2)[1])
                rows.add("small", "again", cache, "rivulet", number, again)
            one(first, cache, number, rows)
            following(first, second, cache, number, rows)
        for what in ("first time", "again", "another variable", "next time step"):
            rows.tell("small", what, cache)


def one(first, cache, number, rows):
    """Another variable of files that were read before. Both sides have the summary in memory."""
    if cache == "cold":
        return
    _, library = timed(cache, first, "--library", "--variables", "density", "--then", "pressure")
    _, ours = timed(cache, first, "--variables", "density", "--then", "pressure")
    same([library, ours])
    rows.add("small", "another variable", cache, "library", number, library)
    rows.add("small", "another variable", cache, "rivulet", number, ours)


def following(first, second, cache, number, rows):
    library = timed(cache, first, second, "--library")[1]
    ours = timed(cache, first, second)[1]
    same([library, ours])
    rows.add("small", "next time step", cache, "library", number, library)
    rows.add("small", "next time step", cache, "rivulet", number, ours)


def compared(part, threads, folder, arguments, rows):
    (path,) = summaries(made(folder, part, arguments.dumps[part]))
    for cache in caches_of(arguments) if part == "deflated" else ["warm"]:
        for number in range(arguments.rounds):
            library = timed(cache, path, "--library")[0]
            ours = timed(cache, path, "--threads", threads)[0]
            same([library, ours])
            rows.add(part, "first time", cache, "library", number, library)
            rows.add(part, "first time", cache, "rivulet", number, ours)
        rows.tell(part, "first time", cache)


def deflated(folder, arguments, rows):
    compared("deflated", 2, folder, arguments, rows)


def shared(folder, arguments, rows):
    compared("shared", 0, folder, arguments, rows)


def warm_up(place):
    """Reads files into the page cache, so that the disk behind a slow disk takes no time."""
    for path in place.rglob("*"):
        if path.is_file():
            path.read_bytes()


def read_all(path):
    """Reads a file in one thread, with read-ahead of the whole file."""
    step = 128 << 10
    buffer = bytearray(1 << 20)
    descriptor = os.open(path, os.O_RDONLY)
    try:
        size = os.fstat(descriptor).st_size
        for begin in range(0, size, step):
            os.posix_fadvise(descriptor, begin, step, os.POSIX_FADV_WILLNEED)
        for begin in range(0, size, len(buffer)):
            os.preadv(descriptor, [buffer], begin)
    finally:
        os.close(descriptor)
    return size


def slow_alone(part, place, device, number, rows):
    """Seconds of 16 threads that read the same bytes from the slow disk and drop them: the cost of the disk itself."""
    warm_up(place)
    with SlowDisk(place, device) as disk:
        files = list(pathlib.Path(summaries(disk.path)[0]).parent.iterdir())
        start = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            size = sum(pool.map(read_all, files))
        seconds = time.monotonic() - start
    rows.add("slow", part, "cold", "bytes alone", number, {"seconds": seconds, "datasets": len(files), "bytes_read": size, "threads": 16})  # each file counts as one dataset
    print(f"slow, {part}: bytes alone {seconds:.3f} s", flush=True)


def slow(folder, arguments, rows):
    device = SlowDevice.parse(SLOW)
    parts = ["small", "medium", "deflated"] + (["large"] if "large" in arguments.parts else [])
    for part in parts:
        place = large_dump(folder, arguments) if part == "large" else made(folder, part, arguments.dumps[part])
        many = part == "large" and not arguments.quick
        choices = [0, 2] if arguments.quick else [0, 1, 2, 4, 8, 16] + ([] if many else [32, 64])
        for number in range(1 if arguments.quick or many else 3):
            if not many:
                slow_alone(part, place, device, number, rows)
            passes(summaries(place)[0])  # in a virtual machine the first run waits for memory of the host
            first = (number + 1) % len(choices)
            for threads in choices[first:] + choices[:first]:
                warm_up(place)
                with SlowDisk(place, device) as disk:
                    path = summaries(disk.path)[0]
                    before = disk.served()
                    answer = passes(path, "--threads", threads)[0]
                    requests, size = (now - then for now, then in zip(disk.served(), before))
                bound = device.least_seconds(requests, size)
                rows.add("slow", part, "cold", "chosen" if threads == 0 else "fixed", number, answer,
                         bound_seconds=round(bound, 6), requests=requests)  # fmt: skip
                print(f"slow, {part}: {answer['threads']} threads{' (chosen)' * (threads == 0)} {answer['seconds']:.3f} s,"
                      f" {requests} requests, {size / 1e6:.0f} MB, bound {bound:.3f} s", flush=True)  # fmt: skip


def large_dump(folder, arguments):
    share = min(1.0, arguments.gib / 7.3)
    cells = [1344, 1157, max(90, int(630 * share) // 90 * 90)]
    patches = f"14x13x{max(1, cells[2] // 90)}"
    options = ["--preset", "linadv", "--cells", *map(str, cells), "--patches", patches]
    return made(folder, f"large-{cells[2]}", options)


def fio_rate(place, jobs, direct):
    """Bytes per second of fio's reads of that size from the files with the patches, with `jobs` at once."""
    files = sorted(place.rglob("processor_cluster.*"))
    command = ["fio", "--readonly", "--rw=read", f"--bs={CHUNK_OF_LARGE}", f"--direct={direct}", "--ioengine=psync"]
    command += ["--group_reporting", "--file_service_type=sequential", "--output-format=json"]
    for job in range(jobs):
        command += [f"--name=job{job}", "--filename=" + ":".join(map(str, files[job::jobs]))]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(answer[answer.index("{") :])["jobs"][0]["read"]["bw_bytes"]


def large(folder, arguments, rows):
    if not shutil.which("fio"):
        built.skip("large needs fio (apt-get install fio)")
    place = large_dump(folder, arguments)
    (path,) = summaries(place)
    shares = []
    for number in range(arguments.rounds):
        answer = second_cold(lambda: passes(path)[0])
        ours = answer["bytes_read"] / answer["seconds"]
        rates = [second_cold(lambda way=direct: fio_rate(place, answer["threads"], way)) for direct in (0, 1)]
        rate = max(rates)
        shares.append(ours / rate)
        rows.add("large", "cold", "cold", "rivulet", number, answer, bound_seconds=round(answer["bytes_read"] / rate, 6))
        print(f"large: {answer['threads']} threads, {ours / 1e6:.0f} MB/s, fio {rates[0] / 1e6:.0f} MB/s, past the page cache"
              f" {rates[1] / 1e6:.0f} MB/s, of the better {ours / rate:.2f}", flush=True)  # fmt: skip
    print(f"large: share of fio's rate, median {statistics.median(shares):.2f} ({min(shares):.2f} to {max(shares):.2f})")


def ranks(folder, arguments, rows):
    place = large_dump(folder, arguments)
    (path,) = summaries(place)
    for number in range(2):
        for processes in (1, 2, 4, 8):
            for threads in (1, 2, 4, 8, 16):
                drop_caches()
                start = time.monotonic()
                command = [built.program("read_patches"), path, "--threads", str(threads), "--parts", str(processes)]
                running = [subprocess.Popen([*command, "--part", str(part)], stdout=subprocess.PIPE, text=True)
                           for part in range(processes)]  # fmt: skip
                answers = [json.loads(process.communicate()[0]) for process in running]
                slowest = max(answer["seconds"] for answer in answers)
                total = {"seconds": slowest, "datasets": sum(answer["datasets"] for answer in answers), "threads": threads,
                         "bytes": sum(answer["bytes"] for answer in answers),
                         "bytes_read": sum(answer["bytes_read"] for answer in answers)}  # fmt: skip
                rows.add("ranks", "cold", "cold", "rivulet", number, total, processes=processes)
                print(f"ranks: {processes} x {threads} threads {total['bytes_read'] / slowest / 1e6:.0f} MB/s"
                      f" ({time.monotonic() - start:.1f} s with starting)", flush=True)  # fmt: skip


INSIDE = """
import json, os, sys, time
from paraview import simple
def status(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name)) / 1024
rivulet = {"__name__": "rivulet"}
simple.LoadPlugin(os.environ["RIVULET_PLUGIN"], remote=False, ns=rivulet)
idle = status("VmRSS")
start = time.monotonic()
reader = rivulet["RivuletSAMRAIReader"](FileNames=[sys.argv[1]], ReadOnDemand="Never")
reader.UpdatePipeline()
seconds = time.monotonic() - start
amr = reader.GetClientSideObject().GetOutputDataObject(0)
patches = sum(amr.GetNumberOfDataSets(level) for level in range(amr.GetNumberOfLevels()))
print(json.dumps({"seconds": seconds, "idle_mib": idle, "peak_mib": status("VmHWM"), "patches": patches}))
"""


# Only the grids and arrays, as from a script.
STOCK = """
import json, sys
from paraview import simple
from vtkmodules.vtkCommonCore import vtkFloatArray
from vtkmodules.vtkCommonDataModel import VTK_XYZ_GRID, vtkAMRBox, vtkOverlappingAMR, vtkUniformGrid
def status(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name)) / 1024
patches, arrays, bytes_of_array = map(int, sys.argv[1:])
values = bytes_of_array // 4
idle = status("VmRSS")
amr = vtkOverlappingAMR()
amr.Initialize(1, [patches])
amr.SetGridDescription(VTK_XYZ_GRID)
amr.SetOrigin([0, 0, 0])
amr.SetSpacing(0, [1, 1, 1])
for patch in range(patches):
    grid = vtkUniformGrid()
    grid.SetOrigin(values * patch, 0, 0)
    grid.SetDimensions(values + 1, 2, 2)
    for number in range(arrays):
        array = vtkFloatArray()
        array.SetName(f"array{number}")
        array.SetNumberOfTuples(values)
        array.Fill(1)
        grid.GetCellData().AddArray(array)
    amr.SetAMRBox(0, patch, vtkAMRBox([values * patch, 0, 0], [values * patch + values - 1, 0, 0]))
    amr.SetDataSet(0, patch, grid)
producer = simple.TrivialProducer()
producer.GetClientSideObject().SetOutput(amr)
producer.UpdatePipeline()
print(json.dumps({"over_mib": status("VmHWM") - idle - patches * arrays * bytes_of_array / 2**20}))
"""


def stock_objects(folder, patches, answer):
    """MiB of as many grids and arrays without their values."""
    script = folder / "stock.py"
    script.write_text(STOCK, encoding="ascii")
    arrays = answer["datasets"] // patches
    words = ["pvbatch", str(script), patches, arrays, answer["bytes"] // answer["datasets"]]
    said = subprocess.run(list(map(str, words)), check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(said.strip().splitlines()[-1])["over_mib"]


def paraview(folder, arguments, rows):
    script = folder / "inside.py"
    script.write_text(INSIDE, encoding="ascii")
    environment = dict(os.environ, RIVULET_PLUGIN=built.plugin())
    for part in ("small",) if arguments.quick else ("small", "deflated"):
        path = summaries(made(folder, part, arguments.dumps[part]))[0]
        for number in range(2 if arguments.quick else arguments.rounds):
            alone = passes(path)[0]
            answer = subprocess.run(["pvbatch", str(script), path], env=environment, check=True, stdout=subprocess.PIPE, text=True)
            inside = json.loads(answer.stdout.strip().splitlines()[-1])
            over = inside["peak_mib"] - inside["idle_mib"] - alone["bytes"] / 2**20
            objects = stock_objects(folder, inside["patches"], alone)
            rows.add("paraview", part, "warm", "core", number, alone)
            rows.add("paraview", part, "warm", "reader", number, {**alone, "seconds": inside["seconds"]})
            print(f"paraview, {part}: {inside['patches']} patches, {alone['bytes'] / 2**20:.0f} MiB of values: core"
                  f" {alone['seconds']:.3f} s, reader {inside['seconds']:.3f} s, peak over idle and values {over:.0f} MiB,"
                  f" such objects alone {objects:.0f} MiB: {100 * (over - objects) * 2**20 / alone['bytes']:.0f} % of the values",
                  flush=True)  # fmt: skip


PARTS = {"small": small, "deflated": deflated, "shared": shared, "slow": slow, "large": large, "ranks": ranks,
         "paraview": paraview}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--gib", type=float, default=7.3, help="size of the large dump")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/var/tmp/rivulet-read"), help="for dumps; kept")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/read"))
    parser.add_argument("--quick", action="store_true", help="small dumps, warm, twice: to try the benchmark itself")
    arguments = parser.parse_args()
    arguments.dumps = QUICK if arguments.quick else DUMPS
    if arguments.quick:
        arguments.rounds, arguments.folder = 2, arguments.out / "dumps"
        arguments.parts = [part for part in arguments.parts if part not in ("large", "ranks", "paraview")]
    arguments.folder.mkdir(parents=True, exist_ok=True)
    arguments.out.mkdir(parents=True, exist_ok=True)
    rows = Rows()
    for part in arguments.parts:
        try:
            PARTS[part](arguments.folder.resolve(), arguments, rows)
        except Unavailable as reason:
            print(f"{part} is left out: {reason}")
    write_rows(arguments.out / "rows.csv", rows.rows)
    draw_rows("read", [arguments.out / "rows.csv"])


if __name__ == "__main__":
    main()
