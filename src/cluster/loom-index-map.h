/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes an index (a small file that is opened in place of a trace) of each trace, in one folder. Traces whose index is
 * current are not read. The file of an index is either complete or absent. Several processes may write to one folder.
 * The function blocks; it is for a worker thread or the command line.
 */
#pragma once

#include "loom-load.h"

typedef struct {
  const char *folder; /* folder to which the indexes are written; made if it is missing */
  /* Name of the machine on whose own disk the traces are; "": several machines share the disk; NULL: the program finds
   * out where the traces are. A new index replaces the index of the same path on the same machine. A trace with the
   * same path on another machine counts as a different trace. */
  const char *host;
} LoomIndexMapTarget;

typedef struct {
  /* `n_made`: number of indexes that were written; `n_current`: number of indexes that were current already */
  guint n_made, n_current;
  guint n_of_several; /* number of written indexes whose trace has several files, such as rotated files */
  guint n_incomplete; /* number of written indexes of traces that are damaged or cut off */
  guint64 n_left_out; /* number of events with impossible times that the written indexes omit */
  /* `raw_bytes`: total size of the traces whose indexes were written; `index_bytes`: total size of these indexes */
  guint64 raw_bytes, index_bytes;
  /* a run without traces, which lists the files that were not read; owned by the caller */
  LoomRun *run;
  GPtrArray *problems; /* char *: sentences about indexes that could not be written; owned by the caller */
} LoomIndexMapResult;

/* Writes the index of each trace whose index is missing or not current. Returns FALSE with `error` if target->folder
 * cannot be made, or if loom_load_paths() fails. */
gboolean loom_index_map_run (const char *const *paths, const LoomIndexMapTarget *target, const LoomLoadOptions *options,
                             LoomProgress *progress, LoomIndexMapResult *result, GError **error);
void loom_index_map_result_clear (LoomIndexMapResult *result);
