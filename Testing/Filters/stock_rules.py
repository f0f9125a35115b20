# SPDX-License-Identifier: BSD-3-Clause
"""How lines of Rivulet Stream Tracer may differ from those of ParaView's Stream Tracer. All else is an error.

noise     Both do the same arithmetic in another order. How far that may carry a line is measured: the stock filter runs
          again from seeds moved by 1e-9 of the grid's size, to and fro. A line may differ from the stock one by as much as
          those do, times NOISE (more under error control, as its estimate is a difference of nearly equal numbers), and by rounding to single precision. Where those differ by a thousandth of the grid, or
          in number of points, the comparison ends (see `coverage` in test_random.py).
repeated  Points that are equal in single precision to the one before are left out. Rounding may decide which: the comparison
          ends where a point is nearly the one before.
single    A seed of which the stock filter keeps a single point has no line.
hidden    A line ends with 1 where a step looks into a hidden cell; a seed in a hidden cell has no line.
boundary  A line ends with 1 where a step looks beyond the boundary, and the stock filter goes on: it takes samples up to 1e-4
          of the grid's diagonal outside.
length    Under Runge-Kutta 4-5 the stock filter adds up planned steps: its lines end (4, or 3 where the rest is shorter than
          the shortest step) up to two steps early or late, and its last steps are others. Ours end at the length asked for
          or in the step that reaches it.
face      A seed on a face between cells is in one or the other: it has that one's vorticity, rotation is added up from there,
          and if cells hold the vectors, or steps are in lengths of uneven cells, its line is another.
time      Ours end with 7 at the time asked for; the step before is shorter than the stock filter's, and may end otherwise.
turned    The stock filter takes turned cells for upright ones: it gets the same flow on the upright grid.
falling   It does not find cells along coordinates of a rectilinear grid that fall: it gets them in rising order.
flat      It finds wrong cells on flat rectilinear grids and interpolates wrongly on lines: it gets a thin layer of cells.
calm      Under Runge-Kutta 4-5 it takes the shortest step where the error is zero, ours the longest: constant vectors are
          not compared, nor those of cells.
shortest  After one of the shortest steps ours takes another one. The stock filter does that unless the lengths of cells,
          which it measures anew in each, differ by rounding: the comparison ends.
both      Where length and number of steps are reached at once, ours ends with 4.
rest      Where a step leads nowhere, because the velocity on the way is zero, ours ends with 6; the stock filter counts on.
"""
import numpy as np
from filter_testing import VECTORS
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkFiltersFlowPaths import vtkStreamTracer

NOISE = 20.0
NOISE_OF_CONTROLLED_STEPS = 200.0
LOST = 1e-3
MOVED = 1e-9
ROUNDING = 4 * np.finfo(np.float32).eps
ROTATION = ("Vorticity", "AngularVelocity", "Rotation")


class Line:
    """The points of one line, with what is known at each."""

    def __init__(self, seed, reason, arrays):
        self.seed, self.reason, self.arrays = seed, reason, arrays
        self.points = arrays["points"]
        times = arrays["IntegrationTime"]
        self.backward = int(len(times) > 1 and times[1] < 0)

    def __len__(self):
        return len(self.points)


def lines_of(output):
    """The lines by (backward?, seed). A point of time 0 begins a line: connectivity is not asked, because the stock filter
    of ParaView 5.11 connects wrongly after a seed that gave a single point."""
    if output.GetNumberOfPoints() == 0:
        return {}
    data = output.GetPointData()
    arrays = {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i)) for i in range(data.GetNumberOfArrays())}
    arrays["points"] = vtk_to_numpy(output.GetPoints().GetData()).astype(float)
    begins = np.append(np.flatnonzero(arrays["IntegrationTime"] == 0), output.GetNumberOfPoints())
    parts = [slice(a, b) for a, b in zip(begins[:-1], begins[1:]) if b - a > 1]
    cells = output.GetCellData()
    seeds = vtk_to_numpy(cells.GetArray("SeedIds")) if parts else []
    reasons = vtk_to_numpy(cells.GetArray("ReasonForTermination")) if parts else []
    assert len(parts) == len(seeds) == len(reasons), (len(parts), len(seeds))
    lines = {}
    for seed, reason, part in zip(seeds, reasons, parts):
        line = Line(int(seed), int(reason), {name: values[part] for name, values in arrays.items()})
        lines[line.backward, line.seed] = line
    return lines


def without_repeated(line):
    kept = np.append(True, (np.diff(line.points, axis=0) != 0).any(axis=1))
    return Line(line.seed, line.reason, {name: values[kept] for name, values in line.arrays.items()})


def stock_lines(case, seeds):
    tracer = vtkStreamTracer()
    given = case.thick() if case.flat.any() and (case.rectilinear or case.flat.sum() > 1) else case
    tracer.SetInputData(given.rising().dataset(upright=True))
    tracer.SetSourceData(case.seed_data(seeds))
    tracer.SetInputArrayToProcess(0, 0, 0, 1 if case.of_cells else 0, VECTORS)
    for name, value in case.settings.items():
        getattr(tracer, "Set" + name)(value)
    tracer.Update()
    lines = {key: without_repeated(line) for key, line in lines_of(tracer.GetOutput()).items()}
    return {key: turned(case, line) for key, line in lines.items() if len(line) > 1}


def turned(case, line):
    """A line of the upright grid as it lies in the turned one."""
    if case.turned:
        line.points[:] = case.turn(line.points)
        for name in (VECTORS, "Vorticity"):
            if name in line.arrays:
                line.arrays[name] = line.arrays[name] @ case.rotation.T
    return line


class Comparison:

    def __init__(self, case, fates):
        self.case, self.fates = case, fates
        self.compared = self.points = 0
        self.stock = stock_lines(case, case.seeds)
        rng = np.random.default_rng(case.number)
        aside = rng.choice([-1.0, 1.0], case.seeds.shape) * rng.uniform(0.5, 1.0, case.seeds.shape)
        aside = MOVED * case.size * np.where(case.flat, 0, aside)
        within = np.all((case.seeds >= case.low) & (case.seeds <= case.high), axis=1)[:, None]
        self.moved = []
        for sign in (-1, 1):
            seeds = case.seeds + sign * aside
            kept = np.where(seeds < case.low, case.seeds + abs(aside), np.where(seeds > case.high,
                                                                                case.seeds - abs(aside), seeds))
            self.moved.append(stock_lines(case, np.where(within, kept, seeds)))

    def fail(self, line, what):
        raise AssertionError(f"seed {line.seed} {'backward' if line.backward else 'forward'}: {what}\n"
                             f"{self.case.describe()}")

    def check(self, ours):
        if self.case.adaptive and (self.case.kind == "constant" or self.case.of_cells):
            return
        for key, line in ours.items():
            self.points += len(line)
            if key in self.stock and self.begins_between(line):
                continue
            if key in self.stock:
                self.check_line(self.stock[key], line, [moved.get(key) for moved in self.moved])
            elif all(key not in moved for moved in self.moved) and not self.has_no_twin(line):
                self.fail(line, f"{len(line)} points where the stock filter has no line")
        for key, line in self.stock.items():
            if key not in ours:
                self.check_missing(key, line, all(key in moved for moved in self.moved))

    def has_no_twin(self, line):
        """Whether the stock filter need not have this line: its first step would be too short, or it begins elsewhere."""
        too_short = (self.case.adaptive and line.reason == 4 and
                     self.case.settings["MaximumPropagation"] < self.case.longest_step)
        return too_short or self.out_of_time(line) or self.begins_between(line)

    def begins_between(self, line):
        """Whether it matters for the line in which of two cells it begins."""
        return (self.case.of_cells or (self.case.rectilinear and self.case.in_cells)) and self.begins_on_a_face(line)

    def begins_on_a_face(self, line):
        return any(np.abs(x - c).min() <= 1e-9 * self.case.size
                   for x, c in zip(self.case.axes, self.case.seeds[line.seed]))

    def check_missing(self, key, line, sure):
        backward, seed = key
        reason, length = (self.fates[name][backward][seed] for name in ("reason", "length"))
        near = self.near_hidden(line.points[0]) or self.near_boundary(line.points[0])
        if not sure or (reason in (1, 10) and near) or (reason == 4 and length == 0) or (
                reason == 6 and (self.rests(line, 0) or self.out_of_time(line))) or self.begins_between(line):
            return
        self.fail(line, f"no line (reason {reason}), the stock filter's has {len(line)} points")

    def known(self, stock, moved):
        """How many of the stock line's points are known in spite of noise, and how far they move by it."""
        count, spread = len(stock), {name: np.zeros(len(stock)) for name in stock.arrays}
        for other in moved:
            shared = 0 if other is None else min(len(stock), len(other))
            count = min(count, shared if other is None or len(other) != len(stock) or other.reason != stock.reason
                        else count)
            for name, values in stock.arrays.items():
                if shared:
                    difference = np.abs(values[:shared].astype(float) - other.arrays[name][:shared]).reshape(shared, -1)
                    spread[name][:shared] = np.maximum(spread[name][:shared], difference.max(axis=1))
        lost = np.flatnonzero(spread["points"][:count] > LOST * self.case.size)
        count = min(count, lost[0]) if len(lost) else count
        return count, {name: np.maximum.accumulate(values) for name, values in spread.items()}

    def check_line(self, stock, ours, moved):
        known, spread = self.known(stock, moved)
        shared = min(known, self.before_repeated(stock), self.before_repeated(ours), self.before_the_limits(stock))
        cut = len(stock) != len(ours) or self.out_of_time(ours)
        same = shared - 1 if cut and shared == min(len(stock), len(ours)) else shared
        for name in sorted(set(stock.arrays) - {"Normals"}, key=lambda name: name != "points"):
            values = stock.arrays[name]
            if name in ours.arrays and not (name in ROTATION and self.begins_on_a_face(ours)):
                self.check_values(ours, name, values[:same], ours.arrays[name][:same], spread[name][:same])
        self.compared += same
        if known >= min(len(stock), len(ours)) and shared >= min(len(stock), len(ours)) - 1:
            self.check_end(stock, ours)

    def out_of_time(self, line):
        """Whether the line has come to the time asked for, or nearer than a step."""
        time = abs(self.fates["time"][line.backward][line.seed])
        return self.case.maximum_time > 0 and time + self.longest_time(line) > self.case.maximum_time

    def longest_time(self, line):
        """That a step which was tried may have taken."""
        speed = np.linalg.norm(line.arrays[VECTORS].astype(float), axis=1)
        return self.case.longest_step / max(speed.min(), 1e-300)

    def before_repeated(self, line):
        """The points before one that is nearly the next."""
        near = np.abs(np.diff(line.points, axis=0)).max(axis=1) <= ROUNDING * np.abs(line.points).max()
        return 1 + int(np.argmax(near)) if near.any() else len(line)

    def before_the_limits(self, stock):
        """The points whose steps nobody has cut, or tried shorter, because of the length or the time asked for, and
        which come before one of the shortest steps."""
        if not self.case.adaptive:
            return len(stock)
        steps = np.linalg.norm(np.diff(stock.points, axis=0), axis=1)
        unit = self.case.cell_length(self.case.upright(stock.points[:-1])) if self.case.in_cells else 1.0
        shortest = self.case.settings["MinimumIntegrationStep"] * unit
        free = np.minimum.accumulate(steps > 1.001 * shortest)
        far = self.case.longest_step * np.arange(1, len(stock))  # planned, at most
        late = np.abs(stock.arrays["IntegrationTime"][1:]) + self.longest_time(stock)
        most = self.case.maximum_time or np.inf
        return 1 + np.count_nonzero((far < self.case.settings["MaximumPropagation"]) & (late < most) & free)

    def check_values(self, line, name, expected, found, spread):
        if len(expected) == 0:
            return
        expected, found = (x.astype(float).reshape(len(x), -1) for x in (expected, found))
        largest = np.abs(expected).max()
        if name == "points":
            largest = max(largest, np.abs(self.case.turn(np.array([self.case.low, self.case.high]))).max())
        of_integers = name in self.case.extras and self.case.extras[name].dtype.kind in "iu"
        if name in ROTATION:  # differences of velocities over lengths
            sides = [np.abs(np.diff(x)).min() for x in self.case.axes if len(x) > 1]
            time = np.abs(line.arrays["IntegrationTime"]).max() if name == "Rotation" else 1.0
            largest = max(largest, np.abs(self.case.vectors.astype(float)).max() / min(sides) * time)
        noise = NOISE_OF_CONTROLLED_STEPS if self.case.adaptive else NOISE
        allowed = noise * spread + ROUNDING * largest + (1 if of_integers else 0)
        worst = np.abs(found - expected).max(axis=1) - allowed
        if worst.max() > 0 or not np.isfinite(found).all():
            at = int(np.argmax(worst))
            self.fail(line, f"{name} of point {at} of {len(line)}: {found[at]}, the stock filter has {expected[at]}, "
                            f"allowed {allowed[at]}")

    def check_end(self, stock, ours):
        reasons = (stock.reason, ours.reason)
        fate = {name: self.fates[name][ours.backward][ours.seed] for name in ("length", "time")}
        asked = self.case.settings["MaximumPropagation"]
        longest = asked + self.case.longest_step if self.case.adaptive else asked
        if ours.reason == 4 and not asked * (1 - 1e-12) <= fate["length"] <= longest * (1 + 1e-12):
            self.fail(ours, f"ends with 4 at length {fate['length']}")
        if ours.reason == 7 and self.case.maximum_time > 0 and len(ours) <= len(stock) + 1:
            if abs(abs(fate["time"]) - self.case.maximum_time) > 1e-12 * self.case.maximum_time:
                self.fail(ours, f"ends with 7 at time {fate['time']}")
        elif reasons[0] == reasons[1] and len(stock) == len(ours):
            return
        elif ours.reason != 4 and self.out_of_time(ours):
            return
        elif ours.reason == 1 and len(ours) <= len(stock) and (
                self.near_hidden(ours.points[-1]) or self.near_boundary(ours.points[-1])):
            return
        elif ours.reason == 6 and self.rests(stock, len(ours) - 1):
            return
        elif reasons == (5, 4) and len(stock) == len(ours) > self.case.settings["MaximumNumberOfSteps"] + 1:
            return
        elif self.case.adaptive and (4 in reasons or stock.reason == 3) and self.ends_near(stock, asked):
            return
        else:
            self.fail(ours, f"ends with {reasons[1]} after {len(ours)} points, the stock filter's with {reasons[0]} after "
                            f"{len(stock)}")

    def rests(self, line, at):
        """Whether the stock line has counted a step that leads nowhere from point number `at`."""
        if at + 1 >= len(line):
            walked = np.linalg.norm(np.diff(line.points, axis=0), axis=1).sum() + self.case.longest_step
            return at + 1 == len(line) and ((line.reason == 5 and len(line) <= self.case.settings["MaximumNumberOfSteps"] + 1)
                                            or (line.reason == 4 and walked < self.case.settings["MaximumPropagation"]))
        times, speed = line.arrays["IntegrationTime"], np.linalg.norm(line.arrays[VECTORS][at].astype(float))
        step = np.linalg.norm(line.points[at + 1] - line.points[at])
        return abs(times[at + 1] - times[at]) * speed > 1.5 * step

    def ends_near(self, line, length):
        steps = np.linalg.norm(np.diff(line.points, axis=0), axis=1)
        return abs(steps.sum() - length) < 2 * self.case.longest_step or steps.sum() > length

    # Distances along the grid's axes.

    def near_boundary(self, point):
        upright = self.case.upright(point)
        gap = np.minimum(upright - self.case.low, self.case.high - upright)
        return gap[~self.case.flat].min(initial=np.inf) <= self.reach()

    def reach(self):
        """How far from its beginning a step looks: under Runge-Kutta 4-5, 11/54 + 5/2 + 70/27 + 35/27 lengths."""
        return self.case.longest_step * (6.6 if self.case.adaptive else 1.0)

    def near_hidden(self, point):
        if not self.case.hidden:
            return False
        case, upright = self.case, self.case.upright(point)
        cells = np.maximum(case.dims - 1, 1)
        hidden = case.hidden.get("cells", np.zeros(np.prod(cells), int)) & 32 != 0
        hidden = hidden.reshape(cells[::-1])
        nodes = case.hidden.get("points", np.zeros(np.prod(case.dims), int)) & 2 != 0
        for k, j, i in np.argwhere(nodes.reshape(case.dims[::-1])):
            hidden[max(k - 1, 0):k + 1, max(j - 1, 0):j + 1, max(i - 1, 0):i + 1] = True
        for cell in np.argwhere(hidden)[:, ::-1]:
            low, high = (np.array([case.axes[a][min(cell[a] + d, case.dims[a] - 1)] for a in range(3)]) for d in (0, 1))
            low, high = np.minimum(low, high), np.maximum(low, high)
            if np.linalg.norm(np.maximum(0, np.maximum(low - upright, upright - high))) <= self.reach():
                return True
        return False
