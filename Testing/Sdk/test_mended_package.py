#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""test_mended_package.py CMAKE SOURCE SCRATCH: CMake/RivuletParaView.cmake on packages that are right, and wrong as Debian's.

The packages are made here, with the parts in which those of Debian differ from what is on disk, in their own words: the
exported targets of Python modules of ParaView 5.13, with its VTK in a folder of its own; and of 6.1, with a VTK beside it.
"""
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

CMAKE, SOURCE, SCRATCH = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
SUFFIX = ".cpython-313-x86_64-linux-gnu"
LIBRARIES = "lib/x86_64-linux-gnu"

TARGETS = """
get_filename_component(_IMPORT_PREFIX "${{CMAKE_CURRENT_LIST_FILE}}" PATH)
get_filename_component(_realCurr "${{_IMPORT_PREFIX}}" REALPATH)
get_filename_component(_realOrig "{folder}" REALPATH)
if(_realCurr STREQUAL _realOrig)
  set(_IMPORT_PREFIX "{folder}")
endif()
{up}
add_library({package}::{module} MODULE IMPORTED)
include("${{CMAKE_CURRENT_LIST_DIR}}/{package}Python-targets-debug.cmake")
foreach(_cmake_target IN LISTS _cmake_import_check_targets)
  foreach(_cmake_file IN LISTS "_cmake_import_check_files_for_${{_cmake_target}}")
    if(NOT EXISTS "${{_cmake_file}}")
      message(FATAL_ERROR "The imported target \\"${{_cmake_target}}\\" references the file \\"${{_cmake_file}}\\" but this file does not exist.")
    endif()
  endforeach()
endforeach()
"""
TARGETS_DEBUG = """
set_target_properties({package}::{module} PROPERTIES
  IMPORTED_LOCATION_DEBUG "${{_IMPORT_PREFIX}}/lib/python3/dist-packages/{file}"
  )
list(APPEND _cmake_import_check_targets {package}::{module} )
list(APPEND _cmake_import_check_files_for_{package}::{module} "${{_IMPORT_PREFIX}}/lib/python3/dist-packages/{file}" )
"""
CONFIG = """
set(_vtk_module_import_prefix "${{CMAKE_CURRENT_LIST_DIR}}")
{up_module}
set({package}_PREFIX_PATH "${{_vtk_module_import_prefix}}")
{vtk}
include("${{CMAKE_CURRENT_LIST_DIR}}/{package}Python-targets.cmake")
"""
VERSION = """
set(PACKAGE_VERSION "{version}")
if(PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
"""
PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(User LANGUAGES NONE)
include("{source}/CMake/RivuletParaView.cmake")
find_package(ParaView CONFIG REQUIRED)
foreach(target IN ITEMS ParaView::vtkRemotingCorePython VTK::vtkCommonCorePython)
  get_target_property(place ${{target}} IMPORTED_LOCATION_DEBUG)
  message(STATUS "${{target}} is ${{place}}")
endforeach()
message(STATUS "prefix is ${{ParaView_PREFIX_PATH}}")
"""


class Packages:
    """A prefix with the packages of ParaView and VTK, and a project that uses them."""

    def __init__(self, name, own_vtk, wrong=True):
        self.folder = SCRATCH / name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.prefix = self.folder / "usr"
        self.project = self.folder / "project"
        self.project.mkdir(parents=True)
        (self.project / "CMakeLists.txt").write_text(PROJECT.format(source=SOURCE))
        cmake = self.prefix / LIBRARIES / "cmake"
        paraview = cmake / "paraview-5.13"
        vtk = paraview / "vtk" if own_vtk else cmake / "vtk-9.6"
        find = 'find_package(VTK REQUIRED PATHS "${CMAKE_CURRENT_LIST_DIR}/vtk" NO_DEFAULT_PATH)' if own_vtk else "find_package(VTK REQUIRED)"
        self.write("VTK", vtk, "vtkCommonCorePython", "vtkmodules/vtkCommonCore", "", wrong)
        self.write("ParaView", paraview, "vtkRemotingCorePython", "paraview/modules/vtkRemotingCore", find, wrong)

    def write(self, package, folder, module, file, find, wrong):
        folder.mkdir(parents=True, exist_ok=True)
        levels = len(folder.relative_to(self.prefix).parts)
        words = {
            "package": package, "module": module, "file": file + ("" if wrong else SUFFIX) + ".so", "folder": folder, "vtk": find,
            "version": "5.13.2",
            "up": 'get_filename_component(_IMPORT_PREFIX "${_IMPORT_PREFIX}" PATH)\n' * levels,
            "up_module": 'get_filename_component(_vtk_module_import_prefix "${_vtk_module_import_prefix}" DIRECTORY)\n' * levels,
        }
        for name, text in ((f"{package.lower()}-config.cmake", CONFIG), (f"{package.lower()}-config-version.cmake", VERSION),
                           (f"{package}Python-targets.cmake", TARGETS), (f"{package}Python-targets-debug.cmake", TARGETS_DEBUG)):
            (folder / name).write_text(text.format(**words))
        real = self.prefix / "lib/python3/dist-packages" / (file + SUFFIX + ".so")
        real.parent.mkdir(parents=True, exist_ok=True)
        real.write_text("")

    def configure(self, *options):
        done = subprocess.run([CMAKE, "-S", self.project, "-B", self.folder / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                               "-DCMAKE_LIBRARY_ARCHITECTURE=x86_64-linux-gnu", *options],
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout

    def copies(self):
        return sorted(path.name for path in (self.folder / "build/sdk").glob("*"))


class MendedPackages(unittest.TestCase):
    def assert_right(self, packages, *options):
        code, said = packages.configure(*options)
        self.assertEqual(code, 0, said)
        modules = packages.prefix / "lib/python3/dist-packages"
        self.assertIn(f"ParaView::vtkRemotingCorePython is {modules}/paraview/modules/vtkRemotingCore{SUFFIX}.so", said)
        self.assertIn(f"VTK::vtkCommonCorePython is {modules}/vtkmodules/vtkCommonCore{SUFFIX}.so", said)
        self.assertIn(f"prefix is {packages.prefix}\n", said)
        return said

    def test_without_it_configuring_stops(self):
        packages = Packages("unmended", True)
        project = packages.project / "CMakeLists.txt"
        project.write_text(project.read_text().replace("include(", "# include("))
        code, said = packages.configure()
        self.assertNotEqual(code, 0)
        self.assertIn("does not exist", said)

    def test_a_paraview_with_its_own_vtk(self):
        packages = Packages("own", True)
        self.assertIn("using a mended copy", self.assert_right(packages))
        self.assertEqual(packages.copies(), ["paraview-5.13"])

    def test_a_paraview_with_a_vtk_beside_it(self):
        packages = Packages("beside", False)
        self.assert_right(packages)
        self.assertEqual(packages.copies(), ["paraview-5.13", "vtk-9.6"])

    def test_what_is_right_is_used_as_it_is(self):
        for own in (True, False):
            packages = Packages("right", own, wrong=False)
            self.assertNotIn("mended", self.assert_right(packages))
            self.assertEqual(packages.copies(), [])

    def test_a_folder_that_is_given_is_used(self):
        packages = Packages("given", True)
        folder = packages.prefix / LIBRARIES / "cmake/paraview-5.13"
        for _ in range(2):  # configured again, too
            self.assert_right(packages, f"-DParaView_DIR={folder}", "-DCMAKE_PREFIX_PATH=/nowhere")
        self.assert_right(packages, "-DCMAKE_PREFIX_PATH=/nowhere")

    def test_configured_again_after_an_update_of_the_package(self):
        packages = Packages("again", True)
        self.assert_right(packages)
        self.assert_right(packages)
        for file in packages.prefix.rglob("*-targets-debug.cmake"):
            file.write_text(file.read_text().replace(".so", SUFFIX + ".so"))
        self.assertNotIn("mended", self.assert_right(packages))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
