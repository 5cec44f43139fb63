/* SPDX-License-Identifier: Apache-2.0 */
#include "job-run.h"

#include <string.h>

JobRank
job_rank_begin (gint rank, LoomClockState state)
{
  JobRank self = { .builder = loom_trace_builder_new (), .zero_ns = state == LOOM_CLOCK_NONE ? 0 : JOB_BASE_NS };
  guint clock = loom_trace_builder_add_clock (self.builder);
  LoomDeclaredClock *decl = loom_trace_builder_get_clock (self.builder, clock);
  decl->state = state;
  decl->basis = g_strdup (state == LOOM_CLOCK_NONE ? "" : "wall clock");
  g_autofree char *path = g_strdup_printf ("rank%d.json", rank);
  LoomSource *source = loom_source_new (path);
  source->rank = rank;
  source->format = "kineto";
  guint index = loom_trace_builder_add_source (self.builder, source, clock);
  guint32 process = loom_trace_builder_process (self.builder, index, "1", 1);
  self.device = loom_trace_builder_thread (self.builder, process, "7", 1);
  loom_trace_builder_thread_add_flags (self.builder, self.device, LOOM_TRACK_DEVICE);
  self.host = loom_trace_builder_thread (self.builder, process, "1", 1);
  return self;
}

LoomTrace *
job_rank_end (JobRank *rank)
{
  return loom_trace_builder_freeze (g_steal_pointer (&rank->builder), 1, NULL);
}

static guint32
name_id (JobRank *rank, const char *name)
{
  return loom_trace_builder_name (rank->builder, name, strlen (name), "", 0, "", 0);
}

static LoomRef
next_ref (JobRank *rank)
{
  return loom_source_ref_make (0, 0, rank->offset++);
}

void
job_rank_meet (JobRank *rank, LoomSyncEventKind kind, const char *group, const char *name, gint64 sequence,
               gint64 start_ns, gint64 end_ns)
{
  LoomRef ref = next_ref (rank);
  LoomSyncEvent meeting = { .start_ns = rank->zero_ns + start_ns,
                            .end_ns = rank->zero_ns + end_ns,
                            .ref = ref,
                            .sequence = sequence,
                            .kind = kind };
  if (kind != LOOM_SYNC_EVENT_CLOCK_SYNC)
    loom_trace_builder_span (rank->builder, rank->device, meeting.start_ns, end_ns - start_ns, name_id (rank, name),
                             ref);
  loom_trace_builder_sync_event (rank->builder, kind == LOOM_SYNC_EVENT_CLOCK_SYNC ? LOOM_ID_NONE : rank->device,
                                 &meeting, group, name);
}

void
job_rank_work (JobRank *rank, const char *name, gint64 start_ns, gint64 end_ns)
{
  loom_trace_builder_span (rank->builder, rank->device, rank->zero_ns + start_ns, end_ns - start_ns,
                           name_id (rank, name), next_ref (rank));
}

void
job_rank_wait (JobRank *rank, const char *name, gint64 start_ns, gint64 end_ns)
{
  guint32 id = loom_trace_builder_name (rank->builder, name, strlen (name), "cuda_sync", strlen ("cuda_sync"), "", 0);
  loom_trace_builder_span (rank->builder, rank->device, rank->zero_ns + start_ns, end_ns - start_ns, id,
                           next_ref (rank));
}

void
job_rank_step (JobRank *rank, const char *name, gint64 start_ns, gint64 end_ns)
{
  loom_trace_builder_span (rank->builder, rank->host, rank->zero_ns + start_ns, end_ns - start_ns, name_id (rank, name),
                           next_ref (rank));
}

void
job_rank_mark (JobRank *rank, const char *name, gint64 time_ns)
{
  loom_trace_builder_instant (rank->builder, 0, LOOM_ID_NONE, rank->host, rank->zero_ns + time_ns, name_id (rank, name),
                              'i', 't', next_ref (rank));
}

LoomRun *
job_run_new (LoomTrace **traces, guint n)
{
  LoomRun *run = loom_run_new (traces, n);
  for (guint i = 0; i < n; i++)
    loom_trace_unref (traces[i]);
  return run;
}
