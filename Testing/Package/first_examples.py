#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""first_examples.py README FOLDER: the first example in shell and the first for ParaView, as first.sh and second.py."""

import re
import sys
from pathlib import Path

readme, folder = map(Path, sys.argv[1:])
for fence, name in (("sh test", "first.sh"), ("python test=pvpython", "second.py")):
    example = re.search(rf"^```{fence}[^\n]*\n(.*?)^```", readme.read_text(), re.DOTALL | re.MULTILINE)
    if not example:
        sys.exit(f"{readme} has no example that begins with ```{fence}")
    (folder / name).write_text(example[1])
