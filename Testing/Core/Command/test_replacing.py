#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What lies under a name while `rivulet` writes it: the old field or the new one, whenever the program is killed.

    RIVULET_COMMAND=build/release/bin/rivulet RIVULET_STOP_AT_CALL=lib/librivulet_stop_at_call.so test_replacing.py
"""

import os
import random
import shutil
import signal
import subprocess
import time
import unittest

from command_testing import INPUT, OK, OUTPUT, RIVULET, USAGE, Scenario

STOPPER = os.environ.get("RIVULET_STOP_AT_CALL", "")
SMALL = ["--dims", "16", "--threads", "1", "--quiet"]
STEPS = [*SMALL, "--steps", "3"]
OLD, NEW = ["--a", "1"], ["--a", "3"]


class Replacing(Scenario):
    def contents(self, folder=None):
        folder = folder or self.folder
        return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}

    def hidden(self):
        return [name for name in self.names() if name.startswith(".")]

    def environment(self, call, number):
        return {**os.environ, "LD_PRELOAD": STOPPER, "STOP_AT_CALL": str(call), "STOP_SIGNAL": str(int(number))}

    def fields(self, *arguments):
        """Header -> what it leads to, for a set that is written into a folder of its own."""
        folder = self.folder / "expected"
        folder.mkdir()
        self.rivulet("generate", "abc", folder / "flow.bov", *arguments)
        found = self.read_set(folder)
        shutil.rmtree(folder)
        return found

    @staticmethod
    def read_set(folder):
        """Header -> its values; None of an unfinished header. Fails on a header that leads nowhere."""
        found = {}
        for path in folder.glob("flow*.bov"):
            keys = dict(line.split(": ", 1) for line in path.read_text().splitlines())
            found[path.name] = None if "UNFINISHED" in keys else (folder / keys["DATA_FILE"]).read_bytes()
        return found

    def old_or_new(self, old, new):
        def check(folder, when):
            found = self.read_set(folder)
            finished = [header for header in found if found[header] is not None]
            if found and len(finished) == len(found):
                self.assertIn(found, (old, new), when)
            for state in (old, new):
                if all(found[header] == state.get(header) for header in finished):
                    return
            self.fail(f"{when}: steps of two fields")
        return check


class Names(Replacing):
    def test_data_files_are_kept_as_headers_are(self):
        for names in (["flow.raw"], ["flow.00001.raw", "--blocks", "2,1,1"]):
            (self.folder / names[0]).write_text("mine")
            self.rivulet("generate", "abc", "flow.bov", *SMALL, *names[1:], code=OUTPUT)
            self.assertEqual(self.names(), [names[0]])
            self.assertEqual((self.folder / names[0]).read_text(), "mine")
            (self.folder / names[0]).unlink()

    def test_force_replaces_a_set_and_its_data_but_nothing_else(self):
        (self.folder / "flow_0001-2.raw").write_text("mine")
        for field in (OLD, NEW, OLD):
            self.rivulet("generate", "abc", "flow.bov", *STEPS, *field, "--force")
            self.assertEqual(self.read_set(self.folder), self.fields(*STEPS, *field))
            self.assertEqual(len(self.names()), 3 + 3 + 1, self.names())
        self.assertEqual((self.folder / "flow_0001-2.raw").read_text(), "mine")

    def test_force_keeps_data_that_only_a_header_of_the_user_names(self):
        self.write_raw("measured.raw", (4, 4, 4))
        (self.folder / "flow.bov").write_text("DATA_FILE: measured.raw\nDATA_SIZE: 4 4 4\nDATA_FORMAT: FLOAT\n")
        self.rivulet("generate", "abc", "flow.bov", *SMALL, "--force")
        self.assertEqual(self.names(), ["flow.bov", "flow.raw", "measured.raw"])

    def test_a_longer_series_does_not_stay_beside_a_shorter_one(self):
        self.rivulet("generate", "abc", "flow.bov", *SMALL, "--steps", "4", *OLD)
        before = self.contents()
        message = self.rivulet("generate", "abc", "flow.bov", *STEPS, *NEW, "--force", code=OUTPUT).stderr
        self.assertIn("flow_0003.bov", message)
        self.assertEqual(self.contents(), before)

    def test_a_set_that_cannot_be_replaced_stays_as_it_was(self):
        self.rivulet("generate", "abc", "flow.bov", *STEPS, *OLD)
        (self.folder / "flow_0002.bov").unlink()
        (self.folder / "flow_0002.bov").mkdir()
        before = self.contents()
        self.assertIn("flow_0002.bov", self.rivulet("generate", "abc", "flow.bov", *STEPS, *NEW, "--force", code=OUTPUT).stderr)
        self.assertEqual(self.contents(), before)

    @unittest.skipUnless(STOPPER, "sanitizers want to be loaded first")
    def test_a_file_that_appears_during_the_work_is_kept(self):
        for target, arguments in (("flow.rvf", SMALL), ("flow.bov", SMALL), ("flow_0001.bov", STEPS), ("flow.raw", SMALL)):
            name = "flow.rvf" if target.endswith("rvf") else "flow.bov"
            process = subprocess.Popen([RIVULET, "generate", "abc", name, *arguments], cwd=self.folder,
                                       stderr=subprocess.PIPE, env=self.environment(2, signal.SIGSTOP))
            os.waitpid(process.pid, os.WUNTRACED)
            (self.folder / target).write_text("mine")
            process.send_signal(signal.SIGCONT)
            self.assertIn(target.encode(), process.communicate(timeout=60)[1])
            self.assertEqual(process.returncode, OUTPUT)
            self.assertEqual(self.names(), [target])
            self.assertEqual((self.folder / target).read_text(), "mine")
            (self.folder / target).unlink()

    @unittest.skipUnless(STOPPER, "sanitizers want to be loaded first")
    def test_of_two_at_once_one_writes_the_target(self):
        for name in ("flow.rvf", "flow.bov"):
            process = subprocess.Popen([RIVULET, "generate", "abc", name, *SMALL, *OLD], cwd=self.folder,
                                       stderr=subprocess.DEVNULL, env=self.environment(2, signal.SIGSTOP))
            os.waitpid(process.pid, os.WUNTRACED)
            self.rivulet("generate", "abc", name, *SMALL, *NEW)
            self.assertEqual(len(self.hidden()), 1, "what another process is writing stays")
            finished = {key: value for key, value in self.contents().items() if not key.startswith(".")}
            process.send_signal(signal.SIGCONT)
            self.assertEqual(process.wait(60), OUTPUT)
            self.assertEqual(self.contents(), finished)


class Sources(Replacing):
    """A source, or a part of one, is never the target, by whatever name."""

    def refused(self, *arguments):
        before = self.contents()
        message = self.rivulet(*arguments, "--force", code=USAGE).stderr
        self.assertIn("source", message)
        self.assertEqual(self.contents(), before)

    def test_the_data_behind_a_header(self):
        self.rivulet("generate", "abc", "q.bov", *SMALL)
        self.refused("convert", "q.bov", "q.raw")
        self.refused("convert", "q.bov", "q.bov")
        self.rivulet("generate", "abc", "many.bov", *SMALL, "--blocks", "2,2,1")
        self.refused("convert", "many.bov", "many.00003.raw")

    def test_links(self):
        self.rivulet("generate", "abc", "q.bov", *SMALL)
        os.link(self.folder / "q.raw", self.folder / "hard.rvf")
        os.symlink("q.raw", self.folder / "soft.rvf")
        os.symlink(self.folder, self.folder / "folder")
        for target in ("hard.rvf", "soft.rvf", "folder/q.raw", "./q.bov"):
            self.refused("convert", "q.bov", target)

    def test_a_member_of_a_series(self):
        self.rivulet("generate", "abc", "q.bov", *STEPS)
        for target in ("q_0001.bov", "q_0002.raw"):
            self.refused("convert", "q_0000.bov", "q_0001.bov", "q_0002.bov", target)
        for name in ("u.raw", "v.raw"):
            self.write_raw(name, (4, 4, 4))
        self.refused("convert", "u.raw", "v.raw", "v.raw", "--dims", "4")

    def test_a_file_that_a_link_led_to_when_the_work_began(self):
        self.rivulet("generate", "abc", "q.rvf", *SMALL)
        os.symlink("q.rvf", self.folder / "soft.rvf")
        self.refused("convert", "soft.rvf", "q.rvf")


@unittest.skipUnless(STOPPER, "sanitizers want to be loaded first")
class Rewriting(Replacing):
    """Sources that somebody writes to, or replaces, while they are converted."""

    def expect_refusal(self, source, change, *arguments):
        before = self.names()
        # The first such call makes the hidden file: the source is open, and nothing of it read.
        process = subprocess.Popen([RIVULET, "convert", *arguments, "new.rvf", "--threads", "1"], cwd=self.folder,
                                   stderr=subprocess.PIPE, text=True, env=self.environment(1, signal.SIGSTOP))
        os.waitpid(process.pid, os.WUNTRACED)
        time.sleep(0.05)
        change(self.folder / source)
        process.send_signal(signal.SIGCONT)
        message = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, INPUT, message)
        self.assertIn(source, message)
        self.assertEqual(self.names(), before)

    @staticmethod
    def rewrite(path):
        data = bytearray(path.read_bytes())
        data[-1] ^= 1
        path.write_bytes(data)

    @staticmethod
    def replace(path):
        path.with_name("other").write_bytes(path.read_bytes())
        path.with_name("other").rename(path)

    def test_bov(self):
        self.rivulet("generate", "abc", "q.bov", *STEPS, "--blocks", "2,1,1")
        headers = [name for name in self.names() if name.endswith(".bov")]
        for change in (self.rewrite, self.replace):
            self.expect_refusal("q_0001.00001.raw", change, *headers)
        self.expect_refusal("q_0002.bov", self.replace, *headers)

    def test_raw_files(self):
        for name in ("u.raw", "v.raw"):
            self.write_raw(name, (16, 16, 16))
        for change in (self.rewrite, self.replace):
            self.expect_refusal("v.raw", change, "u.raw", "v.raw", "--dims", "16")

    def test_field_file(self):
        self.rivulet("generate", "abc", "q.rvf", *SMALL)
        for change in (self.rewrite, self.replace):
            self.expect_refusal("q.rvf", change, "q.rvf", "--brick", "5")


@unittest.skipUnless(STOPPER, "sanitizers want to be loaded first")
class KilledAtEveryStep(Replacing):
    """kill -9 right before each call that makes, renames or removes a file."""

    def each_kill(self, arguments, check):
        """Kills the program at its first such call, at its second ... until it ends by itself."""
        start = self.folder / "start"
        start.mkdir()
        for name in self.names():
            if name != "start":
                shutil.move(self.folder / name, start / name)
        for call in range(1, 200):
            work = self.folder / "work"
            shutil.copytree(start, work)
            done = subprocess.run([RIVULET, *arguments], cwd=work, env=self.environment(call, signal.SIGKILL),
                                  capture_output=True, timeout=60, check=False)
            check(work, f"killed at call {call}")
            again = subprocess.run([RIVULET, *arguments, *([] if "--force" in arguments else ["--force"])], cwd=work,
                                   capture_output=True, timeout=60, check=False)
            self.assertEqual(again.returncode, OK, again.stderr)
            self.assertEqual([name for name in os.listdir(work) if name.startswith(".")], [], f"call {call}")
            shutil.rmtree(work)
            if done.returncode == OK:
                return call
            self.assertEqual(done.returncode, -signal.SIGKILL)
        self.fail("the program did not end by itself")

    def expect_one_of(self, *states):
        def check(folder, when):
            self.assertIn({name: data for name, data in self.contents(folder).items() if not name.startswith(".")},
                          states, when)
        return check

    def test_a_new_field_file(self):
        self.assertGreater(self.each_kill(["generate", "abc", "flow.rvf", *SMALL], self.sound_or_absent), 2)

    def sound_or_absent(self, folder, when):
        if (folder / "flow.rvf").exists():
            self.rivulet("verify", folder / "flow.rvf")

    def test_a_replaced_field_file(self):
        self.rivulet("generate", "abc", "flow.rvf", *SMALL, *OLD)

        def check(folder, when):
            self.rivulet("verify", folder / "flow.rvf")
        self.assertGreater(self.each_kill(["generate", "abc", "flow.rvf", *SMALL, *NEW, "--force"], check), 2)

    def test_a_converted_field_file(self):
        self.rivulet("generate", "abc", "flow.rvf", *SMALL, *OLD)
        self.rivulet("generate", "abc", "new.bov", *SMALL, *NEW)

        def check(folder, when):
            self.rivulet("verify", folder / "flow.rvf")
        self.each_kill(["convert", "new.bov", "flow.rvf", "--force", "--quiet"], check)

    def test_a_new_set(self):
        new = self.fields(*STEPS, *NEW)
        calls = self.each_kill(["generate", "abc", "flow.bov", *STEPS, *NEW], self.old_or_new({}, new))
        self.assertGreater(calls, 15)

    def test_a_replaced_set(self):
        old, new = self.fields(*STEPS, *OLD), self.fields(*STEPS, *NEW)
        self.rivulet("generate", "abc", "flow.bov", *STEPS, *OLD)
        calls = self.each_kill(["generate", "abc", "flow.bov", *STEPS, *NEW, "--force"], self.old_or_new(old, new))
        self.assertGreater(calls, 15)

    def test_a_replaced_set_of_one_header_changes_at_once(self):
        blocks = [*SMALL, "--blocks", "2,1,1"]
        self.rivulet("generate", "abc", "flow.bov", *blocks, *OLD)
        header = (self.folder / "flow.bov").read_text()

        def check(folder, when):
            text = (folder / "flow.bov").read_text()
            self.assertIn(text, (header, header.replace("flow.%05d", "flow-2.%05d")), when)
            self.rivulet("convert", folder / "flow.bov", self.folder / "copy.rvf", "--force", "--quiet")
            ranges.add(str(self.info("copy.rvf")["variables"][0]["component_ranges"]))
        ranges = set()
        self.each_kill(["generate", "abc", "flow.bov", *blocks, *NEW, "--force"], check)
        self.assertEqual(len(ranges), 2)

    def test_readers_name_what_is_unfinished(self):
        self.rivulet("generate", "abc", "flow.bov", *STEPS, *OLD)
        for call in range(1, 100):
            subprocess.run([RIVULET, "generate", "abc", "flow.bov", *STEPS, *NEW, "--force"], cwd=self.folder,
                           env=self.environment(call, signal.SIGKILL), stderr=subprocess.DEVNULL, check=False)
            if None in self.read_set(self.folder).values():
                break
        headers = sorted(self.read_set(self.folder))
        message = self.rivulet("convert", *headers, "flow.rvf", code=INPUT).stderr
        self.assertIn("never finished", message)


class KilledAtAnyMoment(Replacing):
    def test_the_old_field_or_the_new_one(self):
        chance = random.Random(20)
        self.rivulet("generate", "abc", "source.bov", "--dims", "64", *NEW)
        new = ["--dims", "64", "--steps", "2", "--quiet", "--threads", "2", *NEW]
        cases = [(target, force, ["generate", "abc", target, *new]) for target in ("flow.rvf", "flow.bov")
                 for force in (True, False)]
        cases += [("flow.rvf", force, ["convert", "source.bov", "flow.rvf", "--quiet"]) for force in (True, False)]
        check = self.old_or_new(self.fields(*new[:-2], *OLD), self.fields(*new))
        for target, force, arguments in cases:
            if force:
                self.rivulet("generate", "abc", target, "--dims", "64", "--steps", "2", "--quiet", *OLD, "--force")
            for _ in range(9):
                process = subprocess.Popen([RIVULET, *arguments, *(["--force"] if force else [])],
                                           cwd=self.folder, stderr=subprocess.DEVNULL)
                time.sleep(chance.uniform(0.0, 0.08))
                process.kill()
                process.wait(60)
                if target == "flow.rvf" and (force or "flow.rvf" in self.names()):
                    self.rivulet("verify", target)
                if target == "flow.bov":
                    check(self.folder, "killed at any moment")
                if not force:
                    for path in self.folder.glob("flow*"):
                        path.unlink()
            self.rivulet(*arguments, "--force")
            self.assertEqual(self.hidden(), [])

    def test_what_was_left_is_named_when_it_is_removed(self):
        process = subprocess.Popen([RIVULET, "generate", "turbulence", "flow.rvf", "--dims", "600", "--threads", "1"],
                                   cwd=self.folder, stderr=subprocess.DEVNULL)
        while not self.hidden():
            time.sleep(0.01)
        name = self.hidden()[0]
        self.rivulet("generate", "abc", "other.rvf", *SMALL)
        self.assertIn(name, self.names())
        process.kill()
        process.wait(60)
        message = self.rivulet("generate", "abc", "flow.rvf", "--dims", "16").stderr
        self.assertIn(name, message)
        self.assertEqual(self.names(), ["flow.rvf", "other.rvf"])

    def test_what_another_machine_left_is_named_and_kept(self):
        name = ".flow.rvf.tmp-17-01234567-89abcdef"
        (self.folder / name).write_text("of another machine")
        message = self.rivulet("generate", "abc", "flow.rvf", "--dims", "16").stderr
        self.assertIn(name, message)
        self.assertEqual(self.names(), [name, "flow.rvf"])


if __name__ == "__main__":
    unittest.main()
