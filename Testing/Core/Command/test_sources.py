#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `rivulet convert` makes of the files it is given, and whether it says so. Values are compared, one by one.

    RIVULET_COMMAND=build/release/bin/rivulet test_sources.py
"""

import struct
import unittest

import h5py
import numpy as np
from command_testing import CORRUPT, INPUT, USAGE, Scenario

DIMS = (6, 5, 4)
COUNT = 6 * 5 * 4


class Meanings(Scenario):
    def convert(self, *arguments):
        """The line that says what is made of what."""
        return self.rivulet("convert", *arguments, "--dims", "6,5,4").stderr

    def values(self, name, step=0, variable="velocity"):
        """All values of a field file of one brick, in order."""
        layout = self.info(name)["variables"][0]
        self.assertEqual((layout["name"], layout["bricks_per_step"]), (variable, 1))
        data = (self.folder / name).read_bytes()
        nodes, components = layout["brick_nodes"], layout["components"]
        ends = [at for at in range(len(data)) if data.startswith(b"RVB1", at)]
        start = ends[step] + 4 - layout["stride_bytes"]
        brick = struct.unpack_from(f"<{nodes[0] * nodes[1] * nodes[2] * components}f", data, start)
        return [brick[((k * nodes[1] + j) * nodes[0] + i) * components + c]
                for k in range(DIMS[2]) for j in range(DIMS[1]) for i in range(DIMS[0]) for c in range(components)]

    def records(self, name):
        """The values of each brick of a field file, without the checksums, which depend on the file."""
        layout = self.info(name)["variables"][0]
        data, stride = (self.folder / name).read_bytes(), layout["stride_bytes"]
        nodes = layout["brick_nodes"]
        bytes_of_values = nodes[0] * nodes[1] * nodes[2] * layout["components"] * 4
        first = data.index(b"RVB1") + 4 - stride
        return [data[first + i * stride:first + i * stride + bytes_of_values] for i in range(layout["bricks_per_step"])]

    def expected(self, *firsts):
        return [float(first + at) for at in range(COUNT) for first in firsts]

    def write_components(self, names, hundreds=0):
        for number, name in enumerate(names):
            self.write_raw(name, DIMS, first=1000 * hundreds + 200 * number)

    def test_files_are_steps_in_the_order_of_their_numbers(self):
        for step in range(1, 12):
            self.write_raw(f"s{step}.vec", DIMS, first=1000 * step)
        names = sorted(name for name in self.names())
        self.assertEqual(names[1], "s10.vec")
        said = self.convert(*names, "a.rvf")
        self.assertIn("11 steps of a scalar", said)
        self.assertIn("s1.vec, s2.vec ... s11.vec", said)
        for step in range(11):
            self.assertEqual(self.values("a.rvf", step, "values"), self.expected(1000 * (step + 1)))

    def test_an_order_of_the_users_own_is_kept(self):
        for number, name in enumerate(("before", "after")):
            self.write_raw(name, DIMS, first=1000 * number)
        self.convert("before", "after", "a.rvf")
        self.assertEqual(self.values("a.rvf", 0, "values"), self.expected(0))

    def test_files_that_might_be_components_are_said_to_be_steps(self):
        self.write_components(("u.raw", "v.raw", "w.raw"))
        said = self.convert("u.raw", "v.raw", "w.raw", "a.rvf")
        self.assertIn("3 steps of a scalar", said)
        self.assertIn("--vector u.raw,v.raw,w.raw", said)

    def test_a_field_file_is_not_called_a_header(self):
        self.write_components(("u.raw",))
        said = self.rivulet("convert", "u.raw", "u.bov", "--dims", "6,5,4", code=USAGE).stderr
        self.assertIn("u.bov", said)
        self.assertIn(".rvf", said)
        self.assertEqual(self.names(), ["u.raw"])

    def test_a_field_file_may_have_attributes_and_datasets_of_others(self):
        self.rivulet("generate", "abc", "a.rvf", "--size", "12x12x12")
        with h5py.File(self.folder / "a.rvf", "r+") as file:
            file.attrs["note"] = "a text of any length"
            file.attrs["numbers"] = [1.0, 2.0]
            file.create_dataset("mine", data=[1.0, 2.0])
        self.rivulet("info", "a.rvf")
        self.rivulet("verify", "a.rvf", "--quiet")

    def test_attributes_of_others_may_be_of_any_usual_type(self):
        colours = h5py.enum_dtype({"red": 0, "green": 7}, basetype="i2")
        texts = h5py.string_dtype()
        for value, kind in ((True, None), (np.array([True, False]), None), (7, colours), (1 + 2j, None),
                            (np.array((1, 2.5, b"x"), "i4,f8,S3"), None),
                            (np.zeros(2, [("a", "i8", 2), ("b", [("c", "u1"), ("d", "f4")])]), None),
                            (["one", "two"], texts), (np.void(b"raw bytes"), None), (np.array([[1, 2], [3, 4]], "i8"), None)):
            with self.subTest(value=value, kind=kind):
                self.rivulet("generate", "abc", "a.rvf", "--size", "12x12x12", "--force", "--quiet")
                with h5py.File(self.folder / "a.rvf", "r+") as file:
                    for place in (file, file["grid"], file["variables/velocity"], file["variables/velocity/bricks/0"]):
                        place.attrs.create("mine", value, dtype=kind)
                    file["variables"].attrs["see"] = file["grid"].ref
                self.rivulet("verify", "a.rvf", "--quiet")
                self.rivulet("convert", "a.rvf", "b.rvf", "--force", "--quiet")

    def test_an_attribute_of_a_type_that_is_not_known_is_named(self):
        self.rivulet("generate", "abc", "a.rvf", "--size", "12x12x12")
        with h5py.File(self.folder / "a.rvf", "r+") as file:
            file.attrs["half as wide"] = np.float16(1.5)
        said = self.rivulet("info", "a.rvf", code=INPUT).stderr
        self.assertIn('the attribute "half as wide"', said)
        self.assertIn("type that this version does not know", said)
        self.assertIn("Delete that attribute", said)

    def write_headers(self, names):
        for name in names:
            (self.folder / f"{name}.bov").write_text(
                f"TIME: 0\nDATA_FILE: {name}.raw\nDATA_SIZE: 6 5 4\nDATA_FORMAT: FLOAT\nVARIABLE: {name}\n"
                "DATA_ENDIAN: LITTLE\nCENTERING: nodal\n")
        return [f"{name}.bov" for name in names]

    def test_a_vector_of_scalars_of_the_sources(self):
        self.write_components(("u.raw", "v.raw", "w.raw"))
        headers = self.write_headers("uvw")
        self.rivulet("convert", *headers, "a.rvf", "--vector", "u,v,w")
        self.assertEqual(self.values("a.rvf"), self.expected(0, 200, 400))
        self.rivulet("convert", *headers, "b.rvf", "--vector", "w,u", "--variable", "wind")
        self.assertEqual([(each["name"], each["components"]) for each in self.info("b.rvf")["variables"]],
                         [("v", 1), ("wind", 2)])
        self.rivulet("convert", "b.rvf", "c.rvf", "--variable", "wind")
        self.assertEqual(self.values("c.rvf", 0, "wind"), self.expected(400, 0))
        for bad, code, words in ((["--vector", "u,x"], INPUT, 'no variable "x"'), (["--vector", "u"], USAGE, "2 to 9"),
                                 (["--vector", "u,u"], USAGE, "different"),
                                 (["--vector", "u,v", "--vector", "v,w"], USAGE, "give it once".capitalize())):
            self.assertIn(words, self.rivulet("convert", *headers, "d.rvf", *bad, code=code).stderr)
        said = self.rivulet("convert", "b.rvf", "d.rvf", "--vector", "v,wind", code=USAGE).stderr
        self.assertIn('"wind" has components of its own', said)

    def test_a_pattern_that_the_shell_left_alone(self):
        for step in range(1, 12):
            self.write_raw(f"s{step}.vec", DIMS, first=1000 * step)
        self.convert("s*.vec", "a.rvf")
        for step in range(11):
            self.assertEqual(self.values("a.rvf", step, "values"), self.expected(1000 * (step + 1)))

    def test_a_vector_of_three_files(self):
        self.write_components(("u.raw", "v.raw", "w.raw"))
        said = self.convert("--vector", "u.raw,v.raw,w.raw", "a.rvf")
        self.assertIn("velocity: a vector", said)
        self.assertIn("u.raw, v.raw, w.raw", said)
        self.assertEqual(self.values("a.rvf"), self.expected(0, 200, 400))

    def test_a_vector_of_several_steps_after_headers(self):
        for step in range(2):
            for number, name in enumerate("uv"):
                self.write_raw(f"{name}{step}", DIMS, offset=8, first=1000 * step + 200 * number)
        self.convert("--vector", "u0,v0", "--vector", "u1,v1", "a.rvf", "--offset", "8", "--dt", "0.5")
        self.assertEqual(self.info("a.rvf")["times"], [0.0, 0.5])
        for step in range(2):
            self.assertEqual(self.values("a.rvf", step), self.expected(1000 * step, 1000 * step + 200))

    def test_a_vector_in_little_memory_is_the_same(self):
        for number, name in enumerate("uvw"):
            self.write_raw(name, (64, 64, 64), first=number)
        for name, memory in (("a.rvf", "1GiB"), ("b.rvf", "1MiB")):
            self.rivulet("convert", "--vector", "u,v,w", name, "--dims", "64", "--memory", memory)
        one, other = self.records("a.rvf"), self.records("b.rvf")
        self.assertGreater(len(one), 100)
        self.assertEqual(one, other)

    def test_a_vector_of_bov_scalars(self):
        for step in range(2):
            for number, name in enumerate("uvw"):
                self.write_raw(f"{name}{step}.raw", DIMS, first=1000 * step + 200 * number)
                (self.folder / f"{name}{step}.bov").write_text(
                    f"TIME: {step}.5\nDATA_FILE: {name}{step}.raw\nDATA_SIZE: 6 5 4\nDATA_FORMAT: FLOAT\n"
                    f"DATA_ENDIAN: LITTLE\nVARIABLE: {name}\n")
        self.rivulet("convert", "--vector", "u1.bov,v1.bov,w1.bov", "--vector", "u0.bov,v0.bov,w0.bov", "a.rvf")
        self.assertEqual(self.info("a.rvf")["times"], [0.5, 1.5])
        for step in range(2):
            self.assertEqual(self.values("a.rvf", step), self.expected(*(1000 * step + 200 * c for c in range(3))))
        self.rivulet("convert", "--vector", "u0.bov,v1.bov,w0.bov", "b.rvf", code=USAGE)

    def test_vectors_that_make_no_sense(self):
        self.write_components(("u.raw", "v.raw", "w.raw"))
        for bad in (["--vector", "u.raw"], ["u.raw", "--vector", "u.raw,v.raw"], [],
                    ["--vector", "u.raw,v.raw", "--vector", "u.raw"],
                    ["--vector", "u.raw,v.raw", "--components", "3"]):
            self.rivulet("convert", *bad, "a.rvf", "--dims", "6,5,4", code=USAGE)
        self.rivulet("convert", "--vector", "u.raw,v.raw", "a.rvf", code=USAGE)
        self.assertEqual(self.names(), ["u.raw", "v.raw", "w.raw"])

    def test_a_file_of_another_size_is_refused(self):
        self.write_raw("large.raw", (18, 5, 4))
        said = self.rivulet("convert", "large.raw", "a.rvf", "--dims", "6,5,4", code=USAGE).stderr
        for words in ("large.raw", "3 times as many", "480 bytes", "1440"):
            self.assertIn(words, said)
        self.write_raw("odd.raw", DIMS, offset=3)
        self.rivulet("convert", "odd.raw", "a.rvf", "--dims", "6,5,4", code=USAGE)
        self.rivulet("convert", "odd.raw", "a.rvf", "--dims", "6,5,5", code=CORRUPT)
        self.assertEqual(self.names(), ["large.raw", "odd.raw"])

    def test_what_follows_the_values_may_be_said(self):
        record = struct.pack("<i", 480)  # as Fortran writes it
        self.write_raw("f.raw", DIMS)
        (self.folder / "f.raw").write_bytes(record + (self.folder / "f.raw").read_bytes() + record)
        self.convert("f.raw", "a.rvf", "--offset", "4", "--trailing", "4")
        self.assertEqual(self.values("a.rvf", 0, "values"), self.expected(0))

    def test_a_field_file_says_what_it_is(self):
        self.rivulet("generate", "abc", "a.rvf", "--dims", "8", "--steps", "2", "--with-speed")
        said = self.rivulet("convert", "a.rvf", "b.rvf").stderr
        self.assertIn("velocity: 2 steps of a vector; speed: 2 steps of a scalar, 8 x 8 x 8 nodes, of a.rvf", said)


if __name__ == "__main__":
    unittest.main()
