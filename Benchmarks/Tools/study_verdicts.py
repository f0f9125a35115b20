# SPDX-License-Identifier: BSD-3-Clause
"""What the rows of study.py say about the conclusions of Jiang et al. (LDAV 2014), and about the asynchronous strategy.

    print(verdicts(rows))

All times are medians of a cell. A ratio leaves out cells that were stopped, but for those of the largest chunk, which are at least so large. Where a
way is compared with the best of others, those along the curve have been tried (Figure 7 has no others).
"""

import dataclasses
import statistics

from study_cells import BEST_CHUNK, OFTEN, SYNCHRONOUS, cell_of


def middle(rows):
    """Median seconds, and of the device, by cell that was tried."""
    seconds, floors = {}, {}
    for row in rows:
        seconds.setdefault(cell_of(row), []).append(float(row["seconds"]))
        floors.setdefault(cell_of(row), []).append(float(row["floor"]))
    return {cell: statistics.median(each) for cell, each in seconds.items()}, {cell: statistics.median(each) for cell, each in floors.items()}


def spread(ratios):
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}, {len(ratios)} cells)" if ratios else "no rows"


def tuned(cell):
    """Whether it is one of the paper's Figure 8: what a careful user would take."""
    return not cell.standard and cell.banks in (0, cell.threads) and cell.pages in (0, BEST_CHUNK) and (cell.drop > 0 or not cell.side.endswith("mmap"))


def best_of(seconds, sides, key, only=lambda cell: True):
    """Least seconds of some sides, by a key of the cell."""
    best = {}
    for cell, each in seconds.items():
        if cell.side in sides and only(cell):
            best[key(cell)] = min(each, best.get(key(cell), each))
    return best


def lines_and_threads(cell):
    return cell.lines, cell.threads


def curve_tried(tried, cell):
    """Whether the synchronous ways along the curve were tried with its lines and threads."""
    sides = {each.side for each in tried if lines_and_threads(each) == lines_and_threads(cell)}
    return sides.issuperset(("hilbert-user", "hilbert-mmap"))


def asynchronous(seconds, floors, tried):
    mine = {cell: each for cell, each in seconds.items() if cell.side == "asynchronous"}
    any_chunk = best_of(seconds, SYNCHRONOUS, lines_and_threads)
    as_tuned = best_of(seconds, SYNCHRONOUS, lines_and_threads, tuned)
    any_threads = best_of(seconds, SYNCHRONOUS, lambda cell: cell.lines)
    two = {cell: each for cell, each in mine.items() if cell.threads == 2}
    more = {cell.lines for cell in seconds if cell.side in SYNCHRONOUS and cell.threads > 2}
    complete = {cell: each for cell, each in mine.items() if curve_tried(tried, cell) and lines_and_threads(cell) in any_chunk}
    above = [each / any_chunk[lines_and_threads(cell)] for cell, each in complete.items()]
    return [
        f"asynchronous over the device's limit, 2 threads: {spread([each / floors[cell] for cell, each in two.items()])}",
        f"asynchronous over the best synchronous way with as many threads, any chunk: {spread(above)}; above 1.05 in "
        f"{sum(each > 1.05 for each in above)}",
        f"the same, ways as tuned in Figure 8: "
        f"{spread([each / as_tuned[lines_and_threads(cell)] for cell, each in complete.items() if lines_and_threads(cell) in as_tuned])}",
        f"asynchronous with 2 threads over the best synchronous way with any threads and chunk: "
        f"{spread([each / any_threads[cell.lines] for cell, each in two.items() if cell in complete and cell.lines in more])}",
    ]


def automatic(seconds, tried):
    mine = {cell: each for cell, each in seconds.items() if cell.side == "automatic" and curve_tried(tried, cell)}
    best = best_of(seconds, (*SYNCHRONOUS, "asynchronous"), lines_and_threads)
    return [f"automatic over the best way with as many threads: {spread([each / best[lines_and_threads(cell)] for cell, each in mine.items()])}"]


def oversubscription(seconds):
    """Time with two threads over the least with more."""
    lines = []
    for side in (*SYNCHRONOUS, "asynchronous"):
        two = best_of(seconds, (side,), lambda cell: cell.lines, lambda cell: tuned(cell) and cell.threads == 2)
        more = best_of(seconds, (side,), lambda cell: cell.lines, lambda cell: tuned(cell) and cell.threads > 2)
        lines.append(f"(1) {side}: 2 threads over more: {spread([two[each] / more[each] for each in two if each in more])}")
    return lines


def transfers(seconds):
    """The best chunk, and what the largest one takes longer."""
    by_case = {}
    for cell, each in seconds.items():
        if cell.side == "hilbert-user" and not cell.standard and cell.banks == 0:
            by_case.setdefault(lines_and_threads(cell), {})[cell.pages] = each
    lines = []
    for threads in sorted({case[1] for case in by_case}):
        mine = [pages for case, pages in by_case.items() if case[1] == threads and len(pages) > 2]
        best = sorted(min(pages, key=pages.get) for pages in mine)
        if mine:
            lines.append(f"(2) {threads} threads: the best chunks have {', '.join(map(str, best))} pages; of {max(map(max, mine))} pages over the best, at least: "
                         f"{spread([pages[max(pages)] / min(pages.values()) for pages in mine])}")  # fmt: skip
    return lines


def mappings(seconds):
    lines = []
    for layout in ("native", "hilbert"):
        for threads in sorted({cell.threads for cell in seconds}):
            here = lambda cell, threads=threads: tuned(cell) and cell.threads == threads  # noqa: E731
            user = best_of(seconds, (f"{layout}-user",), lambda cell: cell.lines, here)
            kernel = best_of(seconds, (f"{layout}-mmap",), lambda cell: cell.lines, here)
            ratios = [user[each] / kernel[each] for each in user if each in kernel]
            if ratios:
                lines.append(f"(3) {layout}, {threads} threads: user over mmap: {spread(ratios)}")
    return lines


def direct_reads(seconds):
    ratios = {}
    for cell, each in seconds.items():
        direct = dataclasses.replace(cell, standard=False)
        if cell.standard and direct in seconds:
            ratios.setdefault(cell.threads, []).append(each / seconds[direct])
    return [f"standard over direct I/O, {threads} threads: {spread(each)}" for threads, each in sorted(ratios.items())]


def dropping(seconds):
    """Mappings left to the kernel over those whose pages are given up."""
    ratios = {}
    for cell, each in seconds.items():
        given_up = dataclasses.replace(cell, drop=OFTEN)
        if cell.side.endswith("mmap") and cell.drop == 0 and given_up in seconds:
            ratios.setdefault(cell.side, []).append(each / seconds[given_up])
    return [f"{side}: default over pages given up every {OFTEN:g} s: {spread(each)}" for side, each in sorted(ratios.items())]


def verdicts(rows):
    tried, _ = middle(rows)
    seconds, floors = middle([row for row in rows if row["ended"] == "yes"])
    lines = [*asynchronous(seconds, floors, tried), *automatic(seconds, tried), *oversubscription(seconds), *transfers(tried), *mappings(seconds),
             *direct_reads(seconds), *dropping(seconds)]  # fmt: skip
    return "\n".join(lines)
