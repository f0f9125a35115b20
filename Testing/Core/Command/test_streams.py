#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`rivulet` between other programs: its streams, the signals that end it, mistyped words, and too little memory.

    RIVULET_COMMAND=build/release/bin/rivulet test_streams.py
"""

import os
import resource
import signal
import subprocess
import time
import unittest

from command_testing import CANCELLED, INPUT, OK, OUTPUT, RIVULET, SLOW_FIELD, USAGE, Scenario


class Streams(Scenario):
    COMMANDS = (["info", "a.rvf"], ["info", "a.rvf", "--json"], ["verify", "a.rvf"], ["--help"], ["--version"],
                ["generate", "abc", "--help"], ["convert", "a.rvf", "b.rvf", "--force"],
                ["generate", "abc", "c.rvf", "--dims", "16", "--force"])

    def setUp(self):
        super().setUp()
        self.rivulet("generate", "abc", "a.rvf", "--dims", "16")

    def test_what_cannot_be_printed_is_an_error(self):
        for command in self.COMMANDS:
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([RIVULET, *command], cwd=self.folder, stdout=full, stderr=subprocess.PIPE,
                                      text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, OUTPUT, command)
            self.assertIn("standard output cannot be written", done.stderr)

    def test_an_error_of_the_command_comes_first(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([RIVULET, "info", "nowhere.rvf"], cwd=self.folder, stdout=full,
                                  stderr=subprocess.PIPE, timeout=60, check=False)
        self.assertEqual(done.returncode, INPUT)

    def test_a_stream_that_is_closed_takes_no_file_with_it(self):
        for command in self.COMMANDS:
            done = subprocess.run(["sh", "-c", 'exec "$0" "$@" >&-', RIVULET, *command], cwd=self.folder,
                                  stderr=subprocess.PIPE, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, OUTPUT, command)
        for name in ("a.rvf", "b.rvf", "c.rvf"):
            self.rivulet("verify", name)

    def test_a_reader_that_wants_no_more_is_no_error(self):
        for command in self.COMMANDS:
            reading, writing = os.pipe()
            os.close(reading)
            done = subprocess.run([RIVULET, *command], cwd=self.folder, stdout=writing, stderr=subprocess.PIPE,
                                  text=True, timeout=60, check=False)
            os.close(writing)
            self.assertEqual(done.returncode, OK, command)
            self.assertNotIn("standard output", done.stderr)

    def test_mistyped_words_are_named_with_the_nearest(self):
        for typed, nearest in ((["frob"], "info"), (["convrt", "a", "b"], "convert"), (["verity"], "verify"),
                               (["generate", "abd", "a.rvf"], "abc"), (["generate", "tornadoes", "x"], "tornado")):
            message = self.rivulet(*typed, code=USAGE).stderr
            self.assertIn(f'"{typed[-1] if len(typed) == 1 else typed[0] if typed[0] != "generate" else typed[1]}"', message)
            self.assertIn(f'"{nearest}"', message)


class Signals(Scenario):
    def start(self, *before):
        process = subprocess.Popen([*before, RIVULET, *SLOW_FIELD], cwd=self.folder, stderr=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 30
        while not self.names() and time.monotonic() < deadline:
            time.sleep(0.01)
        return process

    def test_a_terminal_that_hangs_up_stops_the_work(self):
        process = self.start()
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(60), CANCELLED)
        self.assertEqual(self.names(), [])

    def test_nohup_is_obeyed(self):
        process = self.start("nohup")
        process.send_signal(signal.SIGHUP)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(0.5)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), CANCELLED)

    def test_quitting_leaves_nothing(self):
        for target in ("slow.rvf", "slow.bov"):
            resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
            process = self.start()
            process.send_signal(signal.SIGQUIT)
            self.assertEqual(process.wait(60), -signal.SIGQUIT)
            self.assertEqual(self.names(), [], target)


class LittleMemory(Scenario):
    """Limits on the address space, from what hardly starts the program to what is enough."""

    def outcomes(self, *arguments):
        messages = []
        for mebibytes in (*range(20, 120, 4), 160, 320, 640):
            limit = mebibytes << 20
            done = subprocess.run([RIVULET, *arguments], cwd=self.folder, text=True, capture_output=True, timeout=60,
                                  check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
            if "error while loading shared libraries" in done.stderr or done.returncode == 127:
                continue
            if "GnuTLS initialization" in done.stderr:
                continue  # a library of MPI's ends the process before the program begins
            self.assertIn(done.returncode, (OK, USAGE, INPUT, OUTPUT), f"{mebibytes} MiB: {done.stderr}")
            self.assertNotIn("std::", done.stderr)
            if done.returncode != OK:
                messages.append(done.stderr.splitlines()[-1])
                self.assertRegex(messages[-1], "^rivulet: .*memory", f"{mebibytes} MiB")
            self.assertEqual([name for name in self.names() if name.startswith(".")], [])
        return messages

    def test_every_command_names_what_it_lacked(self):
        self.rivulet("generate", "abc", "a.rvf", "--dims", "96")
        self.rivulet("generate", "abc", "a.bov", "--dims", "96")
        for arguments in (["info", "a.rvf"], ["verify", "a.rvf"], ["convert", "a.rvf", "b.rvf", "--force"],
                          ["convert", "a.bov", "c.rvf", "--force"], ["generate", "abc", "d.bov", "--dims", "96", "--force"],
                          ["generate", "abc", "d.rvf", "--dims", "96", "--force"]):
            for message in self.outcomes(*arguments):
                self.assertRegex(message, r"[a-d]\.(rvf|bov|raw)", message)


if __name__ == "__main__":
    unittest.main()
