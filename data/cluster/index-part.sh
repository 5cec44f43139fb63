#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the indexes of one part of a list of traces: of every PARTS-th line, starting with line PART (0, 1 …). A scheduler passes the
# number of the task as PART. A failed task may be started again, because indexes that are up to date are not made again.
#
#   index-part.sh LIST INDEXES PART PARTS
set -eu
list=$1 indexes=$2 part=$3 parts=$4
set --
n=0
while IFS= read -r trace; do
  [ $((n % parts)) -ne "$part" ] || set -- "$@" "$trace"
  n=$((n + 1))
done < "$list"
[ $# -gt 0 ] || exit 0
status=0
"${TRACELOOM_CLI:-traceloom-cli}" index --quiet -o "$indexes" "$@" || status=$?
# Status 3 means that a trace could not be read. This counts as success, because a retry of the task would not help.
[ "$status" -ne 3 ] || exit 0
exit "$status"
