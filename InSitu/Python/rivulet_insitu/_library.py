# SPDX-License-Identifier: BSD-3-Clause
"""The library librivulet_insitu: its place, its structures and its functions (rivulet_insitu.h, rivulet_insitu_data.h).

Nothing is loaded before the first session. A function is looked up when it is called first.
"""

from __future__ import annotations

import ctypes
import functools
import os
from ctypes import POINTER, c_char_p, c_double, c_int, c_int32, c_int64, c_void_p
from pathlib import Path
from typing import Any

LIBRARY = "librivulet_insitu.so"
VARIABLE = "RIVULET_INSITU_LIBRARY"
NO_GHOSTS = -1
CENTRINGS = {"cells": 1, "nodes": 2}
BODY = ctypes.CFUNCTYPE(None, c_void_p)


class Array(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("type", c_int32), ("components", c_int32), ("data", c_void_p), ("stride", c_int64),
                ("size", c_int64)]


class Particles(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("count", c_int64), ("id", c_void_p), ("type", c_void_p), ("x", c_void_p),
                ("y", c_void_p), ("z", c_void_p), ("vx", c_void_p), ("vy", c_void_p), ("vz", c_void_p),
                ("arrays", c_int32), ("array", POINTER(Array)), ("low", c_double * 3), ("high", c_double * 3),
                ("periodic", c_int32 * 3), ("real", c_int32), ("stride", c_int64), ("tag_stride", c_int64)]


class Variable(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("type", c_int32), ("components", c_int32), ("separate", c_int32), ("stride", c_int64)]


class Block(ctypes.Structure):
    _fields_ = [("level", c_int32), ("begin", c_int64 * 3), ("cells", c_int64 * 3), ("ghosts", c_int32 * 3),
                ("data", POINTER(c_void_p)), ("ghosts_above", c_int32 * 3), ("size", POINTER(c_int64)),
                ("points", POINTER(c_void_p))]


class Field(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("centring", c_int32), ("origin", c_double * 3), ("spacing", c_double * 3),
                ("cells", c_int64 * 3), ("levels", c_int32), ("ratio", POINTER(c_int32)), ("variables", c_int32),
                ("variable", POINTER(Variable)), ("blocks", c_int32), ("block", POINTER(Block)),
                ("coordinates", c_void_p * 3), ("points", POINTER(Variable))]


class Mesh(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("real", c_int32), ("index", c_int32), ("points", c_int64), ("point", c_void_p),
                ("cells", c_int64), ("type", c_void_p), ("offset", c_void_p), ("connectivity", c_void_p),
                ("point_arrays", c_int32), ("at_point", POINTER(Array)), ("cell_arrays", c_int32),
                ("at_cell", POINTER(Array)), ("ghost_cells", c_void_p)]


# Arguments; the result is an int unless it is given.
PROTOTYPES: dict[str, list[Any]] = {
    "rivulet_insitu_initialize_f": [c_char_p, c_int, POINTER(c_void_p)],
    "rivulet_insitu_wants": [c_void_p, c_int64],
    "rivulet_insitu_wants_data": [c_void_p, c_int64, c_char_p, c_char_p],
    "rivulet_insitu_publish_particles": [c_void_p, POINTER(Particles)],
    "rivulet_insitu_publish_field": [c_void_p, POINTER(Field)],
    "rivulet_insitu_publish_mesh": [c_void_p, POINTER(Mesh)],
    "rivulet_insitu_discard": [c_void_p],
    "rivulet_insitu_execute": [c_void_p, c_int64, c_double],
    "rivulet_insitu_run": [c_void_p, BODY, c_void_p],
    "rivulet_insitu_before_parallel": [c_void_p],
    "rivulet_insitu_after_parallel": [c_void_p],
    "rivulet_insitu_finalize": [POINTER(c_void_p)],
    "rivulet_insitu_message": [c_void_p],
}
RESULTS = {"rivulet_insitu_message": c_char_p}


def library_path() -> str:
    """Path of the library: RIVULET_INSITU_LIBRARY, or the library of the tree in which this package is installed, or
    its bare name, which the loader seeks in LD_LIBRARY_PATH."""
    named = os.environ.get(VARIABLE)
    if named:
        return named
    for folder in list(Path(__file__).resolve().parents)[1:5]:  # LIB/python3/dist-packages/rivulet_insitu, or less deep
        for pattern in ("rivulet", "*/rivulet"):
            for found in sorted(folder.glob(f"{pattern}/{LIBRARY}")):
                return str(found)
    return LIBRARY


def _mpi_version(library: ctypes.CDLL) -> str:
    """Name and version of the MPI that the library is linked with."""
    text = ctypes.create_string_buffer(8192)  # MPI_MAX_LIBRARY_VERSION_STRING is at most this
    library.MPI_Get_library_version(text, ctypes.byref(c_int()))
    return text.value.decode(errors="replace").strip()


@functools.lru_cache(maxsize=None)
def load() -> ctypes.CDLL:
    """The library. ImportError: it is not found, or has another MPI than mpi4py, whose communicators it could not use."""
    from mpi4py import MPI  # first: it makes the symbols of MPI known to all libraries

    path = library_path()
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"{path} cannot be loaded ({error}); set {VARIABLE} to the path of {LIBRARY}") from error
    mine, its = MPI.Get_library_version().strip("\0 \n"), _mpi_version(library)
    if mine != its:
        raise ImportError(f"mpi4py uses the MPI '{mine}', {path} uses '{its}'; build mpi4py with the MPI of Rivulet "
                          "(python3 -m pip install --no-binary mpi4py mpi4py)")
    return library


@functools.lru_cache(maxsize=None)
def function(name: str) -> Any:
    """A function of the library. Python's lock is free while it runs."""
    found = getattr(load(), name)
    found.argtypes = PROTOTYPES[name]
    found.restype = RESULTS.get(name, c_int)
    return found
