# SPDX-License-Identifier: BSD-3-Clause
"""A local cache: the same lines from what it has and without it, whatever ails it."""
import os
import pathlib
import shutil
import tempfile
import time

from filter_testing import Messages, digest, fetch, statistic
from plugin_testing import run, scratch
from storm_testing import cloud, ranks, reader, tracer_of

ELSEWHERE = pathlib.Path("/dev/shm")  # another file system than that of the field


class Cache:
    """A folder that all ranks know, on another file system."""

    def __init__(self, name):
        self.folder = ELSEWHERE / f"rivulet-test-{os.getuid()}-{os.environ.get('OMPI_COMM_WORLD_JOBID', os.getpid())}-{ranks()}" / name

    def __enter__(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder.parent, ignore_errors=True)

    def path(self):
        return str(self.folder)


def traced(folder, limit=32):
    """A run of its own: reader, filter, output, and the messages."""
    with Messages() as messages:
        source = reader()
        source.LocalCacheLimit = limit
        source.LocalCacheDirectory = folder
        source.UpdatePipeline()
        tracer = tracer_of(source, cloud(source))
        lines = fetch(tracer)
    return source, tracer, lines, messages


def from_cache(lines):
    array = lines.GetFieldData().GetArray("BytesFromLocalCache")
    return array.GetValue(0) if array else 0


def test_bricks_of_one_run_serve_the_next():
    time.sleep(0.1)  # the identity of a file that has just been written is not known for sure
    alone = digest(traced("")[2])
    with Cache("next") as cache:
        served = 0
        for _ in range(20):  # what a run that is over at once has read is written soon after it
            source, tracer, lines, messages = traced(cache.path())
            assert digest(lines) == alone
            assert messages.count() == 0, messages.text()
            assert tracer.GetPropertyValue("StrategyInUse") == "Asynchronous"
            assert "The local cache had" in tracer.GetPropertyValue("StrategyReason"), tracer.GetPropertyValue("StrategyReason")
            served = max(served, from_cache(lines))
            time.sleep(0.1)
        assert served > 500000, served
        assert statistic(lines, "BytesRead") + from_cache(lines) >= 12288 * statistic(lines, "BricksRead")


def test_the_environment_names_a_cache_too():
    with Cache("environment") as cache:
        os.environ["RIVULET_CACHE_DIRECTORY"], os.environ["RIVULET_CACHE_LIMIT"] = cache.path(), "32MiB"
        try:
            _, tracer, _, messages = traced("", 0)
        finally:
            del os.environ["RIVULET_CACHE_DIRECTORY"], os.environ["RIVULET_CACHE_LIMIT"]
        assert messages.count() == 0, messages.text()
        assert "The local cache had" in tracer.GetPropertyValue("StrategyReason")


def test_a_cache_that_cannot_be_used_is_named_and_costs_no_value():
    alone = digest(traced("")[2])
    taken = scratch("a-file")
    pathlib.Path(taken).write_text("text", encoding="ascii")
    for folder, limit, expected in ((taken, 32, "its folder cannot be opened"), (scratch("small"), 1, "too small for a local cache")):
        _, tracer, lines, messages = traced(folder, limit)
        assert digest(lines) == alone
        assert expected in messages.text(), messages.text()
        assert messages.count() == 1, messages.text()
        assert "There is no local cache" in tracer.GetPropertyValue("StrategyReason")


def test_a_cache_beside_the_field_is_not_used():
    _, tracer, _, messages = traced(scratch("beside"))
    assert messages.count() == 0, messages.text()
    assert "on the file system of the field" in tracer.GetPropertyValue("StrategyReason"), tracer.GetPropertyValue("StrategyReason")


def test_a_cache_that_vanishes_costs_no_value():
    alone = digest(traced("")[2])
    with Cache("vanishes") as cache:
        source, tracer, lines, _ = traced(cache.path())
        shutil.rmtree(cache.path(), ignore_errors=True)
        assert digest(fetch(tracer)) == alone
        again = tracer_of(source, cloud(source), IntegrationDirection="FORWARD")
        assert fetch(again).GetNumberOfPoints() > 1000


def test_other_strategies_use_no_cache_and_say_so():
    with Cache("other") as cache, Messages():
        source = reader()
        source.AccessStrategy = "Memory Map"
        source.LocalCacheLimit = 32
        source.LocalCacheDirectory = cache.path()
        source.UpdatePipeline()
        source.UpdatePropertyInformation()
    assert "The local cache is not used" in source.GetPropertyValue("StrategyReason"), source.GetPropertyValue("StrategyReason")


if ELSEWHERE.is_dir() and ELSEWHERE.stat().st_dev != pathlib.Path(tempfile.gettempdir()).stat().st_dev:
    run(globals())
else:
    print(f"no second file system: nothing was tried on {ranks()} ranks")
