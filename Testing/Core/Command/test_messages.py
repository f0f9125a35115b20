#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the program `rivulet` says when something is wrong: one sentence that names the place, and what to do.

    RIVULET_COMMAND=build/release/bin/rivulet test_messages.py
"""

import os
import shutil
import stat
import subprocess
import unittest

from command_testing import INPUT, OUTPUT, RIVULET, USAGE, Scenario


class Messages(Scenario):
    def setUp(self):
        super().setUp()
        self.rivulet("generate", "abc", "a.rvf", "--dims", "16", "--with-speed", "--quiet")
        self.write_raw("a.raw4", (4, 4, 4))
        (self.folder / "note.txt").write_text("not a field\n")
        (self.folder / "empty.rvf").write_bytes(b"")
        (self.folder / "folder.rvf").mkdir()
        self.before = self.names()

    def assert_said(self, arguments, code, *words, **options):
        """One error that has all the words, and nothing is made."""
        with self.subTest(arguments=arguments):
            done = self.rivulet(*arguments, code=code, **options)
            errors = [line for line in done.stderr.splitlines() if line and not line.endswith(("of a.rvf", "of a.raw4"))]
            self.assertEqual(len(errors), 1, done.stderr)
            self.assertTrue(errors[0].startswith("rivulet: "), errors[0])
            for word in words:
                self.assertIn(word, errors[0])
            self.assertEqual(done.stdout, "")
            self.assertEqual(self.names(), self.before)

    def test_unknown_words_and_options_come_with_the_nearest(self):
        for arguments, words in (
                (["frob"], ['"frob" is no command', 'the nearest is "info"', "rivulet --help"]),
                (["convrt", "a.rvf", "b.rvf"], ['"convrt" is no command', 'the nearest is "convert"']),
                (["generate", "tornadoo", "b.rvf"], ['"tornadoo" is no kind to generate', '"tornado"']),
                (["--frob"], ['"--frob" is no option of `rivulet`']),
                (["-q", "convert", "a.rvf", "b.rvf"], ['"-q" is an option of `rivulet convert`', "behind these words"]),
                (["convert", "a.rvf", "b.rvf", "--memry", "1GiB"],
                 ['"--memry" is no option of `rivulet convert`', '"--memory"', "rivulet convert --help"]),
                (["convert", "a.rvf", "b.rvf", "--memry=1GiB"], ['"--memry" is no option', '"--memory"']),
                (["generate", "abc", "b.rvf", "--sizee", "4"],
                 ['"--sizee" is no option of `rivulet generate abc`', '"--size"', "rivulet generate abc --help"]),
                (["verify", "a.rvf", "b.rvf"], ['"b.rvf" is more than `rivulet verify` takes'])):
            self.assert_said(arguments, USAGE, *words)

    def test_what_is_missing_is_named(self):
        for arguments, words in (
                ([], ["`rivulet` wants one of: convert, generate, info, verify"]),
                (["generate"], ["`rivulet generate` wants one of: abc"]),
                (["generate", "abc"], ["`rivulet generate abc` wants DST"]),
                (["info"], ["`rivulet info` wants FILE"]),
                (["convert"], ["`rivulet convert` wants FILES"]),
                (["convert", "a.rvf"], ["a.rvf: this is the target, and no source is named", "Name the sources"]),
                (["convert", "a.rvf", "b.rvf", "--memory"], ["--memory", "BYTES missing"]),
                (["convert", "a.raw4", "b.rvf", "--type", "float32"], ["--type requires --dims"])):
            self.assert_said(arguments, USAGE, *words)

    def test_values_that_make_no_sense_are_named_with_their_option(self):
        for option, value, words in (
                ("--memory", "lots", ["--memory", '"lots" is not a number of bytes', "512MiB"]),
                ("--threads", "-1", ["--threads", "-1", "4096"]),
                ("--brick", "0", ["--brick", '"0" is not a triple of whole numbers']),
                ("--encoding", "fixed8", ["--encoding", "fixed8", "plain", "fixed16"]),
                ("--memory", "1", ["b.rvf: one brick needs", "the limit is 1 B", "Allow more memory"])):
            self.assert_said(["convert", "a.rvf", "b.rvf", option, value], USAGE, *words)
        self.assert_said(["convert", "a.raw4", "b.rvf", "--dims", "2"], USAGE, "a.raw4: --dims", "make 32 bytes",
                         "the file has 256")

    def test_sources_that_cannot_be_read(self):
        for command in (["convert", None, "b.rvf"], ["info", None], ["verify", None]):
            for name, code, words in (("nowhere.rvf", INPUT, ["nowhere.rvf: there is no such file", "Check the path"]),
                                      ("folder.rvf", INPUT, ["folder.rvf: this is a folder", "path of a file"]),
                                      ("empty.rvf", INPUT, ["empty.rvf: "])):
                self.assert_said([name if word is None else word for word in command], code, *words)
        self.assert_said(["convert", "note.txt", "b.rvf"], INPUT, "note.txt: the file is none of those", "--dims",
                         "save there as .rvf")
        self.assert_said(["convert", "a.rvf", "b.rvf", "--variable", "colour"], INPUT, "a.rvf: ",
                         'no variable "colour"', "velocity, speed")
        self.assert_said(["convert", "*.bov", "b.rvf"], INPUT, "*.bov: there is no such header")

    @unittest.skipIf(os.geteuid() == 0, "root may do everything")
    def test_files_and_folders_that_are_forbidden(self):
        (self.folder / "note.txt").chmod(0)
        self.assert_said(["convert", "note.txt", "b.rvf"], INPUT, "note.txt", "Permission denied")
        (self.folder / "folder.rvf").chmod(stat.S_IRUSR)
        self.assert_said(["convert", "a.rvf", "folder.rvf/b.rvf"], OUTPUT, "folder.rvf/b.rvf", "Permission denied")

    def test_targets_that_cannot_be_written(self):
        for target, words in (("nowhere/b.rvf", ["nowhere/b.rvf: ", "No such file or directory", "Check the path"]),
                              ("folder.rvf", ["folder.rvf: this is a folder", "name of a file"]),
                              ("empty.rvf", ["empty.rvf: the file exists", "--force"])):
            self.assert_said(["convert", "a.rvf", target], OUTPUT, *words)
            self.assert_said(["generate", "abc", target], OUTPUT, *words)
        self.assert_said(["convert", "a.rvf", "folder.rvf", "--force"], OUTPUT, "folder.rvf: this is a folder")
        self.assert_said(["convert", "a.rvf", "a.rvf", "--force"], USAGE, "a.rvf: the target is a file that the source")
        self.assert_said(["convert", "a.rvf", "/dev/full/b.rvf"], OUTPUT, "/dev/full/b.rvf: ", "Not a directory")

    def test_targets_with_the_names_of_sources(self):
        """As in `rivulet convert flow_*.vti`, where the target was forgotten."""
        self.assert_said(["convert", "a.raw4", "b.raw", "--dims", "4", "--force"], USAGE,
                         "b.raw: a field file is to be written")
        for ending in ("bov", "vti", "vtr", "vtk", "pvti", "pvd", "vti.series", "VTI"):
            for command in (["convert", "a.rvf"], ["generate", "abc", "--format", "rvf"]):
                self.assert_said([*command, f"b.{ending}", "--force"], USAGE, f"b.{ending}: a field file is to be written",
                                 "ends in .rvf")

    def test_vtk_files_without_the_program_that_reads_them(self):
        shutil.copy2(RIVULET, self.folder / "rivulet")
        (self.folder / "a.vti").write_text('<VTKFile type="ImageData"><ImageData/></VTKFile>\n')
        done = subprocess.run([self.folder / "rivulet", "convert", "a.vti", "b.rvf"], cwd=self.folder, text=True,
                              capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, INPUT, done.stderr)
        for words in ("a.vti: VTK's files are read by ", "rivulet-vtk, which comes with the ParaView plugin",
                      "No such file or directory", "Install or build the plugin"):
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
