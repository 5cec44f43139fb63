/* SPDX-License-Identifier: Apache-2.0
 *
 * Joins indexes into one file: a zip archive of the indexes as they are, with what is computed over all of them. It opens as
 * any run, and it can be joined with others, because its indexes can. Blocks; for a worker thread or the command line.
 * Memory is proportional to the indexes, whatever the sizes of their traces.
 *
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
  guint n_incomplete;           /* indexes that are damaged, or that were made of a damaged trace */
  guint64 n_bytes;              /* size of the written file */
  LoomTimeline *timeline;       /* owned; its run lists what was not read */
  LoomStepBreakdown *breakdown; /* owned */
  LoomRankMatrix *matrix;       /* owned; its texts are the run's */
  GPtrArray *problems;          /* char *: sentences about files that are not joined; owned */
} LoomIndexJoinResult;

/* `paths`: indexes, folders of them and joined files. Returns FALSE with `error` if there are no indexes, if the file cannot be
 * written, in which case a former one stays, or as loom_load_paths(). Clear the result in any case. */
gboolean loom_index_join_run (const char *const *paths, const char *output, const LoomLoadOptions *options,
                              LoomProgress *progress, LoomIndexJoinResult *result, GError **error);
void loom_index_join_result_clear (LoomIndexJoinResult *result);
