# SPDX-License-Identifier: BSD-3-Clause
"""Fields like those of Camp 2011, from formulas, as field files.

    path = make_field("torus", folder, 256)

torus      the magnetic field of a tokamak: around the axis, with a twist that grows outwards, and a perturbation; lines stay
inlets     a box into which two inlets blow air, with a slow circulation and eddies; lines run into the box and mix
supernova  the magnetic field around a collapsed core: a dipole that is wound up, in turbulence; lines are short and go everywhere
"""

import subprocess

import built
import numpy as np

KINDS = ("torus", "inlets", "supernova")


def torus(x, y, z):
    """The box is [-1, 1]^3, the axis is z, the large radius 0.6."""
    large = np.hypot(x, y) + 1e-6
    rho, height = large - 0.6, z
    small = np.hypot(rho, height) + 1e-6
    around = 0.6 / large
    twist = small / (0.6 * (1.0 + 4.0 * small**2))  # 1 / safety factor, times the radius
    along_rho, along_z = -height / small * twist, rho / small * twist
    angle, wave = np.arctan2(y, x), np.arctan2(height, rho)
    along_rho = along_rho + 0.02 * np.sin(2 * wave - angle)
    return along_rho * x / large - around * y / large, along_rho * y / large + around * x / large, along_z


def inlets(x, y, z):
    """Two jets along x from the wall at x = -1, which turn back along the walls."""
    jets = sum(np.exp(-((y - side) ** 2 + z**2) / (0.04 * (1.2 + x) ** 2 + 0.01)) for side in (-0.4, 0.4))
    eddies = [0.3 * np.sin(k * np.pi * a + k) * np.cos(k * np.pi * b) for k, a, b in ((2, y, z), (3, z, x), (4, x, y))]
    return (jets * (1.4 - x) - 0.35 + eddies[0], 0.4 * np.sin(np.pi * x) * np.cos(np.pi * y / 2) + eddies[1],
            0.25 * np.cos(np.pi * x / 2) * np.sin(np.pi * z) + eddies[2])  # fmt: skip


def supernova(x, y, z):
    """A dipole along z, wound up around it, and modes that fall off with their number."""
    r = np.sqrt(x * x + y * y + z * z) + 0.15
    dipole = np.array([3 * x * z, 3 * y * z, 3 * z * z - r * r]) / r**5 * 0.02
    winding = np.exp(-2 * r) * 2.0
    field = [dipole[0] - winding * y / r, dipole[1] + winding * x / r, dipole[2]]
    random = np.random.default_rng(5)
    for _ in range(24):
        wave = random.normal(size=3)
        wave *= random.integers(2, 12) * np.pi / np.linalg.norm(wave)
        across = np.cross(wave, random.normal(size=3))
        across *= 0.6 / np.linalg.norm(across) / np.linalg.norm(wave) ** 0.5
        phase = np.sin(wave[0] * x + wave[1] * y + wave[2] * z + random.uniform(0, 2 * np.pi))
        field = [each + part * phase for each, part in zip(field, across)]
    return field


FORMULAS = {"torus": torus, "inlets": inlets, "supernova": supernova}


def write_raw(kind, path, nodes):
    """Writes the vectors as float32, plane by plane."""
    at = np.linspace(-1, 1, nodes)
    with open(path, "wb") as file:
        for z in at:
            y, x = np.meshgrid(at, at, indexing="ij")
            values = np.stack(np.broadcast_arrays(*FORMULAS[kind](x, y, np.full_like(x, z))), axis=-1)
            values.astype("<f4").tofile(file)


def make_field(kind, folder, nodes):
    """The path of the field file. Makes it if it is not there."""
    path = folder / f"{kind}-{nodes}.rvf"
    if path.exists():
        return path
    raw = folder / f"{kind}.raw"
    write_raw(kind, raw, nodes)
    step = 2 / (nodes - 1)
    command = [built.program("rivulet"), "convert", raw, path, "--dims", f"{nodes},{nodes},{nodes}", "--components", 3, "--type", "float32",
               "--origin=-1,-1,-1", "--spacing", f"{step},{step},{step}", "--quiet"]  # fmt: skip
    subprocess.run([str(word) for word in command], check=True)
    raw.unlink()
    return path
