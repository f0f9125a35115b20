# SPDX-License-Identifier: BSD-3-Clause
"""Files that go bad before lines are traced, on any number of ranks: the lines that do not need what is missing, one message,
a live ParaView. With several ranks this script runs on the first; the others follow it, and none may wait for ever."""
import os
import shutil
import sys
import unittest

import numpy as np
from filter_testing import Messages, array_of, fetch, seed_line, simple
from plugin_testing import generate, scratch

SIZE = 60
STRATEGIES = ("Automatic", "Memory Map", "Buffered Cache", "Direct Cache", "Asynchronous")


class Faults(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.path = generate("abc.rvf", "abc", "--size", f"{SIZE},{SIZE},{SIZE}")

    def copy(self, name):
        path = scratch(name)
        shutil.copyfile(self.path, path)
        return path

    def bov(self, name):
        rng = np.random.default_rng(1)
        rng.normal(size=(SIZE**3, 3)).astype(np.float32).tofile(scratch(name + ".raw"))
        with open(scratch(name + ".bov"), "w", encoding="ascii") as file:
            file.write(f"TIME: 0\nDATA_FILE: {name}.raw\nDATA_SIZE: {SIZE} {SIZE} {SIZE}\nDATA_FORMAT: FLOAT\n"
                       f"DATA_COMPONENTS: 3\nVARIABLE: velocity\nBRICK_SIZE: 6 6 6\n")
        return scratch(name + ".bov")

    def trace(self, reader, **properties):
        seeds = seed_line((0.3, 0.5, 0.4), (5.8, 5.6, 5.7), 150)
        return simple.RivuletStreamTracerWithCustomSource(Input=reader, SeedSource=seeds, Vectors=["POINTS", "velocity"],
                                                          MaximumStreamlineLength=6.0, **properties)

    def run_with_fault(self, reader, word, spoil=None, most=1, some_lines=True, **properties):
        """Spoils the file between opening and tracing."""
        reader.UpdatePipeline()
        tracer = self.trace(reader, **properties)
        if spoil is not None:
            spoil()
        with Messages() as messages:
            tracer.UpdatePipeline()
        lines = fetch(tracer)
        self.assertIn(messages.count(), range(1, most + 1), messages.text())
        self.assertIn(word, messages.text())
        self.assertTrue(lines.GetNumberOfLines() > 0 or not some_lines)
        reasons = np.zeros(9, int)
        if lines.GetNumberOfLines() > 0:
            reasons = np.bincount(array_of(lines.GetCellData(), "ReasonForTermination"), minlength=9)
            self.assertTrue(np.isfinite(array_of(lines.GetPointData(), "IntegrationTime")).all())
        again = self.trace(simple.RivuletFieldReader(FileNames=[self.path]))
        with Messages() as messages:
            again.UpdatePipeline()
        self.assertEqual(messages.count(), 0, messages.text())
        self.assertGreater(fetch(again).GetNumberOfLines(), 200)
        return reasons

    def test_a_brick_that_fails_its_checksum(self):
        path = self.copy("bad.rvf")
        with open(path, "r+b") as file:
            file.seek(os.path.getsize(path) // 4)
            file.write(b"\xff" * 800000)
        for strategy in STRATEGIES:
            with self.subTest(strategy=strategy):
                reasons = self.run_with_fault(simple.RivuletFieldReader(FileNames=[path]), "bad.rvf",
                                              AccessStrategy=strategy)
                self.assertGreater(reasons[8], 0)
                self.assertGreater(reasons[4] + reasons[1], 10)

    def test_a_field_file_that_is_cut_short_after_it_was_opened(self):
        for strategy in STRATEGIES[1:]:
            with self.subTest(strategy=strategy):
                path = self.copy("short.rvf")
                reader = simple.RivuletFieldReader(FileNames=[path], AccessStrategy=strategy)
                reasons = self.run_with_fault(reader, "short.rvf",
                                              lambda p=path: os.truncate(p, os.path.getsize(p) // 2))
                self.assertGreater(reasons[8], 0)

    def test_a_bov_file_that_is_cut_short_after_it_was_opened(self):
        for strategy in STRATEGIES[1:]:
            with self.subTest(strategy=strategy):
                reader = simple.RivuletBOVReader(FileNames=[self.bov("short")], AccessStrategy=strategy)
                # What was read to estimate the range of values may be all that lines need: no code is expected. A mapped
                # array is one brick: where the reader's watch finds it cut before the first line begins, there is none.
                self.run_with_fault(reader, "short.raw", lambda: os.truncate(scratch("short.raw"), SIZE**3 * 6),
                                    most=2, some_lines=strategy != "Memory Map")  # the reader says so, too


if __name__ == "__main__":
    # exit() would end the first rank without the others.
    if not unittest.main(exit=False).result.wasSuccessful():
        sys.exit(1)
