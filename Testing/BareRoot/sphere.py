# SPDX-License-Identifier: BSD-3-Clause
"""Draws a sphere with pvbatch, to see whether this ParaView makes pictures without an X display. The last line tells its size."""
import os

from paraview.simple import Render, SaveScreenshot, Show, Sphere

PICTURE = "/tmp/sphere.png"
Show(Sphere())
Render()
SaveScreenshot(PICTURE, ImageResolution=[200, 150])
os.write(1, f"{os.path.getsize(PICTURE)} bytes\n".encode())
