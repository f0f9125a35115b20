# SPDX-License-Identifier: BSD-3-Clause
"""What does it cost to open a field and show its outline, small or huge?

pvbatch opens, shows and renders fields of about 1 MB, 1 GB and 100 GB (sparse files with the real number of bricks), each in a
separate process. The report has the time from opening to the rendered outline, and the growth of the process's peak memory. It
comes after checks that no brick was read and that the bounds are right. The same steps with ParaView's Wavelet source, which
computes nothing for an outline, give ParaView's own cost. The last lines are the cost of a field beyond that.

usage: opening.py [--rounds 5] [--out FOLDER] [--quick]
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import built  # noqa: E402
from pictures import draw_rows  # noqa: E402
from rows import write_rows  # noqa: E402

NODES = {"1 MB": 44, "1 GB": 400, "100 GB": 1850}
STOCK = "stock"  # outline of ParaView's Wavelet source: the cost of any outline


def peak_kib():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))


def show_stock():
    """Runs inside pvbatch: the same steps with a source of ParaView."""
    from paraview import simple

    rivulet = {"__name__": "rivulet"}
    simple.LoadPlugin(os.environ["RIVULET_PLUGIN"], remote=False, ns=rivulet)
    view = simple.GetActiveViewOrCreate("RenderView")
    simple.Render(view)
    before = peak_kib()
    start = time.perf_counter()
    source = simple.Wavelet()
    display = simple.Show(source, view)
    simple.Render(view)
    seconds = time.perf_counter() - start
    assert display.Representation == "Outline", display.Representation
    print(json.dumps({"seconds": seconds, "grown_mb": (peak_kib() - before) / 1024, "bytes_read": 0}))


def open_and_show(path, nodes):
    """Runs inside pvbatch."""
    from paraview import simple

    rivulet = {"__name__": "rivulet"}  # ParaView treats an empty value as none
    simple.LoadPlugin(os.environ["RIVULET_PLUGIN"], remote=False, ns=rivulet)
    view = simple.GetActiveViewOrCreate("RenderView")
    simple.Render(view)
    before = peak_kib()
    start = time.perf_counter()
    reader = rivulet["RivuletFieldReader"](FileNames=[path])
    display = simple.Show(reader, view)
    simple.Render(view)
    seconds = time.perf_counter() - start
    grown = peak_kib() - before
    assert display.Representation == "Outline", display.Representation
    assert reader.GetDataInformation().GetBounds()[1] == nodes - 1
    reader.UpdatePropertyInformation()
    print(json.dumps({"seconds": seconds, "grown_mb": grown / 1024, "bytes_read": int(reader.GetProperty("BytesRead").GetData())}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/opening"))
    parser.add_argument("--quick", action="store_true", help="without the largest, once: to try the benchmark itself")
    parser.add_argument("--inside", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        path, nodes = arguments.inside
        show_stock() if path == STOCK else open_and_show(path, int(nodes))
        return
    sizes = dict(NODES)
    if arguments.quick:
        arguments.rounds = 1
        sizes.popitem()
    folder = arguments.out.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, RIVULET_PLUGIN=built.plugin())
    rows = []
    for nodes in sizes.values():
        subprocess.run([built.program("hollow_field"), str(folder / f"{nodes}.rvf"), str(nodes)], check=True)
    for number in range(arguments.rounds):
        for size, nodes in ({STOCK: 0} | sizes).items():
            path = STOCK if size == STOCK else folder / f"{nodes}.rvf"
            command = ["pvbatch", __file__, "--inside", str(path), str(nodes)]
            answer = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
            row = {"round": number, "size": size, "file_bytes": 0 if size == STOCK else path.stat().st_size}
            row |= json.loads(answer.strip().splitlines()[-1])
            assert row["bytes_read"] == 0, "bricks were read"
            rows.append(row)
    write_rows(folder / "rows.csv", rows)
    base = {key: statistics.median(row[key] for row in rows if row["size"] == STOCK) for key in ("seconds", "grown_mb")}
    print(f"{STOCK:>7} (ParaView's Wavelet): median {base['seconds']:.3f} s, {base['grown_mb']:.1f} MB more memory")
    for size, nodes in sizes.items():
        mine = [row for row in rows if row["size"] == size]
        seconds = [row["seconds"] for row in mine]
        grown = [row["grown_mb"] for row in mine]
        print(
            f"{size:>7} ({mine[0]['file_bytes'] / 1e9:8.3f} GB file): median {statistics.median(seconds):.3f} s "
            f"({min(seconds):.3f} to {max(seconds):.3f}), {statistics.median(grown):.1f} MB more memory (at most {max(grown):.1f}); "
            f"beyond the stock source {statistics.median(seconds) - base['seconds']:.3f} s, "
            f"{statistics.median(grown) - base['grown_mb']:.1f} MB"
        )
        (folder / f"{nodes}.rvf").unlink()
    draw_rows("opening", [folder / "rows.csv"])


if __name__ == "__main__":
    main()
