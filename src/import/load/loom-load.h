/* SPDX-License-Identifier: Apache-2.0
 *
 * The load job: files and folders in, traces out. Blocking; meant for a worker thread or the command line. Reads
 * several files in parallel. A file that cannot be used is recorded in the run with the reason, and the rest is loaded.
 */
#pragma once

#include "loom-fetched-folder.h"
#include "loom-progress.h"
#include "loom-run.h"
#include "loom-source-overrides.h"

/* Functions of a caller that uses each trace once and does not need all traces at the same time. Both may be called by
 * several threads at the same time. `files`: LoomFoundFile * of the trace, borrowed. */
typedef struct {
  /* Called before the files of a trace are read; FALSE: they are not read. */
  gboolean (*wants) (const GPtrArray *files, gpointer user_data);
  /* Receives a trace, which is freed afterwards unless the callback takes a reference. */
  void (*take) (LoomTrace *trace, const GPtrArray *files, gpointer user_data);
  gpointer user_data;
} LoomLoadEach;

typedef struct {
  const char *const *suffixes; /* NULL-terminated or NULL: only files whose name ends in one of these */
  const char *rank_from;       /* NULL, or a regular expression over the path, whose first group is the rank */
  guint n_threads;             /* 0: number of processors */
  /* limit on the memory of the whole process, in bytes; 0: a share of the available memory (loom-memory-budget.h) */
  guint64 memory_budget;
  const LoomFetchedFolder *const *places; /* NULL-terminated or NULL: folders among the paths that hold fetched files */
  const LoomRun
    /* a run that was loaded before, or NULL: its traces are reused if their files are unchanged or gone */
    *known;
  const char *const *anew;          /* NULL-terminated or NULL: paths of sources to read again even if unchanged */
  const LoomSourceOverrides *edits; /* sources that the user removed, and ranks and nodes set by the user; or NULL */
  /* its `take` gets the traces, and the returned run has none; NULL: the run has the traces */
  const LoomLoadEach *each;
  gboolean records_bytes; /* record the file offsets of events by time: LoomSource.byte_index */
  gboolean no_arrows;     /* do not link flow events: loom_trace_builder_leave_out_arrows() */
  guint64 piece_bytes;    /* 0: automatic; else every file is divided into pieces of this size (for tests) */
} LoomLoadOptions;

/* Called from worker threads, one call at a time, as each trace becomes ready; `trace` is borrowed. */
typedef void (*LoomTraceReady) (LoomTrace *trace, gpointer user_data);

/* Loads paths. If the memory budget is reached, the load ends by itself: what was read is kept, sources that were read
 * in part are marked incomplete, and their log says up to which byte; files not yet started are in the ignored list, as
 * failed.
 *
 * `options`, `progress` and `ready` may be NULL. Progress counts bytes on disk. Returns a run, possibly without traces
 * (the files found are then in its ignored list). Returns NULL with `error` if the only given path cannot be opened at
 * all, if cancelled (G_IO_ERROR_CANCELLED), or if the rank_from expression is invalid. Traces are in the natural order
 * of their first paths. */
LoomRun *loom_load_paths (const char *const *paths, const LoomLoadOptions *options, LoomProgress *progress,
                          LoomTraceReady ready, gpointer user_data, GError **error);
