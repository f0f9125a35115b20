#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# compat.sh [--cache FOLDER] SUITE [COMMAND...]: this project on a bare root of another release of Debian.
#
# Makes the root, up to date, clones the commit at hand into it, and runs each COMMAND there: `demo`, `test` and `package`
# are those of ./run (and the default), anything else is a command line for the clone's folder. After `package`, the package
# is installed on a second bare root, where README's first examples make their picture. Says what was tested and how long it
# took, and leaves logs and pictures in out/compat/SUITE. Each of the three commands adds a row to runs.csv beside this
# script, and README's table is made from these rows again: commit both to keep them.
#
# --cache keeps downloaded packages and ccache's objects in FOLDER from run to run; rows then say so.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PROJECT=$(cd "$HERE/../.." && pwd)
readonly HERE PROJECT NEEDED_GIB=25
# shellcheck source=/dev/null
. "$HERE/bare_root.sh"

cache=''
if [ "${1:-}" = --cache ]; then
  cache=$(realpath "${2:?--cache needs a folder}")
  shift 2
fi
suite="${1:?compat.sh [--cache FOLDER] SUITE [COMMAND...]}"
shift
[ $# -gt 0 ] || set -- demo test package
out="$PROJECT/out/compat/$suite"

scratch=$(mktemp -d -p "${TMPDIR:-/var/tmp}")
trap 'rm -rf --one-file-system "$scratch"' EXIT
root="$scratch/root"

# version PACKAGE: of the root, without epoch and revision.
version() {
  # shellcheck disable=SC2016 # dpkg-query expands it
  chroot "$root" dpkg-query -W -f '${Version}' "$1" 2>/dev/null | sed -E 's/^[0-9]+://; s/-.*$//; s/\+(dfsg|repack).*$//' || true
}

# Minutes since $1, with a decimal.
minutes_since() { awk "BEGIN { printf \"%.1f\", ($EPOCHREALTIME - $1) / 60 }"; }

# What ctest says at the end of LOG: number of tests, of failed and of skipped ones, with commas; or only the commas.
tests_of() {
  awk '/% tests passed, / { failed = $4; all = $NF }
    / - .* \((Skipped|Disabled)\)/ { skipped++ }
    END { if (all) printf "%d,%d,%d", all, failed, skipped; else printf ",," }' "$1"
}

# Whether this ParaView makes pictures where there is no X display, through EGL or OSMesa.
draws_without_display() {
  DISPLAY='' in_bare_root "$root" "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 120 \
    pvbatch rivulet/Testing/BareRoot/sphere.py" </dev/null 2>&1 | grep -q ' bytes$'
}

# What users have elsewhere, and not here: what configuring said in LOG, and pictures without a display.
lacks() {
  {
    sed -nE 's/^--   (ParaView plugin|help of plugin|Catalyst|io_uring) *: OFF.*/\1/p' "$1"
    draws_without_display || echo "pictures without an X display"
  } | sort -u | paste -sd ';'
}

add_row() {
  local command="$1" rc="$2" minutes="$3" log="$4"
  printf '%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s\n' "$(date +%F)" "$commit" "$suite" \
    "$(cat "$root/etc/debian_version")" "$(version paraview)" "$(version g++)" "$(version cmake)" "$(version python3)" \
    "$(version libopenmpi-dev)" "$(version libhdf5-openmpi-dev)" \
    "$command" "$rc" "$minutes${cache:+ cached}" "$(tests_of "$log")" "$(lacks "$log")" >>"$HERE/runs.csv"
  python3 "$HERE/table.py" "$HERE/runs.csv" "$PROJECT/README.md"
}

# Of one command of ./run, or another one.
run_command() {
  local name="$1" line="$1" log rc=0 began=$EPOCHREALTIME minutes
  case "$name" in
    demo | test | package) line="./run $name" ;;
    *) name=other ;;
  esac
  log="$out/$name.log"
  printf '\n== %s: %s\n' "$suite" "$line"
  BARE_ROOT_BINDS="$binds" in_bare_root "$root" "cd rivulet && { $line; }" </dev/null 2>&1 | tee "$log" || rc=$?
  [ "$name" != demo ] || cp -r "$root/work/rivulet/out/demo" "$out/" 2>/dev/null || true
  if [ "$name" = package ] && [ "$rc" = 0 ]; then
    "$PROJECT/Testing/Package/try_package.sh" "$root"/work/rivulet/out/rivulet_*.deb "$suite" "$PROJECT/README.md" \
      "$(command -v /usr/bin/python3 || command -v python3)" "$out/lines.png" 2>&1 | tee -a "$log" || rc=$?
  fi
  minutes=$(minutes_since "$began")
  [ "$name" = other ] || add_row "$name" "$rc" "$minutes" "$log"
  printf '\n== %s: %s at %s: exit status %s after %s minutes\n' "$suite" "$line" "$commit" "$rc" "$minutes"
  [ "$rc" = 0 ] || failed+=("$line")
}

reason=$(why_no_bare_root "$scratch" "$NEEDED_GIB")
if [ -n "$reason" ]; then
  echo "compat: $reason" >&2
  exit 77
fi
commit=$(git -C "$PROJECT" rev-parse --short HEAD)
git -C "$PROJECT" diff --quiet HEAD || echo "What is not committed is not tested"
rm -rf "$out"
mkdir -p "$out"
binds=''
[ -z "$cache" ] || mkdir -p "$cache/$suite/archives/partial"
[ -z "$cache" ] || binds="$cache/$suite/archives:/var/cache/apt/archives $cache/$suite/ccache:/root/.cache/ccache"
echo "Making a bare root of $suite"
BARE_ROOT_BINDS="$binds" make_bare_root "$suite" "$root"
git clone --quiet --no-hardlinks "$PROJECT" "$root/work/rivulet"
# The packages of users do not include it.
[ -z "$cache" ] || BARE_ROOT_BINDS="$binds" in_bare_root "$root" "apt-get install -y -qq --no-install-recommends ccache" </dev/null >/dev/null
failed=()
for command in "$@"; do run_command "$command"; done
if [ ${#failed[@]} != 0 ]; then
  printf 'compat: failed on %s:' "$suite" >&2
  printf ' %s;' "${failed[@]}" >&2
  echo " logs are in $out" >&2
  exit 1
fi
