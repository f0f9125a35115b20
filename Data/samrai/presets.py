# SPDX-License-Identifier: BSD-3-Clause
"""Sets of options for dumps that are too large for tests: what the measurements of readers are made with."""

PRESETS = {
    # 4 096 patches with 8 arrays of 4 096 bytes each: 32 768 datasets, whose opening costs more than their reading.
    "many-small": {
        "dimensions": 3, "cells": [256, 128, 128], "patches": ["16x16x16"], "levels": 1, "processors": 64,
        "spacing": [1 / 64] * 3,
        "variable": ["name=density", "name=pressure,function=smooth", "name=temperature", "name=energy,function=smooth",
                     "name=sound speed", "name=velocity,shape=vector,function=rotation"],
    },
    # 512 patches with 4 arrays of 131 072 bytes each, as they are.
    "medium": {
        "dimensions": 3, "cells": [256, 256, 256], "patches": ["8x8x8"], "levels": 1, "processors": 8,
        "spacing": [1 / 64] * 3, "variable": ["name=density,function=smooth", "name=velocity,shape=vector,function=smooth"],
    },
    # The same, stored in 8 chunks: unpacking is what costs.
    "deflated": {
        "dimensions": 3, "cells": [256, 256, 256], "patches": ["8x8x8"], "levels": 1, "processors": 8,
        "spacing": [1 / 64] * 3, "storage": "chunked", "filters": ["shuffle", "deflate"], "extents": "ibsamrai2",
        "variable": ["name=density,function=smooth", "name=velocity,shape=vector,function=smooth"],
    },
    # 768 boxes of 32^3 cells with 8 components of doubles, all in one dataset of one file of 1.6 GB.
    "chombo": {
        "format": "chombo", "dimensions": 3, "cells": [384, 256, 256], "patches": ["12x8x8"], "levels": 1,
        "spacing": [1 / 64] * 3, "vector_suffixes": ["x", "y", "z"],
        "variable": [f"type=f8,name={name}" for name in (
            "density", "pressure,function=smooth", "temperature", "energy,function=smooth", "sound speed",
            "vel,shape=vector,function=rotation")],
    },
    # The shape of the set in the paper: one level, 1 274 patches, one variable, 7 837 MB; two processors per file.
    "linadv": {
        "dimensions": 3, "cells": [1344, 1157, 630], "patches": ["14x13x7"], "levels": 1, "processors": 98,
        "procs_per_file": 2, "spacing": [1 / 256] * 3, "origin": [0, 0, 0], "variable": ["name=u,type=f8"],
    },
}
