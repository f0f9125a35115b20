# SPDX-License-Identifier: BSD-3-Clause
"""The command line."""

import argparse
from pathlib import Path

from . import chombo, damage, plot_damage
from .index import NAMINGS
from .mesh import make_mesh
from .presets import PRESETS
from .storage import Storage
from .variables import TYPES, Variable, coordinates, ghosts_of

DEFAULT_VARIABLES = ["name=density", "name=velocity,shape=vector,function=smooth",
                     "name=sound speed,centre=node,function=smooth"]


def triple(text):
    numbers = [int(part) for part in text.split("x")]
    if len(numbers) == 1:
        numbers *= 3
    if len(numbers) not in (2, 3) or min(numbers) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not N, NxN or NxNxN")
    return tuple(numbers + [1] * (3 - len(numbers)))


def make_parser(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("folder", type=Path, help="where the dump goes: a new or empty folder")
    parser.add_argument("--preset", choices=PRESETS, help="options for a large dump; given ones override it")
    parser.add_argument("--format", choices=["samrai", "chombo", "amrex", "amrex-multi"], default="samrai")
    parser.add_argument("--damage", choices=sorted({*damage.KINDS, *plot_damage.KINDS}), help="spoil the last time step")
    add_mesh_options(parser.add_argument_group("mesh"))
    add_time_options(parser.add_argument_group("time steps"))
    add_variable_options(parser.add_argument_group("variables"))
    add_file_options(parser.add_argument_group("files"))
    return parser


def add_mesh_options(group):
    group.add_argument("--dimensions", type=int, choices=[2, 3], default=3)
    group.add_argument("--cells", type=int, nargs="+", default=[24, 16, 12], help="of the coarsest level, along x, y, z")
    group.add_argument("--lower", type=int, nargs="+", default=[0, 0, 0], help="lowest cell index; may be negative")
    group.add_argument("--spacing", type=float, nargs="+", default=[0.125, 0.25, 0.5], help="cell size of level 0")
    group.add_argument("--origin", type=float, nargs="+", help="where index 0 lies; default -1, 0.5, 2, for Chombo 0")
    group.add_argument("--levels", type=int, default=2)
    group.add_argument("--ratio", type=triple, nargs="+", default=["2"], help="per finer level, 2 or 4x2x2; the last repeats")
    group.add_argument("--refine", type=float, default=0.5, help="part of each side that the next level covers")
    group.add_argument("--patches", type=triple, nargs="+", default=["2x2x2", "3x1x2"], help="per level, the last repeats")
    group.add_argument("--holes", action="store_true", help="the finest level lacks every third patch")
    group.add_argument("--scatter", type=int, metavar="SEED", help="boxes at random places, down to one cell")
    group.add_argument("--shuffle", type=int, metavar="SEED", help="patches of a level in no spatial order")
    group.add_argument("--deformed", action="store_true", help="nodes in Coords, moved by a smooth map")
    group.add_argument("--blocks", type=int, default=1, help="of a deformed mesh, side by side in one index space")


def add_time_options(group):
    group.add_argument("--steps", type=int, default=1)
    group.add_argument("--first-cycle", type=int, default=0)
    group.add_argument("--stride", type=int, default=10, help="cycles between dumps")
    group.add_argument("--dt", type=float, default=0.0625, help="time of one cycle")
    group.add_argument("--regrid", action="store_true", help="finer levels move by one cell each step")


def add_variable_options(group):
    group.add_argument("--variable", action="append", metavar="KEY=VALUE,...",
                       help="name=, centre=cell|node, shape=scalar|vector|tensor, function=linear|smooth|rotation, "
                            "type=f4 ..., ghosts=1 or 2x1x0, missing=L1+P0, unwritten=P3; may be repeated")
    group.add_argument("--vector-suffixes", nargs="+", default=[], metavar="SUFFIX",
                       help="what Chombo and AMReX add to the names of vectors, such as x y z; default: .00 .01 .02")
    group.add_argument("--coords-type", choices=TYPES, default="f4", help="of Coords in a deformed mesh")
    group.add_argument("--coords-ghosts", default="0", help="layers of Coords in a deformed mesh")
    group.add_argument("--materials", nargs=2, default=[], metavar="NAME", help="two materials with dense fractions")


def add_file_options(group):
    group.add_argument("--processors", type=int, default=4)
    group.add_argument("--procs-per-file", type=int, default=1)
    group.add_argument("--empty-processors", type=int, default=0, help="the last ones, which own no patch")
    group.add_argument("--naming", choices=NAMINGS, default="samrai")
    group.add_argument("--summary-name", help="file name of the summaries")
    group.add_argument("--times", action="store_true", help="datasets note when they were made, as HDF5 does by default")
    group.add_argument("--index-comments", action="store_true", help="lines with ! and #, and blank ones, in the index")
    group.add_argument("--endian", choices=["big", "little"], help="default: SAMRAI big, others little")
    group.add_argument("--extents", choices=["samrai3", "ibsamrai2"], default="samrai3", help="member offsets")
    group.add_argument("--bdry-type", action="store_true")
    group.add_argument("--storage", choices=["contiguous", "chunked", "compact"], default="contiguous")
    group.add_argument("--filters", nargs="+", default=[], metavar="NAME",
                       help="of the chunks, in order: shuffle, deflate, fletcher32, lz4, zstd")
    group.add_argument("--level", type=int, default=5, help="of deflate")
    group.add_argument("--chunk", type=int, default=4096, help="elements at most")
    group.add_argument("--larger-than", type=int, default=128, help="arrays up to so many elements stay contiguous")
    group.add_argument("--rank", type=int, choices=[1, 3], default=1, help="3: fields have the rank of the mesh")
    group.add_argument("--newest", action="store_true", help="Chombo and AMReX: the newest style of HDF5 files")
    group.add_argument("--fill-value", type=float, default=0.0, help="of what was never written")


def parse(arguments, description):
    """The options, with make_mesh's and the writers' needs derived; ends the program with a message if they clash."""
    parser = make_parser(description)
    chosen = parser.parse_args(arguments)
    defaults = dict(PRESETS.get(chosen.preset, {}))
    if chosen.damage in kinds_of(chosen):
        defaults.update(kinds_of(chosen)[chosen.damage].options)
    parser.set_defaults(**defaults)
    options = parser.parse_args(arguments)
    try:
        derive(options)
        check(options)
    except ValueError as error:
        parser.error(str(error))
    return options


def kinds_of(options):
    """The faults that there are for the format."""
    return damage.KINDS if options.format == "samrai" else plot_damage.KINDS


def derive(options):
    plain = options.format != "samrai"
    options.endian = options.endian or ("little" if plain else "big")
    if options.origin is None:
        options.origin = [0.0] * 3 if options.format == "chombo" else [-1.0, 0.5, 2.0]
    for name in ("cells", "lower", "spacing", "origin"):
        numbers = getattr(options, name)
        if len(numbers) < options.dimensions:
            raise ValueError(f"--{name} needs {options.dimensions} numbers")
    # Defaults of lists reach us as they were written.
    for name in ("ratio", "patches"):
        setattr(options, name, [triple(part) if isinstance(part, str) else part for part in getattr(options, name)])
    options.storage = Storage(options.storage, tuple(options.filters), options.chunk, options.larger_than, options.level,
                              options.rank, options.fill_value)
    texts = options.variable or [text for text in DEFAULT_VARIABLES if not (plain and "centre=node" in text)]
    options.variables = [Variable.parse(text, options.dimensions) for text in texts]
    if options.deformed:
        ghosts = ghosts_of(options.coords_ghosts, options.dimensions)
        options.variables.insert(0, coordinates(options.dimensions, options.coords_type, ghosts))


def check(options):
    if options.blocks > 1 and not options.deformed:
        raise ValueError("--blocks needs --deformed")
    if not 0 <= options.empty_processors < options.processors:
        raise ValueError("some processor must own patches: fewer --empty-processors")
    if options.damage and options.damage not in kinds_of(options):
        kind = "plot files" if options.format == "samrai" else "SAMRAI dumps"
        raise ValueError(f"--damage {options.damage} spoils {kind} only")
    if options.vector_suffixes and len(options.vector_suffixes) < options.dimensions:
        raise ValueError(f"--vector-suffixes needs {options.dimensions} of them")
    if min(*options.cells, options.levels, options.steps, options.procs_per_file, options.blocks) < 1:
        raise ValueError("--cells, --levels, --steps, --procs-per-file and --blocks are at least 1")
    if options.folder.exists() and (not options.folder.is_dir() or any(options.folder.iterdir())):
        raise ValueError(f"{options.folder} is there already and not empty: choose another folder or empty it")
    mesh = make_mesh(options)
    if options.format != "samrai":
        reason = chombo.check(mesh, options.variables, options)
        if reason:
            raise ValueError(reason)
