#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_picture.py PICTURE: whether there are lines in the middle, where the outline of the field does not reach."""

import sys

import numpy
from PIL import Image

pixels = numpy.asarray(Image.open(sys.argv[1]).convert("RGB")).astype(int)
height, width, _ = pixels.shape
middle = pixels[height * 2 // 5:height * 3 // 5, width * 2 // 5:width * 3 // 5]
background = pixels[0, 0]
drawn = int((numpy.abs(middle - background).sum(axis=2) > 30).sum())
print(f"{drawn} of {middle.shape[0] * middle.shape[1]} pixels in the middle are drawn")
if drawn < 200:
    sys.exit("FAILED: the picture shows no lines")
