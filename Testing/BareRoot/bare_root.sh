#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Functions that make root trees of Debian's releases and run commands in them. To be sourced. Nothing stays mounted.

# why_no_bare_root FOLDER GIB: prints why no root tree can be made below FOLDER, in GIB of its disk; nothing if it can.
why_no_bare_root() {
  local tool
  [ "$(id -u)" = 0 ] || { echo "making a root tree needs root"; return; }
  for tool in debootstrap unshare chroot git; do
    command -v "$tool" >/dev/null || { echo "$tool is not installed"; return; }
  done
  unshare -m true 2>/dev/null || { echo "no mount namespaces here"; return; }
  debian_archive >/dev/null || { echo "apt knows no Debian mirror"; return; }
  [ $(($(df --output=avail -B1 "$1" | tail -n 1) >> 30)) -ge "$2" ] ||
    echo "$1 has less than $2 GiB; TMPDIR can name another folder"
}

# debian_archive [-security]: the address from which this machine's apt takes Debian's packages.
debian_archive() {
  # shellcheck disable=SC2016 # apt expands it
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m1 -E "/debian${1:-}/?\$"
}

# make_bare_root SUITE FOLDER: as bare as it gets, but up to date, and with this machine's way to the mirror.
make_bare_root() {
  local suite="$1" root="$2" archive security script
  archive=$(debian_archive)
  script="/usr/share/debootstrap/scripts/$suite"
  [ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid # a release that is younger than this debootstrap
  mkdir -p "$root"
  debootstrap --variant=minbase "$suite" "$root" "$archive" "$script" >"$root.log" 2>&1 || {
    tail -n 3 "$root.log"
    return 1
  }
  apt-config dump | grep -E '^Acquire::(http|https)::' >"$root/etc/apt/apt.conf.d/99mirror" || true
  echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/99late-mirror" # good enough for a trial
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" # no daemon is started
  chmod 755 "$root/usr/sbin/policy-rc.d"
  case "$suite" in
    forky | sid) ;; # updates come to the suite itself
    *)
      echo "deb $archive $suite-updates main" >>"$root/etc/apt/sources.list"
      security=$(debian_archive -security) && echo "deb $security $suite-security main" >>"$root/etc/apt/sources.list"
      ;;
  esac
  in_bare_root "$root" "apt-get update -qq && apt-get upgrade -y -qq" >>"$root.log" 2>&1 </dev/null || {
    tail -n 5 "$root.log"
    return 1
  }
}

# in_bare_root ROOT COMMAND: in ROOT, in its folder /work, with nothing in the environment but the display and the way to
# the mirror. BARE_ROOT_BINDS="FROM:TO ..." shows folders of this machine there.
in_bare_root() {
  mkdir -p "$1/work"
  # shellcheck disable=SC2016 # the inner shell expands them
  unshare -m --propagation private bash -ec '
    root=$1
    shift
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t sysfs sys "$root/sys"
    for bind in ${BARE_ROOT_BINDS:-}; do
      mkdir -p "${bind%%:*}" "$root${bind#*:}"
      mount --bind "${bind%%:*}" "$root${bind#*:}"
    done
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
      DISPLAY="${DISPLAY:-}" XAUTHORITY=/work/xauthority http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" \
      chroot "$root" sh -c "cd /work && $*"' _ "$@"
}
