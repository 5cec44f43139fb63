/* SPDX-License-Identifier: Apache-2.0
 *
 * The load job: finds the traces in files and folders, recognises their formats, and reads them into a run. Blocking;
 * meant for a worker thread or the command line. Reads several files in parallel. A file that cannot be used is
 * recorded in the run with the reason, and the other files are loaded.
 */
#pragma once

#include "loom-fetched-folder.h"
#include "loom-progress.h"
#include "loom-run.h"
#include "loom-source-overrides.h"

/* Functions for a caller that uses each trace as soon as it is read, and does not need all traces in memory at once.
 * Several threads may call the functions at the same time. `files`: the files of the trace (LoomFoundFile *),
 * borrowed. */
typedef struct {
  /* Called before the files of a trace are read. Returns FALSE if they are not to be read. */
  gboolean (*wants) (const GPtrArray *files, gpointer user_data);
  /* Called with a trace that has been read. The trace is freed after the call, unless this function takes a reference
   * to it. */
  void (*take) (LoomTrace *trace, const GPtrArray *files, gpointer user_data);
  gpointer user_data;
} LoomLoadEach;

typedef struct {
  /* only files whose names have one of these endings are loaded; the array ends with NULL. NULL: all files are loaded
   */
  const char *const *suffixes;
  /* regular expression that is matched with the path of each file; its first group is the rank. NULL: the user has not
   * set one */
  const char *rank_from;
  guint n_threads; /* number of threads; 0: one per processor */
  /* limit on the memory of the whole process, in bytes; 0: a share of the available memory (loom-memory-budget.h) */
  guint64 memory_budget;
  /* the folders with fetched files among the paths to load; ends with NULL. NULL: there are no such folders */
  const LoomFetchedFolder *const *places;
  /* a run that was loaded before; a trace of this run is reused if its files are unchanged or deleted; NULL: all files
   * are read */
  const LoomRun *known;
  /* paths of sources that are read again even if they have not changed; ends with NULL. NULL: there are no such
   * sources */
  const char *const *anew;
  /* changes that the user has made: removed sources, and the rank and node of sources; NULL: none */
  const LoomSourceOverrides *edits;
  /* receives each trace when it has been read; the returned run then contains no traces; NULL: the run contains the
   * traces */
  const LoomLoadEach *each;
  gboolean records_bytes; /* TRUE: set LoomSource.byte_index, which finds the events of a time range in the file */
  gboolean no_arrows;     /* TRUE: flow events are not linked (loom_trace_builder_leave_out_arrows()) */
  /* size in bytes of the pieces into which every file is divided (for tests); 0: chosen automatically */
  guint64 piece_bytes;
} LoomLoadOptions;

/* Called once for each trace when it is ready. Called on worker threads, but by one thread at a time. `trace` is
 * borrowed. */
typedef void (*LoomTraceReady) (LoomTrace *trace, gpointer user_data);

/* Loads paths. If the memory budget is reached, the load ends by itself. What was read is kept: sources that were read
 * in part are marked incomplete, and their log says up to which byte they were read. Files whose reading had not begun
 * are added to the ignored files, as failed.
 *
 * `options`, `progress` and `ready` may be NULL. Progress counts bytes on disk. Returns a run, possibly without traces
 * (the files found are then among its ignored files). Returns NULL with `error` in three cases: the only given path
 * cannot be opened at all; the load was cancelled (G_IO_ERROR_CANCELLED); the regular expression `rank_from` is
 * invalid. Traces are in the natural order of their first paths. */
LoomRun *loom_load_paths (const char *const *paths, const LoomLoadOptions *options, LoomProgress *progress,
                          LoomTraceReady ready, gpointer user_data, GError **error);
