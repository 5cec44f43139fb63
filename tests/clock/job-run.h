/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds runs of several ranks with collectives and messages: one trace for each rank, each with its own clock.
 */
#pragma once

#include "loom-run.h"
#include "loom-trace-builder.h"

#define JOB_BASE_NS (G_GINT64_CONSTANT (1700000000) * LOOM_NS_PER_S)

/* A rank under construction. Times are local: relative to JOB_BASE_NS, or to 0 if the clock has no epoch. */
typedef struct {
  LoomTraceBuilder *builder;
  guint32 device, host; /* thread ids */
  gint64 zero_ns;
  guint64 offset; /* file offset of the next event, for its ref */
} JobRank;

JobRank job_rank_begin (gint rank, LoomClockState state);
LoomTrace *job_rank_end (JobRank *rank);

/* Add events to a rank. meet: a device span of a collective or message. work: another device span. wait: a wait of the
 * device for another of its streams. step and instant: events of the host. */
void job_rank_meet (JobRank *rank, LoomSyncEventKind kind, const char *group, const char *name, gint64 sequence,
                    gint64 start_ns, gint64 end_ns);
void job_rank_work (JobRank *rank, const char *name, gint64 start_ns, gint64 end_ns);
void job_rank_wait (JobRank *rank, const char *name, gint64 start_ns, gint64 end_ns);
void job_rank_step (JobRank *rank, const char *name, gint64 start_ns, gint64 end_ns);
void job_rank_mark (JobRank *rank, const char *name, gint64 time_ns);

/* Takes ownership of the traces. */
LoomRun *job_run_new (LoomTrace **traces, guint n);
