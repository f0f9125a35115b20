# SPDX-License-Identifier: BSD-3-Clause
"""Processes that take turns at measuring, so that what is compared runs within a second of each other.

    serve(run)                           # in a process: one call of run() and one line of JSON for each line of input
    with Turns(command) as side:         # in the benchmark
        row = side.turn()

run() returns a dictionary. seconds_of() adds wall and processor seconds to one.
"""

import contextlib
import json
import subprocess
import time


def seconds_of(work):
    """Calls work() and returns its result, wall seconds, and processor seconds of all threads of this process."""
    wall, processor = time.perf_counter(), time.process_time()
    result = work()
    return result, {"seconds": time.perf_counter() - wall, "processor_seconds": time.process_time() - processor}


def serve(run):
    """Reads and writes the streams of the process: pvpython puts objects of its own in the place of Python's."""
    with open(0, closefd=False) as questions, open(1, "w", closefd=False) as answers:
        for _ in questions:
            print(json.dumps(run()), file=answers, flush=True)


class Turns:
    def __init__(self, command, environment=None):
        self.command = [str(word) for word in command]
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)

    def turn(self, question=""):
        """The answer of one run. Text that libraries print themselves is passed over."""
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(question + "\n")
            self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("{"):
                return json.loads(line)
        raise RuntimeError(f"{' '.join(self.command)} ended with {self.process.wait()}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
