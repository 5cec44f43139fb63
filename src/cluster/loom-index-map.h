/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes an index file (a small file that can be opened instead of a trace) of each trace, in one folder. Does not read
 * a trace whose index file is current. An index file is either complete or absent. Several processes may write to one
 * folder. The function blocks, so it is meant for a worker thread or the command line.
 */
#pragma once

#include "loom-load.h"

typedef struct {
  const char *folder; /* folder to which the index files are written; made if it does not exist */
  /* Name of the machine on whose own disk the traces are. "" if several machines share the disk. NULL if the program
   * shall find out where the traces are. A new index file replaces the existing index file of the same path on the same
   * machine. A trace with the same path on another machine is a different trace. */
  const char *host;
} LoomIndexMapTarget;

typedef struct {
  /* `n_made`: number of index files that were written; `n_current`: number of index files that were already current */
  guint n_made, n_current;
  guint n_of_several; /* number of written index files whose trace has several files, such as rotated files */
  guint n_incomplete; /* number of written index files whose trace is damaged or cut off */
  guint64 n_left_out; /* number of events with impossible times, which the written index files do not contain */
  /* `raw_bytes`: total size of the traces whose index files were written; `index_bytes`: total size of these index
   * files */
  guint64 raw_bytes, index_bytes;
  /* a run without traces, whose only content is the list of the files that were not read; owned by the caller */
  LoomRun *run;
  GPtrArray *problems; /* char *: one sentence for each index file that could not be written; owned by the caller */
} LoomIndexMapResult;

/* Writes an index file for each trace whose index file is missing or not current. Returns FALSE with `error` if
 * target->folder cannot be made, or if loom_load_paths() fails. */
gboolean loom_index_map_run (const char *const *paths, const LoomIndexMapTarget *target, const LoomLoadOptions *options,
                             LoomProgress *progress, LoomIndexMapResult *result, GError **error);
void loom_index_map_result_clear (LoomIndexMapResult *result);
