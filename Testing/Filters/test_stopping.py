# SPDX-License-Identifier: BSD-3-Clause
"""Runs that end early, as users of scripts see them: Ctrl-C, Maximum Seconds, the line of progress on a terminal.

Environment: as Testing/Plugin/RivuletPvbatchTest.cmake, and RIVULET_PVBATCH, RIVULET_MPIEXEC
"""
import json
import os
import pty
import re
import select
import signal
import subprocess
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PVBATCH = os.environ["RIVULET_PVBATCH"]
PVPYTHON = os.path.join(os.path.dirname(PVBATCH), "pvpython")
FIELD = os.path.join(os.environ["RIVULET_SCRATCH"], "rotation.rvf")
SEEDS = 60
PATIENCE = 120  # seconds: a run that hangs is ended, and its test fails
MESSAGE = r"(Warning: In|ERROR: In|\bERR\||\bWARN\|)"


def setUpModule():
    subprocess.run([os.environ["RIVULET_PROGRAM"], "generate", "rotation", FIELD, "--size", "100", "-q"], check=True)


class Trace:
    """long_trace.py under a program, with its output as it comes."""

    def __init__(self, *command, arguments=(), stderr=subprocess.PIPE):
        def interrupts_count():  # a shell's background ignores them
            signal.signal(signal.SIGINT, signal.SIG_DFL)

        self.process = subprocess.Popen([*command, os.path.join(HERE, "long_trace.py"), FIELD, *arguments], text=True,
                                        stdout=subprocess.PIPE, stderr=stderr, preexec_fn=interrupts_count)
        self.said = ""
        self.complained = ""
        self.patience = threading.Timer(PATIENCE, self.process.terminate)
        self.patience.start()
        self.reader = None
        if stderr == subprocess.PIPE:
            self.reader = threading.Thread(target=self.listen)
            self.reader.start()

    def listen(self):
        self.complained = self.process.stderr.read()

    def wait_for(self, word):
        while word not in self.said:
            line = self.process.stdout.readline()
            if not line:
                self.end()
                raise AssertionError(f"no {word}: {self.said}\n{self.complained}")
            self.said += line

    def end(self):
        self.said += self.process.stdout.read()
        code = self.process.wait()
        self.patience.cancel()
        if self.reader:
            self.reader.join()
            self.process.stderr.close()
        self.process.stdout.close()
        return code

    def end_well(self):
        code = self.end()
        assert code == 0 and "the script goes on" in self.said, (code, self.said, self.complained)

    def result(self):
        self.end_well()
        return json.loads(re.search("result (.*)", self.said).group(1))

    def messages(self):
        return len(re.findall(MESSAGE, self.complained))


def interrupt(pid):
    """Sends Ctrl-C's signal and waits until it was taken: a second one would be lost."""
    os.kill(pid, signal.SIGINT)
    while is_pending(pid, signal.SIGINT):
        time.sleep(0.001)


def is_pending(pid, number):
    """Whether a process that is alive has yet to take a signal."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            status = file.read()
    except OSError:  # it is gone
        return False
    ended = re.search(r"^State:\s*[ZX]", status, re.M)  # its signals stay pending
    waiting = [int(signals, 16) for signals in re.findall(r"^S[a-z]{2}Pnd:\s*(\w+)", status, re.M)]
    return not ended and any(signals & (1 << (number - 1)) for signals in waiting)


def process_of_rank(parent, rank):
    """The number of a process below `parent` that has this rank."""
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/environ", "rb") as environment:
                ranked = f"OMPI_COMM_WORLD_RANK={rank}".encode() in environment.read().split(b"\0")
            with open(f"/proc/{entry}/cmdline", "rb") as command:
                ours = FIELD.encode() in command.read()
        except (OSError, ValueError):
            continue
        if ranked and ours:
            return int(entry)
    raise AssertionError(f"no process of rank {rank} below {parent}")


class Stopped(unittest.TestCase):

    def expect_cut_lines(self, trace, code, *words):
        found = trace.result()
        self.assertEqual(set(found["reasons"]), {str(code)})
        self.assertGreater(found["points"], SEEDS)
        self.assertEqual(found["cut"], SEEDS)
        self.assertEqual(trace.messages(), 1, trace.complained)
        text = " ".join(trace.complained.split())
        for word in (f"0 lines are finished, {SEEDS} are cut where they were (ReasonForTermination {code})", *words):
            self.assertIn(word, text)


class Interrupts(Stopped):

    def test_stop_the_filter_and_the_script_goes_on(self):
        for program in (PVBATCH, PVPYTHON):
            with self.subTest(program):
                trace = Trace(program)
                trace.wait_for("begun")
                interrupt(trace.process.pid)
                self.expect_cut_lines(trace, 9, "stopped on request", "arrays other than the vectors hold NaN",
                                      "Change a property and apply to run again")

    def test_end_the_script_the_second_time(self):
        trace = Trace(PVPYTHON)
        trace.wait_for("begun")
        interrupt(trace.process.pid)
        interrupt(trace.process.pid)
        self.assertNotEqual(trace.end(), 0)
        self.assertNotIn("the script goes on", trace.said)

    @unittest.skipUnless(os.environ.get("RIVULET_MPIEXEC"), "there is no MPI")
    def test_of_one_rank_stop_all(self):
        for rank in (0, 1):
            with self.subTest(rank=rank):
                trace = Trace(os.environ["RIVULET_MPIEXEC"], "-n", "2", PVBATCH)
                trace.wait_for("begun")
                interrupt(process_of_rank(trace.process.pid, rank))
                self.expect_cut_lines(trace, 9, "stopped on request")


class Seconds(Stopped):

    def test_cut_lines_where_they_are(self):
        trace = Trace(PVBATCH, arguments=["MaximumSeconds=0.5"])
        self.expect_cut_lines(trace, 11, "stopped after Maximum Seconds (0.5)", "Raise Maximum Seconds")

    @unittest.skipUnless(os.environ.get("RIVULET_MPIEXEC"), "there is no MPI")
    def test_count_on_all_ranks(self):
        trace = Trace(os.environ["RIVULET_MPIEXEC"], "-n", "2", PVBATCH, arguments=["MaximumSeconds=0.5"])
        self.expect_cut_lines(trace, 11, "stopped after Maximum Seconds (0.5)")


class Terminal(unittest.TestCase):

    def shown(self, *arguments, program=PVBATCH):
        """What a terminal gets to see on the standard error stream."""
        master, slave = pty.openpty()
        trace = Trace(program, arguments=["unfetched", *arguments], stderr=slave)
        os.close(slave)
        seen = b""
        while True:
            if select.select([master], [], [], 60)[0]:
                try:
                    part = os.read(master, 4096)
                except OSError:  # the other end is closed
                    part = b""
                seen += part
                if not part:
                    break
        trace.end_well()
        os.close(master)
        return seen.decode()

    def test_shows_progress_after_some_seconds(self):
        for program in (PVBATCH, PVPYTHON):
            with self.subTest(program):
                seen = self.shown("MaximumSeconds=4.5", program=program)
                self.assertRegex(seen, r"\rtracing lines \[[#-]{24}\] +\d+ %.*, Ctrl-C stops\x1b\[K")
                self.assertLess(seen.index("\r\x1b[K"), seen.index("Maximum Seconds"), "wiped before the message")

    def test_shows_nothing_of_short_runs(self):
        self.assertNotIn("tracing", self.shown("MaximumSteps=100"))

    def test_is_needed_to_show_progress(self):
        trace = Trace(PVBATCH, arguments=["unfetched", "MaximumSeconds=4.5"])
        trace.end_well()
        self.assertNotIn("tracing lines", trace.complained)


if __name__ == "__main__":
    unittest.main()
