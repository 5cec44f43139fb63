/* SPDX-License-Identifier: Apache-2.0
 *
 * One load, run in a worker thread and told about on the main thread. Traces that become ready wait here until the
 * owner takes them; however many arrive at once, one main loop source is pending.
 *
 * Signals, on the main thread: "arrived" when at least one trace waits; "finished" once, last.
 * The job keeps itself alive until "finished". Main thread only.
 */
#pragma once

#include "loom-load.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define LOOM_TYPE_LOAD_JOB (loom_load_job_get_type ())
G_DECLARE_FINAL_TYPE (LoomLoadJob, loom_load_job, LOOM, LOAD_JOB, GObject)

LoomLoadJob *loom_load_job_new (const char *const *paths);
void loom_load_job_start (LoomLoadJob *job);
void loom_load_job_cancel (LoomLoadJob *job);

const char *const *loom_load_job_get_paths (LoomLoadJob *job);
LoomProgress *loom_load_job_get_progress (LoomLoadJob *job);

/* Hands over the traces that became ready since the last call: LoomTrace *, owned by the array; never NULL. */
GPtrArray *loom_load_job_take_traces (LoomLoadJob *job);

/* When the first trace was ready, in µs of g_get_monotonic_time(); 0 before. */
gint64 loom_load_job_get_ready_time (LoomLoadJob *job);

/* After "finished": the run with everything in its final order, or NULL with the error. Borrowed. */
LoomRun *loom_load_job_get_run (LoomLoadJob *job);
const GError *loom_load_job_get_error (LoomLoadJob *job);

G_END_DECLS
