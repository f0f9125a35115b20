#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How large field files are beside their values, and whether `rivulet` says so.

    RIVULET_COMMAND=build/release/bin/rivulet test_sizes.py
"""

import unittest

from command_testing import Scenario


class Sizes(Scenario):
    """How much larger a field file is than its values: what is printed, and the formula in the documents."""

    @staticmethod
    def formula(nodes, edge, tuple_bytes):
        bricks = 1
        for count in nodes:
            bricks *= -(-(count - 1) // edge)
        return bricks * 4096 * -(-((edge + 1) ** 3 * tuple_bytes + 32) // 4096)

    def test_are_told_as_the_formula_has_them(self):
        for nodes, edge, steps in (((64, 64, 64), 9, 1), ((65, 30, 20), 9, 2), ((40, 41, 42), 16, 1)):
            target = "a.rvf"
            options = ["--dims", ",".join(map(str, nodes)), "--brick", edge, "--force"]
            said = [self.rivulet("generate", "double-gyre", target, "--steps", steps, *options).stdout]
            said.append(self.rivulet("convert", target, "b.rvf", "--brick", edge, "--force").stdout)
            plain = nodes[0] * nodes[1] * nodes[2] * 12 * steps
            info = self.info(target)
            self.assertEqual(info["record_bytes"], self.formula(nodes, edge, 12) * steps)
            self.assertEqual(info["raw_bytes"], plain)
            said.append(self.rivulet("info", target).stdout)
            for name, text in zip((target, "b.rvf", target), said):
                ratio = (self.folder / name).stat().st_size / plain
                self.assertIn(f", {ratio:.2f} times the ", text)
            self.assertLess(info["file_bytes"] - info["record_bytes"], 100_000 + 8 * info["record_bytes"] / 4096)


if __name__ == "__main__":
    unittest.main()
