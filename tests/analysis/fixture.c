/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <string.h>

#include "loom-trace-builder.h"

typedef struct {
  int host, rank; /* rank −1: system metrics of the host, which belong to no rank */
  LoomTraceBuilder *builder;
  GString *bytes;
  guint clock;
} Part;

struct _FakeJob {
  GArray *parts; /* elements: Part */
  LoomClockState state;
};

FakeJob *
fake_job_new (void)
{
  FakeJob *job = g_new0 (FakeJob, 1);
  job->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  job->state = LOOM_CLOCK_EXACT;
  return job;
}

void
fake_job_set_clock (FakeJob *job, LoomClockState state)
{
  job->state = state;
}

static Part *
part_for (FakeJob *job, int host, int rank)
{
  for (guint i = 0; i < job->parts->len; i++) {
    Part *part = &g_array_index (job->parts, Part, i);
    if (part->host == host && part->rank == rank)
      return part;
  }
  Part part = { host, rank, loom_trace_builder_new (), g_string_new ("[\n"), 0 };
  g_autofree char *path = rank >= 0 ? g_strdup_printf ("631152100000000_%d-algo-%d_pythontimeline.json", rank, host)
                                    : g_strdup_printf ("631152000.algo-%d.json", host);
  LoomSource *source = loom_source_new (path);
  source->format = rank >= 0 ? "smdebug" : "smdebug-system";
  source->node = g_strdup_printf ("algo-%d", host);
  source->rank = rank;
  part.clock = loom_trace_builder_add_clock (part.builder);
  loom_trace_builder_get_clock (part.builder, part.clock)->state = LOOM_CLOCK_EXACT;
  loom_trace_builder_add_source (part.builder, source, part.clock);
  g_array_append_val (job->parts, part);
  return &g_array_index (job->parts, Part, job->parts->len - 1);
}

void
fake_job_span (FakeJob *job, int host, int rank, const char *process, const char *name, double begin_s, double end_s,
               const char *args)
{
  Part *part = part_for (job, host, rank);
  g_autofree char *node = g_strdup_printf ("algo-%d", host);
  guint32 process_id = loom_trace_builder_process (part->builder, 0, process, strlen (process));
  loom_trace_builder_process_set_label (part->builder, process_id, process);
  loom_trace_builder_process_set_place (part->builder, process_id, node, rank);
  guint32 thread = loom_trace_builder_thread (part->builder, process_id, "", 0);
  guint32 name_id = loom_trace_builder_name (part->builder, name, strlen (name), "", 0, "", 0);
  LoomRef ref = loom_source_ref_make (0, 0, part->bytes->len);
  g_string_append_printf (part->bytes, "{\"name\": \"%s\", \"ph\": \"X\", \"pid\": 1, \"args\": %s},\n", name, args);
  loom_trace_builder_span (part->builder, thread, AT (begin_s), AT (end_s) - AT (begin_s), name_id, ref);
}

void
fake_job_step (FakeJob *job, int host, int rank, int number, double begin_s, double end_s)
{
  g_autofree char *args = g_strdup_printf ("{\"step_num\": \"%d\"}", number);
  fake_job_span (job, host, rank, "Step:ModeKeys.TRAIN", "Step:ModeKeys.TRAIN", begin_s, end_s, args);
}

void
fake_job_sample (FakeJob *job, int host, const char *name, const char *dimension, double time_s, double value)
{
  Part *part = part_for (job, host, -1);
  g_autofree char *type = g_strndup (name, strcspn (name, "0123456789"));
  g_autofree char *node = g_strdup_printf ("algo-%d", host), *key = g_strconcat (node, "/", type, NULL);
  guint32 process = loom_trace_builder_process (part->builder, 0, key, strlen (key));
  loom_trace_builder_process_set_label (part->builder, process, type);
  loom_trace_builder_process_set_place (part->builder, process, node, -1);
  guint32 counter =
    loom_trace_builder_counter (part->builder, process, type, strlen (type), name, strlen (name), "", 0);
  guint32 series = loom_trace_builder_series (part->builder, counter, dimension, strlen (dimension));
  loom_trace_builder_sample (part->builder, series, AT (time_s), value, LOOM_REF_NONE);
}

LoomTimeline *
fake_job_timeline (FakeJob *job)
{
  g_autoptr (GPtrArray) traces = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_trace_unref);
  for (guint i = 0; i < job->parts->len; i++) {
    Part *part = &g_array_index (job->parts, Part, i);
    LoomSource *source = loom_trace_builder_get_source (part->builder, 0);
    g_autoptr (GBytes) bytes = g_string_free_to_bytes (part->bytes);
    source->text = loom_byte_source_new_bytes (bytes);
    if (part->rank >= 0)
      loom_trace_builder_get_clock (part->builder, part->clock)->state = job->state;
    g_ptr_array_add (traces, loom_trace_builder_freeze (part->builder, 1, NULL));
  }
  g_autoptr (LoomRun) run = loom_run_new ((LoomTrace *const *) traces->pdata, traces->len);
  LoomAlignment *alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  LoomTimeline *timeline = loom_timeline_new (run, alignment);
  loom_alignment_unref (alignment);
  g_array_unref (job->parts);
  g_free (job);
  return timeline;
}

LoomDataFrame *
fake_job_frame (FakeJob *job, LoomNumberConvention numbers)
{
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  return loom_data_frame_new (timeline, numbers, NULL);
}
