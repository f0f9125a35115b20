#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How much longer does a simulation take with analytics beside it, by policy?

N virtual cores: threads, arenas, copies and hand-shakes are real, and bodies of tasks sleep (InSitu/VirtualCores.h). Steps take
32 ms on N cores, 4 % of that without parallel work; each step is analysed.

policies  Policies of the runtime against the simulation alone: synchronous, asynchronous, static, dynamic and task with several
          numbers of threads for analytics; analytics that are sequential, parallel, nested, with pauses for messages, or changing,
          cheaper and dearer than a step of the simulation.
repeats   A small analysis, run 1, 100 and 1000 times for each step; a process that is stopped and continued beside the policies.
messages  Analytics with two real reductions over 2 and 4 ranks for each step.
files     The analytics write_dat, which writes text on one thread: real work and real files.
rivals    The runtime beside analytics in dedicated processes, as Damaris has them, and in a process that is stopped and continued
          by signals, as GoldRush has it.
transit   The runtime beside a consumer process that gets each step from ADIOS2 (SST): small steps, and steps of 60 MB.
overhead  Real work on the two first cores of this machine: a session against no session.
molecules Real work on all cores of this machine: a simulation of molecular dynamics, and analytics of its particles.
traces    No times: a run each with static and dynamic helper cores on 6 virtual cores, drawn as in Dirand et al. 2018, Fig. 2.

In a round the sides take turns; ratios are to the simulation alone in the same round. Analytics compare a digest of all bytes of each
step with the simulation's before a time counts.

usage: insitu.py [--only PART...] [--rounds 15] [--cores 8 16 28] [--analytics KIND...] [--lengths short long] [--sequential 0.04]
                 [--steps STEPS] [--sides NAME...]
                 [--out FOLDER] [--quick]
"""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import built  # noqa: E402
import insitu_molecules  # noqa: E402
import insitu_policies  # noqa: E402
import insitu_rivals  # noqa: E402
from insitu_sides import KINDS, LENGTHS, report, take_turns  # noqa: E402
from insitu_traces import traces  # noqa: E402
from insitu_verdicts import print_verdicts  # noqa: E402
from pictures import draw_rows  # noqa: E402
from rows import write_rows  # noqa: E402

# Each yields cases: facts, and sides by name. The first side is the simulation alone.
PARTS = {
    "policies": insitu_policies.policies,
    "rivals": insitu_rivals.rivals,
    "transit": insitu_rivals.transit,
    "repeats": insitu_policies.repeats,
    "messages": insitu_policies.messages,
    "files": insitu_policies.files,
    "overhead": insitu_policies.overhead,
    "molecules": insitu_molecules.molecules,
}


def parsed_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=[*PARTS, "traces"], default=[*PARTS, "traces"])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--cores", nargs="+", type=int, default=[8, 16, 28], help="virtual cores N")
    parser.add_argument("--analytics", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--lengths", nargs="+", choices=LENGTHS, default=list(LENGTHS), help="than a step of the simulation")
    parser.add_argument("--sequential", type=float, default=0.04, help="share of a step without parallel work")
    parser.add_argument("--steps", type=int, help="steps of a run of the part policies; default 20, and 30 with analytics that change")
    parser.add_argument("--sides", nargs="+", help="only these of the part policies, such as synchronous or dynamic-4")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/insitu"))
    parser.add_argument("--quick", action="store_true", help="few cores and steps, once: to try the benchmark itself")
    arguments = parser.parse_args()
    arguments.out = arguments.out.resolve()
    if arguments.quick:
        arguments.rounds, arguments.cores, arguments.analytics = 1, [4], ["sequential", "changing"]
    return arguments


def main():
    arguments = parsed_arguments()
    if not any(built.build_folder().rglob("bin/virtual_host")):
        built.skip("the build has no in situ runtime (RIVULET_IN_SITU)")
    arguments.out.mkdir(parents=True, exist_ok=True)
    rows = []
    for part in [name for name in PARTS if name in arguments.only]:
        for facts, sides in PARTS[part](arguments):
            case = take_turns({"part": part} | facts, sides, arguments.rounds)
            report(case)
            rows += case
    if rows:
        path = arguments.out / "rows.csv"
        write_rows(path, rows)
        print_verdicts(rows)
        draw_rows("insitu", [path])
    if "traces" in arguments.only:
        traces(arguments)


if __name__ == "__main__":
    main()
