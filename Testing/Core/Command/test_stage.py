#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fields that `rivulet stage` copies to a local cache; stopped, twice, damaged, and where there is no room.

    RIVULET_COMMAND=build/release/bin/rivulet test_stage.py
"""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from command_testing import CANCELLED, INPUT, OK, RIVULET, USAGE, Scenario

ELSEWHERE = Path("/dev/shm")  # another file system than that of the field


def other_file_system():
    return ELSEWHERE.is_dir() and ELSEWHERE.stat().st_dev != Path(tempfile.gettempdir()).stat().st_dev


@unittest.skipUnless(other_file_system(), "there is no second file system")
class Staging(Scenario):
    def setUp(self):
        super().setUp()
        self._cache = tempfile.mkdtemp(prefix="rivulet-stage-", dir=ELSEWHERE)
        self.cache = Path(self._cache) / "cache"

    def tearDown(self):
        shutil.rmtree(self._cache)
        super().tearDown()

    def make(self, name="flow.rvs", *options):
        self.rivulet("generate", "double-gyre", name, "--dims", "48,40,32", "--steps", 4, "--quiet", *options)
        time.sleep(0.1)  # the identity of a file that has just been written is not known for sure

    def stage(self, *arguments, code=OK):
        return self.rivulet("stage", *arguments, "--cache", self.cache, "--limit", "32MiB", code=code)

    def read_and_present(self, done):
        """Bytes, as text, that were read from the field, and that the cache had."""
        match = re.search(r"(\d+) bricks are in the local cache \((.+) read in [0-9.]+ s, (.+) were there\)", done.stdout)
        self.assertTrue(match, done.stdout)
        return match[2], match[3]

    def test_the_second_time_nothing_is_read(self):
        for name, options in (("flow.rvs", ()), ("flow.rvf", ()), ("small.rvf", ("--encoding", "fixed16")), ("flow.bov", ("--blocks", "2,2,1"))):
            with self.subTest(name):
                self.make(name, *options)
                name = name if (self.folder / name).exists() else "flow*.bov"
                first = self.read_and_present(self.stage(name))
                self.assertEqual(first[1], "0 B")
                second = self.read_and_present(self.stage(name))
                self.assertEqual(second[0], "0 B")

    def test_the_environment_names_the_cache(self):
        self.make()
        self.rivulet("stage", "flow.rvs", env={**os.environ, "RIVULET_CACHE_DIRECTORY": str(self.cache), "RIVULET_CACHE_LIMIT": "32MiB"})
        self.assertEqual(self.read_and_present(self.stage("flow.rvs"))[0], "0 B")
        done = self.rivulet("stage", "flow.rvs", code=USAGE, env={k: v for k, v in os.environ.items() if k != "RIVULET_CACHE_DIRECTORY"})
        self.assertIn("the field has no local cache", done.stderr)

    def test_a_field_that_has_changed_is_read_anew(self):
        self.make()
        self.stage("flow.rvs")
        for step in (self.folder / "flow.rvs").glob("step-*.rvf"):
            os.utime(step, ns=(0, 10**18))
        time.sleep(0.1)
        self.assertEqual(self.read_and_present(self.stage("flow.rvs"))[1], "0 B")

    def test_a_field_without_room_is_refused(self):
        self.rivulet("generate", "double-gyre", "large.rvf", "--dims", "200,200,100", "--quiet")
        done = self.stage("large.rvf", code=USAGE)
        self.assertIn("room for", done.stderr)
        # Its values alone would fit: records are larger.
        self.rivulet("generate", "double-gyre", "records.rvf", "--dims", "130,130,130", "--quiet")
        time.sleep(0.1)
        done = self.rivulet("stage", "records.rvf", "--cache", self.cache, "--limit", "32MiB", code=USAGE)
        self.assertIn("room for", done.stderr)
        done = self.rivulet("stage", "large.rvf", "--cache", self.folder / "beside", "--limit", "128MiB", code=USAGE)
        self.assertIn("on the file system of the field", done.stderr)

    def test_a_staging_that_was_stopped_goes_on(self):
        self.rivulet("generate", "double-gyre", "flow.rvs", "--dims", "64,64,64", "--steps", 12, "--quiet")
        time.sleep(0.1)
        command = [RIVULET, "stage", "flow.rvs", "--cache", str(self.cache), "--limit", "128MiB", "--memory", "16MiB", "--quiet"]
        for number in (signal.SIGKILL, signal.SIGINT, signal.SIGKILL):
            process = subprocess.Popen(command, cwd=self.folder, stderr=subprocess.DEVNULL)
            time.sleep(0.05)
            process.send_signal(number)
            self.assertIn(process.wait(), (OK, CANCELLED, -number))  # -number: before the program heeds signals
        self.rivulet("stage", "flow.rvs", "--cache", self.cache, "--limit", "128MiB")
        last = self.rivulet("stage", "flow.rvs", "--cache", self.cache, "--limit", "128MiB")
        self.assertEqual(self.read_and_present(last)[0], "0 B")

    def test_a_missing_field_is_an_error(self):
        self.assertIn("there is no such file", self.stage("nothing.rvf", code=INPUT).stderr)


if __name__ == "__main__":
    unittest.main()
