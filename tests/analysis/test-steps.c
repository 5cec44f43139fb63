/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-steps.h"

#include <string.h>

#include "loom-trace-builder.h"

/* A byte source in memory, from which args are read. */
typedef struct {
  LoomByteSource base;
  GString *bytes;
} MemoryText;

static gssize
memory_read (LoomByteSource *text, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  const GString *bytes = ((MemoryText *) text)->bytes;
  gsize n = offset < bytes->len ? MIN (n_bytes, bytes->len - offset) : 0;
  memcpy (buffer, bytes->str + MIN (offset, bytes->len), n);
  return (gssize) n;
}

static void
memory_finalize (LoomByteSource *text)
{
  g_string_free (((MemoryText *) text)->bytes, TRUE);
}

static const LoomByteSourceClass memory_class = { memory_read, memory_finalize };

typedef struct {
  GPtrArray *traces;
  LoomTraceBuilder *builder;
  GString *bytes; /* bytes of the current source */
  LoomSource *source;
} Maker;

static void
begin_source (Maker *maker, const char *path, const char *format)
{
  maker->builder = loom_trace_builder_new ();
  guint clock = loom_trace_builder_add_clock (maker->builder);
  MemoryText *text = (MemoryText *) loom_byte_source_alloc (&memory_class, sizeof *text);
  text->bytes = g_string_new ("[\n");
  maker->source = loom_source_new (path);
  maker->source->format = format;
  maker->source->text = &text->base;
  maker->bytes = text->bytes;
  loom_trace_builder_get_clock (maker->builder, clock)->state = LOOM_CLOCK_EXACT;
  loom_trace_builder_add_source (maker->builder, maker->source, clock);
}

static void
end_source (Maker *maker)
{
  g_ptr_array_add (maker->traces, loom_trace_builder_freeze (maker->builder, 1, NULL));
}

/* Converts seconds since LOOM_TIME_PLAUSIBLE_MIN to absolute ns. */
#define AT(s) (LOOM_TIME_PLAUSIBLE_MIN + (gint64) ((s) *LOOM_NS_PER_S))

static void
add (Maker *maker, gint rank, const char *process, const char *thread, const char *name, const char *category,
     double begin_s, double end_s, const char *args)
{
  LoomTraceBuilder *builder = maker->builder;
  g_autofree char *key = g_strdup_printf ("%s-%d", process, rank);
  guint32 process_id = loom_trace_builder_process (builder, 0, key, strlen (key));
  loom_trace_builder_process_set_label (builder, process_id, process);
  loom_trace_builder_process_set_place (builder, process_id, NULL, rank);
  guint32 thread_id = loom_trace_builder_thread (builder, process_id, thread, strlen (thread));
  loom_trace_builder_thread_set_label (builder, thread_id, thread);
  guint32 name_id = loom_trace_builder_name (builder, name, strlen (name), category, strlen (category), "", 0);
  LoomRef ref = loom_source_ref_make (0, 0, maker->bytes->len);
  g_string_append_printf (maker->bytes, "{\"name\": \"%s\", \"ph\": \"X\", \"args\": %s},\n", name, args);
  loom_trace_builder_span (builder, thread_id, AT (begin_s), AT (end_s) - AT (begin_s), name_id, ref);
}

static LoomSteps *
finish (Maker *maker)
{
  LoomRun *run = loom_run_new ((LoomTrace *const *) maker->traces->pdata, maker->traces->len);
  LoomAlignment *alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  LoomSteps *steps = loom_steps_new (timeline, NULL);
  loom_alignment_unref (alignment);
  loom_run_unref (run);
  g_ptr_array_unref (maker->traces);
  return steps;
}

static Maker
start (void)
{
  return (Maker) { .traces = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_trace_unref) };
}

static char *
draw (const LoomStep *steps, guint n)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT "@%d %s %g-%g", i > 0 ? ", " : "", steps[i].number,
                            steps[i].rank, loom_step_mode_to_string (steps[i].mode),
                            (double) (steps[i].begin_ns - AT (0)) / LOOM_NS_PER_S,
                            (double) (steps[i].end_ns - AT (0)) / LOOM_NS_PER_S);
  return g_string_free (text, FALSE);
}

static void
assert_steps (const LoomSteps *steps, const char *all, const char *reference)
{
  g_autofree char *drawn = draw (steps->all, steps->n);
  g_assert_cmpstr (drawn, ==, all);
  g_autofree char *line = draw (steps->reference, steps->n_reference);
  g_assert_cmpstr (line, ==, reference);
}

static void
assert_range (const LoomSteps *steps, gboolean inclusive, gint64 first, gint64 last, double begin_s, double end_s)
{
  LoomRange range;
  g_assert_true (inclusive ? loom_steps_range_inclusive (steps, first, last, &range)
                           : loom_steps_range (steps, first, last, &range, NULL));
  g_assert_cmpint (range.begin_ns, ==, AT (begin_s));
  g_assert_cmpint (range.end_ns, ==, AT (end_s));
}

/* Step numbers in args may be strings or numbers; unreadable ones become −1. Evaluation steps are separate from
 * training steps. */
static void
test_smdebug (void)
{
  Maker maker = start ();
  begin_source (&maker, "a.json", "smdebug");
  add (&maker, 0, "Step:ModeKeys.TRAIN", "", "Step:ModeKeys.TRAIN", "", 1, 2, "{\"step_num\": \"0\", \"pid\": 3}");
  add (&maker, 0, "Step:ModeKeys.TRAIN", "", "Step:ModeKeys.TRAIN", "", 2.5, 3, "{\"step_num\": 1}");
  add (&maker, 0, "Step:ModeKeys.TRAIN", "", "Step:ModeKeys.TRAIN", "", 4, 5, "{\"step_num\": \"two\"}");
  add (&maker, 0, "Step:ModeKeys.EVAL", "", "Step:ModeKeys.EVAL", "", 6, 7, "{\"step_num\": \"0\"}");
  add (&maker, 0, "Forward", "", "model", "", 1, 1.5, "{\"step_num\": \"0\"}");
  end_source (&maker);
  g_autoptr (LoomSteps) steps = finish (&maker);
  assert_steps (steps, "0@0 train 1-2, 1@0 train 2.5-3, -1@0 train 4-5, 0@0 eval 6-7",
                "0@0 train 1-2, 1@0 train 2.5-3, -1@0 train 4-5");
  assert_range (steps, FALSE, 0, 1, 1, 2.5); /* the time until step 1 begins */
  assert_range (steps, TRUE, 0, 0, 1, 2);
  gint64 first, last;
  g_assert_true (loom_steps_get_numbers (steps, &first, &last));
  g_assert_cmpint (first, ==, 0);
  g_assert_cmpint (last, ==, 1);
}

/* A step is counted once per rank, although the accelerator has a span for the step, too. The reference steps are those
 * of the lowest rank. A range of step numbers corresponds to the time range that covers the steps with these numbers on
 * all ranks. */
static void
test_kineto (void)
{
  Maker maker = start ();
  for (gint rank = 1; rank >= 0; rank--) {
    double late = rank * 0.25;
    begin_source (&maker, rank == 0 ? "r0.json" : "r1.json", "kineto");
    add (&maker, rank, "python", "1", "ProfilerStep#7", "user_annotation", 1 + late, 2 + late, "{}");
    add (&maker, rank, "python", "1", "ProfilerStep#8", "cpu_op", 2 + late, 3 + late, "{}");
    add (&maker, rank, "GPU 0", "7", "ProfilerStep#7", "gpu_user_annotation", 1.1, 2.1, "{}");
    add (&maker, rank, "python", "1", "ProfilerStepper", "user_annotation", 4, 5, "{}");
    end_source (&maker);
  }
  g_autoptr (LoomSteps) steps = finish (&maker);
  assert_steps (steps, "7@0 train 1-2, 7@1 train 1.25-2.25, 8@0 train 2-3, 8@1 train 2.25-3.25",
                "7@0 train 1-2, 8@0 train 2-3");
  assert_range (steps, FALSE, 7, 8, 1, 2);
  assert_range (steps, FALSE, 7, 9, 1, 3.25); /* step 9 does not exist: the range ends with step 8 */
  assert_range (steps, FALSE, 0, G_MAXINT64, 1, 3.25);
  assert_range (steps, TRUE, 7, 7, 1, 2.25);
  LoomRange range;
  g_assert_false (loom_steps_range (steps, 9, 20, &range, NULL));
  g_assert_false (loom_steps_range (steps, 8, 8, &range, NULL));
}

static void
test_composer_and_tensorflow (void)
{
  Maker maker = start ();
  begin_source (&maker, "ep0-ba1-rank0.json", "composer");
  add (&maker, 0, "Rank 0", "1", "event/batch", "", 1, 2, "{\"epoch\": 0, \"batch\": 41}");
  add (&maker, 0, "Rank 0", "1", "event/batch", "", 2, 3, "{\"epoch\": 0, \"batch\": 42}");
  add (&maker, 0, "Rank 0", "1", "event/forward", "", 1, 1.5, "{\"epoch\": 0, \"batch\": 41}");
  end_source (&maker);
  begin_source (&maker, "host.trace.json.gz", "tensorflow");
  add (&maker, -1, "/device:GPU:0", "Steps", "41", "", 1, 2, "{}");
  add (&maker, -1, "/device:GPU:0", "Steps", "no step", "", 2, 3, "{}");
  end_source (&maker);
  g_autoptr (LoomSteps) steps = finish (&maker);
  assert_steps (steps, "41@-1 train 1-2, 41@0 train 1-2, 42@0 train 2-3", "41@0 train 1-2, 42@0 train 2-3");
}

/* The number of a step of TensorFlow or JAX is in args.step_name, in the name, or in args.step_num on the host. */
static void
test_xprof_numbers (void)
{
  Maker maker = start ();
  begin_source (&maker, "a.trace.json.gz", "tensorflow");
  add (&maker, 0, "/device:GPU:0", "Steps", "0", "", 1, 2, "{\"group_id\": \"0\", \"step_name\": \"train 20\"}");
  add (&maker, 0, "/device:GPU:0", "Steps", "train 21", "", 2, 3, "{}");
  add (&maker, 0, "/host:CPU", "python", "train", "", 1, 2, "{\"step_num\": \"7\"}");
  end_source (&maker);
  begin_source (&maker, "b.trace.json.gz", "tensorflow");
  add (&maker, 1, "/host:CPU", "python", "train", "", 3, 4, "{\"step_num\": \"22\"}");
  add (&maker, 1, "/host:CPU", "python", "train", "", 4, 5, "{}");
  add (&maker, 1, "/host:CPU", "python", "other 5", "", 3, 4, "{}");
  for (guint i = 0; i < 100; i++) {
    g_autofree char *name = g_strdup_printf ("op %u", i / 2);
    add (&maker, 1, "/host:CPU", "python", name, "", 5 + i * 0.01, 5 + i * 0.01 + 0.001, "{}");
  }
  end_source (&maker);
  g_autoptr (LoomSteps) steps = finish (&maker);
  assert_steps (steps, "20@0 train 1-2, 21@0 train 2-3, 22@1 train 3-4", "20@0 train 1-2, 21@0 train 2-3");
}

/* Steps whose names say that they evaluate or predict are no training steps, on the host and on a line "Steps". */
static void
test_xprof_modes (void)
{
  Maker maker = start ();
  begin_source (&maker, "a.trace.json.gz", "tensorflow");
  add (&maker, 0, "/device:GPU:0", "Steps", "0", "", 1, 2, "{\"step_name\": \"train 20\"}");
  add (&maker, 0, "/device:GPU:0", "Steps", "1", "", 2, 3, "{\"step_name\": \"test 0\"}");
  add (&maker, 0, "/device:GPU:0", "Steps", "EvalStep 1", "", 3, 4, "{}");
  add (&maker, 0, "/device:GPU:0", "Steps", "latest 21", "", 4, 5, "{}");
  end_source (&maker);
  begin_source (&maker, "b.trace.json.gz", "tensorflow");
  add (&maker, 1, "/host:CPU", "python", "train", "", 1, 2, "{\"step_num\": \"20\"}");
  add (&maker, 1, "/host:CPU", "python", "test", "", 2, 3, "{\"step_num\": \"0\"}");
  add (&maker, 1, "/host:CPU", "python", "model_predict", "", 3, 4, "{\"step_num\": 0}");
  end_source (&maker);
  g_autoptr (LoomSteps) steps = finish (&maker);
  assert_steps (steps,
                "20@0 train 1-2, 20@1 train 1-2, 0@0 eval 2-3, 0@1 eval 2-3, 1@0 eval 3-4, 0@1 predict 3-4, "
                "21@0 train 4-5",
                "20@0 train 1-2, 21@0 train 4-5");
}

/* Spans that repeat are not always steps: the operators on many threads together take longer than the steps, and the
 * Python functions on the thread of the steps take as long as the steps. Neither are steps. A step may occur only once,
 * as the evaluation step does. */
static void
test_steps_among_threads (void)
{
  Maker maker = start ();
  begin_source (&maker, "a.trace.json.gz", "tensorflow");
  for (guint step = 0; step < 2; step++)
    add (&maker, 0, "/host:CPU", "python", "train", "", step, step + 0.9,
         step == 0 ? "{\"step_num\": 20}" : "{\"step_num\": 21}");
  add (&maker, 0, "/host:CPU", "python", "eval", "", 2, 2.5, "{\"step_num\": 3}");
  for (guint i = 0; i < 20 * 40; i++) {
    g_autofree char *name = g_strdup_printf ("op %u", i % 20), *thread = g_strdup_printf ("worker %u", i / 20);
    add (&maker, 0, "/host:CPU", thread, name, "", 0.04 * (i % 20), 0.04 * (i % 20) + 0.04, "{}");
    add (&maker, 0, "/host:CPU", thread, name, "", 0.04 * (i % 20) + 1, 0.04 * (i % 20) + 1.04, "{}");
  }
  for (guint i = 0; i < 40; i++) {
    g_autofree char *name = g_strdup_printf ("$train.py:%u run", i);
    add (&maker, 0, "/host:CPU", "python", name, "", -1 + i * 0.01, 4 - i * 0.01, "{}");
  }
  end_source (&maker);
  g_autoptr (LoomSteps) steps = finish (&maker);
  assert_steps (steps, "20@0 train 0-0.9, 21@0 train 1-1.9, 3@0 eval 2-2.5", "20@0 train 0-0.9, 21@0 train 1-1.9");
}

/* The last batch of a cycle has no span of its own, only callbacks at its begin and end, of one or more callback
 * classes. */
static void
test_composer_callbacks (void)
{
  static const char batch_41[] = "{\"epoch\": 0, \"batch\": 41}", batch_42[] = "{\"epoch\": 0, \"batch\": 42}",
                    batch_43[] = "{\"epoch\": 0, \"batch\": 43}", batch_60[] = "{\"epoch\": 1, \"batch\": 60}";
  Maker maker = start ();
  begin_source (&maker, "ep0-ba41-rank0.json", "composer");
  add (&maker, 0, "Rank 0", "1", "callback/A/event/batch_end", "", 0.5, 0.6, "{\"epoch\": 0, \"batch\": 40}");
  add (&maker, 0, "Rank 0", "1", "callback/A/event/batch_start", "", 0.9, 1, batch_41);
  add (&maker, 0, "Rank 0", "1", "event/batch", "", 1, 2, batch_41);
  add (&maker, 0, "Rank 0", "1", "callback/A/event/batch_end", "", 2, 2.1, batch_41);
  add (&maker, 0, "Rank 0", "1", "callback/A/event/batch_start", "", 2.5, 2.6, batch_42);
  add (&maker, 0, "Rank 0", "1", "callback/B/event/batch_start", "", 2.6, 2.7, batch_42);
  add (&maker, 0, "Rank 0", "1", "callback/A/event/batch_end", "", 3.5, 3.6, batch_42);
  add (&maker, 0, "Rank 0", "1", "callback/B/event/batch_end", "", 3.6, 3.75, batch_42);
  /* The recording of batch 43 is truncated, so the batch has no end. The recording continues much
   * later, in a batch that also has a span of PyTorch. */
  add (&maker, 0, "Rank 0", "1", "callback/A/event/batch_start", "", 4, 4.1, batch_43);
  add (&maker, 0, "Rank 0", "1", "callback/A/event/batch_start", "", 9, 9.1, batch_60);
  add (&maker, 0, "Rank 0", "1", "callback/A/event/batch_end", "", 10, 10.5, batch_60);
  add (&maker, 0, "Rank 0", "1", "callback/A/event/batch_start", "", 11, 11.1, batch_60);
  add (&maker, 0, "Rank 0", "2", "ProfilerStep#61", "user_annotation", 11, 12, "{}");
  add (&maker, 0, "Rank 0", "1", "callback/A/event/batch_end", "", 12, 12.5, batch_60);
  end_source (&maker);
  g_autoptr (LoomSteps) steps = finish (&maker);
  assert_steps (steps, "41@0 train 1-2, 42@0 train 2.5-3.75, 60@0 train 9-10.5, 61@0 train 11-12",
                "41@0 train 1-2, 42@0 train 2.5-3.75, 60@0 train 9-10.5, 61@0 train 11-12");
}

static void
test_at (void)
{
  Maker maker = start ();
  begin_source (&maker, "r0.json", "kineto");
  for (guint i = 0; i < 50; i++) {
    g_autofree char *name = g_strdup_printf ("ProfilerStep#%u", i);
    add (&maker, 0, "python", "1", name, "user_annotation", 2 * i, 2 * i + 1, "{}");
  }
  end_source (&maker);
  g_autoptr (LoomSteps) steps = finish (&maker);
  g_assert_null (loom_steps_at (steps, AT (-1)));
  for (guint i = 0; i < 50; i++) {
    g_assert_cmpint (loom_steps_at (steps, AT (2 * i))->number, ==, i);
    /* between steps the previous step is returned */
    g_assert_cmpint (loom_steps_at (steps, AT (2 * i + 1.5))->number, ==, i);
  }
}

static gint64
number_at (const LoomSteps *steps, const char *node, gint rank, const char *format, double at_s)
{
  const LoomStep *step = NULL;
  g_assert_true (loom_steps_at_rank (steps, node, rank, format, AT (at_s), &step));
  return step != NULL ? step->number : -1;
}

/* Ranks may be at different steps at the same time. A step that contains the time is preferred to a step that has
 * ended. Among these, a step of the requested format is preferred to a step of the format from which the reference
 * steps come. */
static void
test_at_rank (void)
{
  const LoomStep *step;
  Maker maker = start ();
  for (gint rank = 0; rank < 2; rank++) {
    begin_source (&maker, rank == 0 ? "r0.json" : "r1.json", "kineto");
    for (guint i = 0; i < 4; i++) {
      g_autofree char *name = g_strdup_printf ("ProfilerStep#%u", i + rank * 10);
      add (&maker, rank, "python", "1", name, "user_annotation", 1 + i + 0.5 * rank, 2 + i + 0.5 * rank, "{}");
    }
    end_source (&maker);
  }
  begin_source (&maker, "r1.smdebug.json", "smdebug");
  add (&maker, 1, "Step:ModeKeys.TRAIN", "", "Step:ModeKeys.TRAIN", "", 1.6, 1.7, "{\"step_num\": \"77\"}");
  add (&maker, 2, "Step:ModeKeys.EVAL", "", "Step:ModeKeys.EVAL", "", 1, 2, "{\"step_num\": \"5\"}");
  add (&maker, 2, "Step:ModeKeys.TRAIN", "", "Step:ModeKeys.TRAIN", "", 2, 3, "{\"step_num\": \"6\"}");
  end_source (&maker);
  g_autoptr (LoomSteps) steps = finish (&maker);
  g_assert_cmpuint (steps->n_ranks, ==, 3);
  g_assert_cmpint (number_at (steps, NULL, 0, NULL, 2), ==, 1);
  g_assert_cmpint (number_at (steps, "node", 1, NULL, 2), ==, 10); /* a rank without a node name matches any node */
  g_assert_cmpint (number_at (steps, NULL, 1, NULL, 2.5), ==, 11);
  g_assert_cmpint (number_at (steps, NULL, 1, NULL, 99), ==, 13);
  /* before the first step of this rank, although other ranks had steps */
  g_assert_cmpint (number_at (steps, NULL, 1, NULL, 1.2), ==, -1);
  g_assert_cmpint (number_at (steps, NULL, 1, "smdebug", 1.65), ==, 77); /* steps of both formats contain this time */
  g_assert_cmpint (number_at (steps, NULL, 1, "kineto", 1.65), ==, 10);
  /* the smdebug step has ended, the Kineto step has not */
  g_assert_cmpint (number_at (steps, NULL, 1, "smdebug", 1.9), ==, 10);
  g_assert_cmpint (number_at (steps, NULL, 1, "smdebug", 99), ==, 77);
  g_assert_cmpint (number_at (steps, NULL, 2, NULL, 2.5), ==, 6);
  g_assert_cmpint (number_at (steps, NULL, 2, NULL, 1.5), ==, 5); /* inside an evaluation step */
  g_assert_cmpint (number_at (steps, NULL, 2, NULL, 9), ==, 6);
  g_assert_false (loom_steps_at_rank (steps, NULL, 3, NULL, AT (2), &step));
  g_assert_false (loom_steps_at_rank (steps, NULL, -1, NULL, AT (2), &step));
}

static void
add_profiler_step (Maker *maker, gint rank, const char *name, double begin_s)
{
  add (maker, rank, "python", "1", name, "", begin_s, begin_s + 1, "{}");
}

/* Steps whose numbers repeat, because the count starts again. Rank 0 recorded both counts from step 0 on. Rank 1
 * recorded only the second count. Rank 2 recorded step 0 of the first count twice, at almost the same time. */
static void
test_run_steps (void)
{
  Maker maker = start ();
  begin_source (&maker, "ranks.json", "kineto");
  add_profiler_step (&maker, 0, "ProfilerStep#0", 1);
  add_profiler_step (&maker, 0, "ProfilerStep#1", 2);
  add_profiler_step (&maker, 0, "ProfilerStep#0", 10);
  add_profiler_step (&maker, 0, "ProfilerStep#1", 11);
  add_profiler_step (&maker, 1, "ProfilerStep#0", 9.6);
  add_profiler_step (&maker, 1, "ProfilerStep#1", 10.6);
  add_profiler_step (&maker, 2, "ProfilerStep#0", 1.25);
  add_profiler_step (&maker, 2, "ProfilerStep#0", 1.5);
  add_profiler_step (&maker, 2, "ProfilerStep#0", 10.5);
  end_source (&maker);
  g_autoptr (LoomSteps) steps = finish (&maker);
  g_autoptr (GString) found = g_string_new (NULL);
  for (guint i = 0; i < steps->n; i++)
    g_string_append_printf (found, "%d/%d=%u ", steps->all[i].rank, (int) steps->all[i].number, steps->all[i].run_step);
  g_assert_cmpstr (found->str, ==, "0/0=0 2/0=0 2/0=0 0/1=1 1/0=2 0/0=2 2/0=2 1/1=3 0/1=3 ");
}

static void
test_none_and_cancelled (void)
{
  Maker maker = start ();
  begin_source (&maker, "r0.json", "chrome");
  add (&maker, 0, "python", "1", "something", "", 1, 2, "{}");
  end_source (&maker);
  g_autoptr (LoomSteps) steps = finish (&maker);
  gint64 first, last;
  g_assert_cmpuint (steps->n, ==, 0);
  g_assert_cmpuint (steps->n_reference, ==, 0);
  g_assert_null (loom_steps_at (steps, AT (1)));
  g_assert_false (loom_steps_get_numbers (steps, &first, &last));
  maker = start ();
  begin_source (&maker, "r0.json", "kineto");
  add (&maker, 0, "python", "1", "ProfilerStep#1", "", 1, 2, "{}");
  end_source (&maker);
  LoomRun *run = loom_run_new ((LoomTrace *const *) maker.traces->pdata, 1);
  LoomAlignment *alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_steps_new (timeline, cancellable));
  loom_alignment_unref (alignment);
  loom_run_unref (run);
  g_ptr_array_unref (maker.traces);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/steps/smdebug", test_smdebug);
  g_test_add_func ("/analysis/steps/kineto", test_kineto);
  g_test_add_func ("/analysis/steps/composer-and-tensorflow", test_composer_and_tensorflow);
  g_test_add_func ("/steps/numbers-of-xprof", test_xprof_numbers);
  g_test_add_func ("/analysis/steps/modes-of-xprof", test_xprof_modes);
  g_test_add_func ("/analysis/steps/among-threads", test_steps_among_threads);
  g_test_add_func ("/analysis/steps/composer-callbacks", test_composer_callbacks);
  g_test_add_func ("/analysis/steps/at", test_at);
  g_test_add_func ("/analysis/steps/at-rank", test_at_rank);
  g_test_add_func ("/analysis/steps/run-steps", test_run_steps);
  g_test_add_func ("/analysis/steps/none-and-cancelled", test_none_and_cancelled);
  return g_test_run ();
}
