/* SPDX-License-Identifier: Apache-2.0
 *
 * A run: the traces that are open together, with flat numbers for their sources, clocks and tracks.
 * Immutable, ref-counted atomically; adding a trace makes the next run, sharing the others.
 */
#pragma once

#include "loom-trace.h"

G_BEGIN_DECLS

typedef struct _LoomRun LoomRun;

/* What was found and not loaded. */
typedef struct {
  char *path;
  char *reason;      /* a sentence */
  gboolean failed;   /* it should have loaded: exit status 3 */
  gboolean is_trace; /* a trace that could not be read, not one that cannot be told for one */
  LoomInputFiles
    *input; /* keeps the file from being written over; NULL for what may be replaced, such as an older report */
} LoomRunSkippedFile;

/* Takes references to the traces. Order is kept. */
LoomRun *loom_run_new (LoomTrace *const *traces, guint n_traces);
/* A run with one more trace, and with more ignored files; the receiver stays. */
LoomRun *loom_run_add (LoomRun *run, LoomTrace *trace);
/* Copies the records. For the builder of the run, before it is shared. */
void loom_run_add_ignored (LoomRun *run, const char *path, const char *reason, gboolean failed);
void loom_run_add_unread (LoomRun *run, const char *path, const char *reason); /* a trace; failed */
void loom_run_add_precious (LoomRun *run, const char *path, const char *reason,
                            gboolean failed); /* read or known, and never written over */
void loom_run_copy_ignored (LoomRun *run, const LoomRun *from);

LoomRun *loom_run_ref (LoomRun *run);
void loom_run_unref (LoomRun *run);

guint loom_run_get_n_traces (const LoomRun *run);
LoomTrace *loom_run_get_trace (const LoomRun *run, guint i);

/* Flat numbering in trace order. */
guint loom_run_get_n_sources (const LoomRun *run);
const LoomSource *loom_run_get_source (const LoomRun *run, guint source);
guint loom_run_get_n_clocks (const LoomRun *run);
const LoomDeclaredClock *loom_run_get_clock (const LoomRun *run, guint clock);
guint loom_run_get_clock_of_source (const LoomRun *run, guint source);
guint loom_run_get_first_source (const LoomRun *run, guint trace);
guint loom_run_get_first_clock (const LoomRun *run, guint trace);
/* The trace a source belongs to, and its index there. */
void loom_run_locate_source (const LoomRun *run, guint source, guint *trace, guint *local);

guint loom_run_get_n_ignored (const LoomRun *run);
const LoomRunSkippedFile *loom_run_get_ignored (const LoomRun *run, guint i);

/* Sums over all sources. */
guint64 loom_run_get_n_events (const LoomRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRun, loom_run_unref)

G_END_DECLS
