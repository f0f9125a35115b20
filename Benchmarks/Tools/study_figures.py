# SPDX-License-Identifier: BSD-3-Clause
"""Figures of study.py: those of Jiang et al. (LDAV 2014), drawn again from rows of this machine."""

from plots import Curves
from study_cells import BEST_CHUNK, OFTEN, PARTS, SEEDINGS, SIZES, cell_of

PLACES = {"uniform": "lattice", "feature": "vortices"}
SIDES = ("native-user", "native-mmap", "hilbert-user", "hilbert-mmap", "asynchronous")


def times_of(rows):
    """Seconds by cell."""
    times = {}
    for row in rows:
        times.setdefault(cell_of(row), []).append(float(row["seconds"]))
    return times


def series(times, cells, name_of, number_of):
    """Nested dictionaries for Curves."""
    result = {}
    for cell in cells:
        if cell in times:
            result.setdefault(name_of(cell), {})[number_of(cell)] = times[cell]
    return result


def threads_of(cell):
    return f"{cell.threads} thread{'s' * (cell.threads > 1)}"


def figure_4(times, sizes):
    panels = []
    for seeding in SEEDINGS:
        for steps in sizes.lengths:
            cells = [cell for cell in PARTS["figure-4"](sizes) if (cell.seeding, cell.steps) == (seeding, steps)]
            name = lambda cell: f"{threads_of(cell)}, {'standard' if cell.standard else 'direct'}"  # noqa: E731
            found = series(times, sorted(cells, key=lambda cell: cell.standard), name, lambda cell: cell.pages)
            title = f"{PLACES[seeding]}, {steps} steps"
            panels.append(Curves("time (s)", "pages of a chunk", found, title=title, log=True))
    return panels, 2, "Figure 4: standard and direct I/O, hilbert-user"


def figure_5(times, sizes):
    panels = []
    for part, pages in (("figure-5", 12), ("figure-5", BEST_CHUNK), ("table-2", 0)):
        cells = [cell for cell in PARTS[part](sizes) if cell.pages == pages]
        found = series(times, cells, threads_of, lambda cell: cell.banks)
        panels.append(Curves("time (s)", "banks", found, title=f"chunks of {pages} pages" if pages else "native blocks (Table 2)"))
    return panels, 1, "Figure 5 and Table 2: banks of the cache"


def figure_6(times, sizes):
    panels = []
    for side in ("native-mmap", "hilbert-mmap"):
        for seeding in SEEDINGS:
            for strong in (True, False):
                cells = [cell for cell in PARTS["figure-6"](sizes) if (cell.side, cell.seeding) == (side, seeding) and
                         cell.steps == (sizes.strong if strong else sizes.weak * cell.threads)]  # fmt: skip
                found = series(times, cells, lambda cell: "MADV_DONTNEED" if cell.drop else "default", lambda cell: cell.threads)
                panels.append(Curves("time (s)", "threads", found, title=f"{side}\n{PLACES[seeding]}, {'strong' if strong else 'weak'}"))
    return panels, 4, f"Figure 6: pages of a mapping given up every {OFTEN:g} seconds, or left to the kernel"


def figure_7(times, sizes):
    panels = []
    for seeding in SEEDINGS:
        for steps in sizes.lengths:
            for threads in sizes.transfer_threads:
                cells = [cell for cell in PARTS["figure-7"](sizes) if (cell.seeding, cell.steps, cell.threads) == (seeding, steps, threads)]
                found = series(times, [cell for cell in cells if cell.pages], lambda cell: cell.side, lambda cell: cell.pages)
                limits = {cell.side: dict.fromkeys((sizes.pages[0], sizes.pages[-1]), times[cell]) for cell in cells if not cell.pages and cell in times}
                title = f"{PLACES[seeding]}\n{steps} steps\n{threads_of(cells[0])}"
                panels.append(Curves("time (s)", "pages of a chunk", found, title=title, log=True, limits=limits, ticks=list(sizes.pages[::2])))
    return panels, 4, "Figure 7: size of a transfer"


def figure_8(times, sizes):
    panels = []
    for seeding in SEEDINGS:
        for strong in (True, False):
            for density in sizes.densities:
                cells = [cell for cell in PARTS["figure-8"](sizes) if (cell.seeding, cell.seeds) == (seeding, density) and
                         cell.side in SIDES and cell.steps == (sizes.strong if strong else sizes.weak * cell.threads)]  # fmt: skip
                found = series(times, cells, lambda cell: cell.side, lambda cell: cell.threads)
                title = f"{PLACES[seeding]}, {density:,} seeds\n{'strong' if strong else 'weak'}"
                panels.append(Curves("time (s)", "threads", found, title=title, log=True))
    return panels, 3, "Figure 8: strong and weak scaling"


FIGURES = {"figure-4": figure_4, "figure-5": figure_5, "figure-6": figure_6, "figure-7": figure_7, "figure-8": figure_8}
DEVICES = {"local": "whole", "slow": "slow"}
SLOW_FIGURES = ("figure-7", "figure-8")  # of the slow disk; the others say nothing else there


def figures(rows):
    """name: panels, columns and title of each figure that has rows."""
    drawn = {}
    rows = [row for row in rows if row.get("device")]  # those of Table 1 have none
    for device in dict.fromkeys(row["device"] for row in rows):
        mine = [row for row in rows if row["device"] == device]
        times = times_of(mine)
        sizes = SIZES["quick" if int(mine[0]["nodes"]) < 400 else DEVICES[device]]
        for name, figure in FIGURES.items():
            if device != "local" and name not in SLOW_FIGURES:
                continue
            panels, columns, title = figure(times, sizes)
            panels = [panel for panel in panels if panel.values]
            if panels:
                where = "" if device == "local" else "slow-"
                drawn[where + name] = panels, columns, title + ("" if device == "local" else ", slow disk")
    return drawn
