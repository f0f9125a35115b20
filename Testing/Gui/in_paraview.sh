#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# in_paraview.sh PROGRAMS PLUGINS SCRIPT: runs the script in ParaView's GUI, with a small field, a few dumps of patches
# and a fresh home.
# The script leaves "passed" in $RIVULET_VERDICT; whatever else it does is a failure.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$1/rivulet" generate abc "$scratch/flow.rvf" --size 48 --quiet
make_dumps="$(dirname "$0")/../../Data/make_samrai.py"
python3=python3
if [ -x /usr/bin/python3 ]; then python3=/usr/bin/python3; fi # which has h5py
if grep -q '^import panel' "$3"; then
  qt=5
  if ldd "$(command -v paraview)" | grep -q libQt6Widgets; then qt=6; fi
  "$python3" -c "import PyQt$qt.QtWidgets" 2>/dev/null || {
    echo "PyQt$qt is not installed: the panel cannot be looked at"
    exit 77 # ctest: skipped
  }
fi
export PYTHONDONTWRITEBYTECODE=1
"$python3" "$make_dumps" "$scratch/plots" --format chombo --steps 3 >/dev/null
"$python3" "$make_dumps" "$scratch/dumps" --steps 3 >/dev/null
"$python3" "$make_dumps" "$scratch/ghosted" --levels 2 --variable name=a,type=f8,ghosts=2 >/dev/null
PYTHONPATH=$(dirname "$3")
export PYTHONPATH PV_PLUGIN_PATH="$2" HOME="$scratch"
export RIVULET_FIELD="$scratch/flow.rvf" RIVULET_PLOTS="$scratch/plots" RIVULET_DUMPS="$scratch/dumps"
export RIVULET_GHOSTED="$scratch/ghosted"
export RIVULET_STORE="$scratch/growing.rvs" RIVULET_PROGRAM="$1/rivulet"
export RIVULET_VERDICT="$scratch/verdict"
timeout 240 paraview --no-mpi --dr --plugins=Rivulet --script="$3" || true
cat "$scratch/verdict"
grep -qx passed "$scratch/verdict"
