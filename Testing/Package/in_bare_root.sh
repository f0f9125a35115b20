#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# in_bare_root.sh BUILD README PYTHON: the Debian package of a build, on a Debian that has nothing else.
#
# Packs BUILD, makes a bare root of the release that runs here, installs the package there as a user would, and makes the
# picture of README's first examples, with no environment variable but the display. ParaView's Plugin Manager must list the
# plugin as loaded, and removing the package must leave nothing behind. Exits with 77 and a reason where that cannot be
# tried.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
BUILD=$(cd "$1" && pwd)
README=$(realpath "$2")
PYTHON="$3"
readonly HERE BUILD README PYTHON NEEDED_GIB=7

skip() {
  echo "skipped: $*"
  exit 77
}

check_machine() {
  local tool
  [ "$(id -u)" = 0 ] || skip "making a root tree needs root"
  for tool in debootstrap unshare chroot xvfb-run dpkg-shlibdeps; do
    command -v "$tool" >/dev/null || skip "$tool is not installed"
  done
  unshare -m true 2>/dev/null || skip "no mount namespaces here"
  # shellcheck source=/dev/null
  suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  # shellcheck disable=SC2016 # apt expands it
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m1 -E '/debian/?$') ||
    skip "apt knows no Debian mirror"
  [ $(($(df --output=avail -B1 "$scratch" | tail -n 1) >> 30)) -ge $NEEDED_GIB ] ||
    skip "$scratch has less than $NEEDED_GIB GiB; TMPDIR can name another folder"
}

# As bare as it gets, but with this machine's way to the mirror.
make_root() {
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$scratch/debootstrap.log" 2>&1 || {
    tail -n 3 "$scratch/debootstrap.log"
    skip "no root tree could be made of $mirror"
  }
  apt-config dump | grep -E '^Acquire::(http|https)::' >"$root/etc/apt/apt.conf.d/99mirror" || true
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" # no daemon is started
  chmod 755 "$root/usr/sbin/policy-rc.d"
  mkdir "$root/work"
}

# in_root COMMAND: in the root, in /work, with nothing in the environment but the display and the way to the mirror.
in_root() {
  # shellcheck disable=SC2016 # the inner shell expands them
  unshare -m --propagation private bash -c '
    root=$1
    shift
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t sysfs sys "$root/sys"
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
      DISPLAY="${DISPLAY:-}" XAUTHORITY=/work/xauthority http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" \
      chroot "$root" sh -c "cd /work && $*"' _ "$root" "$@"
}

# timed WHAT COMMAND: leaves its seconds in $seconds; shows what it said only if it fails.
timed() {
  local began=$EPOCHREALTIME what="$1"
  shift
  in_root "$@" >"$scratch/step.log" 2>&1 </dev/null || {
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
  timed "apt remove rivulet" "apt-get remove -y rivulet && ! test -e /usr/bin/paraview.conf && ! test -e /usr/lib/rivulet"
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
check_machine
cpack --config "$BUILD/CPackConfig.cmake" -B "$scratch/package" >"$scratch/cpack.log" 2>&1 || {
  cat "$scratch/cpack.log"
  exit 1
}
make_root
cp "$scratch"/package/rivulet_*.deb "$root/work/rivulet.deb"
cp "$XAUTHORITY" "$root/work/xauthority"
cp "$HERE/listed.py" "$root/work/"
"$PYTHON" "$HERE/first_examples.py" "$README" "$root/work"
try_package
