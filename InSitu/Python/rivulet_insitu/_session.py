# SPDX-License-Identifier: BSD-3-Clause
"""The session: the functions of rivulet_insitu.h as methods."""

from __future__ import annotations

import ctypes
import enum
import os
import sys
import warnings
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence, TypeVar, Union

import numpy as np

from . import _data, _library
from ._data import Block, Values, Whole

Result = TypeVar("Result")


class Code(enum.IntEnum):
    """Answers of the runtime. Codes below 0 are failures."""

    OK = 0
    SKIPPED = 1  # all buffers were full, and this step was left out, as configured
    ERROR_CONFIG = -1  # the configuration cannot be read, or ranks have different ones
    ERROR_ORDER = -2  # a call out of order, or from another thread
    ERROR_DATA = -3  # the published data are not whole
    ERROR_MEMORY = -4  # no memory for a copy: this step was left out
    ERROR_MPI = -5
    ERROR_HANGS = -6  # analytics did not end within a limit; after finalize MPI_Finalize may hang


class InSituWarning(RuntimeWarning):
    """A failure of the runtime, where the session is not strict."""


class InSituError(RuntimeError):
    """A failure of the runtime, where the session is strict. `code`: its Code."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(code, message)  # its arguments, so that it can be pickled
        self.code = code

    def __str__(self) -> str:
        return f"{self.code.name}: {self.args[1]}"


def _level_of_caller() -> int:
    """Frames from the caller of this function up to the first one outside of this package, for warnings.warn."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame, level = frame.f_back, level + 1
    return level


class Session:
    """Analytics beside this simulation, as the configuration says. There is one session at a time in a process.

    config  path of the JSON file
    comm    communicator of mpi4py, MPI.COMM_WORLD by default; the session works on a duplicate
    strict  whether failures of the runtime are exceptions instead of warnings

    All ranks of the communicator make it, after MPI is initialised (which importing mpi4py.MPI does). Without `strict` a
    configuration that cannot be read is a warning: the session wants no step, and its methods do nothing.

    In a `with` block the session ends with the block. An exception that leaves the block ends a session of one rank only:
    other ranks may wait in a message of the simulation, and cannot take part. Such a session ends with MPI.
    """

    def __init__(self, config: Union[str, os.PathLike[str]], comm: Any = None, *, strict: bool = False) -> None:
        if comm is None:
            from mpi4py import MPI

            comm = MPI.COMM_WORLD
        self._strict = strict
        self._ranks: int = comm.Get_size()
        self._handle = ctypes.c_void_p()
        self._kept: list[Any] = []
        initialize = _library.function("rivulet_insitu_initialize_f")
        self._answer(initialize(os.fsencode(config), comm.py2f(), ctypes.byref(self._handle)))

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        if kind is None or self._ranks == 1:
            self.finalize()

    @property
    def active(self) -> bool:
        """Whether there is a session: its configuration could be read, and it has not ended."""
        return self._handle.value is not None

    @property
    def message(self) -> str:
        """Text of the last error or warning; empty if there was none."""
        text: bytes = _library.function("rivulet_insitu_message")(self._handle)
        return text.decode(errors="replace")

    def wants(self, step: int, name: Optional[str] = None, variable: Optional[str] = None) -> bool:
        """Whether some analytics want this step: else there is no need to publish anything. The answer is the same on
        all ranks.

        With the `name` of a field, mesh or set of particles, and of one of its variables or arrays: whether some
        analytics want these values. Others need not be computed; they are not copied.
        """
        if name is None:
            return self._call("rivulet_insitu_wants", step) == 1
        wanted = None if variable is None else variable.encode()
        return self._call("rivulet_insitu_wants_data", step, name.encode(), wanted) == 1

    def publish_field(self, name: str, variables: Mapping[str, Values], *, origin: Sequence[float] = (0, 0, 0),
                      spacing: Sequence[float] = (1, 1, 1), domain: Optional[Sequence[int]] = None,
                      begin: Sequence[int] = (0, 0, 0), centring: str = "cells", ghosts: Whole = 0,
                      ghosts_above: Optional[Whole] = None,
                      coordinates: Optional[Sequence[Optional[np.ndarray]]] = None,
                      points: Optional[Values] = None) -> Code:
        """Shows a field of which this rank has one block.

        variables     values by name: [z, y, x], [z, y, x, component], or a tuple of [z, y, x], one array for each
                      component. Types: float32, float64, int32, int64, uint8. x runs fastest; values of neighbouring
                      cells may lie further apart, as a member of a structure does
        origin        lower corner of the domain, (x, y, z)
        spacing       extent of a cell, (x, y, z)
        domain        cells of the domain of all ranks, (x, y, z); on one rank by default the cells of the block. With
                      it, arrays whose axes are in another order are refused where their cells do not fit. Flat fields
                      have one cell along the axis without extent; with values at nodes 0 cells and one layer of nodes
        begin         first cell of this rank, (x, y, z), without ghosts, counted from 0
        centring      "cells": a value in the middle of each cell. "nodes": at each corner; n cells have n + 1 nodes
        ghosts        ghost layers that the arrays have below the block: one number, or (x, y, z)
        ghosts_above  the same above the block; None: as below
        coordinates   of a rectilinear field: float64 coordinates of the nodes of the whole domain along x, y and z, or
                      None for an axis that is evenly spaced
        points        of a curvilinear field: coordinates of the nodes, [z, y, x, 3] or a tuple of three [z, y, x], with
                      ghosts as the block has them

        A rank without cells gives arrays without any, and the same names and types, points included. Raises TypeError and ValueError for
        arrays that cannot be shown without a copy.
        """
        block = Block(variables, begin, 0, ghosts, ghosts_above, points)
        return self.publish_blocks(name, [block], origin=origin, spacing=spacing, domain=domain, centring=centring,
                                   coordinates=coordinates)

    def publish_blocks(self, name: str, blocks: Sequence[Block], *, origin: Sequence[float] = (0, 0, 0),
                       spacing: Sequence[float] = (1, 1, 1), domain: Optional[Sequence[int]] = None,
                       centring: str = "cells", ratios: Sequence[Whole] = (),
                       coordinates: Optional[Sequence[Optional[np.ndarray]]] = None,
                       variables: Optional[Mapping[str, tuple[Any, int]]] = None, points: Any = None) -> Code:
        """Shows a field of which this rank has any number of blocks, also of several levels (AMR).

        blocks     blocks of this rank; their variables have the same names, types and strides. A block of one value or
                   none has any stride
        spacing    extent of a cell of level 0, (x, y, z)
        domain     cells of the domain of all ranks on level 0, (x, y, z)
        ratios     for each level but the last, cells of the next level along one of it: one number, or (x, y, z)
        variables  type and number of components by name, such as {"velocity": (numpy.float32, 3)}; read where this rank
                   has no blocks
        points     of a curvilinear field: type of the coordinates, such as numpy.float64; read where this rank has no
                   blocks

        The other arguments are the same as in publish_field.
        """
        return self._publish("rivulet_insitu_publish_field", _data.field(
            name, blocks, ranks=self._ranks, origin=origin, spacing=spacing, domain=domain, centring=centring, ratios=ratios,
            coordinates=coordinates, variables=variables, points=points))

    def publish_particles(self, name: str, positions: Values, *, velocities: Optional[Values] = None,
                          ids: Optional[np.ndarray] = None, types: Optional[np.ndarray] = None,
                          arrays: Optional[Mapping[str, np.ndarray]] = None, low: Sequence[float] = (0, 0, 0),
                          high: Sequence[float] = (0, 0, 0), periodic: Sequence[bool] = (False, False, False)) -> Code:
        """Shows the particles of this rank.

        positions   [n, 3], or a tuple of three [n]; float64 or float32. A member of an array of structures will do
        velocities  the same, of the same type and stride; None: there are none
        ids         int64 [n], unique over all ranks
        types       int32 [n], species, or another distinction of the simulation
        arrays      further values by name, [n] or [n, component]
        low, high   corners of the domain of all ranks, (x, y, z); equal where the domain has no bounds
        periodic    axes along which the domain repeats, (x, y, z)
        """
        return self._publish("rivulet_insitu_publish_particles", _data.particles(
            name, positions, velocities=velocities, ids=ids, types=types, arrays=arrays, low=low, high=high,
            periodic=periodic))

    def publish_mesh(self, name: str, points: np.ndarray, cells: tuple[np.ndarray, np.ndarray, np.ndarray], *,
                     at_points: Optional[Mapping[str, np.ndarray]] = None,
                     at_cells: Optional[Mapping[str, np.ndarray]] = None,
                     ghost_cells: Optional[np.ndarray] = None) -> Code:
        """Shows cells of any shape. Points, cells and ghost_cells are packed arrays.

        points       [n, 3], float64 or float32
        cells        types, offsets, connectivity: uint8 [m], as VTK numbers them (10 tetrahedron, 12 hexahedron, 13
                     wedge, 14 pyramid); int64 or int32 [m + 1], where the points of each cell begin in `connectivity`,
                     and last their number; points of the cells, counted from 0 on this rank
        at_points    values of points by name, [n] or [n, component]
        at_cells     values of cells by name, [m] or [m, component]
        ghost_cells  uint8 [m], 1: a cell of another rank, given for its values; None: there is none
        """
        return self._publish("rivulet_insitu_publish_mesh", _data.mesh(
            name, points, cells, at_points=at_points, at_cells=at_cells, ghost_cells=ghost_cells))

    def execute(self, step: int, time: float) -> Code:
        """Hands over the data published since the last call. When it returns the arrays are the simulation's again. A
        call that is refused, with ERROR_ORDER or for its arguments, does nothing: they stay published."""
        return self._answer(self._release(self._call("rivulet_insitu_execute", step, time)))

    def discard(self) -> Code:
        """Forgets what was published since the last execute, for a step that is given up or begun anew: a name that is
        published for the second time before execute is an error. The arrays are the simulation's again."""
        return self._answer(self._release(self._call("rivulet_insitu_discard")))

    def run(self, body: Callable[[], Result]) -> Result:
        """Runs body() where tasks of the simulation belong: in its arena of oneTBB, with as many threads as the policy
        gives it now. An exception of the body is passed on. For compiled parts that use oneTBB, such as Numba's."""
        results: list[Result] = []
        failures: list[BaseException] = []

        def call(_: Any) -> None:
            try:
                results.append(body())
            except BaseException as error:  # no exception may pass through the library
                failures.append(error)

        code = self._call("rivulet_insitu_run", _library.BODY(call), None)
        if failures:
            raise failures[0]
        self._answer(code)
        if not results:
            raise InSituError(Code(code), "the body did not run")
        return results[0]

    @contextmanager
    def parallel(self) -> Iterator[None]:
        """Marks a parallel region of a simulation that does not use run(). It only appears in the trace."""
        self._answer(self._call("rivulet_insitu_before_parallel"))
        try:
            yield
        finally:
            self._answer(self._call("rivulet_insitu_after_parallel"))

    def finalize(self) -> Code:
        """Ends the session: waits for analytics within the configured limit, and writes trace and summary. All ranks
        call it, before MPI_Finalize. A session that has ended stays so."""
        finalize = _library.function("rivulet_insitu_finalize")
        return self._answer(self._release(finalize(ctypes.byref(self._handle))))

    def _call(self, name: str, *arguments: Any) -> int:
        code: int = _library.function(name)(self._handle, *arguments)
        return code

    def _release(self, code: int) -> int:
        """Lets the arrays go, unless the call was refused: the runtime has their addresses still."""
        if code != Code.ERROR_ORDER:
            self._kept.clear()
        return code

    def _publish(self, name: str, shown: _data.Shown) -> Code:
        self._kept.append(shown)
        return self._answer(self._call(name, ctypes.byref(shown.structure)))

    def _answer(self, code: int) -> Code:
        answer = Code(code)
        if answer < 0:
            message = self.message or "no message"
            if self._strict:
                raise InSituError(answer, message)
            warnings.warn(f"{answer.name}: {message}", InSituWarning, stacklevel=_level_of_caller())
        return answer
