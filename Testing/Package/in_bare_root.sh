#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# in_bare_root.sh BUILD README PYTHON: packs BUILD and tries the package on a bare Debian of the release that runs here.
# Exits with 77 and a reason where that cannot be tried.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command -v dpkg-shlibdeps >/dev/null || {
  echo "skipped: dpkg-shlibdeps is not installed"
  exit 77
}
scratch=$(mktemp -d -p "${TMPDIR:-/var/tmp}")
trap 'rm -rf "$scratch"' EXIT
cpack --config "$1/CPackConfig.cmake" -B "$scratch" >"$scratch/cpack.log" 2>&1 || {
  cat "$scratch/cpack.log"
  exit 1
}
# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
"$here/try_package.sh" "$scratch"/rivulet_*.deb "$suite" "$2" "$3"
