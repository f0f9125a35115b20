#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# make.sh BUILD: makes the documentation's pictures again. `./run pictures` calls this.
# The demo's pictures are taken from out/demo; the demo runs first if they are not there. Those of the measurements are
# drawn from the rows that are kept in Benchmarks/rows.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
BUILD=$(cd "$1" && pwd)
ROOT=$(cd "$HERE/../.." && pwd)
SCRATCH=$(mktemp -d)
readonly HERE BUILD ROOT SCRATCH
readonly SCREEN=1360x860
trap 'rm -rf "$SCRATCH"' EXIT

take_from_demo() {
  local name
  if [ ! -e "$ROOT/out/demo/wake.png" ] || [ ! -e "$ROOT/out/demo/street.png" ]; then "$ROOT/run" demo; fi
  for name in wake mixing-layer street; do
    convert "$ROOT/out/demo/$name.png" -resize 1000x -quality 84 "$HERE/$name.jpg"
  done
}

# Runs inside xvfb-run: an AMR dump with known values, and lines through its levels.
draw_levels() {
  local python=python3
  if [ -x /usr/bin/python3 ]; then python=/usr/bin/python3; fi
  "$python" "$ROOT/Data/make_samrai.py" "$SCRATCH/dumps" --cells 28 28 40 --spacing 0.25 0.25 0.25 --origin -3.5 -3.5 -5 \
    --levels 3 --ratio 2 --refine 0.6 --patches 2x2x2 2x2x2 3x3x3 --variable name=density,function=smooth \
    --variable name=velocity,shape=vector,function=rotation
  RIVULET_PLUGIN="$BUILD/lib/Rivulet/Rivulet.so" \
    pvbatch "$HERE/levels.py" "$SCRATCH/dumps/dumps.visit" "$SCRATCH/levels.png"
  convert "$SCRATCH/levels.png" -resize 1000x -quality 84 "$HERE/levels.jpg"
}

# Runs inside xvfb-run: particles of a flow that changes with time.
draw_paths() {
  "$BUILD/bin/rivulet" generate tornado "$SCRATCH/tornado.rvf" --size 64x64x64 --steps 25 --dt 0.5 --quiet
  RIVULET_PLUGIN="$BUILD/lib/Rivulet/Rivulet.so" \
    pvbatch "$HERE/paths.py" "$SCRATCH/tornado.rvf" 9 "$SCRATCH/paths.png"
  convert "$SCRATCH/paths.png" -resize 1000x -quality 84 "$HERE/paths.jpg"
}

# Runs inside xvfb-run: particles in a grid whose points move.
draw_waves() {
  mkdir -p "$SCRATCH/waves"
  pvbatch "$HERE/waves.py" make "$SCRATCH/waves"
  "$BUILD/bin/rivulet" convert "$SCRATCH"/waves/wave_*.vts "$SCRATCH/waves.rvs" --quiet
  RIVULET_PLUGIN="$BUILD/lib/Rivulet/Rivulet.so" pvbatch "$HERE/waves.py" draw "$SCRATCH/waves.rvs" "$SCRATCH/waves.png"
  convert "$SCRATCH/waves.png" -resize 1000x -quality 84 "$HERE/waves.jpg"
}

# Runs inside xvfb-run: surfaces, streak lines, exponents and two queries.
draw_unsteady() {
  local name
  "$BUILD/bin/rivulet" generate double-gyre "$SCRATCH/gyre.rvf" --size 161x81x9 --steps 101 --dt 0.2 --quiet
  RIVULET_PLUGIN="$BUILD/lib/Rivulet/Rivulet.so" \
    pvbatch "$HERE/unsteady.py" "$SCRATCH/tornado.rvf" "$SCRATCH/gyre.rvf" "$SCRATCH"
  for name in streaks ftle source-destination residence-time; do
    convert "$SCRATCH/$name.png" -resize 1000x -quality 84 "$HERE/$name.jpg"
  done
}

# Runs inside xvfb-run: a Poincare map of a steady field, which is there at two times.
draw_poincare() {
  local python=python3
  if [ -x /usr/bin/python3 ]; then python=/usr/bin/python3; fi
  PYTHONPATH="$ROOT/Benchmarks/Tools" "$python" -c \
    'import sys, storage_fields; storage_fields.write_raw("torus", sys.argv[1], 129)' "$SCRATCH/torus-0.raw"
  cp "$SCRATCH/torus-0.raw" "$SCRATCH/torus-1.raw"
  "$BUILD/bin/rivulet" convert "$SCRATCH"/torus-?.raw "$SCRATCH/torus.rvf" --dims 129,129,129 --components 3 --type float32 \
    --origin=-1,-1,-1 --spacing 0.015625,0.015625,0.015625 --dt 600 --quiet
  RIVULET_PLUGIN="$BUILD/lib/Rivulet/Rivulet.so" pvbatch "$HERE/poincare.py" "$SCRATCH/torus.rvf" "$SCRATCH/poincare.png"
  convert "$SCRATCH/poincare.png" -resize 1000x -quality 84 "$HERE/poincare.jpg"
}

# Runs inside xvfb-run: pathlines through the store that the same run appends to.
draw_in_situ_paths() {
  cp "$ROOT"/InSitu/Examples/tutorial/paths.{py,json} "$SCRATCH"
  (cd "$SCRATCH" && PV_PLUGIN_PATH="$BUILD/lib" mpirun --bind-to none -n 2 "$BUILD/bin/lattice_boltzmann" \
    --size 48 24 24 --diameter 8 --steps 801 --insitu paths.json --quiet)
  cp "$SCRATCH/results/paths_000800.png" "$HERE/in-situ-paths.png"
}

# Runs inside xvfb-run: ParaView with the scene of gui.py, photographed once it says that it is ready.
photograph_gui() {
  "$BUILD/bin/rivulet" generate abc "$SCRATCH/flow.rvf" --size 96x96x96 --quiet
  export PV_PLUGIN_PATH="$BUILD/lib" RIVULET_PICTURE_FIELD="$SCRATCH/flow.rvf" RIVULET_PICTURE_READY="$SCRATCH/ready"
  local paraview window
  HOME="$SCRATCH" paraview --no-mpi --dr --plugins=Rivulet --script="$HERE/gui.py" >"$SCRATCH/paraview.log" 2>&1 &
  paraview=$!
  for _ in $(seq 120); do
    window=$(xdotool search --name '^ParaView [0-9]' 2>/dev/null | head -n 1 || true)
    if [ -n "$window" ]; then
      xdotool windowmove "$window" 0 0 windowsize "$window" "${SCREEN%x*}" "${SCREEN#*x}"
    fi
    if [ -e "$SCRATCH/ready" ]; then break; fi
    sleep 0.5
  done
  sleep 6 # the panels settle and the view renders in its final size
  import -window root "$SCRATCH/gui.png"
  kill "$paraview"
  wait "$paraview" 2>/dev/null || true
  [ -e "$SCRATCH/ready" ] || {
    cat "$SCRATCH/paraview.log" >&2
    exit 1
  }
  convert "$SCRATCH/gui.png" -dither FloydSteinberg -colors 128 "PNG8:$HERE/gui.png"
}

if [ "${2:-}" = inside-display ]; then
  draw_levels
  draw_paths
  draw_waves
  draw_unsteady
  draw_poincare
  draw_in_situ_paths
  photograph_gui
  exit
fi
take_from_demo
xvfb-run -a -s "-screen 0 ${SCREEN}x24 -noreset" "${BASH_SOURCE[0]}" "$BUILD" inside-display
"$ROOT/run" bench plot
ls -l "$HERE"/*.jpg "$HERE"/*.png
