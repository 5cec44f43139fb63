/* SPDX-License-Identifier: Apache-2.0
 *
 * The load job: files and folders in, traces out. Blocking; meant for a worker thread or the command line.
 * Works on several files at once. A file that cannot be used is recorded in the run with its reason, the rest loads.
 */
#pragma once

#include "loom-progress.h"
#include "loom-run.h"
#include "loom-source-overrides.h"

G_BEGIN_DECLS

/* Files that were fetched from elsewhere: they stand in `folder`, and are shown, and told apart, below `shown`. */
typedef struct {
  char *folder;        /* absolute */
  char *shown;         /* "s3://bucket/prefix" */
  GHashTable *wanted;  /* char * names below the folder: others that stand there are left */
  GPtrArray *problems; /* char * path as shown, reason, path, reason …: what could not be fetched */
  gboolean failed;     /* it is for its problems only, and none of the paths stands for it */
} LoomFetchedFolder;

typedef struct {
  const char *const *suffixes; /* NULL-terminated or NULL: only files whose name ends in one of these */
  const char *rank_from;       /* NULL, or a regular expression whose first group on the path is the rank */
  guint n_threads;             /* 0: as many as processors */
  guint64 memory_budget;       /* bytes of the process; 0: a share of what is available (loom-memory-budget.h) */
  const LoomFetchedFolder *const *places; /* NULL-terminated or NULL: folders among the paths that stand for others */
  const LoomRun
    *known; /* what was read before, or NULL: traces of it whose files did not change are taken over, and those
                                   whose files are gone stay */
  const char *const *anew; /* NULL-terminated or NULL: paths of sources that are read again though nothing changed */
  const LoomSourceOverrides *edits; /* what is left out, and ranks and nodes set by hand; or NULL */
  gboolean no_arrows;               /* flow events are not connected: loom_trace_builder_leave_out_arrows() */
  guint64 piece_bytes;              /* 0: as it suits; else every file is cut into pieces of so many bytes (tests) */
} LoomLoadOptions;

/* Called from worker threads, one call at a time, as each trace becomes ready; `trace` is borrowed. */
typedef void (*LoomTraceReady) (LoomTrace *trace, gpointer user_data);

/* When the memory budget is reached the load ends by itself: what was read is there, each source that was read in part is
 * incomplete and its log says up to which byte, and files that were not begun are in the ignored list, failed.
 *
 * `options` and `progress` may be NULL, `ready` too. Progress counts bytes on disk.
 * Returns a run, possibly with no trace (what was found is then in its ignored list). NULL with `error` when a path of
 * `paths` cannot be opened at all and nothing else was given, when cancelled (G_IO_ERROR_CANCELLED), or when the
 * rank_from expression is wrong. Traces stand in the natural order of their first path. */
LoomRun *loom_load_paths (const char *const *paths, const LoomLoadOptions *options, LoomProgress *progress,
                          LoomTraceReady ready, gpointer user_data, GError **error);

/* Path and content: what would read the file. Returns the format's word (static) or NULL with a reason (owned). */
const char *loom_load_recognise (const char *path, char **reason);

G_END_DECLS
