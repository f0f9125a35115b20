# SPDX-License-Identifier: BSD-3-Clause
"""Raw rows of a benchmark: one per run, with the host they come from and the key of their provenance.

    write_rows("out/rows.csv", rows)      # also out/rows.json: {"3f0c9a1b22d4": {"commit": ..., ...}}
    rows_provenance("out/rows.csv")       # {"3f0c9a1b22d4": {"commit": ..., ...}}

The column `provenance` holds the key. Rows without the column, or without the file beside them, have unknown provenance.
"""

import csv
import hashlib
import json
import pathlib
import statistics

from provenance import UNKNOWN, provenance


def write_rows(path, rows):
    record = provenance()
    text = json.dumps(record, sort_keys=True)
    key = hashlib.sha256(text.encode()).hexdigest()[:12]
    facts = {name: record["machine"][name] for name in ("cpu", "cores", "kernel")} | {"provenance": key}
    rows = [row | facts for row in rows]
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    pathlib.Path(path).with_suffix(".json").write_text(json.dumps({key: record}, indent=1) + "\n")
    print(f"raw rows: {path}")


def read_rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def rows_provenance(path):
    """Provenance records of a file of rows by their keys. The key, and the record, of rows without any is UNKNOWN."""
    beside = pathlib.Path(path).with_suffix(".json")
    records = json.loads(beside.read_text()) if beside.exists() else {}
    keys = dict.fromkeys(row.get("provenance") or UNKNOWN for row in read_rows(path))
    return {key: records.get(key, UNKNOWN) for key in keys}


def summary(values):
    """Median and spread, as text."""
    return f"{statistics.median(values):.4g} ({min(values):.4g} to {max(values):.4g}, {len(values)})"
