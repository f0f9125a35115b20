#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The session of the package for Python, on one rank: failures, references to arrays, callbacks."""

import ctypes
import gc
import json
import pickle
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
import weakref
from pathlib import Path
from unittest import mock

import numpy as np
import rivulet_insitu
from rivulet_insitu import Code, InSituError, InSituWarning, Session, _library


class Sessions(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def config(self, **more):
        path = self.folder / "insitu.json"
        analytics = [{"name": "write_dat", "every": 10}]
        path.write_text(json.dumps({"policy": "synchronous", "cores": 2, "output": str(self.folder), "analytics": analytics,
                                    **more}), encoding="ascii")
        return path

    def test_a_failure_is_a_warning(self):
        with self.assertWarnsRegex(InSituWarning, "ERROR_CONFIG: .*nothing.json") as caught:
            insitu = Session(self.folder / "nothing.json")
        self.assertEqual(caught.filename, __file__)
        self.assertFalse(insitu.active or insitu.wants(0))
        self.assertEqual(insitu.publish_particles("atoms", np.zeros((1, 3))), Code.OK)
        self.assertEqual((insitu.execute(0, 0), insitu.run(lambda: 7), insitu.finalize()), (Code.OK, 7, Code.OK))
        with Session(self.config()) as insitu:
            with self.assertWarnsRegex(InSituWarning, "ERROR_DATA: .*corners"):
                code = insitu.publish_particles("atoms", tuple(np.zeros((3, 4))), low=(1, 1, 1))
            self.assertEqual(code, Code.ERROR_DATA)
            self.assertIn("corners", insitu.message)

    def test_a_failure_of_a_strict_session_is_an_exception(self):
        with self.assertRaisesRegex(InSituError, "nothing.json") as caught:
            Session(self.folder / "nothing.json", strict=True)
        self.assertEqual(caught.exception.code, Code.ERROR_CONFIG)
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((type(again), again.code, str(again)), (InSituError, Code.ERROR_CONFIG, str(caught.exception)))
        self.assertRegex(str(again), "^ERROR_CONFIG: .*nothing.json")
        with Session(self.config(), strict=True) as insitu, self.assertRaisesRegex(InSituError, "ERROR_DATA"):
            insitu.publish_field("flow", {"p": np.zeros((2, 2, 2))}, spacing=(0, 1, 1))

    def test_another_thread_is_refused(self):
        codes = []
        with Session(self.config()) as insitu, warnings.catch_warnings():
            warnings.simplefilter("ignore", InSituWarning)
            other = threading.Thread(target=lambda: codes.append(insitu.execute(0, 0)))
            other.start()
            other.join()
        self.assertEqual(codes, [Code.ERROR_ORDER])

    def test_arrays_are_kept_until_execute_has_returned(self):
        with Session(self.config(), strict=True) as insitu:
            arrays = [np.arange(4.0), np.arange(4.0), np.arange(4.0), np.arange(4)]
            kept = [weakref.ref(array) for array in arrays]
            insitu.publish_particles("atoms", tuple(arrays[:3]), ids=arrays[3])
            del arrays
            gc.collect()
            self.assertTrue(all(array() is not None for array in kept))
            self.assertEqual(insitu.execute(0, 0), Code.OK)
            gc.collect()
            self.assertTrue(all(array() is None for array in kept))
        (file,) = self.folder.glob("*.dat")
        self.assertEqual(np.loadtxt(file).tolist(), [[i] * 4 for i in range(4)])

    def published_and_refused(self, *refusals):
        """Particles are published, calls are refused, and the particles are executed as they were."""
        with Session(self.config()) as insitu, warnings.catch_warnings():
            warnings.simplefilter("ignore", InSituWarning)
            positions = np.arange(12.0).reshape(3, 4).copy()  # which owns its values
            kept = weakref.ref(positions)
            insitu.publish_particles("atoms", tuple(positions))
            del positions
            for refused in refusals:
                refused(insitu)
                gc.collect()
                self.assertIsNotNone(kept(), "the runtime has its address")
            self.assertEqual(insitu.execute(0, 0), Code.OK)
            gc.collect()
            self.assertIsNone(kept())
        (file,) = self.folder.glob("*.dat")
        self.assertEqual(np.loadtxt(file).tolist(), np.arange(12.0).reshape(3, 4).T.tolist())

    def test_arrays_stay_where_a_call_is_refused(self):
        def elsewhere(call):
            other = threading.Thread(target=call)
            other.start()
            other.join()

        def with_a_float(insitu):
            with self.assertRaises(ctypes.ArgumentError):
                insitu.execute(0.5, 0)

        self.published_and_refused(
            lambda insitu: elsewhere(lambda: self.assertEqual(insitu.execute(0, 0), Code.ERROR_ORDER)),
            lambda insitu: elsewhere(lambda: self.assertEqual(insitu.finalize(), Code.ERROR_ORDER)),
            lambda insitu: elsewhere(lambda: self.assertEqual(insitu.discard(), Code.ERROR_ORDER)),
            lambda insitu: insitu.run(lambda: self.assertEqual(insitu.execute(0, 0), Code.ERROR_ORDER)), with_a_float)

    def test_a_step_that_is_given_up(self):
        with Session(self.config(), strict=True) as insitu:
            lost = np.ones((3, 4))
            kept = weakref.ref(lost)
            insitu.publish_particles("atoms", tuple(lost))
            del lost
            with self.assertRaisesRegex(InSituError, "ERROR_DATA: .*\"atoms\": this name was published before"):
                insitu.publish_particles("atoms", np.zeros((4, 3)))
            self.assertEqual(insitu.discard(), Code.OK)
            gc.collect()
            self.assertIsNone(kept())
            insitu.publish_particles("atoms", np.full((4, 3), 7.0))
            self.assertEqual(insitu.execute(0, 0), Code.OK)
        self.assertEqual(insitu.discard(), Code.OK)
        (file,) = self.folder.glob("*.dat")
        self.assertEqual(np.loadtxt(file).tolist(), [[7.0] * 3] * 4)

    def test_a_rank_without_cells_of_a_curvilinear_field(self):
        with Session(self.config(), strict=True) as insitu:
            insitu.publish_field("flow", {"p": np.zeros((0, 4, 5))}, domain=(5, 4, 9), points=np.zeros((0, 0, 0, 3)))
            insitu.publish_blocks("more", [], domain=(5, 4, 9), variables={"p": (np.float64, 1)}, points=np.float64)

    def test_wrong_arrays_are_refused_and_the_session_goes_on(self):
        with Session(self.config(), strict=True) as insitu:
            with self.assertRaisesRegex(TypeError, "x of particles 'atoms'.*int64"):
                insitu.publish_particles("atoms", np.zeros((4, 3), np.int64))
            with self.assertRaisesRegex(ValueError, "variable 'p' of field 'flow'.*along y"):
                insitu.publish_field("flow", {"p": np.zeros((4, 4, 4))[:, :, 1:]})
            insitu.publish_particles("atoms", tuple(np.zeros((3, 4))))
            self.assertEqual(insitu.execute(0, 0), Code.OK)

    def test_run(self):
        with Session(self.config(policy="dynamic"), strict=True) as insitu:
            self.assertEqual(insitu.run(lambda: np.arange(4).sum()), 6)
            with self.assertRaisesRegex(ZeroDivisionError, "division"):
                insitu.run(lambda: 1 / 0)
            with insitu.parallel():
                pass

    def test_an_exception_ends_the_session_of_one_rank(self):
        with self.assertRaises(KeyError), Session(self.config()) as insitu:
            raise KeyError("simulation")
        self.assertFalse(insitu.active)
        with Session(self.config(), strict=True):
            pass

    def test_a_session_that_nobody_ends_loses_nothing(self):
        program = ("import sys, numpy, rivulet_insitu\ninsitu = rivulet_insitu.Session(sys.argv[1])\n"
                   "insitu.publish_particles('atoms', tuple(numpy.zeros((3, 4))))\ninsitu.execute(0, 0)\n"
                   "insitu.publish_particles('atoms', tuple(numpy.ones((3, 4))))\n")
        done = subprocess.run([sys.executable, "-c", program, self.config(policy="dynamic")], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(len(list(self.folder.glob("*.dat"))), 1, done.stdout)

    def test_a_library_with_another_mpi_is_refused(self):
        _library.load.cache_clear()
        with mock.patch.object(_library, "_mpi_version", return_value="Another MPI 1.0"):
            with self.assertRaisesRegex(ImportError, "Another MPI 1.0.*build mpi4py"):
                _library.load()

    def test_a_library_that_cannot_be_loaded_is_named(self):
        done = subprocess.run([sys.executable, "-c", "import rivulet_insitu; rivulet_insitu.Session('x')"], check=False,
                              env={"RIVULET_INSITU_LIBRARY": "/nowhere/it.so", "PATH": "/usr/bin", "HOME": str(self.folder),
                                   "PYTHONPATH": str(Path(rivulet_insitu.__file__).parents[1]), "OMPI_ALLOW_RUN_AS_ROOT": "1",
                                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100)
        self.assertIn("ImportError: /nowhere/it.so cannot be loaded", done.stdout)
        self.assertIn("RIVULET_INSITU_LIBRARY", done.stdout)


if __name__ == "__main__":
    unittest.main()
