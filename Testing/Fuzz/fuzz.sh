#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# fuzz.sh PROGRAM SECONDS KEPT: runs one fuzzer from the inputs in KEPT, and from those that it has found before. Shows how it
# gets on every few seconds, and a line of numbers at the end. Inputs that went wrong lie in found/, beside bin/ of the build.
set -euo pipefail
program=$1 seconds=$2 kept=$3
found=$(dirname "$(dirname "$program")")/found/$(basename "$program")
mkdir -p "$found/corpus"
suppressions=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/CMake/LeakSuppressions.txt
export LSAN_OPTIONS="suppressions=$suppressions:print_suppressions=0" ASAN_OPTIONS=quarantine_size_mb=16

# An input of a few kilobytes justifies neither 256 MiB at once nor 10 s.
status=0
"$program" -max_total_time="$seconds" -timeout=10 -malloc_limit_mb=256 -rss_limit_mb=1024 -max_len=16384 -reload=0 \
  -artifact_prefix="$found/" "$found/corpus" "$kept" >"$found/log" 2>&1 &
fuzzer=$!
trap 'kill "$fuzzer" 2>/dev/null || true' EXIT
for ((second = 1; ; ++second)); do
  sleep 1
  kill -0 "$fuzzer" 2>/dev/null || break
  ((second % 10 != 0)) || echo "   $second s: $(grep -aE '^#[0-9]+.*cov:' "$found/log" | tail -n 1 | cut -c 1-100)"
done
trap - EXIT
wait "$fuzzer" || status=$?
if [ "$status" != 0 ]; then
  tail -n 60 "$found/log"
fi
echo "   $(basename "$program"): $(grep -aE '^#[0-9]+.*cov:' "$found/log" | tail -n 1)"
exit "$status"
