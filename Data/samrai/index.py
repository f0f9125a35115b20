# SPDX-License-Identifier: BSD-3-Clause
"""What files are called, and the index of time steps."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Naming:
    folder: str
    index: str
    summary: str
    cluster: str

    def folder_of(self, cycle):
        return f"{self.folder}.{cycle:05d}"  # five digits at least

    def cluster_of(self, number):
        return self.cluster.format(number)


NAMINGS = {
    "samrai": Naming("visit_dump", "dumps.visit", "summary.samrai", "processor_cluster.{:05d}.samrai"),
    # The folders and the index are known, the files in the folders are a guess.
    "jasmin": Naming("javis_dump", "dumps.javis", "summary.javis", "processor_cluster.{:05d}.javis"),
}


def naming_of(key, summary=None):
    return replace(NAMINGS[key], summary=summary or NAMINGS[key].summary)


def write_index(folder, naming, cycles, with_comments=False):
    lines = [f"{naming.folder_of(cycle)}/{naming.summary}" for cycle in cycles]
    if with_comments:
        lines = ["# written by Data/make_samrai.py", "!TIME 0.5", "", *lines[:1], "", "  ", "# the rest", *lines[1:], ""]
    (folder / naming.index).write_text("\n".join(lines) + "\n", encoding="ascii")
