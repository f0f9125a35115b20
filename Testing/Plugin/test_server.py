# SPDX-License-Identifier: BSD-3-Clause
"""test_server.py PVSERVER PVPYTHON: a client of a server of its own reads the information properties there."""
import os
import socket
import subprocess
import sys

from plugin_testing import generate, run

CLIENT = """
import os, sys
from paraview import simple
simple.Connect("localhost", int(sys.argv[1]))
for remote in (True, False):
    simple.LoadPlugin(os.environ["RIVULET_PLUGIN"], remote=remote, ns=globals())
field = RivuletFieldReader(FileNames=[sys.argv[2]])
field.UpdatePipeline()
assert field.StrategyInUse, "nothing is told of an open file"
lines = RivuletStreamTracer(Input=field, SeedType="Point Cloud", AccessStrategy="Buffered Cache")
lines.UpdatePipeline()
assert lines.StrategyInUse == "Buffered Cache", lines.StrategyInUse
first = lines.BytesRead
assert first > 0
lines.MaximumStreamlineLength = 0.5
lines.UpdatePipeline()
assert lines.BytesRead == 0, (first, lines.BytesRead)  # the bricks of the run before are held
print("told")
simple.Disconnect()
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return str(probe.getsockname()[1])


def test_a_client_is_told_what_the_server_read():
    field = generate("abc.rvf", "abc", "--size", "32")
    port = free_port()
    alone = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMIX_", "PMI_"))}
    alone |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    with subprocess.Popen([sys.argv[1], "--server-port=" + port], env=alone, text=True,
                          stdout=subprocess.PIPE) as server:
        try:
            for line in server.stdout:
                if line.startswith("Accepting connection"):
                    break
            client = subprocess.run([sys.argv[2], "-c", CLIENT, port, field], env=alone, text=True, timeout=200,
                                    capture_output=True, check=False)
            assert client.stdout.strip().endswith("told"), client.stdout + client.stderr
        finally:
            server.terminate()


run(globals())
