#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Indexes a run with several processes on one machine, and joins the indexes.
#
#   xargs.sh RUN INDEXES JOINED.loomrun [PROCESSES]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
run=$1 indexes=$2 joined=$3 parts=${4:-$(getconf _NPROCESSORS_ONLN)}
mkdir -p "$indexes"
sh "$here/list-traces.sh" "$run" "$indexes/traces.txt"
seq 0 $((parts - 1)) | xargs -P "$parts" -I '{}' sh "$here/index-part.sh" "$indexes/traces.txt" "$indexes" '{}' "$parts"
exec "${TRACELOOM_CLI:-traceloom-cli}" index --join "$indexes" -o "$joined"
