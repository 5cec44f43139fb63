/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes an index for each trace, in one folder. Files whose index is current are not read. An index is
 * complete or absent. Several processes may fill one folder. Blocks; for a worker thread or the command line.
 */
#pragma once

#include "loom-load.h"

typedef struct {
  const char *folder; /* the indexes are written here; made if it is missing */
  /* Name of the machine whose own disk holds the traces, "" if several machines share it, or NULL: automatic. An index
   * replaces that of the same path on the same machine; the same path on another machine is another trace. */
  const char *host;
} LoomIndexMapTarget;

typedef struct {
  guint n_made, n_current;        /* indexes written now, and those that were current */
  guint n_incomplete;             /* indexes written now of traces that are damaged or cut off */
  guint64 n_left_out;             /* events with impossible times that the indexes written now omit */
  guint64 raw_bytes, index_bytes; /* sizes of the traces whose indexes were written now, and of these indexes */
  LoomRun *run;                   /* without traces; lists the files that were not read. Owned by the caller */
  GPtrArray *problems;            /* char *: sentences about indexes that could not be written; owned by the caller */
} LoomIndexMapResult;

/* Returns FALSE with `error` if the folder cannot be made, or as loom_load_paths(). */
gboolean loom_index_map_run (const char *const *paths, const LoomIndexMapTarget *target, const LoomLoadOptions *options,
                             LoomProgress *progress, LoomIndexMapResult *result, GError **error);
void loom_index_map_result_clear (LoomIndexMapResult *result);
