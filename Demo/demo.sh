#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# demo.sh BUILD [--out DIR] [--keep] [--small]: the three scenes of `./run demo`. Needs a display.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
BUILD=$(cd "$1" && pwd)
readonly HERE BUILD
shift
out="$HERE/../out/demo"
keep=no
small=no
while [ $# -gt 0 ]; do
  case "$1" in
    --out) out="${2:?--out needs a folder}" && shift ;;
    --keep) keep=yes ;;
    --small) small=yes ;;
    *)
      echo "demo: unknown option $1" >&2
      exit 2
      ;;
  esac
  shift
done

readonly BUDGET_MIB=128
readonly STREET_BUDGET_MIB=12 # less than two time steps of the wake
readonly STREET_STEPS=61
if [ $small = yes ]; then
  readonly DISK_GIB=1 LAYER_SIZE=160x160x240 FLOW_OPTIONS=(--steps 400 --every 10)
else
  readonly DISK_GIB=8 LAYER_SIZE=512x512x768 FLOW_OPTIONS=(--steps 12000 --every 80 --seconds 400)
fi

say() { printf '\n== %s\n' "$*"; }

check_disk() {
  local free
  free=$(df --output=avail -B1 "$out" | tail -n 1)
  say "The demo needs $DISK_GIB GiB of disk in $out; $((free >> 30)) GiB are free"
  [ "$free" -ge $((DISK_GIB << 30)) ] || {
    echo "demo: too little; name another folder with --out" >&2
    exit 1
  }
}

clean_up() {
  if [ $keep = no ]; then rm -rf "$fields"; fi
}

# The standard error stream has messages of the plugin and the driver. They are shown only if the scene fails.
render() {
  local scene="$1"
  shift
  pvbatch "$HERE/$scene.py" "$@" 2>"$fields/$scene.log" || {
    cat "$fields/$scene.log" >&2
    echo "demo: rendering $scene failed" >&2
    exit 1
  }
}

wake_scene() {
  say "1. Real flow: the wake of a sphere"
  (cd "$fields" && OMP_NUM_THREADS=$(nproc) lattice_boltzmann "${FLOW_OPTIONS[@]}" --out wake)
  mapfile -t dumps < <(find "$fields/wake" -name 'velocity_*.bov' | sort | tail -n "$STREET_STEPS")
  rivulet convert "${dumps[@]}" "$fields/wake.rvf"
  render wake "$fields/wake.rvf" "$out/wake.png"
}

street_scene() {
  say "3. Time: the vortex street behind the sphere, within a budget of less than two of its time steps"
  render street "$fields/wake.rvf" "$out/street.png" "$STREET_BUDGET_MIB" "$out/street.txt"
}

mixing_layer_scene() {
  say "2. Larger than the budget: a turbulent mixing layer"
  rivulet generate mixing-layer "$fields/mixing-layer.rvf" --size "$LAYER_SIZE"
  render mixing_layer "$fields/mixing-layer.rvf" "$out/mixing-layer.png" "$BUDGET_MIB" "$out/mixing-layer.txt"
}

mkdir -p "$out"
out=$(cd "$out" && pwd)
fields="$out/fields"
rm -rf "$fields" # fields of an earlier demo
mkdir -p "$fields"
export PATH="$BUILD/bin:$PATH" RIVULET_PLUGIN="$BUILD/lib/Rivulet/Rivulet.so"
check_disk
trap clean_up EXIT
wake_scene
mixing_layer_scene
street_scene

say "Made in $out:"
ls -sh1 "$out"/*.png "$out"/*.txt
if [ $keep = yes ]; then echo "The fields are in $fields"; fi
