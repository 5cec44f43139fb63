/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds runs of several ranks that share collectives and messages, for tests of clock alignment: one trace for each
 * rank, each with its own clock.
 */
#pragma once

#include "loom-run.h"
#include "loom-trace-builder.h"

#define JOB_BASE_NS (G_GINT64_CONSTANT (1700000000) * LOOM_NS_PER_S)

/* A rank whose trace is being built. Times are in the clock of the rank: relative to JOB_BASE_NS, or to 0 if the clock
 * has no epoch. */
typedef struct {
  LoomTraceBuilder *builder;
  guint32 device, host; /* thread ids */
  gint64 zero_ns;
  guint64 offset; /* offset in the simulated file at which the next event lies, for its LoomEventRef */
} JobRank;

JobRank job_rank_begin (gint rank, LoomClockState state);
LoomTrace *job_rank_end (JobRank *rank);

/* These functions add an event to a rank. job_rank_meet: a device span of a collective or message.
 * job_rank_work: another device span. job_rank_wait: a span in which a stream of the device waits
 * for another one. job_rank_step and job_rank_mark: a step and an instant on the host. */
void job_rank_meet (JobRank *rank, LoomSyncEventKind kind, const char *group, const char *name, gint64 sequence,
                    gint64 start_ns, gint64 end_ns);
void job_rank_work (JobRank *rank, const char *name, gint64 start_ns, gint64 end_ns);
void job_rank_wait (JobRank *rank, const char *name, gint64 start_ns, gint64 end_ns);
void job_rank_step (JobRank *rank, const char *name, gint64 start_ns, gint64 end_ns);
void job_rank_mark (JobRank *rank, const char *name, gint64 time_ns);

/* Builds a run of the traces, of which it takes ownership. */
LoomRun *job_run_new (LoomTrace **traces, guint n);
