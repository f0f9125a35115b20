# SPDX-License-Identifier: BSD-3-Clause
"""What the build at hand has for benchmarks to run."""

import os
import pathlib
import sys

SKIPPED = 77  # exit code by which ctest knows a test that could not be run


def build_folder():
    return pathlib.Path(os.environ.get("RIVULET_BUILD", "build/release"))


def plugin():
    """Path of the ParaView plugin; the environment variable RIVULET_PLUGIN names another one."""
    if "RIVULET_PLUGIN" in os.environ:
        return os.environ["RIVULET_PLUGIN"]
    return str(next(build_folder().rglob("Rivulet.so")).resolve())


def program(name):
    """Path of a program."""
    return str(next(build_folder().rglob(f"bin/{name}")).resolve())


def skip(reason):
    """Ends the benchmark, which cannot be run here."""
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)
