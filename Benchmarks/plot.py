# SPDX-License-Identifier: BSD-3-Clause
"""Draws pictures of existing rows.

Each benchmark draws its rows at its end. This script draws named rows again, or all rows in Benchmarks/rows for
Documentation/measurements.md. Files with the same benchmark's name in front make one picture, or one series.

usage: plot.py [ROWS.csv ...] [--benchmark NAME] [--out FOLDER]
"""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
from pictures import PICTURES, SERIES, draw_rows  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SHOWN = HERE.parent / "Documentation" / "pictures"


def benchmark_of(path):
    return path.stem.partition("-")[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=pathlib.Path, nargs="*", help="the rows that are kept, where none are named")
    parser.add_argument("--benchmark", choices=[*PICTURES, *SERIES], help="whose rows they are, where the files' names do not say so")
    parser.add_argument("--out", type=pathlib.Path, help="folder of the pictures")
    arguments = parser.parse_args()
    files = arguments.rows or sorted((HERE / "rows").glob("*.csv"))
    out = arguments.out or (arguments.rows[0].parent if arguments.rows else SHOWN)
    out.mkdir(parents=True, exist_ok=True)
    by_benchmark = {}
    for path in files:
        by_benchmark.setdefault(arguments.benchmark or benchmark_of(path), []).append(path)
    unknown = sorted(set(by_benchmark) - set(PICTURES) - set(SERIES))
    if unknown:
        sys.exit(f"plot.py: {', '.join(unknown)} is no benchmark; say with --benchmark whose rows they are")
    drawn = [draw_rows(name, paths, out / f"measured-{name}.png") for name, paths in by_benchmark.items()]
    if not all(drawn):
        sys.exit(1)


if __name__ == "__main__":
    main()
