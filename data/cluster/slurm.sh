#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Indexes a run with an array of Slurm tasks, and joins the indexes when all tasks have ended. Run the script on a machine with sbatch.
# RUN, INDEXES and JOINED must be on a file system that the nodes share. Slurm requeues a task if it is killed or its node fails. Indexes
# of other tasks remain if a task finally fails; running the script again makes only the missing ones.
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
