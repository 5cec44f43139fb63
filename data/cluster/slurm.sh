#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Indexes a run with an array of Slurm tasks, and joins the indexes when all have ended. Run it where sbatch is; RUN, INDEXES and
# JOINED must be on a file system that the nodes share. A task that is killed or whose node fails is requeued by Slurm; tasks that
# fail for good leave the others' indexes, and running this again makes only what is missing.
#
#   slurm.sh RUN INDEXES JOINED.loomrun [TASKS [SBATCH-OPTION …]]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
run=$1 joined=$3 parts=${4:-64}
mkdir -p "$2"
indexes=$(cd "$2" && pwd)
shift $(($# < 4 ? $# : 4))
sh "$here/list-traces.sh" "$run" "$indexes/traces.txt"
array=$(sbatch --parsable --job-name=traceloom-index --array=0-$((parts - 1)) --requeue --output="$indexes/task-%a.log" "$@" \
  --wrap "sh '$here/index-part.sh' '$indexes/traces.txt' '$indexes' \$SLURM_ARRAY_TASK_ID $parts")
sbatch --parsable --job-name=traceloom-join --dependency="afterany:$array" --output="$indexes/join.log" "$@" \
  --wrap "'${TRACELOOM_CLI:-traceloom-cli}' index --join '$indexes' -o '$joined'"
