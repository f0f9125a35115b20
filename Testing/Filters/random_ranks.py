# SPDX-License-Identifier: BSD-3-Clause
"""Random cases give the same bytes for any number of ranks.

Arguments: FIRST COUNT RANKS...
Environment: as Testing/Plugin/RivuletPvbatchTest.cmake, and RIVULET_PVBATCH, RIVULET_MPIEXEC
"""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SCRATCH = os.environ["RIVULET_SCRATCH"]


def lines(first, count, ranks):
    out = os.path.join(SCRATCH, f"lines{ranks}")
    command = [os.environ["RIVULET_PVBATCH"], "--symmetric", os.path.join(HERE, "random_lines.py"), first, count, out]
    if ranks > 1:
        command = [os.environ["RIVULET_MPIEXEC"], "-n", str(ranks), *command]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, check=False)
    if done.returncode != 0:
        sys.exit(f"{ranks} ranks: exit code {done.returncode}\n{done.stdout}")
    found = []
    for rank in range(ranks):
        with open(f"{out}.{rank}", encoding="ascii") as file:
            found += file.readlines()
    return sorted(found)


def main():
    first, count, *ranks = sys.argv[1:]
    expected = lines(first, count, 1)
    for number in map(int, ranks):
        found = lines(first, count, number)
        if found != expected:
            other = sorted(set(found) ^ set(expected))
            sys.exit(f"{number} ranks: {len(other)} other lines (case, source, backward, seed, reason, points, hash), "
                     f"among them\n{''.join(other[:10])}")
    print(f"{len(expected)} lines, the same for 1, {', '.join(ranks)} ranks")


if __name__ == "__main__":
    main()
