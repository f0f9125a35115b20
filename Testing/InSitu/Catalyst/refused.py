# SPDX-License-Identifier: BSD-3-Clause
"""Filters whose work needs steps of a simulation that are gone or yet to come: each says so, and the script goes on."""
from paraview import catalyst
from paraview.simple import *

options = catalyst.Options()
flow = TrivialProducer(registrationName="flow")
refused = []


def catalyst_execute(info):
    for make in (ParticlePath, ParticleTracer, StreakLine):
        try:
            make(Input=Calculator(Input=flow), SeedSource=Line())
        except RuntimeError as error:
            print(error)
    if not refused:
        refused.extend([RivuletStreakSurface(Input=flow), RivuletFTLE(Input=flow, IntegrationDirection="BACKWARD"),
                        RivuletFTLE(Input=flow, AdaptiveSampling=1), RivuletPathTracer(Input=flow, TimeInterpolation="Cubic"),
                        RivuletPathTracer(Input=flow, IntegrationDirection="BACKWARD"), RivuletFTLE(Input=flow, MemoryBudget=1)])
    for each in refused:
        each.UpdatePipeline(info.time)
