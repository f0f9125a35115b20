# SPDX-License-Identifier: BSD-3-Clause
"""The same bytes for any number of ranks, threads, budget and strategy.

Arguments: RANKS...   Environment: as Testing/Plugin/RivuletPvbatchTest.cmake, and RIVULET_PVBATCH, RIVULET_MPIEXEC
"""
import itertools
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def run(ranks, *arguments):
    command = [os.environ["RIVULET_PVBATCH"], os.path.join(HERE, "trace_digest.py"), *map(str, arguments)]
    if ranks > 1:
        command = [os.environ["RIVULET_MPIEXEC"], "-n", str(ranks), *command]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
    found = [line for line in done.stdout.splitlines() if line.startswith("digest ")]
    if done.returncode != 0 or len(found) != 1:
        sys.exit(f"{ranks} ranks, {arguments}: exit code {done.returncode}\n{done.stdout}")
    print(f"{ranks} ranks {arguments[1:]}: {found[0]}", flush=True)
    return found[0]


def main():
    ranks = [int(argument) for argument in sys.argv[1:]]
    path = os.path.join(os.environ["RIVULET_SCRATCH"], "abc.rvf")
    subprocess.run([os.environ["RIVULET_PROGRAM"], "generate", "abc", path, "--size", "50,41,45", "-q"], check=True)
    gyre = os.path.join(os.environ["RIVULET_SCRATCH"], "gyre.rvf")
    subprocess.run([os.environ["RIVULET_PROGRAM"], "generate", "double-gyre", gyre, "--dims", "81,41,5", "--steps", "5",
                    "--dt", "0.7", "-q"], check=True)
    twisted = os.path.join(os.environ["RIVULET_SCRATCH"], "twisted.rvf")
    subprocess.run([os.environ["RIVULET_PROGRAM"], "generate", "abc", twisted, "--size", "50,41,45", "--twist", "0.15", "-q"], check=True)
    for field, settings in ((gyre, [(0, 2, "Automatic"), (3, 2, "Asynchronous"), (5, 2, "Ranks")]), ("wavelet", [(0, 2, "Automatic")]),
                            (path, [(2, 2, "Direct Cache"), (64, 1, "Memory Map"), (3, 2, "Asynchronous"), (4, 2, "Ranks")]),
                            (twisted, [(3, 2, "Asynchronous"), (4, 2, "Ranks")])):
        expected = run(1, field, 0, 1, "Automatic")
        for count, (budget, threads, strategy) in itertools.product(ranks, settings):
            if run(count, field, budget, threads, strategy) != expected:
                sys.exit(f"{count} ranks, {budget} MiB, {threads} threads, {strategy}: other bytes than one rank")


if __name__ == "__main__":
    main()
