#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The example of a simulation that appends to a store goes on where it was, and its values are right.

usage: test_append_to_store.py append_to_store rivulet
"""

import math
import subprocess
import sys
import tempfile

import h5py
import numpy as np

example, rivulet = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    store = folder + "/flow.rvs"
    said = [subprocess.run([example, store, str(steps)], check=True, capture_output=True, text=True).stdout for steps in (2, 2, 5)]
    assert [text.count("is in the store") for text in said] == [2, 0, 3], said
    subprocess.run([rivulet, "verify", store, "-q"], check=True)
    with h5py.File(store + "/step-00000004.rvf", "r") as step:
        assert step["times"][0] == 2.0
        variable = step["variables/velocity"]
        nodes = variable.attrs["brick_nodes"]
        record = variable["bricks/0"][0]  # the curve begins in a corner
        brick = record[: variable.attrs["payload_bytes"]].view("f4").reshape(*nodes[::-1], 3)
        low, high = variable.attrs["component_ranges"][0]
    x, y = -1 + np.arange(nodes[0]) / 24, -1 + np.arange(nodes[1]) / 24
    spin = np.exp(-0.2 - 4 * (x[None, :] ** 2 + y[:, None] ** 2))
    assert np.allclose(brick[0, :, :, 0], -y[:, None] * spin, atol=1e-6)
    assert np.allclose(brick[0, :, :, 1], x[None, :] * spin, atol=1e-6)
    most = math.exp(-0.2) * max(y0 * math.exp(-4 * y0 * y0) for y0 in np.arange(25) / 24)
    assert abs(high - most) < 1e-6 and abs(low + most) < 1e-6, (low, high, most)
    failed = subprocess.run([example, folder, "1"], check=False, capture_output=True, text=True)
    assert failed.returncode == 2 and "no store" in failed.stderr, failed.stderr
