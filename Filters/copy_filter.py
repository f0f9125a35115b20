#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""copy_filter.py NAME LABEL [--of ResidenceTime] [--root .]: begins a filter as a copy of another one.

Copies the vtk class, its work, its proxy, its icon and its test under new names, and says what is left to do. Filters with a
work of their name can be copied: ResidenceTime, SourceDestination, PathTracer, StreakLine, StreakSurface. NAME is that of
the class without vtkRivulet, such as MeanAge; LABEL is that of the menu, such as "Mean Age". Documentation/add-a-filter.md
explains the files. Nothing is overwritten.
"""

import argparse
import re
import sys
from pathlib import Path


def words_of(name):
    """MeanAge -> mean_age; FTLE -> ftle."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def renamed(text, old, new, labels):
    """Names with a prefix or a suffix of filters alone: Core's names of the same words stay."""
    text = re.sub(rf"(?<![A-Za-z])(vtkRivulet|Rivulet){old}(?![a-z])", rf"\g<1>{new}", text)
    text = re.sub(rf"(?<![A-Za-z]){old}(Work|Settings)(?![a-z])", rf"{new}\g<1>", text)
    return text.replace("Rivulet " + labels[0], "Rivulet " + labels[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("label")
    parser.add_argument("--of", default="ResidenceTime")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    arguments = parser.parse_args()
    if not re.fullmatch(r"[A-Z][A-Za-z]+", arguments.name):
        sys.exit(f"copy_filter: {arguments.name} is no name of a class, such as MeanAge")
    old, new, root = arguments.of, arguments.name, arguments.root
    if not (root / f"Filters/Work/{old}Work.h").exists():
        sys.exit(f"copy_filter: there is no Filters/Work/{old}Work.h; take a filter with a work of its name, such as ResidenceTime")
    pattern = root / "Plugin/Filters.xml"
    xml = pattern.read_text()
    proxy = re.search(rf'    <RivuletSourceProxy name="Rivulet{old}".*?</RivuletSourceProxy>\n\n', xml, re.DOTALL)
    if proxy is None:
        sys.exit(f"copy_filter: {pattern} has no proxy Rivulet{old}")
    labels = (re.search(r'label="Rivulet ([^"]+)"', proxy[0])[1], arguments.label)
    copies = {}
    for name in (f"Filters/vtkRivulet{old}.h", f"Filters/vtkRivulet{old}.cxx", f"Filters/Work/{old}Work.h", f"Filters/Work/{old}Work.cxx",
                 f"Plugin/Icons/Rivulet{old}.svg", f"Testing/Filters/test_{words_of(old)}.py"):
        to = root / name.replace(old, new).replace(words_of(old), words_of(new))
        if to.exists():
            sys.exit(f"copy_filter: {to} is there already")
        copies[to] = renamed((root / name).read_text(), old, new, labels)
    tests = root / "Testing/Filters/CMakeLists.txt"
    line = re.search(rf"rivulet_pvbatch_test\(Filters\.{old} [^\n]*\n", tests.read_text())
    for to, text in copies.items():
        to.write_text(text)
    pattern.write_text(xml.replace(proxy[0], proxy[0] + renamed(proxy[0], old, new, labels), 1))
    added = line[0].replace(old, new).replace(words_of(old), words_of(new))
    tests.write_text(tests.read_text().replace(line[0], line[0] + added, 1))
    for to in [*copies, pattern, tests]:
        print(to.relative_to(root))
    print("Left to do: ./run format, the question in Core and its output, help texts, the section of the user guide, the line of the changelog.")


if __name__ == "__main__":
    main()
