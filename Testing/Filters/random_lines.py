# SPDX-License-Identifier: BSD-3-Clause
"""Traces random cases from memory and from files on every rank (pvbatch --symmetric) and writes a hash of each line that
this rank has. random_ranks.py compares them between numbers of ranks.

Arguments: FIRST COUNT OUT   lines go to OUT.RANK; one rank alone writes the files that other runs read
"""
import hashlib
import sys

from plugin_testing import controller, scratch, simple
from random_cases import Case
from stock_rules import lines_of
from test_random import Tracer, rvf_of


def hashes(case, source, output):
    for (backward, seed), line in sorted(lines_of(output).items()):
        total = hashlib.sha256(f"{line.reason} {len(line)}".encode())
        for name in sorted(line.arrays):
            total.update(name.encode() + line.arrays[name].tobytes())
        yield f"{case.number} {source} {int(backward)} {seed} {line.reason} {len(line)} {total.hexdigest()}\n"


def main():
    first, count, out = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    ranks, rank = controller().GetNumberOfProcesses(), controller().GetLocalProcessId()
    trace = Tracer()
    with open(f"{out}.{rank}", "w", encoding="ascii") as file:
        for case in map(Case, range(first, first + count)):
            threads = 1 + (case.number + ranks) % 3
            file.writelines(hashes(case, "memory", trace(case, case.dataset(), NumberOfThreads=threads)[0]))
            path = rvf_of(case, case.dataset()) if ranks == 1 else scratch(f"case{case.number}.rvf")
            reader = simple.RivuletFieldReader(FileNames=[path])
            strategy = 1 + (case.number + ranks) % 4
            lines, _ = trace(case, reader.GetClientSideObject(), NumberOfThreads=threads, AccessStrategy=strategy,
                             ShareBricks=case.number % 2)
            file.writelines(hashes(case, "file", lines))
            simple.Delete(reader)


if __name__ == "__main__":
    main()
