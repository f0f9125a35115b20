#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Dependencies of folders, and the form of every source file.

    check_layers.py ROOT

Prints one line per violation and exits with 1 if there is any. The rules are the tables below, and nothing else.
"""

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

CORE = ["Core/Base", "Core/Curve", "Core/Parallel", "Core/Io", "Core/Hdf5", "Core/Amr", "Core/Store", "Core/AmrMesh", "Core/Trace", "Core/Generate", "Core/Convert"]

# Folder -> the project folders and single headers that its files may include (its own always). The longest matching folder holds.
MAY_INCLUDE = {
    "Core/Base": [],
    "Core/CommandLine": [],
    "Core/Curve": ["Core/Base"],
    "Core/Parallel": ["Core/Base"],
    "Core/Io": ["Core/Base", "Core/Curve"],
    "Core/Io/Files": ["Core/Base"],
    "Core/Io/Reads": ["Core/Base", "Core/Io/Files"],
    "Core/Io/Writes": ["Core/Base", "Core/Io/Files"],
    "Core/Io/Blocks": ["Core/Base", "Core/Io/Files"],
    "Core/Io/FieldFile": ["Core/Base", "Core/Curve", "Core/Io/Files", "Core/Io/Writes"],
    "Core/Io/Series": ["Core/Base", "Core/Io/Files", "Core/Io/Writes", "Core/Io/FieldFile"],
    "Core/Hdf5": ["Core/Base", "Core/Io"],
    "Core/Amr": ["Core/Base", "Core/Parallel", "Core/Io", "Core/Hdf5", "Core/Store", "Core/AmrMesh"],
    "Core/Store": ["Core/Base", "Core/Curve", "Core/Io", "Core/Parallel"],
    "Core/Store/Source": ["Core/Base", "Core/Io"],
    "Core/Store/Memory": ["Core/Base", "Core/Io", "Core/Store/Source"],
    "Core/Store/LocalCache": ["Core/Base", "Core/Io", "Core/Store/Source", "Core/Store/Memory"],
    "Core/Store/Locate": ["Core/Base", "Core/Curve", "Core/Io", "Core/Store/Source"],
    "Core/Store/Cache": ["Core/Base", "Core/Io", "Core/Parallel", "Core/Store/Source", "Core/Store/Memory"],
    "Core/Store/Read": ["Core/Base", "Core/Io", "Core/Store/Source", "Core/Store/Memory", "Core/Store/Locate", "Core/Store/Cache"],
    "Core/Store/Access": ["Core/Base", "Core/Io", "Core/Parallel", "Core/Store/Source", "Core/Store/Memory", "Core/Store/LocalCache", "Core/Store/Locate", "Core/Store/Cache", "Core/Store/Read"],
    "Core/Store/Derived": ["Core/Base", "Core/Parallel", "Core/Store/Source", "Core/Store/Memory", "Core/Store/Cache"],
    "Core/Store/Hints": ["Core/Base", "Core/Io", "Core/Store/Memory"],
    "Core/Store/Field": ["Core/Base", "Core/Io", "Core/Store/Source", "Core/Store/Memory", "Core/Store/LocalCache", "Core/Store/Hints", "Core/Store/Locate", "Core/Store/Access"],
    "Core/AmrMesh": ["Core/Base", "Core/Store"],
    "Core/Trace": ["Core/Base", "Core/Curve", "Core/Parallel", "Core/Store", "Core/AmrMesh"],
    "Core/Trace/Contract": ["Core/Base", "Core/Store"],
    "Core/Trace/Mesh": ["Core/Base", "Core/Curve", "Core/Parallel", "Core/Store", "Core/AmrMesh", "Core/Trace/Contract"],
    "Core/Trace/Kernel": ["Core/Base", "Core/Curve", "Core/Parallel", "Core/Store", "Core/AmrMesh", "Core/Trace/Contract", "Core/Trace/Mesh"],
    "Core/Trace/Advect": ["Core/Base", "Core/Curve", "Core/Parallel", "Core/Store", "Core/AmrMesh", "Core/Trace/Contract", "Core/Trace/Mesh", "Core/Trace/Kernel"],
    "Core/Trace/Lines": ["Core/Base", "Core/Curve", "Core/Parallel", "Core/Store", "Core/AmrMesh", "Core/Trace/Contract", "Core/Trace/Mesh", "Core/Trace/Kernel", "Core/Trace/Advect"],
    "Core/Trace/Seeds": ["Core/Base", "Core/Curve", "Core/Parallel", "Core/Store", "Core/AmrMesh", "Core/Trace/Contract", "Core/Trace/Mesh", "Core/Trace/Kernel"],
    "Core/Trace/FlowMap": ["Core/Base", "Core/Curve", "Core/Parallel", "Core/Store", "Core/AmrMesh", "Core/Trace/Contract", "Core/Trace/Mesh", "Core/Trace/Kernel", "Core/Trace/Advect"],
    "Core/Trace/Regions": ["Core/Base", "Core/Curve", "Core/Parallel", "Core/Store", "Core/AmrMesh", "Core/Trace/Contract", "Core/Trace/Mesh", "Core/Trace/Kernel", "Core/Trace/Advect"],
    "Core/Trace/FlowSurface": ["Core/Base", "Core/Curve", "Core/Parallel", "Core/Store", "Core/AmrMesh", "Core/Trace/Contract", "Core/Trace/Mesh", "Core/Trace/Kernel", "Core/Trace/Advect", "Core/Trace/Lines", "Core/Trace/FlowMap"],
    "Core/Generate": ["Core/Base", "Core/Io"],
    "Core/Convert": ["Core/Base", "Core/Curve", "Core/Io", "Core/Parallel"],
    "Core/Examples": ["Core/Base", "Core/Io", "Core/Amr", "Core/Parallel", "Core/Store", "Core/Trace"],
    "Core/Command": ["Core/CommandLine", "Core/Base", "Core/Curve", "Core/Io", "Core/Parallel", "Core/Store", "Core/Generate", "Core/Convert"],
    "Pipeline": ["Core/Base", "Core/Parallel", "Core/Store", "Core/AmrMesh", "Core/Trace"],
    "Readers": ["Pipeline", "Core/Base", "Core/Curve", "Core/Io", "Core/Amr", "Core/Parallel", "Core/Store", "Core/AmrMesh", "Core/Convert"],
    "Readers/Command": ["Pipeline", "Core/Base", "Core/Io", "Core/Store", "Core/Command"],
    "Filters": ["Pipeline", "Core/Base", "Core/Parallel", "Core/Store", "Core/AmrMesh", "Core/Trace"],
    "Filters/Input": ["Pipeline", "Core/Base", "Core/Parallel", "Core/Store", "Core/AmrMesh", "Core/Trace"],
    "Filters/Seeds": ["Pipeline", "Core/Base", "Core/Parallel", "Core/Store", "Core/AmrMesh", "Core/Trace", "Filters/Input"],
    "Filters/Output": ["Pipeline", "Core/Base", "Core/Parallel", "Core/Store", "Core/AmrMesh", "Core/Trace", "Filters/Input"],
    "Filters/Run": ["Pipeline", "Core/Base", "Core/Parallel", "Core/Store", "Core/AmrMesh", "Core/Trace", "Filters/Input"],
    "Filters/Steps": ["Pipeline", "Core/Base", "Core/Parallel", "Core/Store", "Core/AmrMesh", "Core/Trace", "Filters/Input", "Filters/Seeds", "Filters/Run"],
    "Filters/Work": ["Pipeline", "Core/Base", "Core/Parallel", "Core/Store", "Core/AmrMesh", "Core/Trace", "Filters/Input", "Filters/Seeds", "Filters/Output", "Filters/Run", "Filters/Steps"],
    "Plugin": ["Pipeline", "Readers", "Filters"],
    "InSitu/Runtime": ["Core/Base", "Core/Parallel"],
    "InSitu/Analytics": ["InSitu/Runtime", "Core/Base", "Core/Io", "Core/Parallel", "Core/Store", "Core/AmrMesh", "Core/Amr", "Core/Trace", "Core/Convert"],
    "InSitu/Catalyst": ["InSitu/Runtime", "Pipeline"],
    "InSitu/Catalyst2": ["InSitu/Runtime", "Core/Base"],
    "InSitu/Examples": ["InSitu/Runtime", "Core/CommandLine", "Core/Parallel/TaskOrder.h"],
    "Benchmarks": CORE + ["Core/CommandLine", "Pipeline", "Readers", "Filters"],
    "Benchmarks/InSitu": ["InSitu/Runtime", "Core/CommandLine"],
    "Testing": CORE + ["Core/Command", "Pipeline", "Readers", "Filters", "Testing"],
    "Testing/Core": CORE + ["Core/Command", "Core/CommandLine", "Testing"],
    "Testing/Support": CORE,
    "Testing/Support/SlowDisk": ["Core/CommandLine"],
    "Testing/InSitu": ["Core/Parallel/TaskOrder.h", "InSitu/Runtime", "InSitu/Analytics", "InSitu/Examples", "Testing"],
    "Testing/InSitu/Catalyst2": ["InSitu/Runtime", "InSitu/Catalyst2", "Core/Base", "Testing"],
    "Testing/InSitu/Catalyst": ["InSitu/Runtime", "InSitu/Catalyst", "Pipeline", "Testing"],
    "Testing/InSitu/Analytics": CORE + ["InSitu/Runtime", "InSitu/Analytics", "Testing"],
}

# A foreign header (a pattern for its name) -> the only files or folders that may include it.
RESERVED = {
    r"(hdf5|H5public|H5\w*)\.h": ["Core/Io/FieldFile/Hdf5Session.h", "Testing", "Benchmarks"],
    r"liburing\.h": ["Core/Io/Reads/RingReads.cxx"],
    r"mpi\.h": ["Core/Parallel", "InSitu", "Testing/InSitu", "Benchmarks/InSitu"],
    r"catalyst\w*\.h": ["InSitu/Catalyst2", "Testing/InSitu/Catalyst2"],
    r"omp\.h": ["Core/Examples", "InSitu/Examples"],
    r"tbb/.*|oneapi/.*": ["Core/Parallel", "InSitu", "Testing/Core/Parallel", "Testing/InSitu", "Benchmarks/InSitu"],
    r"hwy/.*": ["Core/Trace", "Testing/Core/Trace"],
    r"CLI/.*": ["Core/CommandLine/CommandLine.cxx"],
    r"(vtk|pq)\w*\.h": [
        "Pipeline", "Readers", "Filters", "Plugin", "InSitu/Catalyst", "Testing/InSitu/Catalyst",
        "Testing/Pipeline", "Testing/Readers", "Testing/Filters", "Testing/Plugin", "Benchmarks",
    ],
    r"(gtest|gmock|benchmark)/.*": ["Testing", "Benchmarks"],
}

MAXIMUM_LINES = 700
SPDX = "SPDX-License-Identifier: BSD-3-Clause"
FIXED_INTEGER = re.compile(r"std::u?int(8|16|32|64|ptr)_t")
UNFINISHED = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|X" + r"XX)\b")  # in two pieces, or it would find itself
CXX = {".h", ".cxx", ".c"}
# Words in comments of the product that stand for a thing without naming it.
UNNAMED = re.compile(r"//.*\b(those|whoever|nobody|somebody)\b", re.IGNORECASE)
PRODUCT = ["Core", "Pipeline", "Readers", "Filters", "Plugin", "InSitu"]
WITH_LICENCE = CXX | {".py", ".sh", ".cmake"}
ASCII_ONLY = WITH_LICENCE | {".md", ".xml", ".json", ".txt", ".module", ".plugin"}
IGNORED_FOLDERS = {".git", "build", "out", "__pycache__", ".cache"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def project_files(root):
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if path.is_file() and not IGNORED_FOLDERS.intersection(parts):
            yield path


def inside(name, folder):
    return name == folder or name.startswith(folder + "/")


def layer_of(name):
    """The longest folder of MAY_INCLUDE that holds the file, or None."""
    return max((folder for folder in MAY_INCLUDE if inside(name, folder)), key=len, default=None)


def resolve(root, headers, including, quoted, target):
    """The project file that an #include means, relative to the root, or None for a foreign header."""
    candidates = [including.parent / target] if quoted else []
    candidates += [root / "Core" / target, root / target]
    for candidate in candidates:
        if candidate.is_file():
            return candidate.resolve().relative_to(root).as_posix()
    return headers.get(target)  # VTK modules find each other's headers by bare name


def check_project_include(name, target):
    layer, other = layer_of(name), layer_of(target)
    if layer is None:
        return f"{name}: is in no folder that MAY_INCLUDE knows; add its layer there"
    allowed = [layer] + MAY_INCLUDE[layer]
    if other is None or any(inside(target, folder) for folder in allowed):
        return None
    return f"{name}: includes {target}, but {layer} may only include {', '.join(allowed)}"


def check_foreign_include(name, target):
    for pattern, places in RESERVED.items():
        if re.fullmatch(pattern, target) and not any(inside(name, place) for place in places):
            return f"{name}: includes <{target}>, which is reserved for {', '.join(places)}"
    return None


def check_includes(root, files):
    headers = {p.name: p.relative_to(root).as_posix() for p in files if p.suffix == ".h" and p.name.startswith("vtk")}
    for path in (p for p in files if p.suffix in CXX):
        name = path.relative_to(root).as_posix()
        for match in INCLUDE.finditer(path.read_text(errors="replace")):
            quoted, target = match[1] == '"', match[2]
            found = resolve(root, headers, path, quoted, target)
            yield check_project_include(name, found) if found else check_foreign_include(name, target)


def check_integers(root, path):
    """A header that names std::int64_t and its like must not hope for another one to declare them: later compilers'
    standard headers do so no more. Headers of the project count as if they did."""
    text = path.read_text(errors="replace")
    includes = [(match[1], match[2]) for match in INCLUDE.finditer(text)]
    declared = any(quote == '"' or target == "cstdint" for quote, target in includes)
    if FIXED_INTEGER.search(text) and not declared:
        yield f"{path.relative_to(root).as_posix()}: uses integers of <cstdint> without including it"


def check_appearance(root, path):
    name = path.relative_to(root).as_posix()
    text = path.read_text(errors="replace")
    lines = text.splitlines()
    is_script = text.startswith("#!")
    if path.suffix in WITH_LICENCE or is_script or path.name == "CMakeLists.txt":
        if not any(SPDX in line for line in lines[: 2 if is_script else 1]):
            yield f"{name}: does not begin with '{SPDX}'"
        if len(lines) > MAXIMUM_LINES:
            yield f"{name}: has {len(lines)} lines, more than {MAXIMUM_LINES}: split it"
    if path.suffix in ASCII_ONLY or is_script:
        for number, line in enumerate(lines, 1):
            if not line.isascii():
                yield f"{name}:{number}: is not plain ASCII"
            if UNFINISHED.search(line):
                yield f"{name}:{number}: leaves something unfinished: {line.strip()}"
            if path.suffix in CXX and any(inside(name, folder) for folder in PRODUCT) and UNNAMED.search(line):
                yield f"{name}:{number}: a comment does not name its thing: {line.strip()}"


def check_help(root, path):
    """Each property that users see has a help text."""
    for proxy in ET.parse(path).iter():
        for one in proxy if proxy.tag.endswith("Proxy") else []:
            hidden = one.get("information_only") == "1"
            if one.tag.endswith("Property") and not hidden and not one.findtext("Documentation", "").strip():
                yield f"{path.relative_to(root).as_posix()}: {proxy.get('name')}: {one.get('name')} has no help text"


def violations(root):
    root = root.resolve()
    files = list(project_files(root))
    found = [message for message in check_includes(root, files) if message]
    for path in files:
        found += check_appearance(root, path)
        found += check_integers(root, path) if path.suffix == ".h" else []
    for path in sorted((root / "Plugin").glob("*.xml")):
        found += check_help(root, path)
    return sorted(set(found))


def main():
    found = violations(Path(sys.argv[1]))
    for message in found:
        print(message)
    print(f"{len(found)} violations of the layering and layout rules")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
