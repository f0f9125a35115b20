#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""table.py RUNS README [--check]: the table of README that says which command was run on which release.

RUNS is the file to which compat.sh adds a row for each run. The newest row of each release and command counts. With --check,
only says whether README has the table of these rows.
"""

import csv
import sys
from pathlib import Path

BEGIN, END = "<!-- made by Testing/BareRoot/table.py -->\n", "<!-- end of the table -->\n"
NAMES = {"bookworm": "Debian 12", "trixie": "Debian 13", "forky": "forky (to be Debian 14)"}


def newest(rows):
    """The last row of each suite and command, for the suites in the order of NAMES."""
    last = {}
    for row in rows:
        last.setdefault(row["suite"], {})[row["command"]] = row
    order = list(NAMES)
    return dict(sorted(last.items(), key=lambda item: order.index(item[0]) if item[0] in order else len(order)))


def outcome(row):
    """A run in a few words."""
    if row is None:
        return "not run"
    minutes = row["minutes"].split()[0]
    when = f"{row['date']}, `{row['commit']}`"
    if row["tests"]:
        words = f"{int(row['tests']) - int(row['failed'] or 0)} of {row['tests']} tests pass"
        if int(row["skipped"] or 0):
            words += f", {row['skipped']} of them skipped"
        return f"{words} ({minutes} min; {when})"
    return f"{'works' if row['status'] == '0' else 'fails'} ({minutes} min; {when})"


def lacking(rows):
    """What the newest of a release's rows say to be missing."""
    found = [row["lacks"] for row in sorted(rows, key=lambda row: row["date"]) if row["lacks"] is not None]
    return (found[-1].replace(";", ", ") or "nothing") if found else "not looked at"


def table(rows):
    suites = newest(rows)
    if not suites:
        return "No run on a bare system is recorded yet.\n"
    lines = [["", *(NAMES.get(suite, suite) for suite in suites)]]
    for key, name in (("paraview", "ParaView"), ("gcc", "GCC"), ("cmake", "CMake"), ("python", "Python"),
                      ("openmpi", "Open MPI"), ("hdf5", "HDF5")):
        lines.append([name, *(list(commands.values())[-1][key] for commands in suites.values())])
    for command, name in (("demo", "`./run demo`"), ("test", "`./run test`"),
                          ("package", "`./run package`, installed on another bare system")):
        lines.append([name, *(outcome(commands.get(command)) for commands in suites.values())])
    lines.append(["Not there", *(lacking(commands.values()) for commands in suites.values())])
    lines.insert(1, ["---"] * len(lines[0]))
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def main(arguments):
    runs, readme = map(Path, arguments[:2])
    with runs.open(encoding="ascii", newline="") as file:
        made = table(list(csv.DictReader(file)))
    text = readme.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    wanted = head + BEGIN + made + END + tail
    if arguments[2:] == ["--check"]:
        if text != wanted:
            sys.exit(f"FAILED: the table of {readme} is not the one of {runs}; make it with {sys.argv[0]} {runs} {readme}")
        return
    readme.write_text(wanted, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
