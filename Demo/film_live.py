# SPDX-License-Identifier: BSD-3-Clause
"""A Catalyst script: a frame of the film for each step that the simulation shows."""
import os
import sys

from paraview import catalyst
from paraview.simple import CreateExtractor, TrivialProducer

sys.path.insert(0, os.environ["RIVULET_DEMO"])
import film_view  # noqa: E402

flow = TrivialProducer(registrationName="flow")
view = film_view.make_view(flow)
png = CreateExtractor("PNG", view, registrationName="png")
png.Writer.FileName = "film_{timestep:06d}.png"
png.Writer.ImageResolution = film_view.SIZE
options = catalyst.Options()
options.ExtractsOutputDirectory = "."
