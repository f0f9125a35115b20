# SPDX-License-Identifier: BSD-3-Clause
"""A small file of netCDF's classic format, written without its library."""
import struct

SIDES = {"z": 4, "y": 5, "x": 6}
DOUBLE, FLOAT = 6, 5
DIMENSIONS, VARIABLES, ATTRIBUTES, TEXT = 10, 11, 12, 2


def name(text):
    data = text.encode()
    return struct.pack(">i", len(data)) + data + b"\0" * (-len(data) % 4)


def value(step, point):
    return 1000.0 * step + point


def write(path, times):
    """Variable `v` of float at 6 x 5 x 4 points and at `times`; the positions are i / 2, j and k."""
    points = SIDES["x"] * SIDES["y"] * SIDES["z"]
    units = "seconds since 2000-01-01"
    head = b"CDF\1" + struct.pack(">i", len(times)) + struct.pack(">ii", DIMENSIONS, 4) + name("time") + struct.pack(">i", 0)
    head += b"".join(name(side) + struct.pack(">i", count) for side, count in SIDES.items()) + struct.pack(">ii", 0, 0)
    variables = [("time", [0], DOUBLE, 8)] + [(side, [1 + at], DOUBLE, 8 * count)
                                              for at, (side, count) in enumerate(SIDES.items())]
    variables.append(("v", [0, 1, 2, 3], FLOAT, 4 * points))

    def described(places):
        text = struct.pack(">ii", VARIABLES, len(variables))
        for (variable, dimensions, kind, size), place in zip(variables, places):
            text += name(variable) + struct.pack(f">i{len(dimensions)}i", len(dimensions), *dimensions)
            text += (struct.pack(">ii", ATTRIBUTES, 1) + name("units") + struct.pack(">i", TEXT) + name(units)
                     if variable == "time" else struct.pack(">ii", 0, 0))
            text += struct.pack(">iii", kind, size, place)
        return text

    places, place = [0], len(head) + len(described([0] * 5))
    for _, _, _, size in variables[1:4]:
        places.append(place)
        place += size
    places[0] = place  # records: a time and its values, then the next
    data = b"".join(struct.pack(f">{count}d", *(i * (0.5 if side == "x" else 1) for i in range(count)))
                    for side, count in SIDES.items())
    for step, time in enumerate(times):
        data += struct.pack(">d", time) + struct.pack(f">{points}f", *(value(step, point) for point in range(points)))
    with open(path, "wb") as file:
        file.write(head + described([*places, place + 8]) + data)
