# SPDX-License-Identifier: BSD-3-Clause
"""Presets of colours by the names that they have in all ParaViews."""


def apply_preset(table, name):
    """Older ParaViews add the origin to the names of matplotlib's presets."""
    try:
        table.ApplyPreset(name, True)
    except RuntimeError:
        table.ApplyPreset(name + " (matplotlib)", True)
