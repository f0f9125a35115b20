#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# try_package.sh PACKAGE SUITE README PYTHON [PICTURE]: a Debian package of the suite, on a Debian that has nothing else.
#
# Makes a bare root of the release SUITE, installs the package there as a user would, and makes the picture of README's first
# examples, with no environment variable but the display. ParaView's Plugin Manager must list the plugin as loaded, and
# removing the package must leave nothing behind. Copies the picture to PICTURE. Exits with 77 and a reason where that
# cannot be tried.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PACKAGE=$(realpath "$1")
SUITE="$2"
README=$(realpath "$3")
PYTHON="$4"
PICTURE="${5:-}"
readonly HERE PACKAGE SUITE README PYTHON PICTURE NEEDED_GIB=7
# shellcheck source=/dev/null
. "$HERE/../BareRoot/bare_root.sh"

skip() {
  echo "skipped: $*"
  exit 77
}

# timed WHAT COMMAND: leaves its seconds in $seconds; shows what it said only if it fails.
timed() {
  local began=$EPOCHREALTIME what="$1"
  shift
  in_bare_root "$root" "$@" >"$scratch/step.log" 2>&1 </dev/null || {
    tail -n 40 "$scratch/step.log"
    echo "FAILED: $what"
    exit 1
  }
  seconds=$(awk "BEGIN { printf \"%.0f\", $EPOCHREALTIME - $began }")
  printf '%4s s  %s\n' "$seconds" "$what"
}

picture() {
  rm -f "$root"/work/*.png "$root"/work/*.rvf
  timed "picture by README's examples" "sh -e first.sh && pvpython second.py"
  "$PYTHON" "$HERE/check_picture.py" "$root/work/lines.png"
}

try_package() {
  local download unpack first draw again
  timed "apt-get update" "apt-get update"
  timed "download of ParaView and all else (the mirror's speed)" "apt-get install -y --download-only ./rivulet.deb"
  download=$seconds
  timed "apt install ./rivulet.deb, ParaView included" "apt-get install -y ./rivulet.deb"
  unpack=$seconds
  picture
  first=$seconds
  timed "ParaView's Plugin Manager lists Rivulet as loaded" \
    "paraview --no-mpi --dr --script=listed.py; cat verdict; grep -qx loaded verdict"
  timed "apt remove rivulet" "apt-get remove -y rivulet && ! test -e /usr/bin/paraview.conf && ! test -e /usr/lib/rivulet &&
    ! grep -rqi rivulet /usr/lib/*/paraview-*/paraview.conf* && test -z \"\$(dpkg-divert --list '*paraview.conf*')\" &&
    dpkg --verify paraview"
  timed "apt install ./rivulet.deb, where ParaView is installed" "apt-get install -y ./rivulet.deb"
  again=$seconds
  picture
  draw=$seconds
  echo "From apt install to the picture: $((again + draw)) s where ParaView is installed," \
    "$((unpack + first)) s with its packages in apt's cache, $((download + unpack + first)) s from nothing"
}

# Calls itself with a display, which stands for the user's desktop.
if [ -z "${RIVULET_IN_ROOT_DISPLAY:-}" ]; then
  command -v xvfb-run >/dev/null || skip "xvfb-run is not installed"
  RIVULET_IN_ROOT_DISPLAY=1 exec xvfb-run -a -s "-screen 0 1280x1024x24 -noreset" "${BASH_SOURCE[0]}" "$@"
fi
scratch=$(mktemp -d -p "${TMPDIR:-/var/tmp}")
trap 'rm -rf --one-file-system "$scratch"' EXIT
root="$scratch/root"
reason=$(why_no_bare_root "$scratch" "$NEEDED_GIB")
[ -z "$reason" ] || skip "$reason"
make_bare_root "$SUITE" "$root" || skip "no root tree could be made of $SUITE"
mkdir -p "$root/work"
cp "$PACKAGE" "$root/work/rivulet.deb"
cp "$XAUTHORITY" "$root/work/xauthority"
cp "$HERE/listed.py" "$root/work/"
"$PYTHON" "$HERE/first_examples.py" "$README" "$root/work"
try_package
[ -z "$PICTURE" ] || cp "$root/work/lines.png" "$PICTURE"
