# SPDX-License-Identifier: BSD-3-Clause
"""Provenance of benchmark rows: commit, configuration and libraries of the build, machine, and date.

    record = provenance()       # {"commit": "1a2b3c4-dirty", "date": ..., "configuration": {...}, ...}
    describe(record)            # "commit 1a2b3c4-dirty, Release, GNU 12.2.0, ..."

Facts that cannot be found are "unknown".
"""

import datetime
import json
import os
import pathlib
import platform
import subprocess

import built

PROJECT = pathlib.Path(__file__).resolve().parents[2]
UNKNOWN = "unknown"


def commit_of(folder):
    """`git describe` of a working tree with its root at `folder`. Ignores a tree of another project around the folder."""
    def git(*words):
        done = subprocess.run(["git", "-C", str(folder), *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        return done.stdout.decode().strip()

    try:
        root = pathlib.Path(git("rev-parse", "--show-toplevel"))
        return git("describe", "--always", "--dirty") if root == pathlib.Path(folder).resolve() else UNKNOWN
    except (OSError, subprocess.CalledProcessError):
        return UNKNOWN


def build_facts(folder):
    """Configuration and library versions that CMake wrote into a build folder (CMake/RivuletBuildFacts.cmake)."""
    try:
        return json.loads((pathlib.Path(folder) / "build-facts.json").read_text())
    except (OSError, ValueError):
        return {"configuration": UNKNOWN, "libraries": UNKNOWN}


def first_value(path, key):
    """Value of the first "key : value" line of a file in /proc."""
    with open(path) as file:
        return next((line.split(":", 1)[1].strip() for line in file if line.startswith(key)), UNKNOWN)


def machine():
    return {"cpu": first_value("/proc/cpuinfo", "model name"), "cores": os.cpu_count(), "kernel": platform.release(),
            "memory": first_value("/proc/meminfo", "MemTotal")}  # fmt: skip


def provenance():
    now = datetime.datetime.now(datetime.timezone.utc)
    facts = build_facts(built.build_folder())
    return {"commit": commit_of(PROJECT), "date": now.isoformat(timespec="seconds"), **facts, "machine": machine()}


def describe(record):
    """One line of text. `record` is UNKNOWN for rows without provenance."""
    if record == UNKNOWN:
        return UNKNOWN
    words = [f"commit {record['commit']}"]
    if record["configuration"] != UNKNOWN:
        words += [record["configuration"]["build type"], record["configuration"]["compiler"]]
    if record["libraries"] != UNKNOWN:
        words += [f"{name} {version}" for name, version in record["libraries"].items()]
    host = record["machine"]
    return ", ".join([*words, f"{host['cores']} cores of {host['cpu']}", host["memory"], record["date"]])
