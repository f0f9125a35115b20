# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of measurements: every value as a dot, the median, and a bar from the smallest to the largest.

    draw("times.png", [Ranges("time (s)", {"ours": {"cold": [1.2, 1.3], "warm": [0.2, 0.3]}})], note="2 cores")

A panel is Ranges (values by name), Curves (values by number) or Bars (totals by name, and their parts). Needs matplotlib (Debian: python3-matplotlib). Without it,
`draw` prints a message and draws nothing, so that rows are never lost for a missing package.
"""

import dataclasses
import io
import statistics

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]  # Okabe and Ito: distinct with colour blindness, too
MARKERS = ["o", "s", "D", "^", "v", "P"]
GREY = "#444444"
DODGE = 1.06  # shift between series over the same numbers
WIDTH = 7.2  # inches, the text width of a page
MISSING = "no picture: matplotlib is missing (apt-get install python3-matplotlib)"


@dataclasses.dataclass
class Ranges:
    """Values by name, one row each. `limits` are lines across a row, in another style."""

    label: str  # of the values, with their unit
    values: dict  # series: {thing: [values]}
    title: str = ""
    log: bool = False
    limits: dict = dataclasses.field(default_factory=dict)  # name: {thing: [values]}

    def things(self):
        return list(dict.fromkeys(thing for series in self.values.values() for thing in series))

    def height(self):
        return 0.75 + sum(max(0.3, 0.17 * len(self.values)) for _ in self.things())


@dataclasses.dataclass
class Curves:
    """Values by number. `limits` are dashed lines."""

    label: str  # of the values, with their unit
    over: str  # label of the numbers, with their unit
    values: dict  # series: {number: [values]}
    title: str = ""
    log: bool = False
    limits: dict = dataclasses.field(default_factory=dict)  # name: {number: [values]}
    ticks: list = dataclasses.field(default_factory=list)  # numbers that are labelled, where not all are

    def height(self):
        return 2.5


@dataclasses.dataclass
class Bars:
    """Totals by name, one row each, in two layers of parts that follow each other: bars of Dirand et al. 2018, Fig. 3."""

    label: str  # of the values, with their unit
    totals: dict  # thing: [values]
    layers: dict  # thing: ({part: length}, {part: length})
    title: str = ""
    log: bool = False
    parts: dict = dataclasses.field(default_factory=dict)  # part: colour

    @property
    def values(self):
        return dict.fromkeys(self.parts)

    def height(self):
        return 0.75 + 0.21 * len(self.totals)


def number(value):
    """A number with three digits, and with an exponent only for very large or small ones."""
    if value == 0 or 1e-3 <= abs(value) < 1e5:
        return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{value:.2e}"


def draw_ranges(axes, panel):
    things = panel.things()
    step = 0.72 / len(panel.values)
    for index, (name, series) in enumerate(panel.values.items()):
        style = {"color": COLOURS[index % len(COLOURS)]}
        for thing, values in series.items():
            place = things.index(thing) + (index - (len(panel.values) - 1) / 2) * step
            axes.plot([min(values), max(values)], [place] * 2, linewidth=1.4, solid_capstyle="butt", **style)
            axes.plot(values, [place] * len(values), linestyle="", marker=".", markersize=4, alpha=0.5, **style)
            label = name if thing == next(iter(series)) else None
            marker = MARKERS[index % len(MARKERS)]
            middle = statistics.median(values)
            axes.plot([middle], [place], linestyle="", marker=marker, markersize=5, label=label, **style)
            text = axes.annotate(number(middle), (max(values), place), xytext=(5, 0), textcoords="offset points")
            text.set(va="center", fontsize=7.5, **style)
    for index, (name, limit) in enumerate(panel.limits.items()):
        for thing, values in limit.items():
            place, label = things.index(thing), name if thing == next(iter(limit)) else None
            line = axes.plot([statistics.median(values)] * 2, [place - 0.5, place + 0.5], label=label)
            line[0].set(color=GREY, linewidth=1.6, linestyle=["-", ":"][index % 2])
    axes.set_yticks(range(len(things)), things)
    axes.set_ylim(len(things) - 0.45, -0.55)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(panel.label)
    scale(axes, "x", panel)


def draw_curves(axes, panel):
    for index, (name, series) in enumerate(panel.values.items()):
        at = sorted(series)
        middle = [statistics.median(series[each]) for each in at]
        below = [each - min(series[place]) for each, place in zip(middle, at)]
        above = [max(series[place]) - each for each, place in zip(middle, at)]
        beside = [place * DODGE ** (index - (len(panel.values) - 1) / 2) for place in at]  # no label hides another
        marker, colour = MARKERS[index % len(MARKERS)], COLOURS[index % len(COLOURS)]
        axes.errorbar(beside, middle, [below, above], label=name, marker=marker, markersize=4.5, color=colour, linewidth=1.2)
        for place, each in zip(beside, at):
            values = series[each]
            axes.plot([place] * len(values), values, linestyle="", marker=".", markersize=3.5, alpha=0.5, color=colour)
    for index, (name, limit) in enumerate(panel.limits.items()):
        at = sorted(limit)
        line = axes.plot(at, [statistics.median(limit[each]) for each in at], label=name, color=GREY, linewidth=1.4)
        line[0].set_linestyle(["--", ":"][index % 2])
    places = sorted({place for series in panel.values.values() for place in series})
    axes.set_xscale("log")
    ticks = panel.ticks or places
    axes.set_xticks(ticks, [number(each) for each in ticks])
    axes.minorticks_off()
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_xlabel(panel.over)
    axes.set_ylabel(panel.label)
    scale(axes, "y", panel)


def draw_bars(axes, panel):
    for place, (thing, values) in enumerate(panel.totals.items()):
        for layer, parts in enumerate(panel.layers[thing]):
            left = 0.0
            for part, length in parts.items():
                axes.barh(place + 0.2 * (2 * layer - 1), length, 0.4, left, color=panel.parts[part], linewidth=0)
                left += length
        axes.plot([min(values), max(values)], [place] * 2, color="black", linewidth=1.4, solid_capstyle="butt")
        axes.plot(values, [place] * len(values), linestyle="", marker=".", markersize=3, color="black")
        text = axes.annotate(f"{statistics.median(values):.2f}", (max(values), place), xytext=(5, 0), textcoords="offset points")
        text.set(va="center", fontsize=7.5)
    for part, colour in panel.parts.items():
        axes.barh(0, 0, color=colour, label=part)
    axes.axvline(1, color=GREY, linewidth=1, linestyle=":")
    axes.set_yticks(range(len(panel.totals)), list(panel.totals))
    axes.set_ylim(len(panel.totals) - 0.45, -0.55)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(panel.label)
    scale(axes, "x", panel)


def scale(axes, axis, panel):
    """Readable ticks on the axis of values, and room for the text beside the values."""
    from matplotlib import ticker

    (axes.set_xscale if axis == "x" else axes.set_yscale)("log" if panel.log else "linear")
    each = axes.xaxis if axis == "x" else axes.yaxis
    low, high = axes.get_xlim() if axis == "x" else axes.get_ylim()
    if panel.log:
        if high / low < 500:  # an axis with few powers of ten needs more labels
            each.set_major_locator(ticker.LogLocator(base=10, subs=(1, 2, 5)))
        each.set_minor_formatter(ticker.NullFormatter())
        each.set_major_formatter(ticker.FuncFormatter(lambda value, _: number(value)))
        high *= (high / low) ** 0.12
    else:
        low, high = 0, 1.12 * high  # an axis from 0 makes lengths comparable
    (axes.set_xlim if axis == "x" else axes.set_ylim)(low, high)


DRAW = {Ranges: draw_ranges, Curves: draw_curves, Bars: draw_bars}


def save(figure, path):
    """Saves with a palette of few colours, which makes the file a third as large."""
    from PIL import Image

    pixels = io.BytesIO()
    figure.savefig(pixels, dpi=120)
    Image.open(pixels).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(path, "PNG", optimize=True)


def draw(path, panels, columns=1, title="", note=""):
    """Draws panels in columns. Returns whether a picture was written."""
    try:
        import matplotlib
    except ImportError:
        print(MISSING)
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot

    style = {"font.size": 9, "axes.titlesize": 9, "axes.titleweight": "bold", "axes.spines.top": False}
    style |= {"axes.spines.right": False, "legend.frameon": False, "axes.axisbelow": True, "font.family": "DejaVu Sans"}
    rows = [panels[at : at + columns] for at in range(0, len(panels), columns)]
    heights = [max(panel.height() for panel in row) for row in rows]
    with pyplot.rc_context(style):
        figure, grid = pyplot.subplots(
            len(rows), columns, figsize=(WIDTH, sum(heights) + 0.7), squeeze=False, constrained_layout=True,
            gridspec_kw={"height_ratios": heights},
        )  # fmt: skip
        shown, one_legend = {}, len({tuple(panel.values) for panel in panels}) == 1
        for panel, axes in zip(panels, grid.flat):
            DRAW[type(panel)](axes, panel)
            axes.set_title(panel.title, loc="left")
            handles, labels = axes.get_legend_handles_labels()
            if one_legend:
                shown |= {label: handle for label, handle in zip(labels, handles) if label}
            elif labels:
                where = {"loc": "lower right", "bbox_to_anchor": (1, 1), "borderaxespad": 0.2}  # beside the title
                axes.legend(fontsize=7.5, ncols=len(labels), columnspacing=1.2, handletextpad=0.4, **where)
        for axes in grid.flat[len(panels) :]:
            axes.remove()
        if title:
            figure.text(0.008, 1 - 0.07 / figure.get_figheight(), title, fontsize=10.5, ha="left", va="top")
        across = max(1, min(len(shown), int(WIDTH / (0.5 + 0.068 * max(map(len, shown), default=0)))))  # entries in a line
        foot = 0.22 + 0.2 * -(-len(shown) // across)  # inches below the panels
        head = 0.3 if title else 0.05
        whole = figure.get_figheight()
        figure.get_layout_engine().set(rect=(0, foot / whole, 1, 1 - (foot + head) / whole), hspace=0.04, wspace=0.04)
        if shown:
            where = {"loc": "lower center", "bbox_to_anchor": (0.5, 0.16 / whole)}
            figure.legend(shown.values(), shown.keys(), ncols=across, borderaxespad=0, **where)
        if note:
            figure.text(0.99, 0.004, note, ha="right", va="bottom", fontsize=6.5, color="#777777")
        save(figure, path)
        pyplot.close(figure)
    print(f"picture: {path}")
    return True
