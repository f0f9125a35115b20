#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# with_display.sh COMMAND...: runs a command on a virtual display of its own.
#
# The X server chooses the number of its display itself, so that many may start at once. xvfb-run looks for a free
# number before it starts the server, and two of them may find the same.
set -euo pipefail

coproc SERVER { exec Xvfb -displayfd 1 -screen 0 1280x1024x24 -noreset -nolisten tcp 2>/dev/null; }
# shellcheck disable=SC2153 # coproc sets it
server=$SERVER_PID
trap 'kill "$server" 2>/dev/null || :; wait "$server" 2>/dev/null || :' EXIT
if ! read -r number <&"${SERVER[0]}"; then
  echo "with_display.sh: Xvfb did not start" >&2
  exit 1
fi
unset XAUTHORITY
DISPLAY=":$number" "$@"
