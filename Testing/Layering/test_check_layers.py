#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The layering check must be able to fail: each rule is broken once in a small tree of its own."""

import tempfile
import unittest
from pathlib import Path

import check_layers

HEAD = "// " + check_layers.SPDX + "\n"


class LayeringCheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.put("Core/Base/Box.h", HEAD)
        self.put("Core/Io/FieldFile/FieldFile.h", HEAD + '#include "Base/Box.h"\n')
        self.put("Core/Store/Source/BrickSource.h", HEAD + '#include "Io/FieldFile/FieldFile.h"\n')

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def expect(self, *fragments):
        found = check_layers.violations(self.root)
        self.assertEqual(len(found), len(fragments), found)
        for message, fragment in zip(found, fragments):
            self.assertIn(fragment, message)

    def test_accepts_a_tree_that_keeps_the_rules(self):
        self.expect()

    def test_refuses_a_header_that_hopes_for_cstdint(self):
        self.put("Core/Base/Count.h", HEAD + "#include <string>\nstd::uint32_t count();\n")
        self.put("Core/Base/Sum.h", HEAD + "#include <cstdint>\nstd::int64_t sum();\n")
        self.expect("Core/Base/Count.h: uses integers of <cstdint>")

    def test_refuses_trace_that_sees_io(self):
        self.put("Core/Trace/Streamlines.cxx", HEAD + '#include "Io/FieldFile/FieldFile.h"\n')
        self.expect("includes Core/Io/FieldFile/FieldFile.h, but Core/Trace may only include")

    def test_refuses_a_folder_of_a_layer_that_reaches_up_to_another(self):
        self.put("Core/Store/Access/MappedBricks.h", HEAD)
        self.put("Core/Store/Cache/BrickCache.h", HEAD + '#include "Store/Access/MappedBricks.h"\n')
        self.expect("includes Core/Store/Access/MappedBricks.h, but Core/Store/Cache may only include")

    def test_refuses_io_that_reaches_up_to_store_by_a_relative_path(self):
        self.put("Core/Io/Blocks/Bov.cxx", HEAD + '#include "../../Store/Source/BrickSource.h"\n')
        self.expect("includes Core/Store/Source/BrickSource.h")

    def test_refuses_a_header_in_angle_brackets_just_the_same(self):
        self.put("Core/Base/Box.cxx", HEAD + "#include <Io/FieldFile/FieldFile.h>\n")
        self.expect("includes Core/Io/FieldFile/FieldFile.h")

    def test_refuses_a_second_file_that_calls_hdf5(self):
        self.put("Core/Io/FieldFile/Hdf5Session.h", HEAD + "#pragma once\n#include <hdf5.h>\n")
        self.put("Core/Io/Other.cxx", HEAD + "#include <hdf5.h>\n")
        self.expect("Core/Io/Other.cxx: includes <hdf5.h>")

    def test_refuses_mpi_outside_parallel(self):
        self.put("Filters/vtkRivuletStreamTracer.cxx", HEAD + "#include <mpi.h>\n")
        self.put("Core/Parallel/Communicator.cxx", HEAD + "#include <mpi.h>\n")
        self.expect("Filters/vtkRivuletStreamTracer.cxx: includes <mpi.h>")

    def test_refuses_vtk_in_core(self):
        self.put("Core/Store/Source/ArrayBricks.cxx", HEAD + "#include <vtkDataArray.h>\n")
        self.expect("includes <vtkDataArray.h>")

    def test_refuses_readers_that_see_filters_by_bare_name(self):
        self.put("Filters/vtkRivuletStreamTracer.h", HEAD)
        self.put("Readers/vtkRivuletFieldReader.cxx", HEAD + '#include "vtkRivuletStreamTracer.h"\n')
        self.expect("includes Filters/vtkRivuletStreamTracer.h, but Readers may only include")

    def test_refuses_a_folder_without_a_layer(self):
        self.put("Misc/Thing.cxx", HEAD + '#include "Base/Box.h"\n')
        self.expect("is in no folder that MAY_INCLUDE knows")

    def test_refuses_a_source_without_licence_line(self):
        self.put("Core/Base/Bytes.cxx", "int x;\n")
        self.expect("does not begin with")

    def test_refuses_a_file_that_is_too_long(self):
        self.put("Core/Base/Bytes.cxx", HEAD + "\n" * check_layers.MAXIMUM_LINES)
        self.expect("has 701 lines")

    def test_refuses_unfinished_work_and_letters_beyond_ascii(self):
        self.put("Core/Base/A.cxx", HEAD + "// TO" + "DO: later\n")
        self.put("Core/Base/B.cxx", HEAD + "// caf\u00e9\n")
        self.expect("A.cxx:2: leaves something unfinished", "B.cxx:2: is not plain ASCII")

    def test_refuses_comments_of_the_product_that_name_nothing(self):
        self.put("Core/Base/A.cxx", HEAD + "int a; // nobody waits\n")
        self.put("Testing/Core/Base/B.cxx", HEAD + "int b; // nobody waits\n")
        self.expect("A.cxx:2: a comment does not name its thing")

    def test_refuses_a_property_without_help(self):
        shown = '<IntVectorProperty name="Rows"><Documentation> </Documentation></IntVectorProperty>'
        hidden = '<IntVectorProperty name="Info" information_only="1"/>'
        self.put("Plugin/Filters.xml", f'<Group><SourceProxy name="Sheet">{shown}{hidden}</SourceProxy></Group>')
        self.expect("Sheet: Rows has no help text")


if __name__ == "__main__":
    unittest.main()
