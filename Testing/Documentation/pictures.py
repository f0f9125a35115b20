# SPDX-License-Identifier: BSD-3-Clause
"""Whether a picture shows something: enough pixels that are not background, and not all of them in one corner.

An outline alone, or a corner of one that the camera looks past, is nothing.
"""

from pathlib import Path

LEAST_SHARE = 0.02  # of the pixels; an outline in ParaView's default view takes 0.014
LEAST_SPREAD = 0.25  # of the tiles that the picture is cut into
TILES = 8  # along each side
VISIBLE = 24  # least difference from the background, of 255, in one of red, green and blue
ENDINGS = {".png", ".jpg", ".jpeg"}


def pictures_in(folder):
    """The pictures under a folder, with a mark that changes when one is written."""
    found = sorted(path for path in Path(folder).rglob("*") if path.suffix.lower() in ENDINGS)
    return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in found}


def foreground(path):
    """A truth value for each pixel: does it differ from the commonest colour?"""
    import numpy  # only documents with pictures need these two
    from PIL import Image

    with Image.open(path) as image:
        pixels = numpy.asarray(image.convert("RGB")).astype(int)
    colours, counts = numpy.unique(pixels.reshape(-1, 3), axis=0, return_counts=True)
    return abs(pixels - colours[counts.argmax()]).max(axis=2) > VISIBLE


def share_of_tiles(marked):
    rows, columns = (size // TILES for size in marked.shape)
    cut = marked[: rows * TILES, : columns * TILES].reshape(TILES, rows, TILES, columns)
    return cut.any(axis=(1, 3)).mean()


def what_is_missing(path):
    """What keeps a picture from showing something, or None."""
    marked = foreground(path)
    if min(marked.shape) < TILES:
        return f"{path.name} has only {marked.shape[1]} x {marked.shape[0]} pixels"
    if marked.mean() < LEAST_SHARE:
        return f"{path.name} is nearly empty: {marked.mean():.2%} of the pixels are not background"
    if share_of_tiles(marked) < LEAST_SPREAD:
        return f"{path.name} shows something only on {share_of_tiles(marked):.0%} of its area"
    return None
