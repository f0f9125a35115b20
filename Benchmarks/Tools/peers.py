# SPDX-License-Identifier: BSD-3-Clause
"""Pythons with the packages of opponents, each in a virtual environment of its own under build/tools.

    python, why_not = peer_python("vtk-9.7.2", "vtk==9.7.2", "numpy")   # python is None if it cannot be installed

The first call installs; later ones find what is there.
"""

import pathlib
import subprocess
import sys

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "build" / "tools"


def peer_python(name, *packages):
    """Path of the Python of an environment with these packages, or None and the reason."""
    folder = TOOLS / name
    python, complete = folder / "bin" / "python", folder / "complete"
    if not complete.exists():
        print(f"Installing {' '.join(packages)} into {folder} ...", flush=True)
        for command in ([sys.executable, "-m", "venv", folder], [python, "-m", "pip", "install", "-q", *packages]):
            done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode != 0:
                reason = (done.stdout.strip().splitlines() or ["no message"])[-1]
                return None, f"{packages[0]} cannot be installed into {folder}: {reason}"
        complete.touch()
    return str(python), ""
