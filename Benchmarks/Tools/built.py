# SPDX-License-Identifier: BSD-3-Clause
"""Programs and plugin of the build, for benchmarks."""

import os
import pathlib
import sys

SKIPPED = 77  # exit code of a skipped test for ctest


def build_folder():
    return pathlib.Path(os.environ.get("RIVULET_BUILD", "build/release"))


def plugin():
    """Path of the ParaView plugin. The environment variable RIVULET_PLUGIN overrides it."""
    if "RIVULET_PLUGIN" in os.environ:
        return os.environ["RIVULET_PLUGIN"]
    return str(next(build_folder().rglob("Rivulet.so")).resolve())


def program(name):
    """Path of a program."""
    return str(next(build_folder().rglob(f"bin/{name}")).resolve())


def skip(reason):
    """Ends a benchmark that this machine cannot run."""
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)
