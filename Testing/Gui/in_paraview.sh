#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# in_paraview.sh PROGRAMS PLUGINS SCRIPT: runs the script in ParaView's GUI, with a small field and a fresh home.
# The script leaves "passed" in $RIVULET_VERDICT; whatever else it does is a failure.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$1/rivulet" generate abc "$scratch/flow.rvf" --size 48 --quiet
export PV_PLUGIN_PATH="$2" RIVULET_FIELD="$scratch/flow.rvf" RIVULET_VERDICT="$scratch/verdict" HOME="$scratch"
timeout 240 paraview --no-mpi --dr --plugins=Rivulet --script="$3" || true
cat "$scratch/verdict"
grep -qx passed "$scratch/verdict"
