#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The picture of the layers in Documentation/architecture.md, from the table that check_layers.py enforces.

    draw_layers.py DOCUMENT            writes it between its two marks
    draw_layers.py DOCUMENT --check    fails if it is not that of the table

Arrows that follow from others are left out.
"""

import sys
from pathlib import Path

import check_layers

BEGIN, END = "<!-- layers: drawn by Testing/Layering/draw_layers.py -->\n", "<!-- layers: end -->\n"
PARTS = ["Core", "InSitu", "Pipeline", "Readers", "Filters", "Plugin"]
NOT_SHOWN = ["Core/Examples", "InSitu/Examples"]


def is_shown(folder):
    parts = folder.split("/")
    return parts[0] in PARTS and len(parts) == (2 if parts[0] in ("Core", "InSitu") else 1) and folder not in NOT_SHOWN


def below(folder, table):
    """Folders that a folder may include, and those that they may include, and so on."""
    seen, todo = set(), list(table[folder])
    while todo:
        one = todo.pop()
        if one not in seen:
            seen.add(one)
            todo += table[one]
    return seen


def picture():
    shown = [folder for folder in check_layers.MAY_INCLUDE if is_shown(folder)]
    table = {folder: [one for one in check_layers.MAY_INCLUDE[folder] if one in shown] for folder in shown}
    name = {folder: folder.replace("/", "_") for folder in shown}
    lines = ["```mermaid", "graph TD"]
    for part in ("Core", "InSitu"):
        lines += [f"  subgraph {part}", *[f"    {name[f]}[{f.split('/')[1]}]" for f in shown if f.startswith(part + "/")], "  end"]
    for folder in shown:
        direct = table[folder]
        implied = set().union(*[below(one, table) for one in direct]) if direct else set()
        lines += [f"  {name[folder]} --> {name[one]}" for one in direct if one not in implied]
    return "\n".join([*lines, "```", ""])


def main():
    path = Path(sys.argv[1])
    text = path.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    drawn = before + BEGIN + picture() + END + after
    if "--check" not in sys.argv:
        path.write_text(drawn, encoding="utf-8")
    elif drawn != text:
        print(f"{path}: the picture is not that of the table: python3 Testing/Layering/draw_layers.py {path}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
