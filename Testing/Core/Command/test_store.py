#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Stores that `rivulet` makes, adds to, describes and checks; killed, short of disk, and two at once.

    RIVULET_COMMAND=build/release/bin/rivulet RIVULET_STOP_AT_CALL=lib/librivulet_stop_at_call.so test_store.py
"""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import time
import unittest

from command_testing import CANCELLED, CORRUPT, INPUT, OUTPUT, RIVULET, USAGE, Scenario

STOPPER = os.environ.get("RIVULET_STOP_AT_CALL", "")
FIELD = ["--dims", "24,20,16", "--dt", "0.5", "--threads", "2", "--quiet"]


class Stores(Scenario):
    def generate(self, name, steps, *options, **more):
        return self.rivulet("generate", "double-gyre", name, *FIELD, "--steps", steps, *options, **more)

    def steps(self, name="flow.rvs"):
        return sorted(path.name for path in (self.folder / name).glob("step-*.rvf"))

    def bytes_of(self, name):
        return {path.name: path.read_bytes() for path in (self.folder / name).iterdir()}

    def empty_copy(self, name, of):
        """A store without steps that has the identity of another, so that equal steps have equal bytes."""
        (self.folder / name).mkdir()
        shutil.copy(self.folder / of / "store.json", self.folder / name)

    def hidden(self, name="flow.rvs"):
        return [path.name for path in (self.folder / name).iterdir() if path.name.startswith(".")]


class Making(Stores):
    def test_a_step_is_a_field_file_of_its_own(self):
        self.generate("flow.rvs", 3)
        self.assertEqual(self.steps(), [f"step-{number:08d}.rvf" for number in range(3)])
        self.assertEqual(self.info("flow.rvs")["times"], [0.0, 0.5, 1.0])
        for number, name in enumerate(self.steps()):
            self.assertEqual(self.info(f"flow.rvs/{name}")["times"], [0.5 * number])
        self.assertEqual(self.info("flow.rvs/store.json"), self.info("flow.rvs"))
        self.assertEqual(self.info("flow.rvs")["format"], "rvs")

    def test_to_a_store_and_back_no_value_changes(self):
        self.generate("flow.rvf", 3)
        self.rivulet("convert", "flow.rvf", "flow.rvs", "--brick", "7,5,3")
        self.rivulet("convert", "flow.rvs", "back.raw.rvf")
        for name in ("flow.rvf", "back.raw.rvf"):
            self.rivulet("convert", name, "same.rvs", "--append")  # nothing is added: the times are the same
        self.empty_copy("again.rvs", "same.rvs")
        self.rivulet("convert", "back.raw.rvf", "again.rvs", "--append")
        self.assertEqual(self.bytes_of("again.rvs"), self.bytes_of("same.rvs"))

    def test_threads_and_memory_do_not_change_a_byte(self):
        self.generate("flow.rvs", 2)
        self.empty_copy("other.rvs", "flow.rvs")
        self.rivulet("generate", "double-gyre", "other.rvs", "--dims", "24,20,16", "--dt", "0.5", "--steps", "2",
                     "--append", "--threads", "1", "--memory", "1MiB")
        self.assertEqual(self.bytes_of("other.rvs"), self.bytes_of("flow.rvs"))

    def test_a_store_is_replaced_only_when_told_and_a_folder_never(self):
        self.generate("flow.rvs", 3)
        before = self.bytes_of("flow.rvs")
        self.assertIn("--append", self.generate("flow.rvs", 2, code=OUTPUT).stderr)
        self.assertEqual(self.bytes_of("flow.rvs"), before)
        (self.folder / "flow.rvs" / "mine.txt").write_text("mine")
        (self.folder / "flow.rvs" / "step-00000001.rvf").unlink()  # what lies after a gap goes, too
        self.generate("flow.rvs", 1, "--force")
        self.assertEqual(self.steps(), ["step-00000000.rvf"])
        self.assertEqual((self.folder / "flow.rvs" / "mine.txt").read_text(), "mine")
        (self.folder / "other.rvs").mkdir()
        (self.folder / "other.rvs" / "mine.txt").write_text("mine")
        for options in ([], ["--force"], ["--append"]):
            self.assertIn("no store", self.generate("other.rvs", 1, *options, code=OUTPUT).stderr)
        self.assertEqual(list(self.bytes_of("other.rvs")), ["mine.txt"])

    def test_verify_names_the_step_that_is_damaged(self):
        self.generate("flow.rvs", 3)
        path = self.folder / "flow.rvs" / "step-00000001.rvf"
        data = bytearray(path.read_bytes())
        data[-5000] ^= 1
        path.write_bytes(data)
        self.assertIn("step-00000001.rvf: bad brick", self.rivulet("verify", "flow.rvs", code=CORRUPT).stdout)

    def test_a_step_of_a_store_is_no_target_of_its_conversion(self):
        self.generate("flow.rvs", 2)
        before = self.bytes_of("flow.rvs")
        for source in ("flow.rvs", "flow.rvs/step-00000000.rvf", "./flow.rvs/"):
            self.assertIn("source", self.rivulet("convert", source, "flow.rvs", "--force", code=USAGE).stderr)
        self.assertEqual(self.bytes_of("flow.rvs"), before)


class Replacing(Stores):
    """The old store is there, whole, until the new one takes its place; whatever stops the writer before leaves it."""

    NEW = ["--dims", "24,20,16", "--dt", "0.25", "--threads", "2", "--quiet", "--force", "--amplitude", "0.3"]

    def setUp(self):
        super().setUp()
        self.generate("flow.rvs", 4)
        self.old = self.bytes_of("flow.rvs")

    def command(self, steps=3):
        return [RIVULET, "generate", "double-gyre", "flow.rvs", *self.NEW, "--steps", str(steps)]

    def beside(self):
        return [name for name in self.names() if name.startswith(".")]

    def expect_old(self):
        self.assertEqual(self.bytes_of("flow.rvs"), self.old)
        self.assertEqual(self.names(), ["flow.rvs"])

    def expect_new(self, steps=3):
        self.assertEqual(self.info("flow.rvs")["times"], [0.25 * number for number in range(steps)])
        self.rivulet("verify", "flow.rvs", "--quiet")
        self.assertEqual(self.names(), ["flow.rvs"])

    def environment(self, call, number):
        return {**os.environ, "LD_PRELOAD": STOPPER, "STOP_AT_CALL": str(call), "STOP_SIGNAL": str(int(number))}

    def test_a_source_that_turns_out_bad(self):
        """Its last step is damaged: two are written before that is seen."""
        self.generate("bad.rvs", 3)
        path = self.folder / "bad.rvs" / "step-00000002.rvf"
        data = bytearray(path.read_bytes())
        data[-5000] ^= 1
        path.write_bytes(data)
        self.rivulet("convert", "bad.rvs", "flow.rvs", "--force", code=CORRUPT)
        shutil.rmtree(self.folder / "bad.rvs")
        self.expect_old()

    def test_a_full_disk(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))

        message = self.rivulet(*self.command()[1:], code=OUTPUT, preexec_fn=limit).stderr
        self.assertIn("flow.rvs/step-00000000.rvf", message)
        self.assertNotIn(".tmp-", message)
        self.expect_old()

    def test_ctrl_c(self):
        process = subprocess.Popen([*self.command(100)[:-1], "2000"], cwd=self.folder, stderr=subprocess.DEVNULL)
        while not self.beside() and process.poll() is None:
            time.sleep(0.001)
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), CANCELLED)
        self.expect_old()

    @unittest.skipUnless(STOPPER, "sanitizers want to be loaded first")
    def test_a_kill_at_every_call(self):
        """Also of files in the folder that are none of the store's: they are there, or come back with the next writer."""
        finished = 0
        for call in range(1, 200):
            shutil.rmtree(self.folder / "flow.rvs")
            (self.folder / "flow.rvs").mkdir()
            for name, data in self.old.items():
                (self.folder / "flow.rvs" / name).write_bytes(data)
            (self.folder / "flow.rvs" / "mine.txt").write_text("mine")
            done = subprocess.run(self.command(2), cwd=self.folder, env=self.environment(call, signal.SIGKILL),
                                  check=False, capture_output=True, timeout=60)
            times = self.info("flow.rvs")["times"]
            self.assertIn(times, ([0.0, 0.5, 1.0, 1.5], [0.0, 0.25]), f"killed at call {call}")
            self.rivulet("verify", "flow.rvs", "--quiet")
            finished += len(times) == 2
            self.rivulet(*self.command(2)[1:])
            self.expect_new(2)
            self.assertEqual((self.folder / "flow.rvs" / "mine.txt").read_text(), "mine", f"killed at call {call}")
            if done.returncode == 0:
                break
        self.assertGreater(call, 15)
        self.assertLess(call, 199)
        self.assertGreater(finished, 2, "it was killed after the exchange, too")

    def test_kills_at_any_moment(self):
        chance = random.Random(37)
        states = ([0.0, 0.5, 1.0, 1.5], [0.25 * number for number in range(9)])
        for _ in range(20):
            self.generate("flow.rvs", 4, "--force")
            process = subprocess.Popen(self.command(9), cwd=self.folder, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.0, 0.15))
            process.kill()
            process.wait(60)
            self.assertIn(self.info("flow.rvs")["times"], states)
            self.rivulet("verify", "flow.rvs", "--quiet")
        self.rivulet(*self.command(9)[1:])
        self.expect_new(9)

    @unittest.skipUnless(STOPPER, "sanitizers want to be loaded first")
    def test_readers_see_the_old_store_meanwhile_and_other_writers_wait(self):
        process = subprocess.Popen(self.command(), cwd=self.folder, env=self.environment(6, signal.SIGSTOP),
                                   stderr=subprocess.PIPE)
        os.waitpid(process.pid, os.WUNTRACED)
        self.assertEqual(len(self.beside()), 1)
        self.assertEqual(self.bytes_of("flow.rvs"), self.old)
        for option in ("--append", "--force"):
            self.assertIn("another process writes", self.generate("flow.rvs", 5, option, code=OUTPUT).stderr)
        process.send_signal(signal.SIGCONT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.expect_new()

    def test_a_link_to_a_store_stays_a_link(self):
        os.symlink("flow.rvs", self.folder / "link.rvs")
        command = self.command()
        command[3] = "link.rvs"
        (self.folder / "flow.rvs").chmod(0o750)
        self.rivulet(*command[1:])
        self.assertTrue((self.folder / "link.rvs").is_symlink())
        self.assertEqual((self.folder / "flow.rvs").stat().st_mode & 0o777, 0o750)
        (self.folder / "link.rvs").unlink()
        self.expect_new()

    def test_a_step_of_the_target_by_any_name(self):
        os.symlink("flow.rvs/step-00000002.rvf", self.folder / "soft.rvf")
        os.symlink("flow.rvs", self.folder / "link.rvs")
        os.symlink(self.folder, self.folder / "flow.rvs" / "up")
        for source, target, cwd in (("soft.rvf", "flow.rvs", "."), ("link.rvs/step-00000001.rvf", "flow.rvs", "."),
                                    ("step-00000001.rvf", "../flow.rvs", "flow.rvs"), ("flow.rvs", "link.rvs", "."),
                                    ("step-00000001.rvf", "up/link.rvs", "flow.rvs")):
            for option in ("--force", "--append"):
                done = subprocess.run([RIVULET, "convert", source, target, option], cwd=self.folder / cwd, text=True,
                                      capture_output=True, check=False)
                self.assertEqual(done.returncode, USAGE, done.stderr)
                self.assertIn("source", done.stderr)
        (self.folder / "flow.rvs" / "up").unlink()
        self.assertEqual(self.bytes_of("flow.rvs"), self.old)

    def test_a_step_is_no_target(self):
        self.generate("other.rvf", 1)
        for step in (2, 4):
            for option in ("--force", "--sync"):
                name = f"flow.rvs/step-{step:08d}.rvf"
                done = subprocess.run([RIVULET, "convert", "other.rvf", name, option], cwd=self.folder, text=True,
                                      capture_output=True, check=False)
                self.assertNotEqual(done.returncode, 0)
                if option == "--force" or step == 4:
                    self.assertIn("step of a store", done.stderr)
        self.assertEqual(self.bytes_of("flow.rvs"), self.old)


class BadSteps(Stores):
    """A store opens though steps of it cannot be read; each command says which."""

    def setUp(self):
        super().setUp()
        self.generate("flow.rvs", 6)
        self.path = [self.folder / "flow.rvs" / name for name in self.steps()]

    def test_a_missing_a_cut_a_foreign_and_a_linked_step(self):
        self.generate("other.rvs", 6)
        whole = self.info("flow.rvs")
        self.path[1].unlink()
        self.path[2].write_bytes(self.path[2].read_bytes()[:5000])
        shutil.copy(self.folder / "other.rvs" / self.path[3].name, self.path[3])
        self.path[5].unlink()
        os.symlink("nowhere", self.path[5])
        done = self.rivulet("info", "flow.rvs", "--json", code=CORRUPT)
        described = json.loads(done.stdout)
        self.assertEqual(described["bad_steps"], [1, 2, 3, 5])
        self.assertEqual(described["times"], whole["times"], "from the index")
        for word in ("step 1 is missing", self.path[2].name, "not step 3 of this store", self.path[5].name):
            self.assertIn(word, done.stderr)
        found = self.rivulet("verify", "flow.rvs", code=CORRUPT).stdout
        for path in (self.path[1], self.path[2], self.path[3], self.path[5]):
            self.assertIn(path.name, found)
        self.assertIn("of 36 bricks", found, "the other two were checked")
        self.assertIn("step 1", self.rivulet("convert", "flow.rvs", "new.rvf", code=CORRUPT).stderr)
        (self.folder / "flow.rvs" / "steps.index").unlink()
        times = json.loads(self.rivulet("info", "flow.rvs", "--json", code=CORRUPT).stdout)["times"]
        self.assertEqual(times, whole["times"], "between those of the neighbours")

    def test_no_step_that_can_be_read(self):
        for path in self.path:
            path.write_bytes(b"nothing")
        self.assertIn(self.path[0].name, self.rivulet("info", "flow.rvs", code=CORRUPT).stderr)

    def test_steps_of_copies_that_were_added_to_in_other_ways(self):
        shutil.copytree(self.folder / "flow.rvs", self.folder / "copy.rvs")
        self.generate("flow.rvs", 8, "--append")
        self.generate("copy.rvs", 8, "--append", "--amplitude", "0.4")
        shutil.copy(self.folder / "copy.rvs" / "step-00000007.rvf", self.folder / "flow.rvs")
        message = self.rivulet("info", "flow.rvs", code=CORRUPT).stderr
        self.assertIn("step-00000007.rvf", message)
        self.assertIn("not the step 7 that was written", message)
        self.assertIn("step 7", self.generate("flow.rvs", 9, "--append", code=CORRUPT).stderr)

    def test_a_damaged_description(self):
        path = self.folder / "flow.rvs" / "store.json"
        path.write_text(path.read_text()[:40])
        for command in (["info", "flow.rvs"], ["verify", "flow.rvs"], ["convert", "flow.rvs", "new.rvf"],
                        ["info", "flow.rvs/store.json"]):
            self.assertIn("is damaged", self.rivulet(*command, code=CORRUPT).stderr)
        self.assertIn("is damaged", self.generate("flow.rvs", 7, "--append", code=CORRUPT).stderr)
        path.unlink()
        self.assertIn("no store.json", self.rivulet("info", "flow.rvs", code=INPUT).stderr)

    def test_a_step_with_another_grid(self):
        identity = json.loads((self.folder / "flow.rvs" / "store.json").read_text())
        self.empty_copy("small.rvs", "flow.rvs")
        self.assertEqual(identity["format"], "rivulet-store")
        self.rivulet("generate", "double-gyre", "small.rvs", "--dims", "9,9,9", "--steps", "3", "--append", "--quiet")
        (self.folder / "flow.rvs" / "steps.index").unlink()
        shutil.copy(self.folder / "small.rvs" / self.path[2].name, self.path[2])
        self.assertIn("grid", self.rivulet("info", "flow.rvs", code=CORRUPT).stderr)


class Growing(Stores):
    def test_adds_the_steps_that_are_missing(self):
        self.generate("flow.rvs", 5)
        self.empty_copy("grown.rvs", "flow.rvs")
        for steps in (2, 2, 3, 5):
            self.generate("grown.rvs", steps, "--append")
            self.assertEqual(len(self.steps("grown.rvs")), steps)
        self.assertEqual(self.bytes_of("grown.rvs"), self.bytes_of("flow.rvs"))

    def test_follows_a_series_of_files_that_grows(self):
        for number in range(4):
            self.write_raw(f"p{number}.raw", (8, 6, 4), first=100 * number)
            names = [f"p{n}.raw" for n in range(number + 1)]
            self.rivulet("convert", *names, "p.rvs", "--dims", "8,6,4", "--append")
            self.assertEqual(len(self.info("p.rvs")["times"]), number + 1)
        self.rivulet("convert", *names, "p.rvf", "--dims", "8,6,4")
        whole = self.info("p.rvf")
        self.assertEqual(self.info("p.rvs")["variables"][0]["component_ranges"], whole["variables"][0]["component_ranges"])

    def test_keeps_the_bricks_and_refuses_another_cut_or_field(self):
        self.generate("flow.rvs", 1, "--brick", "6,5,4")
        self.generate("flow.rvs", 2, "--append")
        self.assertEqual(self.info("flow.rvs")["variables"][0]["brick_cells"], [6, 5, 4])
        before = self.bytes_of("flow.rvs")
        for options in (["--brick", "9"], ["--encoding", "fixed16"], ["--with-speed"], ["--float64"]):
            self.assertIn("does not fit", self.generate("flow.rvs", 3, *options, "--append", code=USAGE).stderr)
        self.assertIn("grid", self.rivulet("generate", "abc", "flow.rvs", "--steps", 4, "--append", code=USAGE).stderr)
        self.assertEqual(self.bytes_of("flow.rvs"), before)

    def test_takes_times_that_differ_in_the_last_digits_for_the_same(self):
        self.rivulet("generate", "double-gyre", "flow.rvs", *FIELD[:2], "--dt", "0.2", "--steps", "4", "--quiet")
        self.assertIn(0.6000000000000001, self.info("flow.rvs")["times"])
        for number, time in enumerate((0.0, 0.2, 0.4, 0.6, 0.8)):
            self.rivulet("generate", "double-gyre", f"s{number}.rvf", *FIELD[:2], "--start-time", repr(time), "--quiet")
        self.rivulet("convert", *[f"s{number}.rvf" for number in range(5)], "flow.rvs", "--append")
        self.assertEqual(self.info("flow.rvs")["times"], [0.0, 0.2, 0.4, 0.6000000000000001, 0.8])
        self.rivulet("convert", "s3.rvf", "flow.rvs", "--append")
        self.assertEqual(len(self.steps()), 5)

    def test_an_index_that_is_lost_torn_or_of_other_steps_is_made_anew(self):
        self.generate("flow.rvs", 5)
        index = self.folder / "flow.rvs" / "steps.index"
        whole = index.read_bytes()
        self.assertEqual(len(whole), 5 * 24)
        for damaged in (None, whole[:60], whole[:30] + b"\0" * 30 + whole[60:], b"text"):
            index.unlink() if damaged is None else index.write_bytes(damaged)
            self.assertEqual(len(self.info("flow.rvs")["times"]), 5)
            self.generate("flow.rvs", 5, "--append")
            self.assertEqual(index.read_bytes(), whole)
        for name in self.steps()[3:]:
            (self.folder / "flow.rvs" / name).unlink()
        self.rivulet("generate", "double-gyre", "flow.rvs", *FIELD[:2], "--dt", "0.5", "--steps", "5", "--amplitude", "0.2",
                     "--append", "--quiet")
        self.assertEqual(len(self.info("flow.rvs")["times"]), 5)
        self.assertNotEqual(index.read_bytes(), whole)

    def test_refuses_steps_between_those_there(self):
        self.generate("flow.rvs", 3)
        message = self.rivulet("generate", "double-gyre", "flow.rvs", "--dims", "24,20,16", "--dt", "0.25",
                               "--steps", "9", "--append", code=USAGE).stderr
        self.assertIn("0.25", message)
        self.assertEqual(len(self.steps()), 3)

    def test_append_is_for_stores_and_excludes_force(self):
        self.assertIn(".rvs", self.generate("flow.rvf", 1, "--append", code=USAGE).stderr)
        self.assertIn("--force", self.generate("flow.rvs", 1, "--append", "--force", code=USAGE).stderr)
        self.assertEqual(self.names(), [])

    def test_a_gap_and_a_foreign_step_are_named(self):
        self.generate("flow.rvs", 4)
        self.generate("other.rvs", 4)
        shutil.copy(self.folder / "other.rvs" / "step-00000002.rvf", self.folder / "flow.rvs")
        self.assertIn("step 2", self.rivulet("info", "flow.rvs", code=CORRUPT).stderr)
        self.assertEqual(self.rivulet("info", "flow.rvs", code=CORRUPT).stdout.count("bad step"), 1)
        (self.folder / "flow.rvs" / "step-00000002.rvf").unlink()
        for command in (["info", "flow.rvs"], ["convert", "flow.rvs", "new.rvf"], ["verify", "flow.rvs"]):
            done = self.rivulet(*command, code=CORRUPT)
            self.assertIn("step 2 is missing", done.stderr + done.stdout)
        self.assertIn("step 2 is missing", self.generate("flow.rvs", 5, "--append", code=CORRUPT).stderr)

    def test_another_version_and_a_damaged_description(self):
        self.generate("flow.rvs", 1)
        path = self.folder / "flow.rvs" / "store.json"
        good = path.read_text()
        for text, words in ((good.replace('"format_version": 1', '"format_version": 3'), "version 3"),
                            (good.replace('"uuid": "', '"uuid": "!'), "uuid"), (good[:40], "damaged"), ("", "damaged"),
                            (" " * 100000, "damaged")):
            path.write_text(text)
            message = self.rivulet("info", "flow.rvs", code=INPUT if "version" in words else CORRUPT).stderr
            self.assertIn(words, message)


@unittest.skipUnless(STOPPER, "sanitizers want to be loaded first")
class KilledWhileGrowing(Stores):
    """Every step that is there is whole, the rest is as if it had not been, and writing goes on."""

    def setUp(self):
        super().setUp()
        self.generate("whole.rvs", 4)
        self.whole = self.bytes_of("whole.rvs")

    def killed(self, moment):
        """Adds to a store until the process is killed; checks what is there; then adds the rest."""
        shutil.rmtree(self.folder / "flow.rvs", ignore_errors=True)
        self.empty_copy("flow.rvs", "whole.rvs")
        command = [RIVULET, "generate", "double-gyre", "flow.rvs", *FIELD, "--steps", "4", "--append"]
        survived = moment(command)
        there = {name: data for name, data in self.bytes_of("flow.rvs").items() if not name.startswith(".")}
        index = there.pop("steps.index", b"")
        self.assertEqual(index, self.whole["steps.index"][:len(index)])
        self.assertEqual(there, {name: self.whole[name] for name in there})
        steps = [name for name in sorted(there) if name.startswith("step-")]
        self.assertEqual(steps, [f"step-{number:08d}.rvf" for number in range(len(steps))])
        if steps:
            self.rivulet("verify", "flow.rvs", "--quiet")
        self.generate("flow.rvs", 4, "--append")
        self.assertEqual(self.bytes_of("flow.rvs"), self.whole, "whole, and nothing left behind")
        return survived

    def test_at_every_call(self):
        for call in range(1, 200):
            environment = {**os.environ, "LD_PRELOAD": STOPPER, "STOP_AT_CALL": str(call), "STOP_SIGNAL": "9"}
            if self.killed(lambda command: subprocess.run(command, cwd=self.folder, env=environment, check=False,
                                                          capture_output=True, timeout=60).returncode == 0):
                break
        self.assertGreater(call, 10)
        self.assertLess(call, 199)

    def test_at_fifty_moments(self):
        started = time.monotonic()
        self.killed(lambda command: subprocess.run(command, cwd=self.folder, check=True, capture_output=True, timeout=60))
        longest = time.monotonic() - started
        kills = 0
        for number in range(50):
            delay = random.Random(number).uniform(0, longest)

            def moment(command, delay=delay):
                process = subprocess.Popen(command, cwd=self.folder, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
                time.sleep(delay)
                process.kill()
                return process.wait(60) == 0

            kills += not self.killed(moment)
        self.assertGreater(kills, 5)

    def test_while_the_store_itself_is_made(self):
        for call in range(1, 60):
            environment = {**os.environ, "LD_PRELOAD": STOPPER, "STOP_AT_CALL": str(call), "STOP_SIGNAL": "9"}
            shutil.rmtree(self.folder / "flow.rvs", ignore_errors=True)
            command = [RIVULET, "generate", "double-gyre", "flow.rvs", *FIELD]
            done = subprocess.run(command, cwd=self.folder, env=environment, check=False, capture_output=True, timeout=60)
            if done.returncode == 0:
                break
            self.generate("flow.rvs", 2, "--append")
            self.rivulet("verify", "flow.rvs", "--quiet")
            self.assertEqual(sorted(self.bytes_of("flow.rvs")), [*self.steps(), "steps.index", "store.json"])
        self.assertLess(call, 59)


class Shared(Stores):
    @unittest.skipUnless(STOPPER, "sanitizers want to be loaded first")
    def test_of_two_writers_one_is_told_to_wait_and_readers_are_not(self):
        self.generate("flow.rvs", 2)
        environment = {**os.environ, "LD_PRELOAD": STOPPER, "STOP_AT_CALL": "2", "STOP_SIGNAL": str(int(signal.SIGSTOP))}
        process = subprocess.Popen([RIVULET, "generate", "double-gyre", "flow.rvs", *FIELD, "--steps", "3", "--append"],
                                   cwd=self.folder, env=environment, stderr=subprocess.PIPE)
        os.waitpid(process.pid, os.WUNTRACED)
        self.assertEqual(len(self.hidden()), 1, "it is in the middle of a step")
        for options in (["--append"], ["--force"]):
            self.assertIn("another process writes", self.generate("flow.rvs", 4, *options, code=OUTPUT).stderr)
        self.assertEqual(len(self.info("flow.rvs")["times"]), 2)
        self.rivulet("verify", "flow.rvs", "--quiet")
        process.send_signal(signal.SIGCONT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(len(self.info("flow.rvs")["times"]), 3)
        self.generate("flow.rvs", 4, "--append")

    def test_a_reader_sees_whole_steps_while_others_are_written(self):
        self.generate("flow.rvs", 1)
        process = subprocess.Popen([RIVULET, "generate", "double-gyre", "flow.rvs", *FIELD, "--steps", "400", "--append"],
                                   cwd=self.folder, stderr=subprocess.DEVNULL)
        seen = []
        while process.poll() is None:
            self.rivulet("verify", "flow.rvs", "--quiet")
            seen.append(len(self.info("flow.rvs")["times"]))
        self.assertEqual(process.returncode, 0)
        self.assertEqual(seen, sorted(seen))
        self.assertGreater(len(set(seen)), 2, "it was read while it grew")

    def test_a_full_disk_leaves_the_steps_there_are(self):
        self.generate("flow.rvs", 2)
        before = self.bytes_of("flow.rvs")

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))

        self.assertIn("flow.rvs", self.generate("flow.rvs", 4, "--append", code=OUTPUT, preexec_fn=limit).stderr)
        self.assertEqual(self.bytes_of("flow.rvs"), before)
        self.generate("flow.rvs", 4, "--append")
        self.assertEqual(len(self.steps()), 4)


if __name__ == "__main__":
    unittest.main()
