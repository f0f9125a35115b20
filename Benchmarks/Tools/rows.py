# SPDX-License-Identifier: BSD-3-Clause
"""Raw rows of a benchmark: one per run, with the host they come from."""

import csv
import os
import platform
import statistics


def host_facts():
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "")
    return {"cpu": model, "cores": os.cpu_count(), "kernel": platform.release()}


def write_rows(path, rows):
    facts = host_facts()
    rows = [row | facts for row in rows]
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    print(f"raw rows: {path}")


def read_rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def summary(values):
    """Median and spread, as text."""
    return f"{statistics.median(values):.4g} ({min(values):.4g} to {max(values):.4g}, {len(values)})"
