/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes an index for each trace, beside others in a folder. Files whose index is current are not read. An index is
 * complete or absent. Several processes may fill one folder. Blocks; for a worker thread or the command line.
 */
#pragma once

#include "loom-load.h"

typedef struct {
  guint n_made, n_current;        /* indexes written now, and those that were current */
  guint n_incomplete;             /* of those written now, indexes of traces that are damaged or cut off */
  guint64 raw_bytes, index_bytes; /* of those written now */
  LoomRun *run;                   /* without traces; lists the files that were not read. Owned by the caller */
  GPtrArray *problems;            /* char *: sentences about indexes that could not be written; owned by the caller */
} LoomIndexMapResult;

/* `folder` is made if it is missing. Returns FALSE with `error` if it cannot be made, or as loom_load_paths(). */
gboolean loom_index_map_run (const char *const *paths, const char *folder, const LoomLoadOptions *options,
                             LoomProgress *progress, LoomIndexMapResult *result, GError **error);
void loom_index_map_result_clear (LoomIndexMapResult *result);

/* Name of the index of a trace whose first file is at `path`, without the folder: the name of the file, and a hash of the
 * whole path, since files of several folders have equal names. Owned by the caller. */
char *loom_index_map_dup_name (const char *path);
