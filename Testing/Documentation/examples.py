# SPDX-License-Identifier: BSD-3-Clause
"""The examples of a document, found and run.

An example is a fenced block whose first line is "```sh test", "```sh test=plugin" (where the plugin is built: it brings
the program that reads VTK's files), "```python test" (plain Python), or
"```python test=WAY" for ParaView's Python, with one or more of these ways, and commas between them:

    pvpython    on its own
    pvbatch     on its own
    mpirun      pvbatch, with two ranks
    pvserver    pvpython, beside a server of one rank and then one of two; 11111 in the example becomes the server's port

All examples of a document run in order in one folder. One that an HTML comment hides runs, too: it prepares the next,
and finds the source tree in RIVULET_SOURCE.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pictures import pictures_in, what_is_missing

FENCE = re.compile(r"^```(sh|python) test(?:=([a-z,]+))?\s*$")
COMPLAINTS = ("Traceback", "ERROR:", "ERR|")
WAYS = {
    "pvpython": ["pvpython", "--force-offscreen-rendering"],
    "pvbatch": ["pvbatch"],
    "mpirun": ["mpirun", "-n", "2", "pvbatch"],
    "plugin": ["bash", "-euo", "pipefail"],
}
SECONDS = 300
SOURCE = Path(__file__).resolve().parents[2]
PORT_IN_EXAMPLES = "11111"


def examples(text):
    """(line, way, code) of every block that is marked as a test, once for each way to run it."""
    block, ways, start = None, [], 0
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if block is None and fence:
            block, start = [], number
            ways = fence[2].split(",") if fence[2] else [fence[1]]
        elif block is not None and line.startswith("```"):
            for way in ways:
                yield start, way, "\n".join(block) + "\n"
            block = None
        elif block is not None:
            block.append(line)


def command_for(way):
    if way == "sh":
        return ["bash", "-euo", "pipefail"]
    if way == "python":
        return [sys.executable]
    command = WAYS[way]
    return [shutil.which(command[0]) or command[0], *command[1:]]


def run_script(way, code, folder, environment):
    with tempfile.NamedTemporaryFile("w", suffix=".sh" if way in ("sh", "plugin") else ".py", delete=False) as script:
        script.write(code)
    try:
        done = subprocess.run([*command_for(way), script.name], cwd=folder, env=environment, text=True, timeout=SECONDS,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except subprocess.TimeoutExpired as late:
        return 1, f"it did not end within {SECONDS} seconds\n{(late.stdout or b'').decode(errors='replace')}"
    finally:
        os.unlink(script.name)
    return abs(done.returncode), done.stdout


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listening(process, log):
    deadline = time.monotonic() + SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        if "Accepting connection" in log.read_text():
            return True
        time.sleep(0.1)
    return False


def end(process):
    """A server ends by itself when its client has left; one that no client came to is ended."""
    for insist in (process.terminate, process.kill):
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            insist()
    process.wait()


def run_with_server(ranks, code, folder, environment):
    port = free_port()
    launcher = ["mpirun", "-n", str(ranks)] if ranks > 1 else []
    with tempfile.NamedTemporaryFile("w") as said:
        log = Path(said.name)
        server = subprocess.Popen([*launcher, "pvserver", "--force-offscreen-rendering", f"--server-port={port}"],
                                  cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=said,
                                  stderr=subprocess.STDOUT)
        status, output = 1, "no server listens\n"
        if listening(server, log):
            status, output = run_script("pvpython", code.replace(PORT_IN_EXAMPLES, str(port)), folder, environment)
        end(server)
        return status, f"with a server of {ranks} ranks:\n{output}the server:\n{log.read_text()}"


def run_example(way, code, folder, environment):
    """The exit code, and what was said."""
    if way == "pvserver":
        runs = [run_with_server(ranks, code, folder, environment) for ranks in (1, 2)]
        return max(status for status, _ in runs), "".join(said for _, said in runs)
    return run_script(way, code, folder, environment)


def empty_pictures(folder, before):
    """What is wrong with the pictures that are new or were written again."""
    now = pictures_in(folder)
    written = [path for path, mark in now.items() if before.get(path) != mark]
    return [problem for problem in map(what_is_missing, written) if problem]


def failed_examples(document, binaries, plugins):
    environment = dict(os.environ)
    environment["PATH"] = os.pathsep.join([binaries or "", os.path.dirname(sys.executable), environment["PATH"]])
    environment["PV_PLUGIN_PATH"] = plugins or ""
    environment["RIVULET_SOURCE"] = str(SOURCE)
    with tempfile.TemporaryDirectory() as folder:
        for line, way, code in examples(document.read_text()):
            if way not in ("sh", "python") and not plugins:
                print(f"{document.name}:{line}: left out, needs ParaView")
                continue
            before = pictures_in(folder)
            status, said = run_example(way, code, folder, environment)
            wrong = [f"exit code {status}\n{said}"] if status or any(word in said for word in COMPLAINTS) else []
            wrong += empty_pictures(folder, before)
            print(f"{document.name}:{line}: {way}: {'FAILED' if wrong else 'ran'}", flush=True)
            for problem in wrong:
                yield f"{document.name}:{line}: {way}: {problem}"
