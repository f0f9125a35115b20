# SPDX-License-Identifier: BSD-3-Clause
"""Flows on meshes that move, which their cells reproduce exactly, and the paths in them."""
import numpy as np
from filter_testing import Messages
from vtkmodules.vtkParallelCore import vtkMultiProcessController

RANKS = vtkMultiProcessController.GetGlobalController().GetNumberOfProcesses()
VECTORS = ["POINTS", "velocity"]
STEPS = [0.0, 0.4, 1.0, 1.3, 2.0]
TURNING = "np.stack((-0.5 * x[:, 1] + 0.1 * time, 0.5 * x[:, 0], 0.1 - 0.1 * x[:, 2]), axis=-1)"
SADDLE = "np.stack((0.7 * x[:, 0], -0.7 * x[:, 1], 0.0 * x[:, 2]), axis=-1)"


def made_by(proxy, time=STEPS[-1], port=0):
    with Messages() as said:
        proxy.UpdatePipeline(time)
    assert said.count() == 0, said.text()
    return proxy.GetClientSideObject().GetOutputDataObject(port)


def turning(x, time):
    return np.stack((-0.5 * x[:, 1] + 0.1 * time, 0.5 * x[:, 0], 0.1 - 0.1 * x[:, 2]), axis=-1)


def paths_of(velocity, x, end, steps=2000):
    """Classical Runge-Kutta from time 0."""
    step = end / steps
    for i in range(steps):
        t = i * step
        a = velocity(x, t)
        b = velocity(x + step / 2 * a, t + step / 2)
        c = velocity(x + step / 2 * b, t + step / 2)
        x = x + step / 6 * (a + 2 * b + 2 * c + velocity(x + step * c, t + step))
    return x


def alone():
    return RANKS == 1
