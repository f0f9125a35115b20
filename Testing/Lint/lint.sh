#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# lint.sh format|shell|complexity: exits with 0 if all is well, 77 if the tool is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

skip() {
  echo "skipped: $1 is not installed"
  exit 77
}

shell_scripts() {
  echo run
  echo .ci/run
  echo CMake/Debian/*/*
  find Demo Documentation Testing Benchmarks Data -name '*.sh'
}

check_complexity() {
  local lizard
  lizard=$(command -v lizard || command -v build/tools/bin/lizard) || skip lizard
  # A function is at most 80 lines long and has at most 15 paths through it.
  "$lizard" --CCN 15 --length 80 --warnings_only --languages cpp Core Pipeline Readers Filters InSitu Benchmarks &&
    echo "No function is too long or too tangled"
}

case "${1:?format, shell or complexity}" in
  format) ./run format --check ;;
  shell)
    command -v shellcheck >/dev/null || skip shellcheck
    shell_scripts | xargs shellcheck --severity=style && echo "All scripts are clean"
    ;;
  complexity) check_complexity ;;
esac
