# SPDX-License-Identifier: BSD-3-Clause
"""Values on lines through random levels with random values: those of a slow reference, and none beyond what is there."""
import numpy as np
from filter_testing import Messages, array_of, fetch, points_of, produce
from levels_in_memory import ORIGIN, Reference, as_amr, as_multiblock, random_levels
from plugin_testing import delete, run, simple


def lines_through(data, levels, axes):
    extent = np.array(levels[0].cells) * levels[0].spacing
    places = [ORIGIN + extent * np.where(np.arange(3) < axes, place, 0.0)
              for place in np.random.default_rng(5).random((24, 3))]
    places += [ORIGIN + extent * np.where(np.arange(3) < axes, place, 0.0) for place in ((0, 0, 0), (1, 0, 0), (0, 1, 1))]
    source = produce(data)
    seeds = simple.PolyPointSource(Points=[c for place in places for c in place])
    tracer = simple.RivuletStreamTracerWithCustomSource(Input=source, SeedSource=seeds, Vectors=["CELLS", "v"],
                                                        MaximumStreamlineLength=20.0, IntegratorType="Runge-Kutta 4",
                                                        InitialStepLength=0.1)
    with Messages() as messages:
        lines = fetch(tracer)
    assert messages.count() == 0, messages.text()
    delete(tracer, seeds, source)
    return lines


def check(data, levels, axes, what):
    lines = lines_through(data, levels, axes)
    points = points_of(lines).astype(float)
    assert len(points) > 100, (what, len(points))
    for name, low, high in (("a", 0.01, 99.0), ("v", 0.0, 1.5)):
        found = array_of(lines.GetPointData(), name).reshape(len(points), -1)
        assert found.min() >= low * (1 - 1e-12) and found.max() <= high * (1 + 1e-12), (what, name, found.min(), found.max())
        reference = Reference(levels, name)
        expected = np.array([reference.value(place) for place in points])
        # Points are of single precision: a millionth of a unit, in the narrowest of cells.
        nearness = 4e-6 * high / min(levels[-1].spacing)
        worst = np.abs(found - expected).max(axis=1)
        assert worst.max() < nearness, (what, name, worst.max(), nearness, points[worst.argmax()])


def test_values_in_three_dimensions():
    for seed in range(12):
        levels = random_levels(seed, 3)
        check(as_amr(levels), levels, 3, seed)


def test_values_in_the_plane():
    for seed in range(100, 125):
        levels = random_levels(seed, 2)
        check(as_amr(levels), levels, 2, seed)


def test_values_in_blocks_with_ratios_that_differ_and_ghost_layers():
    for seed in range(200, 224):
        axes = 2 + seed % 2
        levels = random_levels(seed, axes, equal_ratios=False)
        check(as_multiblock(levels, layers=seed % 3), levels, axes, seed)


def test_arrays_of_many_components():
    levels = random_levels(3, 3)
    for level in levels:
        level.fill("many", np.random.default_rng(1), 40, 0.01, 99.0)
    lines = lines_through(as_amr(levels), levels, 3)
    many = array_of(lines.GetPointData(), "many")
    assert many.shape[1] == 40 and 0.01 <= many.min() < many.max() <= 99.0, (many.shape, many.min(), many.max())


run(globals())
