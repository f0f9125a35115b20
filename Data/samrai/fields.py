# SPDX-License-Identifier: BSD-3-Clause
"""Closed forms of position, time and component. x, y, z are arrays that broadcast; in 2-D z is 0."""

import numpy


def linear(x, y, z, time, component):
    """Interpolation is exact across every face; with a dyadic spacing, so are the values themselves."""
    return (1 + 2 * x + 3 * y + 5 * z + 7 * time) + component * (11 + x - y + 2 * z)


def smooth(x, y, z, time, component):
    return numpy.sin(x + component + time) * numpy.cos(2 * y - component) * numpy.cos(z)


def rotation(x, y, z, time, component):
    """As a velocity: helices about the z axis, one turn in 2 pi; it does not change with time."""
    if component == 0:
        return -y
    return x if component == 1 else 1 + 0 * z


FUNCTIONS = {"linear": linear, "smooth": smooth, "rotation": rotation}
