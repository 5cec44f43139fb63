#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the indexes of one part of a list of traces: of every PARTS-th one, from number PART (0 …) on. Any scheduler can start it
# with the number of a task; it may be started again, because what is up to date is not made again.
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
# 3: a trace could not be read, which a second attempt would not change.
[ "$status" -ne 3 ] || exit 0
exit "$status"
