#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# demo.sh BUILD [--out DIR] [--keep] [--small]: the four scenes of `./run demo`. Needs a display.
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
  readonly FILM_OPTIONS=(--size 48 24 20 --diameter 8) FILM_STEPS=120 FILM_EVERY=40
else
  readonly DISK_GIB=8 LAYER_SIZE=512x512x768 FLOW_OPTIONS=(--steps 12000 --every 80 --seconds 400)
  readonly FILM_OPTIONS=() FILM_STEPS=8000 FILM_EVERY=160
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
  (cd "$fields" && lattice_boltzmann "${FLOW_OPTIONS[@]}" --out wake)
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

# film_run NAME STEPS ANALYTICS...: the flow with analytics beside it. Prints the seconds it took.
film_run() {
  local name="$1" steps="$2" list="" began
  shift 2
  list=$(IFS=,; echo "$*")
  printf '{ "policy": "dynamic", "output": "%s", "analytics": [%s] }\n' "$fields/$name" "$list" >"$fields/$name.json"
  began=$(date +%s.%N)
  lattice_boltzmann "${FILM_OPTIONS[@]}" --steps "$steps" --insitu "$fields/$name.json" --quiet 2>"$fields/$name.log" || {
    cat "$fields/$name.log" >&2
    echo "demo: the flow with $name failed" >&2
    exit 1
  }
  echo "$began $(date +%s.%N)" | awk '{ printf "%.1f", $2 - $1 }'
}

film_scene() {
  say "4. In situ: a film of the wake while it is computed, and its flow in a store"
  local every=$FILM_EVERY few=$((FILM_STEPS / 4)) film store alone with_film with_store both
  film=$(printf '{ "name": "catalyst", "every": %d, "first": %d, "options": { "scripts": ["%s"] } }' $every $every "$HERE/film_live.py")
  store=$(printf '{ "name": "store", "every": %d, "first": %d, "options": { "path": "flow.rvs" } }' $every $every)
  export RIVULET_DEMO="$HERE"
  both=$(film_run film "$FILM_STEPS" "$film" "$store")
  echo "$FILM_STEPS steps with a frame and a step of the store for each $every: $both s"
  alone=$(film_run alone "$few")
  with_film=$(film_run film-only "$few" "$film")
  with_store=$(film_run store-only "$few" "$store")
  render film_again "$fields/film/flow.rvs" "$fields/film" "$fields/film-again" "$out/film.avi" >"$fields/film-again.txt"
  {
    echo "seconds of $few steps, of the simulation alone, with the film, with the store: $alone, $with_film, $with_store"
    tail -n 1 "$fields/film-again.txt"
  } | tee "$out/film.txt"
  cp "$(find "$fields/film" -name 'film_*.png' | sort | tail -n 1)" "$out/film.png"
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
film_scene

say "Made in $out:"
ls -sh1 "$out"/*.png "$out"/*.avi "$out"/*.txt
if [ $keep = yes ]; then echo "The fields are in $fields"; fi
