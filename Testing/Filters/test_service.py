# SPDX-License-Identifier: BSD-3-Clause
"""A service that keeps bricks from run to run: the same lines from what it has, and without it, whatever ails it."""
import shutil
import subprocess
import time

from filter_testing import Messages, digest, fetch, statistic
from plugin_testing import run, scratch
from storm_testing import cloud, ranks, reader, tracer_of

SERVER = shutil.which("redis-server")


class Redis:
    def __init__(self):
        self.socket = scratch("redis.sock")
        self.process = subprocess.Popen([SERVER, "--port", "0", "--unixsocket", self.socket, "--save", ""], stdout=subprocess.DEVNULL)
        for _ in range(500):
            if subprocess.run(["redis-cli", "-s", self.socket, "ping"], capture_output=True, check=False).stdout.strip() == b"PONG":
                return
            time.sleep(0.01)
        raise AssertionError("redis-server does not start")

    def address(self):
        return "unix:" + self.socket

    def end(self):
        self.process.kill()
        self.process.wait()


def traced(service):
    """A run of its own: reader, filter, output, and the messages."""
    with Messages() as messages:
        source = reader()
        source.BrickService = service
        source.UpdatePipeline()
        tracer = tracer_of(source, cloud(source))
        lines = fetch(tracer)
    return source, tracer, lines, messages


def test_bricks_of_one_run_serve_the_next():
    redis = Redis()
    try:
        alone = digest(traced("")[2])
        served = 0
        for _ in range(20):  # a run that is over at once gives the service little
            source, tracer, lines, messages = traced(redis.address())
            assert digest(lines) == alone
            assert messages.count() == 0, messages.text()
            assert tracer.GetPropertyValue("StrategyInUse") == "Asynchronous"
            assert "service" in tracer.GetPropertyValue("StrategyReason")
            array = lines.GetFieldData().GetArray("BytesFromService")
            served = max(served, array.GetValue(0) if array else 0)
        assert served > 500000, served
        assert statistic(lines, "BytesRead") + array.GetValue(0) >= 12288 * statistic(lines, "BricksRead")
    finally:
        redis.end()


def test_a_service_in_trouble_is_named_and_costs_no_value():
    alone = digest(traced("")[2])
    _, tracer, lines, messages = traced("unix:" + scratch("nobody.sock"))
    assert digest(lines) == alone
    assert "the service cannot be reached" in messages.text() and "nobody.sock" in messages.text(), messages.text()
    assert messages.count() == 1, messages.text()
    redis = Redis()
    source, tracer, lines, messages = traced(redis.address())
    redis.end()
    assert digest(fetch(tracer)) == alone
    again = tracer_of(source, cloud(source), IntegrationDirection="FORWARD")
    assert fetch(again).GetNumberOfPoints() > 1000


def test_other_strategies_ask_no_service_and_say_so():
    with Messages():
        source = reader()
        source.AccessStrategy = "Memory Map"
        source.BrickService = "unix:" + scratch("nobody.sock")
        source.UpdatePipeline()
        source.UpdatePropertyInformation()
    assert "The service is not asked" in source.GetPropertyValue("StrategyReason"), source.GetPropertyValue("StrategyReason")


def test_an_address_that_is_none_is_refused():
    with Messages() as messages:
        source = reader()
        source.BrickService = "node7"
        source.UpdatePipeline()
    assert '"node7" is no address of a service' in messages.text(), messages.text()
    assert "redis://HOST:PORT" in messages.text()


if SERVER:
    run(globals())
else:
    print(f"no redis-server: nothing was tried on {ranks()} ranks")
