#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Data/make_samrai.py: what it writes is read by a second, naive reader, and every value compared with its closed form.

    test_make_samrai.py [SCENARIO]
"""

import contextlib
import ctypes
import ctypes.util
import io
import shutil
import struct
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Data"))

import make_samrai
from samrai import damage, plot_damage
from samrai_dump import FORMS, Dump, check_disjoint, check_tables, check_values

DEFAULT_FORMS = {"density": "linear", "velocity": "smooth", "sound speed": "smooth"}


class Scenario(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rivulet-samrai-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "dump"

    def make(self, *arguments):
        """The dump of cycle 0, in place of what was made before."""
        shutil.rmtree(self.folder, ignore_errors=True)
        with contextlib.redirect_stdout(io.StringIO()):
            make_samrai.main([str(self.folder), *map(str, arguments)])
        return self.folder / "visit_dump.00000"

    def make_and_check(self, *arguments, forms=None):
        dump = Dump(self.make(*arguments))
        check_tables(self, dump)
        self.assertGreater(check_values(self, dump, forms or DEFAULT_FORMS), 0)
        return dump

    def first_values(self, path):
        with h5py.File(path, "r") as file:
            return file[damage.first_field(file)][()]


class Samrai(Scenario):
    def test_default_dump_holds_its_closed_forms(self):
        dump = self.make_and_check()
        self.assertEqual(dump.names, list(DEFAULT_FORMS))
        parents = [parent for parent, _ in dump.children()]
        self.assertEqual(len(set(parents)), 8)
        children = [child for _, child in dump.children()]
        self.assertGreater(max(children.count(child) for child in children), 2, "no child straddles its parents")

    def test_meshes_of_many_kinds(self):
        for arguments in (
            ["--dimensions", 2], ["--dimensions", 2, "--levels", 1], ["--levels", 3, "--ratio", "2", "4x2x1"],
            ["--lower", -7, -30, 5, "--levels", 3], ["--holes", "--shuffle", 1, "--levels", 3],
            ["--dimensions", 2, "--ratio", "4", "--levels", 3, "--patches", "3x2", "2x2", "5x1"],
            ["--processors", 5, "--procs-per-file", 2, "--empty-processors", 3],
        ):
            with self.subTest(arguments=arguments):
                self.make_and_check(*arguments)

    def test_scattered_boxes_lie_over_coarser_ones(self):
        for dimensions in (2, 3):
            dump = self.make_and_check("--scatter", 3, "--levels", 4, "--ratio", 2, 3, 4, "--dimensions", dimensions,
                                       "--cells", 9, 8, 7)
            covered = [0] * len(dump.patches())
            for parent, child in dump.children():
                ratio = numpy.maximum(dump.basic["ratios_to_coarser_levels"][dump.level(child)], 1)
                lower = numpy.maximum(dump.boxes["lower"][parent] * ratio, dump.boxes["lower"][child])
                upper = numpy.minimum((dump.boxes["upper"][parent] + 1) * ratio, dump.boxes["upper"][child] + 1)
                covered[child] += numpy.prod(upper - lower)
            cells = [numpy.prod(dump.boxes["upper"][patch] - dump.boxes["lower"][patch] + 1) for patch in dump.patches()]
            self.assertEqual({dump.level(patch) for patch in dump.patches()}, {0, 1, 2, 3})
            self.assertTrue(all(own == over or dump.level(patch) == 0
                                for patch, (own, over) in enumerate(zip(cells, covered))))
            self.assertTrue(any((dump.boxes["lower"][patch] == dump.boxes["upper"][patch]).any()
                                for patch in dump.patches()) or dimensions == 3)

    def test_two_dimensions_have_no_third(self):
        dump = self.make_and_check("--dimensions", 2)
        self.assertEqual(dump.basic["ratios_to_coarser_levels"].tolist(), [[-1, -1, 0], [2, 2, 0]])
        self.assertFalse(dump.basic["dx"][:, 2].any() or dump.boxes["lower"][:, 2].any() or dump.boxes["upper"][:, 2].any())

    def test_ghosts_continue_the_field(self):
        dump = self.make_and_check(
            "--variable", "name=a,ghosts=1", "--variable", "name=IB::U_x,centre=node,ghosts=2,function=smooth",
            "--variable", "name=Div U,shape=tensor,ghosts=2x0x1", "--variable", "name=r,shape=vector,function=rotation",
            forms={"a": "linear", "IB::U_x": "smooth", "Div U": "linear", "r": "rotation"})
        self.assertEqual(dump.basic["var_number_ghosts"].tolist(), [[1] * 3, [2] * 3, [2, 0, 1], [0] * 3])
        self.assertEqual(dump.basic["var_number_components"].tolist(), [1, 1, 9, 3])

    def test_types_and_byte_orders(self):
        for order, mark in (("big", ">"), ("little", "<")):
            for kind in ("i4", "i8", "u2", "f2", "f4", "f8"):
                with self.subTest(order=order, kind=kind):
                    path = self.make("--endian", order, "--variable", f"name=a,type={kind}") / "processor_cluster.00000.samrai"
                    self.assertEqual(self.first_values(path).dtype, numpy.dtype(mark + kind))
                    check_values(self, Dump(path.parent), {"a": "linear"})

    def test_linear_values_are_exact_in_doubles(self):
        dump = self.make_and_check("--variable", "name=a,type=f8", forms={"a": "linear"})
        for patch in dump.patches():
            x, y, z = dump.positions(patch, "a")
            numpy.testing.assert_array_equal(dump.values(patch, "a")[0], 1 + 2 * x + 3 * y + 5 * z)

    def test_variables_are_missing_where_asked(self):
        dump = self.make_and_check("--variable", "name=a,missing=L1+P2", "--variable", "name=b",
                                   forms={"a": "linear", "b": "linear"})
        undefined = [patch for patch in dump.patches() if dump.values(patch, "a")[0] is None]
        self.assertEqual(undefined, [2, *range(8, 14)])

    def test_processors_without_patches_have_files_with_empty_levels(self):
        folder = self.make("--processors", 4, "--empty-processors", 1)
        with h5py.File(folder / "processor_cluster.00003.samrai", "r") as file:
            self.assertEqual(list(file["processor.00003"]), ["level.00000", "level.00001"])
            self.assertEqual([len(level) for level in file["processor.00003"].values()], [0, 0])

    def test_both_layouts_of_the_extents(self):
        for layout, offsets in (("samrai3", (24, 16, 20, 0, 8)), ("ibsamrai2", (0, 4, 8, 16, 24))):
            with h5py.File(self.make("--extents", layout) / "summary.samrai", "r") as file:
                kind = file["extents/density-Extents"].id.get_type()
                self.assertEqual([kind.get_member_name(n) for n in range(5)], [
                    b"data_is_defined", b"material_composition_flag", b"species_composition_flag", b"min", b"max"])
                self.assertEqual(tuple(kind.get_member_offset(n) for n in range(5)), offsets)
                self.assertEqual(kind.get_size(), 32)

    def test_hdf5_is_as_old_as_samrai_writes_it(self):
        with h5py.File(self.make() / "summary.samrai", "r") as file:
            self.assertEqual(file.id.get_create_plist().get_version()[0], 0)
            names = file["BASIC_INFO/var_names"].id.get_type()
            self.assertEqual((names.get_size(), names.get_strpad()), (len("sound speed") + 1, h5py.h5t.STR_NULLTERM))
            self.assertEqual(file["BASIC_INFO/time"].shape, (1,))
            self.assertEqual(file["BASIC_INFO/time"].dtype, numpy.dtype(">f8"))
            self.assertEqual(file["BASIC_INFO/dx"].dtype, numpy.dtype("<f8"))
            self.assertEqual(int(file["BASIC_INFO/time"].attrs["Type"]), 5)
            self.assertNotIn("Type", file["BASIC_INFO/dx"].attrs)

    def test_boundary_flags(self):
        dump = Dump(self.make("--bdry-type", "--levels", 1, "--patches", "3x1x1"))
        self.assertEqual(dump.extents["bdry_type"].reshape(3, 6).tolist(), [
            [1, 0, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1]])

    def test_materials_lie_beside_the_variables(self):
        folder = self.make("--materials", "water", "air")
        check_values(self, Dump(folder), DEFAULT_FORMS)
        flags = set()
        with h5py.File(folder / "summary.samrai", "r") as file:
            water, air = (file[f"extents/materials/{name}/{name}-Fractions"][()] for name in ("water", "air"))
        dump = Dump(folder)
        for patch in dump.patches():
            flags.add(int(water["material_composition_flag"][patch]))
            with dump.file(patch) as file:
                fractions = [group[f"{name}-fractions"][()] for name, group in file[dump.path(patch)]["materials"].items()]
            self.assertEqual(len(fractions), 2 * (water["material_composition_flag"][patch] == 2))
            if fractions:
                numpy.testing.assert_allclose(fractions[0] + fractions[1], 1, atol=1e-6)
            numpy.testing.assert_allclose(water["min"][patch] + air["max"][patch], 1)
        self.assertIn(2, flags)


class Storage(Scenario):
    def test_ibamr_deflates_arrays_above_128_elements(self):
        folder = self.make_and_check("--storage", "chunked", "--filters", "shuffle", "deflate").folder
        with h5py.File(folder / "processor_cluster.00000.samrai", "r") as file:
            properties = file[damage.first_field(file)].id.get_create_plist()
            self.assertEqual([properties.get_filter(n)[0] for n in range(properties.get_nfilters())],
                             [h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_DEFLATE])
            self.assertEqual(properties.get_filter(1)[2], (5,))
            self.assertEqual(properties.get_chunk(), (min(4096, file[damage.first_field(file)].size),))
        with h5py.File(folder / "summary.samrai", "r") as file:
            self.assertIsNone(file["BASIC_INFO/child_array"].chunks)

    def test_filters_in_any_order(self):
        for filters in ([], ["fletcher32"], ["fletcher32", "shuffle", "deflate"], ["shuffle", "deflate", "fletcher32"]):
            with self.subTest(filters=filters):
                self.make_and_check("--storage", "chunked", "--chunk", 100, *(["--filters", *filters] if filters else []))

    def test_other_ranks_and_compact_arrays(self):
        self.make_and_check("--rank", 3)
        self.make_and_check("--rank", 3, "--storage", "chunked", "--filters", "shuffle", "deflate")
        self.make_and_check("--rank", 3, "--dimensions", 2)
        dump = self.make_and_check("--storage", "compact")
        with dump.file(0) as file:
            self.assertEqual(file[dump.path(0)]["density"].id.get_create_plist().get_layout(), h5py.h5d.COMPACT)

    def test_what_was_never_written_is_the_fill_value(self):
        for layout in ("contiguous", "chunked"):
            folder = self.make("--storage", layout, "--fill-value", -2.5, "--variable", "name=a,unwritten=P3", "--chunk", 100)
            dump = Dump(folder)
            numpy.testing.assert_array_equal(dump.values(3, "a")[0], -2.5)
            with dump.file(3) as file:
                self.assertEqual(file[dump.path(3)]["a"].id.get_storage_size(), 0)
            self.assertEqual(tuple(dump.extents["a-Extents"][3])[-2:], (-2.5, -2.5))

    def test_lz4_and_zstd_chunks_unpack(self):
        for name, number in (("lz4", 32004), ("zstd", 32015)):
            if not ctypes.util.find_library(name):
                self.skipTest(f"lib{name} is not installed")
            with self.subTest(name=name):
                self.check_packed_chunks(name, number)

    def check_packed_chunks(self, name, number):
        folder = self.make("--storage", "chunked", "--filters", "shuffle", name, "--chunk", 100, "--variable", "name=a")
        dump = Dump(folder)
        x, y, z = dump.positions(0, "a")
        truth = FORMS["linear"](x, y, z, 0, 0).astype(">f4").ravel()
        with dump.file(0) as file:
            dataset = file[dump.path(0)]["a"].id
            self.assertEqual(dataset.get_create_plist().get_filter(1)[0], number)
            for start in range(0, truth.size, 100):
                mask, packed = dataset.read_direct_chunk((start,))
                self.assertEqual(mask, 0)
                bytes_by_place = numpy.frombuffer(unpack(name, packed, 400), "u1").reshape(4, 100)
                values = bytes_by_place.T.copy().view(">f4").ravel()
                part = truth[start:start + 100]
                numpy.testing.assert_array_equal(values[:part.size], part)
                self.assertFalse(values[part.size:].any())


def unpack(name, packed, size):
    codec = ctypes.CDLL(ctypes.util.find_library(name))
    room = ctypes.create_string_buffer(size)
    if name == "lz4":
        whole, block, length = struct.unpack_from(">QII", packed)
        assert whole == size and block >= size and length == len(packed) - 16
        if length == size:
            return packed[16:]
        assert codec.LZ4_decompress_safe(packed[16:], room, length, size) == size
    else:
        codec.ZSTD_decompress.restype = ctypes.c_size_t
        assert codec.ZSTD_decompress(room, ctypes.c_size_t(size), packed, ctypes.c_size_t(len(packed))) == size
    return room.raw


class Time(Scenario):
    def lines(self, name="dumps.visit"):
        return (self.folder / name).read_text(encoding="ascii").splitlines()

    def test_steps_have_their_times_and_the_index_names_them(self):
        self.make("--steps", 3, "--first-cycle", 99990, "--stride", 10, "--dt", 0.5)
        self.assertEqual(self.lines(), [f"visit_dump.{cycle}/summary.samrai" for cycle in ("99990", "100000", "100010")])
        for line in self.lines():
            dump = Dump((self.folder / line).parent)
            self.assertEqual(dump.time, 0.5 * dump.basic["time_step_number"][0])
            check_values(self, dump, DEFAULT_FORMS)

    def test_index_with_comments_names_the_same_dumps(self):
        self.make("--steps", 2, "--index-comments")
        names = [line for line in self.lines() if line.strip() and line[0] not in "!#"]
        self.assertEqual(names, ["visit_dump.00000/summary.samrai", "visit_dump.00010/summary.samrai"])
        self.assertTrue(any(line.startswith("!") for line in self.lines()))
        self.assertTrue(any(not line.strip() for line in self.lines()))

    def test_regridding_moves_the_finer_level(self):
        self.make("--steps", 3, "--regrid")
        first, last = (Dump(self.folder / f"visit_dump.{cycle:05d}") for cycle in (0, 20))
        check_tables(self, last)
        check_values(self, last, DEFAULT_FORMS)
        moved = last.boxes["lower"] - first.boxes["lower"]
        self.assertEqual(moved[8:].tolist(), [[4, 0, 0]] * 6)
        self.assertFalse(moved[:8].any())

    def test_other_names(self):
        self.make("--naming", "jasmin", "--summary-name", "mesh.samrai")
        self.assertEqual(self.lines("dumps.javis"), ["javis_dump.00000/mesh.samrai"])
        dump = Dump(self.folder / "javis_dump.00000", "mesh.samrai", "processor_cluster.{:05d}.javis")
        check_values(self, dump, DEFAULT_FORMS)


class Deformed(Scenario):
    def positions(self, patch, name):
        """From the coordinates that the dump itself holds: nodes, or means of the corners of a cell."""
        axes = self.dump.values(patch, "Coords")
        axes += [numpy.zeros_like(axes[0])] * (3 - len(axes))
        if self.dump.is_node(name):
            return axes
        for direction in range(3 - self.dump.dimensions, 3):
            axes = [(axis.take(range(1, axis.shape[direction]), direction)
                     + axis.take(range(axis.shape[direction] - 1), direction)) / 2 for axis in axes]
        return axes

    def check_deformed(self, *arguments):
        self.dump = Dump(self.make("--deformed", "--coords-type", "f8", "--variable", "name=a,type=f8", "--variable",
                                   "name=b,centre=node,function=smooth,type=f8", *arguments))
        check_values(self, self.dump, {"a": "linear", "b": "smooth"}, self.positions)

    def test_values_lie_at_the_moved_nodes(self):
        self.check_deformed()
        self.assertEqual(self.dump.basic["grid_type"][0], b"DEFORMED")
        self.assertFalse(self.dump.basic["dx"].any() or self.dump.basic["XLO"].any() or self.dump.boxes["xup"].any())
        self.check_deformed("--dimensions", 2, "--levels", 1)

    def test_the_map_is_the_documented_one(self):
        self.check_deformed("--origin", -1, 0.5, 2)
        x, y, z = numpy.meshgrid(-1 + 0.125 * numpy.arange(13), 0.5 + 0.25 * numpy.arange(9), 2 + 0.5 * numpy.arange(7))
        truth = x + 0.1 * numpy.sin(y + z), y + 0.1 * numpy.sin(x + z), z + 0.1 * numpy.sin(x + y)
        for axis, stored in zip(truth, self.dump.values(0, "Coords")):
            numpy.testing.assert_allclose(stored, axis.transpose(2, 0, 1), rtol=1e-14)

    def test_blocks_share_boxes_and_touch(self):
        self.check_deformed("--blocks", 2, "--levels", 1, "--patches", "1")
        numpy.testing.assert_array_equal(self.dump.boxes["lower"][0], self.dump.boxes["lower"][1])
        left, right = (self.dump.values(patch, "Coords")[0] for patch in (0, 1))
        numpy.testing.assert_allclose(left[:, :, -1], right[:, :, 0])


class Chombo(Scenario):
    def levels(self, name):
        with h5py.File(self.folder / name, "r") as file:
            for level in range(file.attrs["num_levels"].item()):
                group = file[f"level_{level}"]
                yield (group, [file.attrs[f"component_{n}"].decode() for n in range(file.attrs["num_components"].item())],
                       file.attrs["time"].item())

    def check_box(self, box, ghost, origin, spacing, time, runs):
        lower = numpy.array([box[f"lo_{axis}"] for axis in "ijk"]) - ghost
        upper = numpy.array([box[f"hi_{axis}"] for axis in "ijk"]) + ghost
        sides = (upper - lower + 1)[::-1]
        x, y, z = (origin[n] + spacing[n] * (numpy.indices(sides)[2 - n] + lower[n] + 0.5) for n in range(3))
        forms = [("linear", 0), ("smooth", 0), ("smooth", 1), ("smooth", 2)]
        for (form, component), run in zip(forms, runs(int(numpy.prod(sides)))):
            numpy.testing.assert_allclose(run.reshape(sides), FORMS[form](x, y, z, time, component), rtol=1e-13, atol=1e-13)

    def test_chombo_boxes_hold_all_components_with_ghosts(self):
        self.make("--format", "chombo", "--spacing", 0.25, 0.25, 0.25, "--first-cycle", 7, "--variable",
                  "name=a,type=f8,ghosts=1", "--variable", "name=v,shape=vector,function=smooth,type=f8,ghosts=1")
        for number, (group, names, time) in enumerate(self.levels("plot.000007.3d.hdf5")):
            self.assertEqual(names, ["a", "v.00", "v.01", "v.02"])
            self.assertEqual(group["data_attributes"].attrs["outputGhost"].tolist(), (1, 1, 1))
            self.assertEqual(int(group.attrs["ref_ratio"]), [2, 1][number])
            offsets = group["data:offsets=0"][()]
            self.assertEqual(offsets[-1], group["data:datatype=0"].size)
            for box, start in zip(group["boxes"][()], offsets):
                self.check_box(box, 1, (0, 0, 0), [group.attrs["dx"]] * 3, time,
                               lambda size: group["data:datatype=0"][start:start + 4 * size].reshape(4, size))

    def test_vectors_have_the_names_that_are_asked_for(self):
        self.make("--format", "amrex", "--vector-suffixes", "_x", "_y", "_z")
        _, names, _ = next(self.levels("plt00000.h5"))
        self.assertEqual(names, ["density", "velocity_x", "velocity_y", "velocity_z"])

    def test_the_newest_style_holds_the_same(self):
        arguments = ["--format", "chombo", "--spacing", 0.25, 0.25, 0.25]
        data = []
        for more, superblock in (([], 0), (["--newest"], 3)):
            self.make(*arguments, *more)
            self.assertEqual((self.folder / "plot.000000.3d.hdf5").read_bytes()[8], superblock)
            data.append([group["data:datatype=0"][()] for group, _, _ in self.levels("plot.000000.3d.hdf5")])
        for old, new in zip(*data):
            numpy.testing.assert_array_equal(old, new)

    def test_anisotropic_chombo_tells_three_spacings(self):
        self.make("--format", "chombo", "--ratio", "4x2x2", "--dimensions", 2)
        spacings = [group.attrs["vec_dx"].tolist() for group, _, _ in self.levels("plot.000000.2d.hdf5")]
        self.assertEqual(spacings, [(0.125, 0.25), (0.03125, 0.125)])
        ratios = [group.attrs["vec_ref_ratio"].tolist() for group, _, _ in self.levels("plot.000000.2d.hdf5")]
        self.assertEqual(ratios, [(4, 2), (1, 1)])

    def test_amrex_with_one_and_with_many_datasets(self):
        arguments = ["--lower", -3, 0, 8, "--variable", "name=a,type=f8,ghosts=2", "--variable",
                     "name=v,shape=vector,function=smooth,type=f8,ghosts=2"]
        self.make("--format", "amrex", "--storage", "chunked", "--chunk", 1024, "--filters", "shuffle", "deflate", *arguments)
        for group, _, time in self.levels("plt00000.h5"):
            self.assertEqual(numpy.ravel(group.attrs["ngrow"]).tolist(), [2])
            for box, start in zip(group["boxes"][()], group["data:offsets=0"][()]):
                self.check_box(box, 0, group.attrs["prob_lo"], group.attrs["Vec_dx"], time,
                               lambda size: group["data:datatype=0"][start:start + 4 * size].reshape(4, size))
        self.make("--format", "amrex-multi", *arguments)
        for group, _, time in self.levels("plt00000.h5"):
            for box, start in zip(group["boxes"][()], group["data:offsets=0"][()]):
                self.check_box(box, 0, group.attrs["prob_lo"], group.attrs["Vec_dx"], time,
                               lambda size: [group[f"data:datatype={n}"][start:start + size] for n in range(4)])


# Words of libhdf5 about a chunk that does not unpack; since 1.14 it does not name the filter.
NO_UNPACKING = "inflate|Fletcher32|filter returned failure"


class Damage(Scenario):
    def spoilt(self, kind):
        return Dump(self.make("--damage", kind))

    def expect_error(self, kind, error, *fragments):
        with self.assertRaises(error) as caught:
            check_values(self, self.spoilt(kind), DEFAULT_FORMS)
        for fragment in fragments:
            self.assertRegex(str(caught.exception), fragment)

    def test_files_that_cannot_be_opened(self):
        self.expect_error("truncated-cluster", OSError, "truncated file")
        self.expect_error("missing-cluster", FileNotFoundError)
        self.expect_error("garbage-summary", OSError, "signature")

    def test_patches_that_are_not_where_the_map_says(self):
        self.expect_error("no-such-cluster", FileNotFoundError, "09999")
        self.expect_error("no-such-processor", KeyError)
        with self.assertRaises(IndexError):
            check_values(self, self.spoilt("no-such-level"), DEFAULT_FORMS)
        self.expect_error("absent-dataset", KeyError)

    def test_sizes_that_do_not_fit(self):
        self.expect_error("short-dataset", ValueError, "reshape")
        self.assertEqual(self.spoilt("wrong-rank").basic["dx"].ndim, 1)
        boxes = self.spoilt("negative-box").boxes
        self.assertLess(boxes["upper"][0][0], boxes["lower"][0][0])
        boxes = self.spoilt("huge-box").boxes
        self.assertEqual((boxes["lower"][0][0], boxes["upper"][0][0]), (-2**31, 2**31 - 1))
        with self.assertRaisesRegex(AssertionError, "overlap"):
            check_disjoint(self, self.spoilt("overlapping-boxes"))

    def test_nothing_to_read(self):
        dump = self.spoilt("zero-patches")
        self.assertEqual((len(dump.patches()), len(dump.map), len(dump.boxes)), (0, 0, 0))
        with self.assertRaises(KeyError):
            self.spoilt("no-names")

    def test_index_that_leads_astray(self):
        self.make("--damage", "index-missing-dump")
        self.assertFalse((self.folder / self.index()[-1]).exists())
        self.make("--damage", "index-escapes")
        self.assertTrue(self.index()[-2].startswith("../"))
        self.assertTrue(Path(self.index()[-1]).is_absolute())

    def index(self):
        return (self.folder / "dumps.visit").read_text(encoding="ascii").splitlines()

    def test_chunks_that_do_not_unpack(self):
        self.expect_error("corrupt-deflate", OSError, NO_UNPACKING)
        self.expect_error("corrupt-fletcher32", OSError, NO_UNPACKING)
        self.expect_error("unknown-filter", OSError)
        with h5py.File(self.folder / "visit_dump.00000/processor_cluster.00000.samrai", "r") as file:
            properties = file[damage.first_field(file)].id.get_create_plist()
            self.assertEqual(properties.get_filter(0)[0], damage.UNKNOWN_FILTER)

    def test_members_in_another_order_are_no_fault(self):
        dump = self.spoilt("member-order")
        check_tables(self, dump)
        check_values(self, dump, DEFAULT_FORMS)
        self.assertEqual(dump.map.dtype.names, ("level_number", "processor_number", "patch_number", "file_cluster_number"))
        self.assertEqual(dump.boxes.dtype.names, ("xup", "xlo", "upper", "lower"))

    def test_only_the_last_step_is_spoilt(self):
        self.make("--damage", "missing-cluster", "--steps", 2)
        check_values(self, Dump(self.folder / "visit_dump.00000"), DEFAULT_FORMS)
        with self.assertRaises(FileNotFoundError):
            check_values(self, Dump(self.folder / "visit_dump.00010"), DEFAULT_FORMS)

    def test_every_kind_is_tried_here(self):
        source = Path(__file__).read_text(encoding="utf-8")
        self.assertEqual([kind for kind in damage.KINDS if f'"{kind}"' not in source], [])


class PlotDamage(Scenario):
    """Faults are asked of h5py, both formats alike."""

    def spoilt(self, kind, *arguments):
        for form, name in (("chombo", "plot.000000.3d.hdf5"), ("amrex", "plt00000.h5")):
            self.make("--format", form, "--spacing", 0.25, 0.25, 0.25, "--damage", kind, *arguments)
            yield self.folder / name

    def level(self, kind, number=0):
        for path in self.spoilt(kind):
            with h5py.File(path, "r") as file:
                yield file[f"level_{number}"]

    def test_files_that_cannot_be_opened(self):
        for kind in ("truncated-file", "garbage-file"):
            for path in self.spoilt(kind):
                with self.assertRaises(OSError):
                    h5py.File(path, "r")

    def test_boxes(self):
        for level in self.level("overlapping-boxes"):
            self.assertEqual(level["boxes"][0]["lo_i"], level["boxes"][1]["lo_i"])
        for level in self.level("negative-box"):
            self.assertLess(level["boxes"][0]["hi_i"], level["boxes"][0]["lo_i"])
        for level in self.level("huge-box"):
            self.assertEqual(level["boxes"][0]["hi_j"], 2**31 - 1)
        for level in self.level("box-outside"):
            self.assertGreater(level["boxes"][0]["lo_k"], level.attrs["prob_domain"]["hi_k"])
        for level in self.level("box-not-nested", 2):
            self.assertEqual(level["boxes"][0]["lo_i"], 0)
        for level in self.level("member-order"):
            self.assertEqual(level["boxes"].dtype.names, ("hi_k", "hi_j", "hi_i", "lo_k", "lo_j", "lo_i"))
        for level in self.level("empty-level", 2):
            self.assertEqual((level["boxes"].size, level["data:offsets=0"].size), (0, 1))

    def test_places(self):
        for level in self.level("offsets-beyond"):
            self.assertGreater(level["data:offsets=0"][-1], level["data:datatype=0"].size)
        for level in self.level("offsets-falling"):
            self.assertLess(numpy.diff(level["data:offsets=0"][()]).min(), 0)
        for level in self.level("offsets-size"):
            self.assertEqual(level["data:offsets=0"][1] % 2, 1)
        for level in self.level("offsets-negative"):
            self.assertLess(level["data:offsets=0"][0], 0)
        for level in self.level("short-data"):
            self.assertEqual(level["data:offsets=0"][-1], level["data:datatype=0"].size + 1)
        for level in self.level("no-data"):
            self.assertNotIn("data:datatype=0", level)

    def test_attributes(self):
        for kind, name in (("no-such-level", "num_levels"), ("many-levels", "num_levels"),
                           ("many-components", "num_components"), ("more-components", "num_components")):
            for level in self.level(kind):
                self.assertGreater(level.file.attrs[name], len([key for key in level.file if key.startswith("level_")])
                                   if name == "num_levels" else 1)
        for level in self.level("other-ratio"):
            self.assertEqual(level.attrs["ref_ratio"], 3)
        for level in self.level("zero-spacing"):
            self.assertEqual(level.attrs["dx"], 0)
        for level in self.level("no-name"):
            self.assertNotIn("component_0", level.file.attrs)
        for level in self.level("node-values"):
            self.assertTrue("boxcenter" in level and level["boxcenter"]["j"].all() or
                            level["data_attributes"].attrs["objectType"] == "NodeFArrayBox")

    def test_a_chunk_that_does_not_unpack(self):
        for level in self.level("corrupt-deflate"):
            with self.assertRaisesRegex(OSError, NO_UNPACKING):
                level["data:datatype=0"][:10]

    def test_every_kind_is_tried_here(self):
        source = Path(__file__).read_text(encoding="utf-8")
        self.assertEqual([kind for kind in plot_damage.KINDS if f'"{kind}"' not in source], [])


class Presets(Scenario):
    """In small: the counts of patches are what makes the presets, their cells are replaced."""

    def test_many_small_datasets(self):
        dump = Dump(self.make("--preset", "many-small", "--cells", 32, 16, 16, "--patches", "2x2x2", "--processors", 4))
        check_values(self, dump, {"density": "linear", "pressure": "smooth", "velocity": "rotation"})
        self.assertEqual(sum(len(dump.components(name)) for name in dump.names), 8)
        self.assertEqual(dump.shape(0, "density"), (8, 8, 16))

    def test_deflated(self):
        dump = Dump(self.make("--preset", "deflated", "--cells", 64, 32, 32, "--patches", "2x1x1"))
        check_values(self, dump, {"density": "smooth", "velocity": "smooth"})
        with dump.file(0) as file:
            dataset = file[dump.path(0)]["density"]
            self.assertEqual(dataset.nbytes, 131072)
            self.assertEqual(dataset.id.get_num_chunks(), 8)

    def test_chombo(self):
        self.make("--preset", "chombo", "--cells", 24, 16, 16)
        with h5py.File(self.folder / "plot.000000.3d.hdf5", "r") as file:
            self.assertEqual(file.attrs["num_components"], 8)
            self.assertEqual(file.attrs["component_7"], b"velz")
            self.assertEqual(file["level_0/boxes"].size, 768)
            self.assertEqual(file["level_0/data:datatype=0"].dtype, numpy.dtype("<f8"))

    def test_linadv(self):
        dump = Dump(self.make("--preset", "linadv", "--cells", 14, 13, 7))
        check_values(self, dump, {"u": "linear"})
        self.assertEqual(len(dump.patches()), 1274)
        self.assertEqual(len(list(dump.folder.glob("processor_cluster.*"))), 49)


class Options(Scenario):
    def expect_message(self, *arguments_and_fragment):
        *arguments, fragment = arguments_and_fragment
        text = io.StringIO()
        with self.assertRaises(SystemExit) as caught, contextlib.redirect_stderr(text):
            make_samrai.main([str(self.folder), *map(str, arguments)])
        self.assertEqual(caught.exception.code, 2)
        self.assertIn(fragment, text.getvalue())
        self.assertFalse(self.folder.exists())

    def test_what_cannot_be_made_is_told_before_anything_is_written(self):
        self.expect_message("--variable", "name=a,centre=face", "centre is one of cell, node")
        self.expect_message("--variable", "centre=node", "with a name")
        self.expect_message("--variable", "name=a,missing=1", "L1+P0+P7")
        self.expect_message("--cells", 4, 4, 4, "--patches", "8", "fewer --patches")
        self.expect_message("--filters", "deflate", "--storage chunked")
        self.expect_message("--filters", "gzip", "--storage", "chunked", "unknown filter 'gzip'")
        self.expect_message("--blocks", 2, "--deformed")
        self.expect_message("--empty-processors", 4, "some processor must own patches")
        self.expect_message("--format", "chombo", "--variable", "name=a,centre=node", "cell variables only")
        self.expect_message("--format", "amrex", "--damage", "no-names", "SAMRAI dumps only")
        self.expect_message("--damage", "offsets-size", "plot files only")
        self.expect_message("--format", "chombo", "--vector-suffixes", "x", "y", "--vector-suffixes needs 3")
        self.expect_message("--cells", 4, "needs 3 numbers")

    def test_nothing_is_overwritten(self):
        before = (self.make() / "summary.samrai").read_bytes()
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()) as text:
            make_samrai.main([str(self.folder), "--levels", "1"])
        self.assertIn("choose another folder", text.getvalue())
        self.assertEqual((self.folder / "visit_dump.00000/summary.samrai").read_bytes(), before)

    def test_the_same_options_give_the_same_bytes(self):
        first = {path.name: path.read_bytes() for path in self.make().iterdir()}
        self.assertEqual(first, {path.name: path.read_bytes() for path in self.make().iterdir()})


if __name__ == "__main__":
    unittest.main()
