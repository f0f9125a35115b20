# SPDX-License-Identifier: BSD-3-Clause
"""Flows on meshes that move, which their cells reproduce exactly, and the paths in them."""
import numpy as np
from filter_testing import Messages, array_of, points_of
from vtkmodules.vtkParallelCore import vtkMultiProcessController

RANKS = vtkMultiProcessController.GetGlobalController().GetNumberOfProcesses()
VECTORS = ["POINTS", "velocity"]
STEPS = [0.0, 0.4, 1.0, 1.3, 2.0]
TURNING = "np.stack((-0.5 * x[:, 1] + 0.1 * time, 0.5 * x[:, 0], 0.1 - 0.1 * x[:, 2]), axis=-1)"
SADDLE = "np.stack((0.7 * x[:, 0], -0.7 * x[:, 1], 0.0 * x[:, 2]), axis=-1)"

# A mesh that drifts so far that single precision holds the first places and not the last ones.
DRIFT = "x = x + np.array([1e5 * time, 0.0, 0.0])"
DRIFTING = "np.stack((1e5 + 0.0 * x[:, 0], 0.0 * x[:, 0], 0.0 * x[:, 0]), axis=-1)"


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


def assert_drift_is_exact(traced):
    """Particles go with the mesh that drifts: asked for at once, and frame by frame. traced(**options) makes a path tracer."""
    options = {"IntegrationStepUnit": "Time", "InitialStepLength": 0.05, "IntegratorType": "Runge-Kutta 4"}
    at_once, in_frames = made_by(traced(**options)), traced(**options)
    for time in STEPS[1:]:
        last = made_by(in_frames, time)
    x = points_of(at_once)
    start = np.abs(x[:, 0] - 1e5 * array_of(at_once.GetPointData(), "ParticleAge"))
    assert len(x) > 300 and start.max() < 0.5 + 1e-6, start.max()
    assert np.array_equal(x, points_of(last)), np.abs(x - points_of(last)).max()
