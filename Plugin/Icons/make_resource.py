#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""make_resource.py OUT.cxx FOLDER FILE...

Makes C++ that gives Qt the files under the names :/FOLDER/FILE, in the format (version 1) that all of Qt 5 and 6 read. It
needs neither Qt's tools nor its headers, and where Qt is not loaded (pvbatch, pvserver) it does nothing.
"""

import struct
import sys
from pathlib import Path

SOURCE = """// Made by make_resource.py.
{arrays}
// Of Qt's library, if the program has it.
bool qRegisterResourceData(int, const unsigned char*, const unsigned char*, const unsigned char*) __attribute__((weak));
bool qUnregisterResourceData(int, const unsigned char*, const unsigned char*, const unsigned char*) __attribute__((weak));

namespace
{{
struct Resource
{{
  Resource()
  {{
    if (qRegisterResourceData != nullptr)
    {{
      qRegisterResourceData(1, tree, names, data);
    }}
  }}
  ~Resource()
  {{
    if (qUnregisterResourceData != nullptr)
    {{
      qUnregisterResourceData(1, tree, names, data);
    }}
  }}
}} resource;
}} // namespace
"""


def hash_of(name):
    value = 0
    for letter in name:
        value = (value << 4) + ord(letter)
        value = (value ^ ((value & 0xF0000000) >> 23)) & 0x0FFFFFFF
    return value


def resource_of(folder, files):
    """Tree, names and data. The root's only child is the folder; its files follow, by their hashes, as Qt seeks them."""
    files = sorted(files, key=lambda file: hash_of(file.name))
    names, at = b"", {}
    for name in [folder, *(file.name for file in files)]:
        at[name] = len(names)
        names += struct.pack(">HI", len(name), hash_of(name)) + name.encode("utf-16-be")
    tree = struct.pack(">IHII", 0, 2, 1, 1) + struct.pack(">IHII", at[folder], 2, len(files), 2)
    data = b""
    for file in files:
        tree += struct.pack(">IHHHI", at[file.name], 0, 0, 1, len(data))
        content = file.read_bytes()
        data += struct.pack(">I", len(content)) + content
    return {"tree": tree, "names": names, "data": data}


def array(name, content):
    lines = [", ".join(str(byte) for byte in content[i:i + 24]) for i in range(0, len(content), 24)]
    return f"static const unsigned char {name}[] = {{ " + ",\n  ".join(lines) + " };\n"


out, resource_folder, *paths = sys.argv[1:]
arrays = "".join(array(*item) for item in resource_of(resource_folder, [Path(path) for path in paths]).items())
Path(out).write_text(SOURCE.format(arrays=arrays), encoding="ascii")
