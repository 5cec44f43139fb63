/* SPDX-License-Identifier: Apache-2.0
 *
 * A run: the traces that are open together. Sources and clocks are numbered across all traces. A run is immutable and
 * has an atomic reference count; several runs may share traces.
 */
#pragma once

#include "loom-trace.h"

typedef struct _LoomRun LoomRun;

/* A file that was found but not loaded. */
typedef struct {
  char *path;
  char *reason; /* one sentence for the user that says why the file was not loaded */
  /* TRUE if it is an error that the file was not loaded; the command line then exits with status 3 */
  gboolean failed;
  gboolean is_trace; /* TRUE if the file was recognised as a trace, but could not be read */
  /* protects the file from being overwritten; NULL for files that may be replaced, such as an older report */
  LoomInputFiles *input;
} LoomRunSkippedFile;

/* Makes a run of the traces, in the order of the array. Takes references to the traces. */
LoomRun *loom_run_new (LoomTrace *const *traces, guint n_traces);
/* The functions below add files that were not loaded, with the reason; strings are copied. `failed`: TRUE if it is an
 * error that the file was not loaded (LoomRunSkippedFile.failed). Must be called before the run is shared between
 * threads. */
void loom_run_add_ignored (LoomRun *run, const char *path, const char *reason, gboolean failed);
/* Adds a file that was recognised as a trace, but could not be read (LoomRunSkippedFile.is_trace). Its member `failed`
 * is TRUE. */
void loom_run_add_unread (LoomRun *run, const char *path, const char *reason);
/* Adds a file of a known kind that must not be overwritten. */
void loom_run_add_precious (LoomRun *run, const char *path, const char *reason, gboolean failed);
void loom_run_copy_ignored (LoomRun *run, const LoomRun *from);

LoomRun *loom_run_ref (LoomRun *run);
void loom_run_unref (LoomRun *run);

guint loom_run_get_n_traces (const LoomRun *run);
LoomTrace *loom_run_get_trace (const LoomRun *run, guint i);

/* The functions below number sources (or clocks) across all traces, in the order of the traces. */
guint loom_run_get_n_sources (const LoomRun *run);
const LoomSource *loom_run_get_source (const LoomRun *run, guint source);
guint loom_run_get_n_clocks (const LoomRun *run);
const LoomDeclaredClock *loom_run_get_clock (const LoomRun *run, guint clock);
guint loom_run_get_clock_of_source (const LoomRun *run, guint source);
/* Returns the number of the trace to which a source belongs. O(log traces). */
guint loom_run_get_trace_of_source (const LoomRun *run, guint source);
guint loom_run_get_first_source (const LoomRun *run, guint trace);
guint loom_run_get_first_clock (const LoomRun *run, guint trace);

/* Returns TRUE if a source was read from an index file, which contains only sums for most spans of the host.
 * O(traces). */
gboolean loom_run_has_index (const LoomRun *run);

guint loom_run_get_n_ignored (const LoomRun *run);
const LoomRunSkippedFile *loom_run_get_ignored (const LoomRun *run, guint i);

/* Returns an object that several analyses of the run share. The first call makes it with `make`; it is freed with the
 * run. There is only one such object per run. `make` may return NULL, for example when cancelled; the next call then
 * tries again. While one thread makes the object, other threads wait. Borrowed. */
gpointer loom_run_share (LoomRun *run, gpointer (*make) (gpointer user_data), gpointer user_data,
                         GDestroyNotify free_func);

/* Returns the number of events of all sources. */
guint64 loom_run_get_n_events (const LoomRun *run);
/* Returns the number of spans, including async spans. Spans of derived tracks do not count, because they repeat other
 * spans. O(1). */
guint64 loom_run_count_spans (const LoomRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRun, loom_run_unref)
