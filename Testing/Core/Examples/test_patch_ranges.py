# SPDX-License-Identifier: BSD-3-Clause
"""test_patch_ranges.py PROGRAM MAKE_SAMRAI: what the example prints is what the closed form says."""
import os
import subprocess
import sys
import tempfile

PROGRAM, MAKE_SAMRAI = sys.argv[1:3]
VARIABLES = ("--variable", "name=a,type=f8", "--variable", "name=v,shape=vector", "--variable", "name=n,type=i4")


def linear(x, y, z):
    return 1 + 2 * x + 3 * y + 5 * z


def example(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)


def made(folder, *options):
    subprocess.run([sys.executable, MAKE_SAMRAI, folder, *VARIABLES, *options], check=True, stdout=subprocess.DEVNULL)
    return os.path.join(folder, "visit_dump.00000", "summary.samrai")


def check_values(summary):
    done = example(summary, "0,7", "a", "v")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split("  ")[:2] for line in lines] == [
        ["patch 0", "a"], ["patch 0", "v"], ["patch 7", "a"], ["patch 7", "v"]], done.stdout
    # 24 x 16 x 12 cells of 0.125 x 0.25 x 0.5 from (-1, 0.5, 2) on, in 2 x 2 x 2 patches.
    size, spacing, origin = (12, 8, 6), (0.125, 0.25, 0.5), (-1, 0.5, 2)
    for line, first in ((lines[0], (0, 0, 0)), (lines[2], size)):
        low = [o + h * (f + 0.5) for o, h, f in zip(origin, spacing, first)]
        high = [c + h * (n - 1) for c, h, n in zip(low, spacing, size)]
        assert line.endswith(f"12 x 8 x 6 points of 1: {linear(*low):g} to {linear(*high):g}"), line
    assert "points of 3" in lines[1]


def check_all(summary):
    lines = example(summary, "all").stdout.splitlines()
    assert len(lines) == (8 + 6) * 3 and lines[2] == "patch 0  2  2304 bytes", lines[:3]


def check_errors(summary, damaged):
    for arguments, code, text in (((summary, "0", "nothing"), 1, 'there is no variable "nothing"'),
                                  ((summary, "99"), 1, "there is no patch 99"), ((summary, "0,x"), 2, "usage"),
                                  ((summary + "x", "all"), 1, "summary.samraix"), ((), 2, "usage")):
        done = example(*arguments)
        assert done.returncode == code and text in done.stderr, (arguments, done)
    done = example(damaged, "0", "a")
    assert done.returncode == 1 and "patch takes" in done.stdout, done


def main():
    with tempfile.TemporaryDirectory() as folder:
        summary = made(os.path.join(folder, "sound"))
        check_values(summary)
        check_all(summary)
        check_errors(summary, made(os.path.join(folder, "short"), "--damage", "short-dataset"))


main()
