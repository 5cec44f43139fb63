/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs made of ranks that say what they took part in: a trace for each rank, with a clock of its own.
 */
#pragma once

#include "loom-run.h"
#include "loom-trace-builder.h"

#define JOB_BASE_NS (G_GINT64_CONSTANT (1700000000) * LOOM_NS_PER_S)

/* A rank being made. Times are local: since JOB_BASE_NS, or since 0 where the clock has no epoch. */
typedef struct {
  LoomTraceBuilder *builder;
  guint32 device, host; /* threads */
  gint64 zero_ns;
  guint64 offset; /* of the next event, for its ref */
} JobRank;

JobRank job_rank_begin (gint rank, LoomClockState state);
LoomTrace *job_rank_end (JobRank *rank);

/* A span on the device that takes part in something; one that does not; a wait of the device for another one of its streams; a step and an instant on the host. */
void job_rank_meet (JobRank *rank, LoomSyncEventKind kind, const char *group, const char *name, gint64 sequence,
                    gint64 start_ns, gint64 end_ns);
void job_rank_work (JobRank *rank, const char *name, gint64 start_ns, gint64 end_ns);
void job_rank_wait (JobRank *rank, const char *name, gint64 start_ns, gint64 end_ns);
void job_rank_step (JobRank *rank, const char *name, gint64 start_ns, gint64 end_ns);
void job_rank_mark (JobRank *rank, const char *name, gint64 time_ns);

/* Takes the traces over. */
LoomRun *job_run_new (LoomTrace **traces, guint n);
