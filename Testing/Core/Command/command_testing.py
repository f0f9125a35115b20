# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the program `rivulet` share: a folder of their own, and the program in it."""

import json
import os
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

RIVULET = os.environ["RIVULET_COMMAND"]
OK, USAGE, INPUT, OUTPUT, CORRUPT, CANCELLED = 0, 1, 2, 3, 4, 130
# Slow enough to be caught in the act: each point costs a sum over many modes.
SLOW_FIELD = ["generate", "turbulence", "slow.rvf", "--dims", "600,600,600", "--threads", "2"]


class Scenario(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory(prefix="rivulet-command-")
        self.folder = Path(self._folder.name)

    def tearDown(self):
        self._folder.cleanup()

    def rivulet(self, *arguments, code=OK, **options):
        done = subprocess.run([RIVULET, *map(str, arguments)], cwd=self.folder, text=True, capture_output=True,
                              timeout=120, check=False, **options)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def names(self):
        return sorted(os.listdir(self.folder))

    def write_raw(self, name, dims, byte_order="<", offset=0, first=0):
        count = dims[0] * dims[1] * dims[2]
        values = struct.pack(f"{byte_order}{count}f", *range(first, first + count))
        (self.folder / name).write_bytes(b"\0" * offset + values)

    def info(self, name):
        return json.loads(self.rivulet("info", name, "--json").stdout)
