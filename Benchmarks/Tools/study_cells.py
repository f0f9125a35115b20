# SPDX-License-Identifier: BSD-3-Clause
"""The runs of Jiang et al., "Multi-Threaded Streamline Tracing for Data-Intensive Architectures", LDAV 2014, by table and figure.

    cells = cells_of(["figure-7"], SIZES["whole"])

A cell is one combination of a way to read, threads, and lines. Several figures share cells. The paper's lengths and numbers of seeds
are for a field of 3072^3 nodes and memory of 24 GiB; those here are for an eighth of a field of 840^3 nodes, with the same ratios.
Pages are of 4 KiB. A record of a brick of 9^3 cells has three, one of a native block of 63^3 cells has 769.
"""

import dataclasses
import itertools

RECORD_PAGES = 3
NATIVE = ("native-user", "native-mmap")
SYNCHRONOUS = ("native-user", "native-mmap", "hilbert-user", "hilbert-mmap")
DROP = 4.0  # seconds between two MADV_DONTNEED
OFTEN = 0.5  # the same in Figure 6, where the device fills the memory in about two seconds
BEST_CHUNK = 96  # pages of a chunk of hilbert-user in the paper's Figure 8


@dataclasses.dataclass(frozen=True)
class Cell:
    side: str  # one of SYNCHRONOUS, "asynchronous", "automatic"
    threads: int
    seeding: str  # "uniform" or "feature"
    seeds: int
    steps: int
    pages: int = 0  # of a chunk of hilbert-user
    standard: bool = False  # through the page cache
    banks: int = 0  # 0: as many as cores
    drop: float = 0.0  # of a mapping, seconds; 0: pages are never dropped

    @property
    def lines(self):
        return self.seeding, self.seeds, self.steps


@dataclasses.dataclass(frozen=True)
class Sizes:
    """The parameters of all figures."""

    seeds: int  # of the figures with one density
    lengths: tuple  # steps of a short and a long line
    strong: int  # steps of a line
    weak: int  # steps of a line for each thread
    densities: tuple
    threads: tuple  # of the scaling figures
    few_threads: tuple  # of Figure 4
    transfer_threads: tuple  # of Figure 7
    pages: tuple  # of a chunk
    banked_threads: tuple  # of Figure 5
    banks: tuple


SIZES = {
    "whole": Sizes(seeds=1000, lengths=(512, 2048), strong=1024, weak=32, densities=(343, 1372, 5488), threads=(2, 8, 32, 64),
                   few_threads=(2, 8, 64), transfer_threads=(1, 2, 8, 64), pages=(3, 12, 48, 192, 768, 3072),
                   banked_threads=(8, 16, 32, 64), banks=(1, 2, 4, 8, 16)),
    "slow": Sizes(seeds=343, lengths=(256,), strong=256, weak=8, densities=(125, 1000), threads=(2, 64),
                  few_threads=(2, 64), transfer_threads=(1, 2, 8, 64), pages=(3, 48, 768),
                  banked_threads=(64,), banks=(1, 8)),
    "quick": Sizes(seeds=27, lengths=(32, 64), strong=64, weak=4, densities=(8, 27), threads=(2, 8), few_threads=(2,),
                   transfer_threads=(1, 8), pages=(3, 48), banked_threads=(8,), banks=(1, 4)),
}  # fmt: skip

SEEDINGS = ("uniform", "feature")


def figure_4(sizes):
    """Standard and direct I/O."""
    for seeding, steps, threads, pages, standard in itertools.product(SEEDINGS, sizes.lengths, sizes.few_threads, sizes.pages, (False, True)):
        yield Cell("hilbert-user", threads, seeding, sizes.seeds, steps, pages=pages, standard=standard)


def figure_5(sizes):
    """Banks of the cache."""
    for pages, threads, banks in itertools.product((12, BEST_CHUNK), sizes.banked_threads, sizes.banks):
        yield Cell("hilbert-user", threads, "uniform", sizes.seeds, sizes.lengths[-1], pages=pages, banks=banks)


def table_2(sizes):
    """Banks of a cache of native blocks."""
    for banks in sizes.banks:
        yield Cell("native-user", 16, "uniform", sizes.seeds, sizes.lengths[-1], banks=banks)


def lengths_of(sizes, threads):
    """Steps of strong and of weak scaling."""
    return dict.fromkeys((sizes.strong, sizes.weak * threads))


def figure_6(sizes):
    """Mappings with and without MADV_DONTNEED, of lines that need more than the memory."""
    for seeding, threads, side, drop in itertools.product(SEEDINGS, sizes.threads, ("native-mmap", "hilbert-mmap"), (0.0, OFTEN)):
        for steps in lengths_of(sizes, threads):
            yield Cell(side, threads, seeding, sizes.densities[-1], steps, drop=drop)


def figure_7(sizes):
    """Size of a transfer and threads."""
    for seeding, steps, threads in itertools.product(SEEDINGS, sizes.lengths, sizes.transfer_threads):
        for pages in sizes.pages:
            yield Cell("hilbert-user", threads, seeding, sizes.seeds, steps, pages=pages)
        yield Cell("hilbert-mmap", threads, seeding, sizes.seeds, steps, drop=DROP)
        yield Cell("asynchronous", threads, seeding, sizes.seeds, steps)


def figure_8(sizes):
    """Strong and weak scaling."""
    for seeding, density, threads in itertools.product(SEEDINGS, sizes.densities, sizes.threads):
        for steps in lengths_of(sizes, threads):
            lines = (threads, seeding, density, steps)
            yield Cell("native-user", *lines)
            yield Cell("native-mmap", *lines, drop=DROP)
            yield Cell("hilbert-user", *lines, pages=BEST_CHUNK, banks=threads)
            yield Cell("hilbert-mmap", *lines, drop=DROP)
            yield Cell("asynchronous", *lines)
            if threads == 2:
                yield Cell("automatic", *lines)


PARTS = {"figure-4": figure_4, "figure-5": figure_5, "table-2": table_2, "figure-6": figure_6, "figure-7": figure_7, "figure-8": figure_8}


def cells_of(parts, sizes):
    """Each cell once, those with the same lines together."""
    cells = dict.fromkeys(cell for part in parts for cell in PARTS[part](sizes))
    return sorted(cells, key=lambda cell: cell.lines)


def cell_of(row):
    """The cell that a kept row is of."""
    kinds = {field.name: field.type for field in dataclasses.fields(Cell)}
    return Cell(**{name: row[name] == "True" if kind is bool else kind(row[name]) for name, kind in kinds.items()})
