# SPDX-License-Identifier: BSD-3-Clause
"""Cases of insitu.py with other ways to share a node: dedicated processes, a process that is stopped, and a stream."""

import contextlib
import json
import pathlib

import built
from insitu_sides import Host, Shape, analysis_of, steps_of
from peers import peer_python

MANY_PARTICLES = 1_000_000  # 60 MB
SHORTEST_PHASE = 0.0002  # seconds for which a suspended process is continued


def helpers_of(cores):
    return [helpers for helpers in (1, 4, 7) if helpers <= cores // 2]


def dedicated(stack, shape, folder, analysis, helpers):
    words = ["--coupling", "dedicated", "--helpers", helpers, "--analysis", json.dumps(analysis)]
    return Host(stack, shape, folder, *words, ranks=2).coupled(f"dedicated-{helpers}")


def suspended(stack, shape, folder, analysis):
    """All cores are the analytics' while the simulation needs one. Steps wait in the ring until the end if need be."""
    words = ["--coupling", "suspended", "--helpers", shape.cores - 1, "--buffers", shape.steps, "--analysis", json.dumps(analysis),
             "--program", built.program("suspended_analytics"), "--threshold", SHORTEST_PHASE]  # fmt: skip
    return Host(stack, shape, folder, *words).coupled("suspended")


def stream(stack, shape, folder, analysis, adios, helpers, threads):
    words = ["--coupling", "stream", "--helpers", helpers, "--threads", threads, "--analysis", json.dumps(analysis), "--adios", adios,
             "--program", built.program("stream_consumer")]  # fmt: skip
    return Host(stack, shape, folder, *words).coupled(f"stream-{helpers}-{threads}")


def session(host, policy, helpers, cores, analysis):
    name = f"{policy}-{helpers}"
    return host.session(name, {"policy": policy, "cores": cores, "analytics_threads": helpers, "priority": "normal"}, analysis)


def rivals(arguments):
    for cores in arguments.cores:
        for kind in arguments.analytics:
            for length in arguments.lengths:
                shape = Shape(cores, steps_of(kind, arguments.quick), sequential=arguments.sequential)
                analysis = analysis_of(kind, length)
                with contextlib.ExitStack() as stack:
                    host = Host(stack, shape, arguments.out)
                    sides = {"alone": host.alone}
                    for helpers in helpers_of(cores):
                        sides[f"dedicated-{helpers}"] = dedicated(stack, shape, arguments.out, analysis, helpers)
                        sides[f"static-{helpers}"] = session(host, "static", helpers, cores, analysis)
                        sides[f"dynamic-{helpers}"] = session(host, "dynamic", helpers, cores, analysis)
                    sides["suspended"] = suspended(stack, shape, arguments.out, analysis)
                    yield {"virtual_cores": cores, "sequential": shape.sequential, "analytics": kind, "length": length}, sides


def adios_library():
    """Path of ADIOS2's library in a package of Python, or None and the reason."""
    python, why_not = peer_python("adios2-2.12", "adios2==2.12.1.1001")
    found = sorted(pathlib.Path(python).parents[1].rglob("libadios2_c.so")) if python else []
    return (str(found[0]), "") if found else (None, why_not or "the package has no libadios2_c.so")


def transit(arguments):
    library, why_not = adios_library()
    if library is None:
        print(f"transit without a stream: {why_not}")
    cores = arguments.cores[-1]
    helpers = helpers_of(cores)[-1 if cores < 8 else 1]
    analysis = analysis_of("parallel", "short")
    for particles in (20_000, 200_000 if arguments.quick else MANY_PARTICLES):
        large = particles > 20_000
        steps = 3 if arguments.quick else 8 if large else 20
        shape = Shape(cores, steps, 0.1 if large else 0.032, particles=particles)
        with contextlib.ExitStack() as stack:
            host = Host(stack, shape, arguments.out)
            sides = {"alone": host.alone, f"dynamic-{helpers}": session(host, "dynamic", helpers, cores, analysis)}
            sides[f"dedicated-{helpers}"] = dedicated(stack, shape, arguments.out, analysis, helpers)
            if library:
                folder = arguments.out
                sides["stream, same node"] = stream(stack, shape, folder, analysis, library, helpers, cores - helpers)
                sides["stream, own node"] = stream(stack, shape, folder, analysis, library, helpers, cores)
            facts = {"virtual_cores": cores, "sequential": shape.sequential, "analytics": "parallel", "length": "short"}
            yield facts | {"step_bytes": 60 * particles}, sides
