# SPDX-License-Identifier: BSD-3-Clause
"""One time step of a SAMRAI dump as a second, naive reader of the layout sees it, and what must hold of it."""

import h5py
import numpy

# The documented closed forms, written down a second time on purpose: x, y, z, time, component.
FORMS = {
    "linear": lambda x, y, z, t, c: 1 + 2 * x + 3 * y + 5 * z + 7 * t + c * (11 + x - y + 2 * z),
    "smooth": lambda x, y, z, t, c: numpy.sin(x + c + t) * numpy.cos(2 * y - c) * numpy.cos(z),
    "rotation": lambda x, y, z, t, c: [-y, x, 1 + 0 * z][min(c, 2)],
}


class Dump:
    def __init__(self, folder, summary="summary.samrai", cluster="processor_cluster.{:05d}.samrai"):
        self.folder = folder
        self.cluster = cluster
        with h5py.File(folder / summary, "r") as file:
            self.basic = {name: item[()] for name, item in file["BASIC_INFO"].items()}
            self.extents = {name: item[()] for name, item in file["extents"].items() if isinstance(item, h5py.Dataset)}
            self.kinds = {name: item.dtype for name, item in file["BASIC_INFO"].items()}
        self.dimensions = int(self.basic["number_dimensions_of_problem"][0])
        self.time = float(self.basic["time"][0])
        self.names = [name.decode() for name in self.basic["var_names"]]
        self.map = self.extents["patch_map"]
        self.boxes = self.extents["patch_extents"]

    def patches(self):
        return range(int(self.basic["number_global_patches"][0]))

    def level(self, patch):
        return int(self.map["level_number"][patch])

    def path(self, patch):
        return "processor.{:05d}/level.{:05d}/patch.{:05d}".format(
            *(int(self.map[name][patch]) for name in ("processor_number", "level_number", "patch_number")))

    def file(self, patch):
        return h5py.File(self.folder / self.cluster.format(int(self.map["file_cluster_number"][patch])), "r")

    def components(self, name):
        count = int(self.basic["var_number_components"][self.names.index(name)])
        return [name] if count == 1 else [f"{name}.{component:02d}" for component in range(count)]

    def ghosts(self, name):
        return self.basic["var_number_ghosts"][self.names.index(name)]

    def is_node(self, name):
        return not self.basic["var_cell_centered"][self.names.index(name)]

    def shape(self, patch, name):
        """x last."""
        sides = self.boxes["upper"][patch] - self.boxes["lower"][patch] + 1 + 2 * self.ghosts(name)
        sides[:self.dimensions] += self.is_node(name)
        return tuple(sides[::-1])

    def values(self, patch, name):
        """Per component; None where the dump says that there are none."""
        with self.file(patch) as file:
            group = file[self.path(patch)]
            arrays = []
            for component in self.components(name):
                if not self.extents[f"{component}-Extents"]["data_is_defined"][patch]:
                    assert component not in group
                    arrays.append(None)
                else:
                    arrays.append(group[component][()].reshape(self.shape(patch, name)))
            return arrays

    def positions(self, patch, name):
        """x, y, z in the shape of the values, for CARTESIAN dumps."""
        width = self.basic["dx"][self.level(patch)]
        first = self.boxes["lower"][patch] - self.ghosts(name) + (0 if self.is_node(name) else 0.5)
        index = numpy.indices(self.shape(patch, name))[::-1]
        used = numpy.arange(3) < self.dimensions
        return [self.basic["XLO"][axis] + width[axis] * (index[axis] + first[axis]) if used[axis] else 0.0 * index[0]
                for axis in range(3)]

    def children(self):
        """By brute force over cells: the pairs (parent, child) that overlap."""
        pairs = set()
        for parent in self.patches():
            for child in self.patches():
                if self.level(child) == self.level(parent) + 1:
                    ratio = numpy.maximum(self.basic["ratios_to_coarser_levels"][self.level(child)], 1)
                    lower = self.boxes["lower"][parent] * ratio
                    upper = (self.boxes["upper"][parent] + 1) * ratio - 1
                    if all(lower <= self.boxes["upper"][child]) and all(upper >= self.boxes["lower"][child]):
                        pairs.add((parent, child))
        return pairs

    def family(self, kind, counted):
        """The pairs (patch, relative) of a child or parent table."""
        if not self.basic[f"{kind}_array_length"][0]:
            return set()
        rows = self.basic[f"{kind}_pointer_array"]
        flat = self.basic[f"{kind}_array"]
        return {(patch, int(flat[row["offset"] + number])) for patch, row in enumerate(rows)
                for number in range(row[counted])}


def check_tables(test, dump):
    """Families, bounds, counts of levels, and that patches of a level are disjoint."""
    pairs = dump.children()
    test.assertEqual(dump.family("child", "number_children"), pairs)
    test.assertEqual(dump.family("parent", "number_parents"), {(child, parent) for parent, child in pairs})
    test.assertEqual(dump.basic["number_patches_at_level"].tolist(),
                     [sum(dump.level(patch) == level for patch in dump.patches())
                      for level in range(int(dump.basic["number_levels"][0]))])
    for patch in dump.patches():
        width = dump.basic["dx"][dump.level(patch)]
        for bound, index in (("xlo", dump.boxes["lower"][patch]), ("xup", dump.boxes["upper"][patch] + 1)):
            numpy.testing.assert_array_equal(dump.boxes[bound][patch], dump.basic["XLO"] + width * index)
    check_disjoint(test, dump)


def check_disjoint(test, dump):
    for patch in dump.patches():
        for other in range(patch):
            if dump.level(other) == dump.level(patch):
                apart = (dump.boxes["lower"][patch] > dump.boxes["upper"][other]) | (
                    dump.boxes["upper"][patch] < dump.boxes["lower"][other])
                test.assertTrue(apart.any(), f"patches {other} and {patch} overlap")


def check_values(test, dump, forms, positions=None):
    """Every stored value of every variable is that of its closed form; extents hold the least and greatest value.
    `forms` names the form of each variable. Returns how many arrays there were."""
    count = 0
    for name, form in forms.items():
        for patch in dump.patches():
            x, y, z = (positions or dump.positions)(patch, name)
            for component, values in enumerate(dump.values(patch, name)):
                row = dump.extents[f"{dump.components(name)[component]}-Extents"][patch]
                if values is None:
                    test.assertEqual((row["min"], row["max"]), (0, 0))
                    continue
                truth = FORMS[form](x, y, z, dump.time, component)
                if values.dtype.kind == "f":
                    numpy.testing.assert_allclose(values, truth, rtol=4 * numpy.finfo(values.dtype).eps,
                                                  atol=4 * numpy.finfo(values.dtype).eps)
                    slack = 1e-6 * max(1, abs(values).max()) if values.dtype.itemsize > 2 else 0.1
                else:
                    numpy.testing.assert_array_equal(values, numpy.rint(1000 * truth))
                    slack = 0
                test.assertLessEqual(abs(row["min"] - values.min()), slack)
                test.assertLessEqual(abs(row["max"] - values.max()), slack)
                count += 1
    return count
