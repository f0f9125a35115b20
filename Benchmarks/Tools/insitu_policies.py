# SPDX-License-Identifier: BSD-3-Clause
"""Cases of insitu.py with the runtime alone: its policies on virtual cores, and its overhead on real ones."""

import contextlib
import itertools

from insitu_rivals import suspended
from insitu_sides import STEP_SECONDS, Host, Shape, analysis_of, steps_of

HELPERS = (1, 4, 7)  # n_a


def policies_of(cores):
    """Settings of sessions by name: POLICY-n_a. Priorities are normal, as TBB had no others when the policies were described."""
    few = [helpers for helpers in HELPERS if helpers <= cores // 2]
    settings = {"synchronous": {"policy": "synchronous"}, "asynchronous": {"policy": "asynchronous"}}
    for policy, numbers in {"static": few, "dynamic": [*few, cores - 1], "task": [few[-1], cores - 1]}.items():
        for helpers in numbers:
            settings[f"{policy}-{helpers}"] = {"policy": policy, "analytics_threads": helpers}
    dynamic, task = f"dynamic-{few[len(few) // 2]}", f"task-{few[-1]}"
    settings[f"{dynamic}, N - 1 workers"] = settings[dynamic] | {"workers": cores - 1}
    for name in (dynamic, task):
        settings[f"{name}, low priority"] = settings[name] | {"priority": "low"}
    return {name: {"cores": cores, "priority": "normal"} | each for name, each in settings.items()}


def policies(arguments):
    wanted = arguments.sides
    for cores in arguments.cores:
        for kind in arguments.analytics:
            for length in arguments.lengths:
                with contextlib.ExitStack() as stack:
                    shape = Shape(cores, arguments.steps or steps_of(kind, arguments.quick), sequential=arguments.sequential)
                    host = Host(stack, shape, arguments.out)
                    sides = {"alone": host.alone}
                    for name, settings in policies_of(cores).items():
                        if not wanted or name in wanted:
                            sides[name] = host.session(name, settings, analysis_of(kind, length))
                    facts = {"virtual_cores": cores, "sequential": shape.sequential, "analytics": kind, "length": length}
                    yield facts | {"steps": shape.steps}, sides


def repeats(arguments):
    """An analysis of a two hundredth of a step's work, run once, a hundred and a thousand times for each step."""
    for cores in arguments.cores:
        few = [helpers for helpers in HELPERS if helpers <= cores // 2]
        for times in (1, 10) if arguments.quick else (1, 100, 1000):
            with contextlib.ExitStack() as stack:
                shape = Shape(cores, steps_of("parallel", arguments.quick), sequential=arguments.sequential, particles=1000)
                host = Host(stack, shape, arguments.out)
                analysis = analysis_of("parallel", "short") | {"seconds": STEP_SECONDS / 200, "piece_seconds": STEP_SECONDS / 200 / 4}
                sides = {"alone": host.alone}
                for policy, helpers in (("synchronous", 1), *itertools.product(("static", "dynamic"), few)):
                    settings = {"policy": policy, "cores": cores, "analytics_threads": helpers, "priority": "normal"}
                    sides[f"{policy}-{helpers}"] = host.session(f"{policy}-{helpers}", settings, analysis, repeat=times)
                sides["suspended"] = suspended(stack, shape, arguments.out, analysis | {"repeat": times})
                yield {"virtual_cores": cores, "sequential": shape.sequential, "analytics": "parallel", "length": f"repeat {times}"}, sides


def few_policies(cores):
    """Settings of sessions by name: those of Dirand et al. 2018, Fig. 3."""
    few = [helpers for helpers in HELPERS if helpers <= cores // 2]
    settings = {"synchronous": {"policy": "synchronous"}, "asynchronous": {"policy": "asynchronous"}}
    for policy, helpers in itertools.product(("static", "dynamic", "task"), few):
        settings[f"{policy}-{helpers}"] = {"policy": policy, "analytics_threads": helpers}
    return {name: {"cores": cores, "priority": "normal"} | each for name, each in settings.items()}


def messages(arguments):
    """Analytics with two real reductions over ranks for each step, beside a loop."""
    cores = min(arguments.cores)
    for ranks in (2,) if arguments.quick else (2, 4):
        for mib in (1,) if arguments.quick else (1, 16):
            with contextlib.ExitStack() as stack:
                shape = Shape(cores, steps_of("histogram", arguments.quick), sequential=arguments.sequential)
                host = Host(stack, shape, arguments.out, ranks=ranks)
                analysis = analysis_of("histogram", "short") | {"reduce_bytes": mib << 20}
                sides = {"alone": host.alone}
                for name, settings in few_policies(cores).items():
                    sides[name] = host.session(name, settings, analysis)
                facts = {"virtual_cores": cores, "sequential": shape.sequential, "analytics": "histogram"}
                yield facts | {"length": f"{ranks} ranks, {mib} MiB"}, sides


def files(arguments):
    """The analytics write_dat: text for each step, on one thread, with real work and real files."""
    cores = min(arguments.cores)
    for particles in (1000,) if arguments.quick else (20_000, 100_000):
        with contextlib.ExitStack() as stack:
            shape = Shape(cores, steps_of("sequential", arguments.quick), sequential=arguments.sequential, particles=particles)
            host = Host(stack, shape, arguments.out)
            sides = {"alone": host.alone}

            def check(output, shape=shape):
                written = [len(path.read_text().splitlines()) for path in output.glob("*.dat")]
                if len(written) != shape.steps or min(written) < shape.particles:
                    raise RuntimeError(f"{output} has {len(written)} files, with {min(written, default=0)} lines at least")

            for name, settings in few_policies(cores).items():
                sides[name] = host.session(name, settings, {}, check, plugin="write_dat")
            facts = {"virtual_cores": cores, "sequential": shape.sequential, "analytics": "write_dat"}
            yield facts | {"length": f"{particles} particles", "step_bytes": 60 * particles}, sides


def overhead(arguments):
    """Sides: one thread and two without a session; a session of which analytics want no step, or want each."""
    steps = 2 if arguments.quick else 12
    for mib in (8,) if arguments.quick else (8, 128):  # within the cache of two cores, and beyond
        shape = Shape(2, steps * 128 // mib if mib == 8 and not arguments.quick else steps, particles=200_000, memory_mib=mib)
        with contextlib.ExitStack() as stack:
            host = Host(stack, shape, arguments.out, "--threads", 1)
            both = Host(stack, shape, arguments.out)
            nothing = {"kind": "sequential", "seconds": 0}
            dynamic = {"policy": "dynamic", "cores": 2, "analytics_threads": 1}
            sides = {
                "alone, 1 thread": host.alone,
                "session, no step wanted": host.session("idle", dynamic, nothing, first=1 << 40),
                "session, each step": host.session("each", dynamic, nothing),
                "alone, 2 threads": both.alone,
            }
            yield {"analytics": "digest", "step_bytes": 60 * shape.particles, "length": f"{mib} MiB"}, sides
