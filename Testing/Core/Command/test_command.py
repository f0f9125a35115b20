#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The program `rivulet` as its users meet it: options, files, exit codes, and how it ends when it is stopped.

    RIVULET_COMMAND=build/release/bin/rivulet test_command.py [SCENARIO]
"""

import os
import pty
import re
import resource
import select
import signal
import struct
import subprocess
import time
import unittest

from command_testing import (CANCELLED, CORRUPT, INPUT, OK, OUTPUT, RIVULET, SLOW_FIELD, USAGE, Scenario)


class Usage(Scenario):
    def test_help_names_the_commands_and_the_exit_codes(self):
        text = self.rivulet("--help").stdout
        for word in ("convert", "generate", "info", "verify", "130 cancelled"):
            self.assertIn(word, text)

    def test_unknown_options_and_commands_are_usage_errors(self):
        self.rivulet(code=USAGE)
        self.rivulet("transmogrify", code=USAGE)
        self.rivulet("info", "--colour", "x.rvf", code=USAGE)

    def test_values_that_make_no_sense_are_usage_errors(self):
        self.write_raw("a.raw", (4, 4, 4))
        for bad in (["--dims", "4,4,4,4"], ["--dims", "0,4,4"], ["--dims", "four"], ["--dims", "4,4,4", "--type", "float7"],
                    ["--dims", "4,4,4", "--memory", "lots"], ["--dims", "4,4,4", "--endian", "middle"],
                    ["--dims", "4,4,4", "--memory", "100"], ["--dims", "4,4,4", "--brick", "0"], ["--type", "float32"]):
            self.rivulet("convert", "a.raw", "a.rvf", *bad, code=USAGE)
        self.assertEqual(self.names(), ["a.raw"])

    def test_every_kind_has_help(self):
        text = self.rivulet("generate", "--help").stdout
        kinds = re.findall(r"^  ([a-z]\S*)", text[text.upper().index("SUBCOMMANDS:"):], re.MULTILINE)
        self.assertGreaterEqual(len(kinds), 7)
        for kind in kinds:
            self.assertIn("DST", self.rivulet("generate", kind, "--help").stdout)


class Converting(Scenario):
    def test_raw_file(self):
        self.write_raw("a.raw", (20, 15, 12))
        self.rivulet("convert", "a.raw", "a.rvf", "--dims", "20,15,12", "--variable", "heat", "--spacing", "0.5",
                     "--origin", "1,2,3")
        info = self.info("a.rvf")
        self.assertEqual(info["grid"]["nodes"], [20, 15, 12])
        self.assertEqual(info["grid"]["spacing"], [0.5, 0.5, 0.5])
        self.assertEqual(info["grid"]["origin"], [1.0, 2.0, 3.0])
        self.assertEqual(info["variables"][0]["name"], "heat")
        self.assertEqual(info["variables"][0]["component_ranges"], [[0.0, 3599.0]])
        self.rivulet("verify", "a.rvf")

    def test_raw_file_of_the_other_endian_after_a_header(self):
        self.write_raw("a.raw", (8, 8, 8), byte_order=">", offset=100)
        self.rivulet("convert", "a.raw", "a.rvf", "--dims", "8x8x8", "--endian", "big", "--offset", "100")
        self.assertEqual(self.info("a.rvf")["variables"][0]["component_ranges"], [[0.0, 511.0]])

    def test_raw_files_are_steps(self):
        for step in range(3):
            self.write_raw(f"a{step}.raw", (8, 8, 8))
        self.rivulet("convert", "a0.raw", "a1.raw", "a2.raw", "a.rvf", "--dims", "8", "--dt", "0.25")
        self.assertEqual(self.info("a.rvf")["times"], [0.0, 0.25, 0.5])

    def test_bov_steps(self):
        self.rivulet("generate", "double-gyre", "gyre.bov", "--dims", "24,12,6", "--steps", "3", "--dt", "0.5")
        headers = [name for name in self.names() if name.endswith(".bov")]
        self.rivulet("convert", *headers, "gyre.rvf")
        self.assertEqual(self.info("gyre.rvf")["times"], [0.0, 0.5, 1.0])

    def test_field_file_into_other_bricks(self):
        self.rivulet("generate", "abc", "a.rvf", "--dims", "30")
        self.rivulet("convert", "a.rvf", "b.rvf", "--brick", "16")
        self.assertEqual(self.info("b.rvf")["variables"][0]["brick_cells"], [16, 16, 16])
        self.assertEqual(self.info("b.rvf")["variables"][0]["component_ranges"],
                         self.info("a.rvf")["variables"][0]["component_ranges"])

    def test_sixteen_bits_with_an_error_that_is_stated(self):
        self.rivulet("generate", "abc", "a.rvf", "--dims", "40")
        self.rivulet("convert", "a.rvf", "b.rvf", "--encoding", "fixed16")
        plain, stored = (self.info(name)["variables"][0] for name in ("a.rvf", "b.rvf"))
        self.assertEqual((plain["encoding"], plain["largest_error"]), ("plain", 0.0))
        self.assertEqual((stored["encoding"], stored["brick_cells"]), ("fixed16", [10, 10, 10]))
        self.assertEqual(stored["stride_bytes"], 8192)
        self.assertTrue(0 < stored["largest_error"] < 1e-4, stored["largest_error"])
        for ends, others in zip(stored["component_ranges"], plain["component_ranges"]):
            for end, other in zip(ends, others):
                self.assertLessEqual(abs(end - other), stored["largest_error"])
        text = self.rivulet("info", "b.rvf").stdout
        self.assertIn(f"no value differs by more than {stored['largest_error']:.3g}", text)
        self.assertIn("bricks are sound", self.rivulet("verify", "b.rvf").stdout)
        self.rivulet("convert", "b.rvf", "c.rvf")  # back to plain values, those that are read
        again = self.info("c.rvf")["variables"][0]
        self.assertEqual((again["encoding"], again["brick_cells"]), ("plain", [9, 9, 9]))
        for ends, others in zip(again["component_ranges"], plain["component_ranges"]):
            for end, other in zip(ends, others):
                self.assertLessEqual(abs(end - other), stored["largest_error"])

    def test_infinite_values_are_refused_in_sixteen_bits(self):
        (self.folder / "a.raw").write_bytes(struct.pack("<8f", 1, 2, 3, float("inf"), 5, 6, 7, 8))
        text = self.rivulet("convert", "a.raw", "a.rvf", "--dims", "2,2,2", "--encoding", "fixed16", code=USAGE).stderr
        self.assertIn("infinite", text)
        self.assertEqual(self.names(), ["a.raw"])

    def test_an_unknown_encoding_is_a_usage_error(self):
        self.rivulet("generate", "abc", "a.rvf", "--dims", "20", "--encoding", "fixed8", code=USAGE)

    def test_one_variable_of_a_field_file(self):
        self.rivulet("generate", "abc", "a.rvf", "--dims", "20", "--with-speed")
        self.rivulet("convert", "a.rvf", "b.rvf", "--variable", "speed")
        self.assertEqual([variable["name"] for variable in self.info("b.rvf")["variables"]], ["speed"])
        self.rivulet("convert", "a.rvf", "c.rvf", "--variable", "colour", code=INPUT)

    def test_a_missing_or_foreign_source_is_an_input_error(self):
        self.rivulet("convert", "nowhere.bov", "a.rvf", code=INPUT)
        (self.folder / "note.txt").write_text("not a field\n")
        message = self.rivulet("convert", "note.txt", "a.rvf", code=INPUT).stderr
        self.assertIn("note.txt", message)
        self.assertEqual(self.names(), ["note.txt"])

    def test_a_short_source_is_refused_by_name(self):
        self.write_raw("a.raw", (8, 8, 7))
        message = self.rivulet("convert", "a.raw", "a.rvf", "--dims", "8,8,8", code=CORRUPT).stderr
        self.assertIn("a.raw", message)
        self.assertEqual(self.names(), ["a.raw"])

    def test_an_existing_target_is_kept_unless_forced(self):
        self.write_raw("a.raw", (8, 8, 8))
        (self.folder / "a.rvf").write_text("mine")
        self.rivulet("convert", "a.raw", "a.rvf", "--dims", "8", code=OUTPUT)
        self.assertEqual((self.folder / "a.rvf").read_text(), "mine")
        self.rivulet("convert", "a.raw", "a.rvf", "--dims", "8", "--force")
        self.rivulet("verify", "a.rvf")

    def test_the_source_is_never_the_target(self):
        self.rivulet("generate", "abc", "a.rvf", "--dims", "20")
        self.rivulet("convert", "a.rvf", "./a.rvf", "--force", code=USAGE)
        self.rivulet("verify", "a.rvf")

    def test_a_folder_that_is_not_there_is_an_output_error(self):
        self.write_raw("a.raw", (8, 8, 8))
        self.rivulet("convert", "a.raw", "nowhere/a.rvf", "--dims", "8", code=OUTPUT)

    def test_quiet_prints_nothing(self):
        self.write_raw("a.raw", (8, 8, 8))
        done = self.rivulet("convert", "a.raw", "a.rvf", "--dims", "8", "--quiet")
        self.assertEqual(done.stdout + done.stderr, "")


class Generating(Scenario):
    def test_field_file_with_parameters(self):
        self.rivulet("generate", "abc", "a.rvf", "--dims", "24,20,16", "--steps", "2", "--dt", "0.1", "--a", "0",
                     "--b", "0", "--c", "0")
        variable = self.info("a.rvf")["variables"][0]
        self.assertEqual(variable["magnitude_range"], [0.0, 0.0])
        self.rivulet("verify", "a.rvf")

    def test_unknown_kind_or_parameter_is_a_usage_error(self):
        self.rivulet("generate", "soup", "a.rvf", code=USAGE)
        self.rivulet("generate", "abc", "a.rvf", "--spoons", "3", code=USAGE)
        self.assertEqual(self.names(), [])

    def test_bov_in_blocks_holds_the_same_values(self):
        self.rivulet("generate", "tornado", "one.bov", "--dims", "24,16,8")
        self.rivulet("generate", "tornado", "many.bov", "--dims", "24,16,8", "--blocks", "3,2,1")
        self.assertEqual(len([name for name in self.names() if name.startswith("many.0")]), 6)
        for name in ("one", "many"):
            self.rivulet("convert", f"{name}.bov", f"{name}.rvf")
        one, many = (self.info(f"{name}.rvf") for name in ("one", "many"))
        self.assertEqual(one["grid"], many["grid"])
        self.assertEqual(one["variables"], many["variables"])

    def test_bov_keeps_the_geometry(self):
        self.rivulet("generate", "abc", "a.rvf", "--dims", "16,12,8")
        self.rivulet("generate", "abc", "b.bov", "--dims", "16,12,8")
        self.rivulet("convert", "b.bov", "b.rvf")
        for key in ("origin", "spacing"):
            for mine, theirs in zip(self.info("a.rvf")["grid"][key], self.info("b.rvf")["grid"][key]):
                self.assertAlmostEqual(mine, theirs, 12)

    def test_blocks_that_do_not_divide_are_a_usage_error(self):
        self.rivulet("generate", "abc", "a.bov", "--dims", "16", "--blocks", "3,1,1", code=USAGE)
        self.assertEqual(self.names(), [])


class Describing(Scenario):
    def test_text_names_grid_variables_bricks_and_overhead(self):
        self.rivulet("generate", "abc", "a.rvf", "--dims", "40,30,20")
        text = self.rivulet("info", "a.rvf").stdout
        for words in ("40 x 30 x 20 nodes", "velocity: float32 x 3, node-centred", "5 x 4 x 3", "times the"):
            self.assertIn(words, text)

    def test_json_adds_up(self):
        self.rivulet("generate", "abc", "a.rvf", "--dims", "40,30,20", "--steps", "2", "--with-speed")
        info = self.info("a.rvf")
        self.assertEqual(info["raw_bytes"], 40 * 30 * 20 * 16 * 2)
        self.assertEqual(info["record_bytes"], sum(variable["record_bytes"] for variable in info["variables"]))
        self.assertEqual(info["file_bytes"], (self.folder / "a.rvf").stat().st_size)

    def test_other_files_are_input_errors(self):
        (self.folder / "note.rvf").write_text("not a field\n")
        self.rivulet("info", "note.rvf", code=INPUT)
        self.rivulet("info", "nowhere.rvf", code=INPUT)


class Verifying(Scenario):
    def setUp(self):
        super().setUp()
        self.rivulet("generate", "abc", "a.rvf", "--dims", "40")

    def test_a_sound_file(self):
        self.assertIn("125 bricks are sound", self.rivulet("verify", "a.rvf").stdout)
        self.assertEqual(self.rivulet("verify", "a.rvf", "--quiet").stdout, "")

    def test_a_changed_byte_is_found_at_its_offset(self):
        data = bytearray((self.folder / "a.rvf").read_bytes())
        stride = self.info("a.rvf")["variables"][0]["stride_bytes"]
        at = data.find(b"RVB1") + 4 + 3 * stride  # the fifth record starts here
        data[at + 17] ^= 1
        (self.folder / "a.rvf").write_bytes(data)
        for quiet in ([], ["--quiet"]):
            text = self.rivulet("verify", "a.rvf", *quiet, code=CORRUPT).stdout
            self.assertIn(f"bad brick: byte {at},", text)
            self.assertIn("1 of 125 bricks are bad", text)

    def test_a_damaged_source_is_not_converted(self):
        data = bytearray((self.folder / "a.rvf").read_bytes())
        data[data.find(b"RVB1") + 4] ^= 1
        (self.folder / "a.rvf").write_bytes(data)
        self.rivulet("convert", "a.rvf", "b.rvf", code=CORRUPT)
        self.assertEqual(self.names(), ["a.rvf"])

    def test_a_truncated_file(self):
        with open(self.folder / "a.rvf", "r+b") as file:
            file.truncate(300000)
        self.rivulet("verify", "a.rvf", code=CORRUPT)


class Interrupting(Scenario):
    def start(self):
        process = subprocess.Popen([RIVULET, *SLOW_FIELD], cwd=self.folder, stderr=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.finish, process)
        deadline = time.monotonic() + 30
        while not self.names() and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertNotEqual(self.names(), [], "the unfinished file should be there by now")
        return process

    @staticmethod
    def finish(process):
        process.kill()
        process.communicate()

    def test_one_signal_stops_and_cleans_up(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start()
            process.send_signal(number)
            self.assertEqual(process.wait(60), CANCELLED)
            self.assertEqual(self.names(), [])

    def test_two_signals_stop_at_once_and_clean_up_too(self):
        process = self.start()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), CANCELLED)
        self.assertEqual(self.names(), [])

    def test_a_killed_process_leaves_only_a_hidden_file(self):
        process = self.start()
        process.kill()
        process.wait(60)
        for name in self.names():
            self.assertTrue(name.startswith("."), name)

    def test_a_stopped_bov_leaves_nothing(self):
        global SLOW_FIELD
        field = SLOW_FIELD
        SLOW_FIELD = [word.replace(".rvf", ".bov") for word in field]
        try:
            process = self.start()
        finally:
            SLOW_FIELD = field
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), CANCELLED)
        self.assertEqual(self.names(), [])

    def test_a_terminal_sees_a_bar_with_rate_and_time_left(self):
        master, slave = pty.openpty()
        process = subprocess.Popen([RIVULET, *SLOW_FIELD], cwd=self.folder, stderr=slave, stdout=subprocess.DEVNULL)
        os.close(slave)
        self.addCleanup(process.wait, 60)
        self.addCleanup(process.send_signal, signal.SIGINT)
        seen = ""
        deadline = time.monotonic() + 60
        while "left" not in seen and time.monotonic() < deadline:
            if select.select([master], [], [], 1)[0]:
                seen += os.read(master, 4096).decode()
        os.close(master)
        self.assertRegex(seen, r"generating \[[#-]+\] +\d+ %, .* of 2.4 GiB, .*/s, [0-9:]+ left")


class ExitCodes(Scenario):
    """Every code that the documents name, of every command that can end so."""

    def setUp(self):
        super().setUp()
        small = ["--dims", "16", "--quiet"]
        self.rivulet("generate", "abc", "a.rvf", *small)
        self.rivulet("generate", "abc", "a.bov", *small)
        self.write_raw("a.raw4", (4, 4, 4))
        (self.folder / "note.txt").write_text("not a field\n")
        data = bytearray((self.folder / "a.rvf").read_bytes())
        (self.folder / "short.rvf").write_bytes(data[:len(data) // 2])
        data[data.find(b"RVB1") + 4] ^= 1
        (self.folder / "bad.rvf").write_bytes(data)
        (self.folder / "taken.rvf").write_text("mine")
        (self.folder / "unfinished.bov").write_text("UNFINISHED: yes\n")
        os.mkdir(self.folder / "folder.rvf")

    CODES = {
        OK: (["convert", "a.bov", "new.rvf"], ["generate", "abc", "new.bov"], ["info", "a.rvf"], ["verify", "a.rvf"],
             ["--help"], ["--version"], ["convert", "--help"], ["convert", "a.rvf", "taken.rvf", "--force"]),
        USAGE: ([], ["frob"], ["convert"], ["convert", "a.rvf"], ["info"], ["verify", "a.rvf", "b.rvf"],
                ["convert", "a.rvf", "new.rvf", "--memory", "1"], ["convert", "a.rvf", "a.rvf"], ["generate", "abc"],
                ["convert", "a.raw4", "new.rvf", "--dims", "2"], ["generate", "abc", "new.rvf", "--steps", "0"],
                ["generate", "abc", "new.bov", "--blocks", "3,1,1"], ["verify", "a.rvf", "--threads", "-1"]),
        INPUT: (["convert", "nowhere.bov", "new.rvf"], ["convert", "note.txt", "new.rvf"], ["info", "note.txt"],
                ["info", "folder.rvf"], ["verify", "nowhere.rvf"], ["verify", "a.bov"],
                ["convert", "unfinished.bov", "new.rvf"], ["convert", "a.rvf", "new.rvf", "--variable", "colour"]),
        OUTPUT: (["convert", "a.rvf", "taken.rvf"], ["convert", "a.rvf", "nowhere/new.rvf"], ["convert", "a.rvf", "folder.rvf"],
                 ["convert", "a.rvf", "folder.rvf", "--force"], ["generate", "abc", "taken.rvf"],
                 ["generate", "abc", "a.bov"], ["generate", "abc", "nowhere/new.bov"]),
        CORRUPT: (["convert", "bad.rvf", "new.rvf"], ["convert", "short.rvf", "new.rvf"], ["verify", "bad.rvf"],
                  ["verify", "short.rvf"], ["info", "short.rvf"], ["convert", "a.raw4", "new.rvf", "--dims", "5"]),
    }

    def test_are_as_documented(self):
        for code, commands in self.CODES.items():
            for command in commands:
                with self.subTest(command=command):
                    before = self.names()
                    done = self.rivulet(*command, code=code)
                    if code != OK:
                        self.assertNotEqual(done.stdout + done.stderr, "")
                        self.assertEqual(self.names(), before)
                    for name in set(self.names()) - set(before):
                        (self.folder / name).unlink()

    @unittest.skipUnless(os.environ.get("RIVULET_STOP_AT_CALL"), "sanitizers want to be loaded first")
    def test_of_what_is_cancelled(self):
        for command in (["convert", "a.bov", "new.rvf"], ["generate", "abc", "new.rvf"], ["generate", "abc", "new.bov"]):
            before = self.names()
            environment = {**os.environ, "LD_PRELOAD": os.environ["RIVULET_STOP_AT_CALL"], "STOP_AT_CALL": "1",
                           "STOP_SIGNAL": str(int(signal.SIGSTOP))}
            process = subprocess.Popen([RIVULET, *command], cwd=self.folder, env=environment, stderr=subprocess.DEVNULL)
            os.waitpid(process.pid, os.WUNTRACED)
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGCONT)
            self.assertEqual(process.wait(60), CANCELLED)
            self.assertEqual(self.names(), before)


class FullDisk(Scenario):
    """A limit on the size of files stands for a full disk: the same errors at the same places, and no mount needed."""

    @staticmethod
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 20, 2 << 20))

    def test_no_half_field_file(self):
        message = self.rivulet("generate", "abc", "a.rvf", "--dims", "96", code=OUTPUT, preexec_fn=self.limit).stderr
        self.assertIn("a.rvf", message)
        self.assertEqual(self.names(), [])

    def test_no_half_bov(self):
        self.rivulet("generate", "abc", "a.bov", "--dims", "96", code=OUTPUT, preexec_fn=self.limit)
        self.assertEqual(self.names(), [])

    @unittest.skipUnless(os.geteuid() == 0, "only root can mount")
    def test_no_half_field_on_a_small_disk(self):
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", self.folder], check=False)
        if mounted.returncode != 0:
            self.skipTest("mounting is not allowed here")
        try:
            self.rivulet("generate", "abc", "a.rvf", "--dims", "96", code=OUTPUT)
            self.assertEqual(self.names(), [])
        finally:
            subprocess.run(["umount", self.folder], check=True)


if __name__ == "__main__":
    unittest.main()
