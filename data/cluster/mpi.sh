#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in each process of an MPI job and makes the indexes of that process's part of the list, which list-traces.sh writes. Join the
# indexes afterwards.
#
#   mpirun -n 64 sh mpi.sh LIST INDEXES
#   traceloom-cli index --join INDEXES -o RUN.loomrun
set -eu
here=$(cd "$(dirname "$0")" && pwd)
part=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${SLURM_PROCID:?start this with mpirun or srun}}}
parts=${OMPI_COMM_WORLD_SIZE:-${PMI_SIZE:-${SLURM_NTASKS:-1}}}
exec sh "$here/index-part.sh" "$1" "$2" "$part" "$parts"
