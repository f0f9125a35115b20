# SPDX-License-Identifier: BSD-3-Clause
"""A folder as a slow disk (Testing/Support/SlowDisk) within a `with` block.

    device = SlowDevice.parse("latency=5ms,bandwidth=1GB/s,depth=64")
    with SlowDisk(folder, device) as disk:
        read(disk.path / "field.rvf")
        print(disk.served())  # requests and bytes so far

The end of the block unmounts it, also after an error, ^C or SIGTERM. So does the end of a killed process.
"""

import ctypes
import dataclasses
import os
import pathlib
import re
import signal
import struct
import subprocess
import tempfile
import time

import built

SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6}
BYTES = {"kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9}
PR_SET_PDEATHSIG = 1


class Unavailable(Exception):
    """The machine has no slow disk. The message gives the reason."""


def quantity(text, units, what):
    match = re.fullmatch(r"([0-9.]+)([a-zA-Z/]+)", text)
    if not match or match[2] not in units or match[1].count(".") > 1:
        raise ValueError(f"{what}={text}: give a number and one of {', '.join(units)}")
    return float(match[1]) * units[match[2]]


@dataclasses.dataclass(frozen=True)
class SlowDevice:
    """Each request takes `latency` seconds, at most `depth` at once. All share `bandwidth` (bytes per second; 0: no limit).
    With a `head` (head=1), requests that begin where the last one ended do not wait for the latency."""

    latency: float
    bandwidth: float = 0.0
    depth: int = 32
    head: bool = False

    @classmethod
    def parse(cls, text):
        words = dict(word.partition("=")[::2] for word in text.split(","))
        unknown = set(words) - {"latency", "bandwidth", "depth", "head"}
        if unknown or "latency" not in words:
            raise ValueError(f"{text}: write it as latency=5ms,bandwidth=1GB/s,depth=64")
        depth = words.get("depth", str(cls.depth))
        if not depth.isdigit() or not 1 <= int(depth) <= 1024:
            raise ValueError(f"depth={depth}: give a number from 1 to 1024")
        bandwidth = quantity(words["bandwidth"], BYTES, "bandwidth") if "bandwidth" in words else 0.0
        return cls(quantity(words["latency"], SECONDS, "latency"), bandwidth, int(depth), words.get("head") == "1")

    def least_seconds(self, requests, size, at_once=None):
        """Least seconds for requests of `size` bytes together, with at most `at_once` in flight."""
        waiting = requests * self.latency / min(self.depth, at_once or self.depth)
        return max(waiting, size / self.bandwidth if self.bandwidth else 0.0)


def ended_by_signal(number, _):
    raise SystemExit(128 + number)


def end_with_parent():
    """Runs in the child process: requests SIGTERM for the death of the parent."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class SlowDisk:
    def __init__(self, folder, device, writable=False):
        self.folder, self.device, self.writable = pathlib.Path(folder).resolve(), device, writable

    def __enter__(self):
        if not os.access("/dev/fuse", os.R_OK | os.W_OK):
            raise Unavailable("there is no /dev/fuse to use")
        self.before = signal.signal(signal.SIGTERM, ended_by_signal)
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="rivulet-slow-disk-"))
        self.path, self.count = self.scratch / "mount", self.scratch / "count"
        self.path.mkdir()
        self.process = None
        try:
            self.mount()
        except BaseException:
            self.__exit__()
            raise
        return self

    def mount(self):
        outside = self.path.stat().st_dev
        command = [built.program("slow_disk"), self.folder, self.path, "--count", self.count, "--depth", self.device.depth]
        command += ["--latency", self.device.latency * 1e3, "--bandwidth", self.device.bandwidth / 1e6]
        command += ["--head"] * self.device.head + ["--writable"] * self.writable
        # A session of its own, so that ^C does not end the disk while a program still reads.
        self.process = subprocess.Popen([str(word) for word in command], start_new_session=True, preexec_fn=end_with_parent)
        for _ in range(500):
            if self.path.stat().st_dev != outside:
                return
            if self.process.poll() is not None:
                raise Unavailable("FUSE refuses to mount")
            time.sleep(0.01)
        raise Unavailable("FUSE did not mount within five seconds")

    def served(self):
        """Number of requests and bytes served so far."""
        return struct.unpack("qq", self.count.read_bytes())

    def __exit__(self, *_):
        if self.process:
            self.process.terminate()  # it unmounts
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                subprocess.run(["fusermount3", "-u", "-z", str(self.path)], check=False)
        self.path.rmdir()
        self.count.unlink(missing_ok=True)
        self.scratch.rmdir()
        signal.signal(signal.SIGTERM, self.before)
