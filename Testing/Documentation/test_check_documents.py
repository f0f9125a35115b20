#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The check of the documents must be able to fail."""

import tempfile
import unittest
from pathlib import Path

import check_documents


class DocumentCheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def document(self, text):
        path = self.root / "README.md"
        path.write_text(text)
        return path

    def links(self, text):
        self.document(text)
        return list(check_documents.broken_links(self.root))

    def failures(self, text):
        return list(check_documents.failed_examples(self.document(text), None, None))

    def test_accepts_links_that_lead_somewhere(self):
        self.assertEqual(self.links("# A Title, with more\n[up](#a-title-with-more) [me](README.md)\n"), [])

    def test_refuses_a_link_to_a_missing_file(self):
        self.assertIn("README.md:1: link leads nowhere: gone.md", self.links("[x](gone.md)\n")[0])

    def test_refuses_a_link_to_a_missing_heading(self):
        self.assertIn("no heading", self.links("# Here\n[x](#there)\n")[0])

    def test_refuses_a_large_picture(self):
        (self.root / "big.png").write_bytes(b"0" * (check_documents.MAXIMUM_PICTURE_BYTES + 1))
        self.assertIn("more than", self.links("![x](big.png)\n")[0])

    def commands(self, text):
        (self.root / "Benchmarks").mkdir()
        (self.root / "Benchmarks" / "speed.py").write_text('parser.add_argument("--rounds")\n')
        (self.root / "run").write_text("#!/bin/sh\necho '  build   builds'\necho '  bench NAME  measures'\n")
        (self.root / "run").chmod(0o755)
        self.document(text)
        return list(check_documents.wrong_commands(self.root))

    def test_accepts_commands_that_exist(self):
        self.assertEqual(self.commands("`./run build` and `./run bench speed --rounds 3`, `./run bench NAME`\n"), [])

    def test_refuses_commands_that_do_not_exist(self):
        wrong = self.commands("`./run fly`\n```sh\n./run bench light\n./run bench speed --rounds 3 --turns\n```\n")
        self.assertEqual(wrong, ["README.md:1: ./run knows no command fly", "README.md:3: there is no benchmark light",
                                 "README.md:4: the benchmark speed has no option --turns"])  # fmt: skip

    def test_runs_examples_in_order_in_one_folder(self):
        self.assertEqual(self.failures("```sh test\necho 7 >n\n```\n```python test\nassert open('n').read() == '7\\n'\n```\n"), [])

    def test_reports_a_shell_example_that_fails_half_way(self):
        self.assertIn("README.md:2: exit code 1", self.failures("\n```sh test\nfalse\ntrue\n```\n")[0])

    def test_reports_a_python_example_that_raises(self):
        self.assertIn("ZeroDivisionError", self.failures("```python test\n1 / 0\n```\n")[0])

    def test_leaves_unmarked_blocks_alone(self):
        self.assertEqual(self.failures("```sh\nfalse\n```\n"), [])


if __name__ == "__main__":
    unittest.main()
