# SPDX-License-Identifier: BSD-3-Clause
"""Ranks that come late, have no seeds, or stop: every rank runs this script, so each may do something of its own."""
import os
import time

from filter_testing import Messages, digest, fetch, simple, statistic
from plugin_testing import controller, run, scratch
from storm_testing import cloud, ranks, reader, tracer_of


def rank_here():
    return controller().GetLocalProcessId()


def test_each_rank_runs_the_script():
    with open(scratch(f"ran-{rank_here()}"), "w", encoding="ascii"):
        pass
    controller().Barrier()
    assert all(os.path.exists(scratch(f"ran-{rank}")) for rank in range(ranks()))


def test_ranks_without_seeds_and_late_ranks():
    source = reader()
    points = [(1e9, 0, 0)] * 40 * (ranks() - 1) + cloud(source, 40)  # only the last rank has seeds inside
    alone = digest(fetch(tracer_of(source, points)))
    for late in range(ranks()):
        tracer = tracer_of(reader(), points, ShareBricks=1)
        if rank_here() == late:
            time.sleep(0.7)
        assert digest(fetch(tracer)) == alone


def test_ranks_whose_input_is_in_memory_share_nothing_and_nothing_hangs():
    source = reader()
    points = cloud(source, 40 * ranks())
    alone = digest(fetch(tracer_of(source, points)))
    for rank in range(ranks()):
        shared = reader()
        if rank_here() == rank:
            shared = simple.Calculator(Input=shared, Function="velocity", ResultArrayName="velocity")
            shared.ResultArrayType = "Float"
        assert digest(fetch(tracer_of(shared, points, ShareBricks=1))) == alone


def test_ranks_whose_velocities_are_of_another_type_lend_nothing():
    """Lines of one rank are longer records than those of the others; the first has no work, and would borrow."""
    source = reader()
    points = [(1e9, 0, 0)] * (200 * (ranks() - 1)) + cloud(source, 200)
    doubled = simple.Calculator(Input=reader(), Function="velocity", ResultArrayName="velocity")
    lines = tracer_of(doubled if rank_here() == 0 else source, points)
    lines.UpdatePipeline()
    here = lines.GetClientSideObject().GetOutputDataObject(0)
    assert (here.GetNumberOfCells() > 100) == (rank_here() == ranks() - 1), here.GetNumberOfCells()


def cancelled_by(rank, source, points, after=0.0, **properties):
    """The output of a run during which the user of one rank asks for a stop `after` seconds, at an event of progress."""
    tracer = tracer_of(source, points, **properties)
    stopped = []
    if rank_here() == rank:
        filter_ = tracer.GetClientSideObject()

        start = time.time()

        def stop(*_):
            if time.time() - start >= after:
                stopped.append(True)
                filter_.SetAbortExecute(1)

        filter_.AddObserver("ProgressEvent", stop)
    with Messages() as messages:
        lines = fetch(tracer)
    assert bool(stopped) == (rank_here() == rank)
    assert ("stopped on request" in messages.text()) == (rank_here() == 0), messages.text()
    return lines


def test_a_rank_that_stops_stops_all_and_nothing_hangs():
    """One rank cancels while the others trace: all stop with it, and their links serve the next run."""
    source = reader()
    for rank in range(ranks()):
        lines = cancelled_by(rank, source, cloud(source, 20000), ShareBricks=1)
        assert statistic(lines, "LinesCut") > 0
    again = tracer_of(reader(), cloud(source, 40), ShareBricks=1)
    assert digest(fetch(again)) == digest(fetch(tracer_of(reader(), cloud(source, 40))))


def test_a_rank_that_is_done_stops_the_others():
    """The first rank has no seed inside: it is done at once, and it has the user's button."""
    source = reader()
    outside = [(1e9, 0, 0)] * (40000 * (ranks() - 1))
    lines = cancelled_by(0, source, outside + cloud(source, 40000), after=0.5)
    assert statistic(lines, "LinesCut") > 0


run(globals())
