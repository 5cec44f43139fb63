/* SPDX-License-Identifier: Apache-2.0
 *
 * Joins index files (small files that can be opened instead of traces) into one zip archive. It contains the unchanged
 * index files, and the results that are computed from all of them. Traceloom opens this archive like a run. The archive
 * can later be joined with more index files, because it contains the index files from which it was made. The function
 * blocks, so it is meant for a worker thread or the command line. The memory that it needs depends on the sizes of the
 * index files, not on the sizes of their traces.
 *
 * The members of the archive:
 *   indexes/NAME   the index files
 *   report.json    the report of the run (loom-report.h): clocks, collectives, stragglers and findings
 *   matrix.csv     a table of ranks × steps (loom-rank-matrix.h)
 */
#pragma once

#include "loom-load.h"
#include "loom-rank-matrix.h"
#include "loom-timeline.h"

typedef struct {
  guint n_indexes;
  guint n_incomplete;           /* number of index files that are damaged or were made from a damaged trace */
  guint64 n_bytes;              /* size of the written file in bytes */
  LoomTimeline *timeline;       /* The timeline of the joined run; owned. Its run lists the files that were not read. */
  LoomStepBreakdown *breakdown; /* how the time of each step of the joined run is divided; owned */
  LoomRankMatrix *matrix;       /* a table of ranks × steps; owned; borrows texts from the run */
  GPtrArray *problems;          /* char *: one sentence for each file that is not in the archive; owned */
} LoomIndexJoinResult;

/* Joins index files into the archive `output`. `paths`: index files, folders of index files, and archives of joined
 * index files. Returns FALSE with `error` in four cases: no index file was found; the report cannot be computed; the
 * archive cannot be written (an existing file is then unchanged); loom_load_paths() fails. The caller must clear the
 * result in any case. */
gboolean loom_index_join_run (const char *const *paths, const char *output, const LoomLoadOptions *options,
                              LoomProgress *progress, LoomIndexJoinResult *result, GError **error);
void loom_index_join_result_clear (LoomIndexJoinResult *result);
