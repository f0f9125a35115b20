#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The check of the documents must be able to fail."""

import tempfile
import unittest
from pathlib import Path

import check_documents
import examples
import pictures


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
        return list(examples.failed_examples(self.document(text), None, None))

    def test_accepts_links_that_lead_somewhere(self):
        self.assertEqual(self.links("# A Title, with more\n[up](#a-title-with-more) [me](README.md)\n"), [])

    def test_refuses_a_link_to_a_missing_file(self):
        self.assertIn("README.md:1: link leads nowhere: gone.md", self.links("[x](gone.md)\n")[0])

    def test_refuses_a_glossary_out_of_order(self):
        folder = self.root / "Documentation"
        folder.mkdir()
        table = "| word | meaning |\n|---|---|\n| Axis | a |\n| brick | b |\n| arena | c |\n| arena | d |\n"
        (folder / "glossary.md").write_text(table)
        problems = list(check_documents.glossary_out_of_order(self.root))
        self.assertEqual(len(problems), 2, problems)
        self.assertIn('"arena" comes after "brick"', problems[0])

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
        self.assertIn("README.md:2: sh: exit code 1", self.failures("\n```sh test\nfalse\ntrue\n```\n")[0])

    def test_reports_a_python_example_that_raises(self):
        self.assertIn("ZeroDivisionError", self.failures("```python test\n1 / 0\n```\n")[0])

    def test_leaves_unmarked_blocks_alone(self):
        self.assertEqual(self.failures("```sh\nfalse\n```\n"), [])

    def test_finds_the_ways_to_run_an_example(self):
        text = "```python test=pvpython,mpirun\n1\n```\n<!--\n```sh test\n2\n```\n-->\n"
        self.assertEqual(list(examples.examples(text)), [(1, "pvpython", "1\n"), (1, "mpirun", "1\n"), (5, "sh", "2\n")])

    def test_reports_an_example_that_complains_and_goes_on(self):
        self.assertIn("ERR|", self.failures("```sh test\necho 'vtkSMPluginManager.cxx:202    ERR| load failed'\n```\n")[0])

    def test_reports_an_example_that_does_not_end(self):
        self.addCleanup(setattr, examples, "SECONDS", examples.SECONDS)
        examples.SECONDS = 0.5
        wrong = self.failures("```sh test\necho begun\nexec sleep 60\n```\n```sh test\ntrue\n```\n")
        self.assertEqual(wrong, ["README.md:1: sh: exit code 1\nit did not end within 0.5 seconds\nbegun\n"])

    def failures_of_picture(self, *boxes):
        """Of an example that draws these boxes (left, upper, right, lower) on 80 x 80 pixels."""
        draw = "".join(f"draw.rectangle({box}, outline='white')\n" for box in boxes)
        return self.failures("```python test\nfrom PIL import Image, ImageDraw\npicture = Image.new('RGB', (80, 80), 'navy')\n"
                             f"draw = ImageDraw.Draw(picture)\n{draw}picture.save('it.png')\n```\n")  # fmt: skip

    def test_accepts_a_picture_that_is_full_of_something(self):
        self.assertEqual(self.failures_of_picture((10, 10, 70, 70), (20, 20, 60, 60)), [])

    def test_refuses_an_empty_picture(self):
        self.assertIn("it.png is nearly empty: 0.00%", self.failures_of_picture()[0])

    def test_refuses_a_picture_of_a_corner(self):
        self.assertIn("it.png is nearly empty", self.failures_of_picture((40, -10, 90, 40))[0])

    def test_refuses_a_picture_with_all_in_one_corner(self):
        boxes = [(0, 0, size, size) for size in range(2, 30, 3)]
        self.assertIn("it.png shows something only on 14% of its area", self.failures_of_picture(*boxes)[0])

    def test_looks_only_at_pictures_that_the_example_wrote(self):
        blank = "from PIL import Image\nImage.new('RGB', (80, 80)).save('it.png')\n"
        text = f"```python test\n{blank}```\n```sh test\ntrue\n```\n```python test\n{blank}```\n"
        self.assertEqual([problem.split(":")[1] for problem in self.failures(text)], ["1", "8"])


if __name__ == "__main__":
    unittest.main()
