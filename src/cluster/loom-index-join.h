/* SPDX-License-Identifier: Apache-2.0
 *
 * Joins indexes (small files that are opened in place of traces) into one file: a zip archive of the unchanged indexes,
 * and of the results that are computed from all of them. Traceloom opens this file like a run. It can be joined with
 * further indexes, because it contains its indexes. The function blocks; it is for a worker thread or the command line.
 * It needs memory in proportion to the indexes, whatever the sizes of their traces.
 *
 * The members of the archive:
 *   indexes/NAME   the indexes
 *   report.json    the report of the run (loom-report.h): clocks, collectives, stragglers, findings
 *   matrix.csv     ranks × steps (loom-rank-matrix.h)
 */
#pragma once

#include "loom-load.h"
#include "loom-rank-matrix.h"
#include "loom-timeline.h"

typedef struct {
  guint n_indexes;
  guint n_incomplete;           /* number of indexes that are damaged or were made from a damaged trace */
  guint64 n_bytes;              /* size of the written file */
  LoomTimeline *timeline;       /* owned; its run lists the files that were not read */
  LoomStepBreakdown *breakdown; /* the steps of the joined run, divided into parts; owned */
  LoomRankMatrix *matrix;       /* owned; borrows texts of the run */
  GPtrArray *problems;          /* char *: sentences about files that are not joined; owned */
} LoomIndexJoinResult;

/* Joins indexes into the archive `output`. `paths`: indexes, folders of indexes, and files of joined indexes. Returns
 * FALSE with `error` if there are no indexes, if the report cannot be computed, if the file cannot be written (an
 * existing file is then unchanged), or if loom_load_paths() fails. The caller clears the result in any case. */
gboolean loom_index_join_run (const char *const *paths, const char *output, const LoomLoadOptions *options,
                              LoomProgress *progress, LoomIndexJoinResult *result, GError **error);
void loom_index_join_result_clear (LoomIndexJoinResult *result);
