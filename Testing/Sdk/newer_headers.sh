#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# newer_headers.sh SOURCE BUILD SCRATCH: compiles a file of each VTK module, without making objects, with the headers of the
# ParaViews of Debian's later releases. Only their packages of headers are taken, from this machine's mirror. Exits with 77
# and a reason where they cannot be had.
set -euo pipefail

SOURCE=$(cd "$1" && pwd)
BUILD=$(cd "$2" && pwd)
SCRATCH="$3"
readonly SOURCE BUILD SCRATCH
# shellcheck source=/dev/null
. "$SOURCE/Testing/BareRoot/bare_root.sh"

# Those that use most of what differs between releases.
readonly FILES=(Pipeline/vtkRivuletArray.cxx Pipeline/GridConversion.cxx Readers/AmrOutput.cxx Readers/vtkRivuletReader.cxx
  Filters/vtkRivuletStreamTracer.cxx Filters/Input/OpenInput.cxx Filters/Input/AmrInput.cxx Plugin/Proxies/vtkSMRivuletSourceProxy.cxx Plugin/Proxies/vtkSMRivuletTimeDomain.cxx InSitu/Catalyst/AmrData.cxx Readers/Command/VtkFileReader.cxx)

skip() {
  echo "skipped: $*"
  exit 77
}

# get_headers SUITE FOLDER PACKAGE...: the packages' files, from a list of packages of their own.
get_headers() {
  local suite="$1" folder="$2" archive apt
  shift 2
  archive=$(debian_archive) || return 1
  rm -rf "$folder"
  mkdir -p "$folder/state/lists/partial" "$folder/cache/archives/partial" "$folder/files"
  touch "$folder/state/status"
  echo "deb $archive $suite main" >"$folder/sources.list"
  apt=(-o "Dir::Etc::SourceList=$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State=$folder/state"
    -o "Dir::State::status=$folder/state/status" -o "Dir::Cache=$folder/cache" -o Acquire::Check-Valid-Until=false
    -o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false)
  apt-get "${apt[@]}" update -qq >"$folder/apt.log" 2>&1 || return 1
  (cd "$folder" && apt-get "${apt[@]}" download -qq "$@" >>apt.log 2>&1) || return 1
  find "$folder" -maxdepth 1 -name '*.deb' -exec dpkg-deb -x {} "$folder/files" \;
}

# compile_with INCLUDE...: all FILES, two at a time.
compile_with() {
  local folder includes=()
  for folder in "$@"; do includes+=(-isystem "$folder"); done
  for folder in . Core Pipeline Readers Filters InSitu InSitu/Runtime; do includes+=(-I "$SOURCE/$folder"); done
  for folder in Pipeline Readers Filters Plugin/Proxies; do includes+=(-I "$BUILD/$folder"); done
  # shellcheck disable=SC2207 # one word per option
  includes+=($(pkg-config --cflags ompi-cxx 2>/dev/null || mpicxx --showme:compile))
  (cd "$SOURCE" && printf '%s\n' "${FILES[@]}" | xargs -P "$(nproc)" -I '{}' \
    "${CXX:-c++}" -std=c++20 -fopenmp -fsyntax-only -Wall -Wextra -Werror -DOMPI_SKIP_MPICXX "${includes[@]}" '{}')
}

try_release() {
  local suite="$1" folder
  shift
  get_headers "$suite" "$SCRATCH/$suite" "$@" || skip "the headers of $suite cannot be had: $(tail -n 1 "$SCRATCH/$suite/apt.log")"
  local includes=()
  for folder in "$SCRATCH/$suite"/files/usr/include/{vtk-*,paraview-*}; do
    [ ! -d "$folder" ] || includes+=("$folder")
  done
  compile_with "${includes[@]}"
  echo "${#FILES[@]} files compile with ${includes[*]##*/}"
}

mkdir -p "$SCRATCH"
try_release trixie paraview-dev
try_release forky paraview-dev libvtk9-dev
