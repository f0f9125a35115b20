#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How fast is `rivulet convert`, measured against `cp` of the same source on the same disk?

    ./run bench conversion [--gib 5] [--pairs 5] [--folder DIR] [--memory 1GiB] [--out DIR] [--quick]

Alternates `cp SRC COPY && sync COPY` with `rivulet convert --sync SRC DST`. Caches are dropped before each run (as root; the
table says cold or warm). Times end when the bytes are on the disk. The rate counts source bytes. The result is verified before
any timing. A cold run with fewer device bytes than the source has was not cold: the summary leaves out its pair. The summary is
the median ratio and its spread.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "Tools"))
import built  # noqa: E402
from pictures import draw_rows  # noqa: E402
from rows import write_rows  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gib", type=float, default=5.0, help="size of the source")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--folder", default="/var/tmp", help="where the fields go; they are removed afterwards")
    parser.add_argument("--memory", default="1GiB")
    parser.add_argument("--threads", default="0")
    parser.add_argument("--out", type=Path, default=Path("out/bench/conversion"), help="where the rows go")
    parser.add_argument("--quick", action="store_true", help="a small source, warm, twice: to try the benchmark itself")
    options = parser.parse_args()
    if options.quick:
        options.gib, options.pairs = 0.05, 2
    return options


def drop_caches():
    """Drops the page cache. Returns whether the next run starts cold."""
    os.sync()
    try:
        Path("/proc/sys/vm/drop_caches").write_text("3\n", encoding="ascii")
    except OSError:
        return False
    return True


def timed(command):
    """Seconds of a command, and its bytes from the device."""
    blocks = resource.getrusage(resource.RUSAGE_CHILDREN).ru_inblock
    start = time.monotonic()
    subprocess.run(command, check=True)
    seconds = time.monotonic() - start
    return seconds, 512 * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_inblock - blocks)


def run_cp(source, folder, options):
    copy = folder / "copy.raw"
    cold = not options.quick and drop_caches()
    timing = timed(["sh", "-c", 'cp "$0" "$1" && sync "$1"', str(source), str(copy)])
    copy.unlink()
    return cold, *timing


def run_convert(source, folder, options, check=False):
    target = folder / "field.rvf"
    cold = not options.quick and drop_caches()
    timing = timed([built.program("rivulet"), "convert", str(source), str(target), "--sync", "--quiet", "--memory", options.memory,
                    "--threads", options.threads])
    if check:
        subprocess.run([built.program("rivulet"), "verify", "--quiet", str(target)], check=True)
    target.unlink()
    return cold, *timing


def make_source(folder, gib):
    """A BOV field of float vectors that do not compress, so that a compressing disk favours no side."""
    nodes = round((gib * 2**30 / 12) ** (1 / 3))
    header, data = folder / "source.bov", folder / "source.raw"
    plane = nodes * nodes * 12
    with open(data, "wb") as file:
        for _ in range(nodes):
            # Random mantissas with the exponent of numbers between 1 and 2: all values are finite.
            noise = bytearray(os.urandom(plane))
            noise[3::4] = b"\x3f" * (plane // 4)
            file.write(noise)
    header.write_text(f"TIME: 0\nDATA_FILE: source.raw\nDATA_SIZE: {nodes} {nodes} {nodes}\nDATA_FORMAT: FLOAT\n"
                      f"DATA_COMPONENTS: 3\nDATA_ENDIAN: LITTLE\nVARIABLE: velocity\nCENTERING: nodal\n"
                      f"BRICK_ORIGIN: 0 0 0\nBRICK_SIZE: 1 1 1\n", encoding="ascii")
    return header, data


def measure(folder, options):
    header, data = make_source(folder, options.gib)
    source_bytes = data.stat().st_size
    run_convert(header, folder, options, check=True)
    rows = []
    for pair in range(options.pairs):
        cold, cp, cp_read = run_cp(data, folder, options)
        _, convert, convert_read = run_convert(header, folder, options)
        void = cold and min(cp_read, convert_read) < source_bytes
        rows.append({"pair": pair, "cache": "cold" if cold else "warm", "void": void, "source_bytes": source_bytes,
                     "cp_seconds": round(cp, 3), "cp_device_bytes": cp_read, "convert_seconds": round(convert, 3),
                     "convert_device_bytes": convert_read, "ratio": round(cp / convert, 4)})
        print(f"pair {pair}: cp {cp:.2f} s, convert {convert:.2f} s, ratio {cp / convert:.2f}"
              + (", void: not cold" if void else ""), flush=True)
    return rows


def report(rows, out):
    out.mkdir(parents=True, exist_ok=True)
    write_rows(out / "rows.csv", rows)
    rows = [row for row in rows if not row["void"]]
    if not rows:
        sys.exit("conversion: no pair was cold; run it on a machine with less to cache, or with a larger --gib")
    ratios = [row["ratio"] for row in rows]
    mib = rows[0]["source_bytes"] / 2**20
    print(f"{mib:.0f} MiB, {rows[0]['cache']}: cp {mib / statistics.median(row['cp_seconds'] for row in rows):.0f} MiB/s, "
          f"convert {mib / statistics.median(row['convert_seconds'] for row in rows):.0f} MiB/s")
    print(f"convert / cp: median {statistics.median(ratios):.2f}, from {min(ratios):.2f} to {max(ratios):.2f}")
    draw_rows("conversion", [out / "rows.csv"])


def main():
    options = arguments()
    needed = options.gib * 2**30 * 2.6
    if shutil.disk_usage(options.folder).free < needed:
        sys.exit(f"conversion: {options.folder} has less than the {needed / 2**30:.0f} GiB free that this takes")
    with tempfile.TemporaryDirectory(prefix="rivulet-conversion-", dir=options.folder) as folder:
        report(measure(Path(folder), options), options.out)


if __name__ == "__main__":
    main()
