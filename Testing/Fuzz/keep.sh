#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# keep.sh NAME FILE...: adds inputs to those that are kept for a fuzz target, corpus/NAME.tar.xz. The archive has the same
# bytes for the same inputs, whatever their times and owners.
set -euo pipefail
archive="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/corpus/${1:?keep.sh NAME FILE...}.tar.xz"
shift
inputs=$(mktemp -d)
trap 'rm -rf "$inputs"' EXIT
[ ! -e "$archive" ] || tar -xJf "$archive" -C "$inputs"
[ $# -eq 0 ] || cp -- "$@" "$inputs"
find "$inputs" -type f -printf '%P\0' | sort -z |
  tar -C "$inputs" --null --files-from=- --owner=0 --group=0 --numeric-owner --mtime=@0 --mode=0644 -cf - | xz -9e >"$archive"
