#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes the list of the traces of a run, one absolute path per line.
#
#   list-traces.sh RUN LIST [PATTERN]      PATTERN selects file names; default *.json*
set -eu
run=$(cd "$1" && pwd) list=$2 pattern=${3:-*.json*}
find "$run" -type f -name "$pattern" | LC_ALL=C sort > "$list.new"
mv "$list.new" "$list"
