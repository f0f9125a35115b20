#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What benchmarks share: rows, pictures, the slow disk."""

import contextlib
import importlib.util
import io
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

import numpy as np

BENCHMARKS = pathlib.Path(__file__).resolve().parents[2] / "Benchmarks"
sys.path.insert(0, str(BENCHMARKS))
sys.path.insert(0, str(BENCHMARKS / "Tools"))
import gyre  # noqa: E402
import insitu_bars  # noqa: E402
import plot_trace  # noqa: E402
import plots  # noqa: E402
import streaking  # noqa: E402
import tracers  # noqa: E402
import turning  # noqa: E402
from google_benchmark import rows_of  # noqa: E402
from insitu_sides import take_turns  # noqa: E402
from insitu_verdicts import cases_of, verdicts_of  # noqa: E402
from pictures import PICTURES, SERIES, draw_rows  # noqa: E402
from provenance import UNKNOWN, build_facts, commit_of, describe, provenance  # noqa: E402
from rows import read_rows, rows_provenance, write_rows  # noqa: E402
from slow_disk import SlowDevice, SlowDisk, Unavailable  # noqa: E402
from surface_distance import Surface, inner_points, points_to_triangles  # noqa: E402
from turns import Turns, seconds_of  # noqa: E402
from unsteady_surfaces import at_same, medians  # noqa: E402

LARGEST_PICTURE = 120_000  # bytes; the largest has 99 kB in Debian 12, and 115 kB with the letters of Debian forky
HAVE_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None


class InScratch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        silence = contextlib.redirect_stdout(io.StringIO())
        self.said = silence.__enter__()
        self.addCleanup(silence.__exit__, None, None, None)


class Rows(InScratch):
    def test_come_back_with_the_host(self):
        write_rows(self.folder / "rows.csv", [{"side": "ours", "seconds": 0.5}])
        (row,) = read_rows(self.folder / "rows.csv")
        self.assertEqual((row["side"], row["seconds"]), ("ours", "0.5"))
        self.assertTrue(row["cores"].isdigit())

    def test_keep_their_provenance_beside_them(self):
        write_rows(self.folder / "rows.csv", [{"side": "ours"}, {"side": "theirs"}])
        keys = {row["provenance"] for row in read_rows(self.folder / "rows.csv")}
        ((key, record),) = rows_provenance(self.folder / "rows.csv").items()
        self.assertEqual(keys, {key})
        self.assertEqual(set(record), {"commit", "date", "configuration", "libraries", "machine"})
        self.assertIn(f"commit {record['commit']}", describe(record))

    def test_have_unknown_provenance_where_none_was_written(self):
        (self.folder / "old.csv").write_text("side,seconds\nours,0.5\n")
        self.assertEqual(rows_provenance(self.folder / "old.csv"), {UNKNOWN: UNKNOWN})
        write_rows(self.folder / "rows.csv", [{"side": "ours"}])
        (self.folder / "rows.json").unlink()
        self.assertEqual(list(rows_provenance(self.folder / "rows.csv").values()), [UNKNOWN])

    def test_that_are_kept_have_their_provenance_or_none(self):
        for path in (BENCHMARKS / "rows").glob("*.csv"):
            with self.subTest(path.name):
                for key, record in rows_provenance(path).items():
                    self.assertEqual(key == UNKNOWN, record == UNKNOWN)

    def test_are_compared_and_drawn(self):
        kept = BENCHMARKS / "rows" / "outofcore.csv"
        picture = self.folder / "compared.png"
        script = [sys.executable, str(BENCHMARKS / "compare.py"), str(kept), str(kept), "--plot", str(picture)]
        answer = subprocess.run(script, check=True, stdout=subprocess.PIPE, text=True).stdout
        self.assertIn("ratio 1.000", answer)
        self.assertIn("before: unknown", answer)
        self.assertEqual(picture.exists(), HAVE_MATPLOTLIB)

    def test_of_google_benchmark_are_its_single_runs(self):
        run = {"name": "trace_steps<float>/integrator:1/threads:2/real_time", "run_type": "iteration", "repetition_index": 3}
        run |= {"real_time": 250.0, "time_unit": "ms", "steps": 2e7}
        self.assertEqual(rows_of({"benchmarks": [run, run | {"run_type": "aggregate"}]}),
                         [{"round": 3, "function": "trace_steps", "type": "float", "integrator": "1", "threads": "2",
                           "seconds": 0.25, "steps": 2e7}])  # fmt: skip

    def test_of_google_benchmark_are_refused_where_a_check_failed(self):
        run = {"name": "trace_steps<float>", "run_type": "iteration", "error_occurred": True, "error_message": "other lines"}
        with self.assertRaisesRegex(SystemExit, "other lines"):
            rows_of({"benchmarks": [run]})


class Provenance(InScratch):
    def git(self, *words):
        name = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", str(self.folder), *name, *words], check=True, stdout=subprocess.DEVNULL)

    def test_names_the_commit_and_changes_to_it(self):
        self.git("init", "-q")
        (self.folder / "file").write_text("1")
        self.git("add", "file")
        self.git("commit", "-q", "-m", "One")
        self.assertRegex(commit_of(self.folder), "^[0-9a-f]{7,}$")
        (self.folder / "file").write_text("2")
        self.assertRegex(commit_of(self.folder), "^[0-9a-f]{7,}-dirty$")
        (self.folder / "inner").mkdir()
        self.assertEqual(commit_of(self.folder / "inner"), UNKNOWN)

    def test_is_unknown_without_git_or_build(self):
        self.assertEqual(commit_of(self.folder), UNKNOWN)
        with mock.patch.dict("os.environ", {"PATH": str(self.folder)}):
            self.assertEqual(commit_of(BENCHMARKS.parent), UNKNOWN)
        facts = build_facts(self.folder)
        self.assertEqual(facts, {"configuration": UNKNOWN, "libraries": UNKNOWN})
        self.assertIn("commit unknown", describe(provenance() | facts | {"commit": UNKNOWN}))


def two_lines(step=0.5, shift=0.0, points=20):
    """Straight lines from one seed, forward and backward."""
    along = np.arange(points)[:, None] * np.array([step, 0.0, 0.0])
    middle = np.array([30.0, 30.0 + shift, 30.0])
    return {"offsets": np.array([0, points, 2 * points]), "points": np.concatenate([middle + along, middle - along]),
            "seeds": np.array([0, 0])}  # fmt: skip


class Lines(unittest.TestCase):
    def test_agree_with_themselves(self):
        self.assertIn("100.00%", tracers.compare_lines(two_lines(), two_lines(), "vtk", 64, adaptive=False))

    def test_differ_where_a_point_lies_elsewhere(self):
        with self.assertRaises(AssertionError):
            tracers.compare_lines(two_lines(), two_lines(shift=0.1), "vtk", 64, adaptive=False)

    def test_differ_where_one_goes_on_inside_the_grid(self):
        with self.assertRaises(AssertionError):
            tracers.compare_lines(two_lines(), two_lines(points=21), "paraview", 64, adaptive=False)

    def test_may_be_the_same_curves_by_other_points(self):
        tracers.compare_curves(two_lines(step=0.499), two_lines(), "vtk")
        with self.assertRaises(AssertionError):
            tracers.compare_curves(two_lines(shift=0.5), two_lines(), "vtk")
        with self.assertRaises(AssertionError):
            tracers.compare_curves(two_lines(points=19), two_lines(), "vtk")


class Unsteady(unittest.TestCase):
    def test_particles_turn_by_the_integral_of_the_rate(self):
        seeds = np.array([[0.5, 0.0, 0.1]])
        ends = turning.exact_ends(seeds, 3, 2.0, streaks=True)
        rate = turning.rates(3)
        angle = [rate[0] + 2 * rate[1] + rate[2], rate[1] + rate[2], 0.0]  # spacing / 2 times the sums at both ends
        np.testing.assert_allclose(np.arctan2(ends[0, :, 1], ends[0, :, 0]), angle, atol=1e-15)
        np.testing.assert_allclose(np.linalg.norm(ends[0, :, :2], axis=1), 0.5)
        self.assertEqual(turning.steps_of(1, 3, streaks=True), 6)
        self.assertEqual(turning.steps_of(10, 3, streaks=False), 40)

    def test_the_reference_follows_a_field_that_is_linear_between_samples(self):
        x, y, times = np.linspace(0, 2, 5), np.linspace(0, 1, 3), np.array([0.0, 1.0, 3.0])
        still = np.ones((3, 5, 2)) * [1.0, 0.0]
        given = {"x": x, "y": y, "times": times[:2], "velocity": np.stack([0.1 * still, 0.3 * still])}
        ends = gyre.reference(given, np.array([[0.25, 0.6]]), 4)
        np.testing.assert_allclose(ends, [[0.45, 0.6]], atol=1e-14)
        across = np.stack([np.meshgrid(x, y)[0], np.meshgrid(x, y)[1]], -1)
        np.testing.assert_allclose(gyre.sampled(across, x, y, np.array([[0.3, 0.7], [2.0, 1.0]])), [[0.3, 0.7], [2.0, 1.0]])


class Surfaces(unittest.TestCase):
    def setUp(self):
        points = np.array([[0.0, 0, 0], [2, 0, 0], [0, 2, 0], [2, 2, 0]])
        self.square = Surface(points, np.array([[0, 1, 2], [1, 3, 2]]))

    def test_points_are_as_far_as_the_nearest_face_edge_or_corner(self):
        points = np.array([[0.5, 0.5, 0.3], [1.0, -0.4, 0.3], [2.3, 2.4, 0.0], [1.5, 1.5, -2.0], [1.0, 1.0, 0.0]])
        corners = self.square.corners()
        np.testing.assert_allclose(points_to_triangles(points, corners), [0.3, 0.5, 0.5, 2.0, 0.0], atol=1e-15)
        line = np.array([[[0.0, 0, 0], [1, 0, 0], [3, 0, 0]]])
        np.testing.assert_allclose(points_to_triangles(np.array([[2.0, 0.5, 0.0], [4.0, 0.0, 0.0]]), line), [0.5, 1.0])

    def test_weights_are_areas(self):
        np.testing.assert_allclose(self.square.areas_of_points(), [2 / 3, 4 / 3, 4 / 3, 2 / 3])
        points, weights = inner_points(self.square)
        np.testing.assert_allclose(np.average(points, weights=weights, axis=0), [1, 1, 0])
        self.assertEqual(weights.sum(), 4.0)
        self.assertAlmostEqual(self.square.longest_edge(), 8**0.5)

    def test_dense_levels_are_compared_where_they_are_as_good(self):
        dense = [{"hausdorff": 0.4, "paths": 10.0}, {"hausdorff": 0.1, "paths": 40.0}]
        self.assertAlmostEqual(at_same("hausdorff", {"hausdorff": 0.2, "paths": 5.0}, dense, "paths"), 4.0)
        self.assertIsNone(at_same("hausdorff", {"hausdorff": 0.05, "paths": 5.0}, dense, "paths"))
        rows = [{"side": "dense 1", "void": False, "paths": paths} for paths in (3, 9, 4)]
        self.assertEqual(medians(rows), {"side": "dense 1", "void": False, "paths": 4})

    def test_the_flow_stays_within_its_box(self):
        x, y, z = np.random.default_rng(2).random((3, 50)) * [[2.0], [1.0], [1.0]]
        for axis, end in ((0, 0.0), (0, 2.0), (1, 0.0), (1, 1.0), (2, 0.0), (2, 1.0)):
            place = [x, y, z]
            place[axis] = np.full(50, end)
            np.testing.assert_allclose(streaking.velocity_at(*place, 3.3)[axis], 0, atol=1e-15)


TRACE = {"traceEvents": [
    {"ph": "M", "name": "thread_name", "pid": 0, "tid": 0, "args": {"name": "analytics master"}},
    {"ph": "M", "name": "thread_name", "pid": 0, "tid": 1, "args": {"name": "worker 1"}},
    {"ph": "M", "name": "thread_name", "pid": 0, "tid": 2, "args": {"name": "simulation master"}},
    {"ph": "X", "name": "radial", "cat": "analytics", "pid": 0, "tid": 0, "ts": 4000, "dur": 6000, "args": {"step": 0}},
    {"ph": "X", "name": "parallel", "cat": "analytics", "pid": 0, "tid": 0, "ts": 5000, "dur": 4000, "args": {"elements": 9}},
    {"ph": "X", "name": "worker", "cat": "simulation", "pid": 0, "tid": 1, "ts": 1000, "dur": 3000},
    {"ph": "X", "name": "worker", "cat": "analytics", "pid": 0, "tid": 1, "ts": 5000, "dur": 4000},
    {"ph": "X", "name": "sequential", "cat": "simulation", "pid": 0, "tid": 2, "ts": 0, "dur": 1000},
    {"ph": "X", "name": "parallel", "cat": "simulation", "pid": 0, "tid": 2, "ts": 1000, "dur": 3000},
    {"ph": "X", "name": "sequential", "cat": "simulation", "pid": 0, "tid": 2, "ts": 4000, "dur": 6000},
    {"ph": "X", "name": "copy", "cat": "simulation", "pid": 0, "tid": 2, "ts": 4500, "dur": 500, "args": {"bytes": 8}},
    {"ph": "X", "name": "copy", "cat": "simulation", "pid": 1, "tid": 0, "ts": 0, "dur": 9000, "args": {"bytes": 8}},
]}  # fmt: skip


class Traces(InScratch):
    def setUp(self):
        super().setUp()
        self.trace = self.folder / "trace.json"
        self.trace.write_text(json.dumps(TRACE))

    def test_have_the_master_threads_outside(self):
        names = [row.name for row in plot_trace.read_trace(self.trace)]
        self.assertEqual(names, ["simulation master", "worker 1", "analytics master"])

    def test_say_how_the_time_of_threads_was_spent(self):
        expected = {"idle": 7.0, "simulation, sequential": 6.5, "simulation, parallel": 6.0, "analytics": 2.0, "analytics, parallel": 8.0,
                    "copy": 0.5, "waits for a buffer": 0.0}  # fmt: skip
        totals = plot_trace.shares(plot_trace.read_trace(self.trace), 0, 10)
        self.assertEqual({name: round(value, 9) for name, value in totals.items()}, expected)

    def test_may_be_looked_at_in_part(self):
        totals = plot_trace.shares(plot_trace.read_trace(self.trace), 2, 4.5)
        self.assertAlmostEqual(totals["simulation, parallel"], 4.0)
        self.assertAlmostEqual(sum(totals.values()), 7.5)

    def test_are_drawn(self):
        script = [sys.executable, str(BENCHMARKS / "plot_trace.py"), str(self.trace), "--to", "8"]
        subprocess.run(script, check=HAVE_MATPLOTLIB, stdout=subprocess.DEVNULL)
        self.assertEqual(self.trace.with_suffix(".png").exists(), HAVE_MATPLOTLIB)

    def test_of_a_rank_that_is_not_there_are_refused(self):
        script = [sys.executable, str(BENCHMARKS / "plot_trace.py"), str(self.trace), "--rank", "7"]
        done = subprocess.run(script, check=False, stderr=subprocess.PIPE, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("rank 7", done.stderr)


def answer_of(seconds):
    return {"seconds": seconds, "simulation_seconds": 0.9 * seconds, "hand_over_seconds": 0.1 * seconds, "worked_seconds": 6.0,
            "analytics_active_seconds": 0.5 * seconds}  # fmt: skip


class InSitu(unittest.TestCase):
    def setUp(self):
        alone, dynamic = iter([1.0, 2.0, 4.0]), iter([1.5, 2.5, 8.0])
        sides = {"alone": lambda: answer_of(next(alone)), "dynamic": lambda: answer_of(next(dynamic))}
        facts = {"part": "policies", "virtual_cores": 4, "sequential": 0.04, "analytics": "nested", "length": "long"}
        self.rows = take_turns(facts, sides, 3)

    def test_ratios_are_to_the_simulation_alone_in_the_same_round(self):
        self.assertEqual([row["ratio"] for row in self.rows], [1, 1.5, 1, 1.25, 1, 2])
        self.assertEqual([row["bound"] for row in self.rows], [1.5, 1.5, 1, 1, 1, 1])

    def test_bars_hold_or_fail_by_medians_of_rounds(self):
        more = {"static-1": 2.0, "dynamic-1": 1.2, "dynamic-4, low priority": 1.0, "synchronous": 1.6, "alone": 1.0}
        facts = {"part": "policies", "virtual_cores": 4, "sequential": 0.04, "analytics": "nested", "length": "short"}
        rows = take_turns(facts, {side: lambda seconds=seconds: answer_of(seconds) for side, seconds in more.items()}, 2)
        (case,) = cases_of(rows, "policies").values()
        self.assertEqual([(bar, round(value, 3)) for bar, value, _ in verdicts_of(case, facts)], [
            ("dynamic-1 / alone", 1.2), ("dynamic-1, last step / alone", 1.08), ("dynamic-1 / static-1", 0.6),
            ("dynamic-1 / synchronous", 0.75),
        ])  # fmt: skip

    def test_bars_are_as_long_as_the_ratio_in_both_layers(self):
        panel = insitu_bars.panel_of(self.rows, "")
        upper, lower = panel.layers["dynamic"]
        self.assertAlmostEqual(sum(upper.values()), 1.5)
        self.assertAlmostEqual(sum(lower.values()), 1.5)
        self.assertAlmostEqual(lower["analytics"], 0.75)
        self.assertEqual(panel.totals["dynamic"], [1.5, 1.25, 2])


SPEAKER = """
import sys
for _ in sys.stdin:
    print("a library speaks")
    print('{"side": 1}', flush=True)
"""


class TakingTurns(unittest.TestCase):
    def test_gives_an_answer_for_each_turn(self):
        with Turns([sys.executable, "-c", SPEAKER]) as side:
            self.assertEqual([side.turn(), side.turn()], [{"side": 1}] * 2)

    def test_ends_where_the_process_has_ended(self):
        with Turns([sys.executable, "-c", "raise SystemExit(3)"]) as side, self.assertRaisesRegex(RuntimeError, "ended with 3"):
            side.turn()

    def test_times_are_those_of_the_work(self):
        result, times = seconds_of(lambda: sum(range(100000)))
        self.assertEqual(result, sum(range(100000)))
        self.assertTrue(0 < times["processor_seconds"] and 0 < times["seconds"])


class Pictures(InScratch):
    @unittest.skipUnless(HAVE_MATPLOTLIB, plots.MISSING)
    def test_of_all_rows_that_are_kept_are_drawn_and_small(self):
        subprocess.run([sys.executable, str(BENCHMARKS / "plot.py"), "--out", str(self.folder)], check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip
        drawn = {path.stem: path.stat().st_size for path in self.folder.glob("*.png")}
        kept = {path.stem.partition("-")[0] for path in (BENCHMARKS / "rows").glob("*.csv")}
        self.assertEqual({"-".join(name.split("-")[:2]) for name in drawn}, {f"measured-{name}" for name in kept})
        self.assertLess(max(drawn.values()), LARGEST_PICTURE)

    def test_are_known_for_every_benchmark(self):
        files = [path for path in BENCHMARKS.glob("*.*") if path.suffix in {".py", ".cxx", ".sh"}]
        self.assertEqual(set(PICTURES) | set(SERIES), {path.stem for path in files} - {"compare", "plot", "plot_trace"})

    def test_leave_out_rows_that_are_void(self):
        rows = read_rows(BENCHMARKS / "rows" / "outofcore.csv")
        write_rows(self.folder / "rows.csv", [row | {"void": True} for row in rows])
        self.assertFalse(draw_rows("outofcore", [self.folder / "rows.csv"]))
        self.assertIn("void", self.said.getvalue())

    def test_name_the_package_that_is_missing(self):
        with mock.patch.dict(sys.modules, {"matplotlib": None}):
            self.assertFalse(plots.draw(self.folder / "none.png", [plots.Ranges("s", {"": {"run": [1.0]}})]))
        self.assertIn("python3-matplotlib", self.said.getvalue())
        self.assertFalse((self.folder / "none.png").exists())


class SlowDevices(unittest.TestCase):
    def test_are_described_with_units(self):
        self.assertEqual(SlowDevice.parse("latency=5ms,bandwidth=1GB/s,depth=64"), SlowDevice(0.005, 1e9, 64))
        self.assertEqual(SlowDevice.parse("latency=200us"), SlowDevice(200 * 1e-6, 0.0, 32))

    def test_are_refused_without_units_or_with_unknown_words(self):
        for text in ("", "latency=5", "latency=5ms,depth=0", "latency=5ms,speed=1GB/s", "latency=1.2.3ms", "depth=4"):
            with self.subTest(text), self.assertRaises(ValueError):
                SlowDevice.parse(text)

    def test_need_the_longer_of_waiting_and_moving_bytes(self):
        device = SlowDevice(0.005, 1e9, 64)
        self.assertAlmostEqual(device.least_seconds(6400, 1e6), 0.5)
        self.assertAlmostEqual(device.least_seconds(64, 2e9), 2.0)
        self.assertAlmostEqual(device.least_seconds(6400, 1e6, at_once=2), 16.0)


CHILD = """
import sys, time
sys.path.insert(0, {tools!r})
from slow_disk import SlowDevice, SlowDisk
with SlowDisk({folder!r}, SlowDevice.parse("latency=1ms,depth=4")) as disk:
    print(disk.path, flush=True)
    time.sleep(60)
"""


class MountedDisk(InScratch):
    def setUp(self):
        super().setUp()
        (self.folder / "file").write_bytes(b"7" * 10_000)
        self.device = SlowDevice.parse("latency=1ms,depth=4")

    def mounted(self):
        disk = SlowDisk(self.folder, self.device)
        try:
            disk.__enter__()
        except (Unavailable, StopIteration) as error:
            self.skipTest(str(error) or "slow_disk is not built")
        self.addCleanup(lambda: disk.path.exists() and disk.__exit__())
        return disk

    def test_shows_the_folder_and_counts_what_it_serves(self):
        disk = self.mounted()
        self.assertEqual((disk.path / "file").read_bytes(), b"7" * 10_000)
        requests, size = disk.served()
        self.assertGreaterEqual(requests, 1)
        self.assertGreaterEqual(size, 10_000)

    def test_is_gone_after_an_error(self):
        self.mounted().__exit__()
        with self.assertRaises(KeyError), SlowDisk(self.folder, self.device) as disk:
            raise KeyError
        self.assertFalse(disk.scratch.exists())

    def test_is_gone_after_the_program_was_ended(self):
        self.mounted().__exit__()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            with self.subTest(number.name):
                code = CHILD.format(tools=str(BENCHMARKS / "Tools"), folder=str(self.folder))
                child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                         text=True)  # fmt: skip
                path = child.stdout.readline().strip()
                child.send_signal(number)
                child.communicate()
                self.assertTrue(path)
                self.assertTrue(self.unmounts(path), f"{path} is still mounted")
                if number == signal.SIGKILL:  # nobody was left to remove the folders
                    pathlib.Path(path).rmdir()
                    (pathlib.Path(path).parent / "count").unlink()
                    pathlib.Path(path).parent.rmdir()

    def unmounts(self, path):
        """True once it is unmounted; the disk itself may be at it still when the program is gone."""
        for _ in range(500):
            if path not in pathlib.Path("/proc/mounts").read_text():
                return True
            time.sleep(0.01)
        return False


if __name__ == "__main__":
    unittest.main()
