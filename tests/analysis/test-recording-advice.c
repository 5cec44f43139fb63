/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-recording-advice.h"
#include "trace-maker.h"

/* Checks that every kind of data has advice for every profiler. */
static void
test_is_complete (void)
{
  for (guint lack = LOOM_LACKS_NOTHING + 1; lack < LOOM_N_LACKS; lack++)
    for (guint recorder = 0; recorder < LOOM_N_RECORDERS; recorder++)
      g_assert_nonnull (loom_recording_advice_get (recorder, lack));
  g_assert_null (loom_recording_advice_get (LOOM_RECORDER_OTHER, LOOM_LACKS_NOTHING));
}

/* Checks that advice about recording shapes, steps and launches names options of the profiler of the open files. */
static void
test_fits_the_profiler (void)
{
  static const struct {
    LoomRecorder recorder;
    LoomLack lack;
    const char *part;
  } cases[] = {
    { LOOM_RECORDER_PYTORCH, LOOM_LACKS_LAUNCHES, "ProfilerActivity.CPU" },
    { LOOM_RECORDER_NSIGHT, LOOM_LACKS_LAUNCHES, "--trace=cuda" },
    { LOOM_RECORDER_XLA, LOOM_LACKS_LAUNCHES, "host_tracer_level" },
    { LOOM_RECORDER_ROCM, LOOM_LACKS_LAUNCHES, "--hip-trace" },
    { LOOM_RECORDER_NSIGHT, LOOM_LACKS_SHAPES, "emit_nvtx" },
    { LOOM_RECORDER_XLA, LOOM_LACKS_STEPS, "jax.profiler.StepTraceAnnotation" },
    { LOOM_RECORDER_HOROVOD, LOOM_LACKS_STEPS, "Horovod" },
    { LOOM_RECORDER_XLA, LOOM_LACKS_GPU_RANKS, "One process" },
    { LOOM_RECORDER_XLA, LOOM_LACKS_HOST, "host_tracer_level=3" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_nonnull (strstr (loom_recording_advice_get (cases[i].recorder, cases[i].lack), cases[i].part));
}

static LoomRecorder
find_recorder (const char *first, const char *second)
{
  Maker makers[] = { maker_new ("a", first), maker_new ("b", second) };
  LoomTrace *traces[2];
  for (guint i = 0; i < 2; i++)
    traces[i] = loom_trace_builder_freeze (makers[i].builder, 1, NULL);
  g_autoptr (LoomRun) run = loom_run_new (traces, 2);
  for (guint i = 0; i < 2; i++)
    loom_trace_unref (traces[i]);
  return loom_recording_advice_find_recorder (run);
}

/* Checks that the profiler is found by the formats of the files, whatever their order is. */
static void
test_finds_the_profiler (void)
{
  g_assert_cmpint (find_recorder ("chrome", "nsight"), ==, LOOM_RECORDER_NSIGHT);
  g_assert_cmpint (find_recorder ("smdebug-system", "kineto"), ==, LOOM_RECORDER_PYTORCH);
  g_assert_cmpint (find_recorder ("xplane", "perfetto"), ==, LOOM_RECORDER_XLA);
  g_assert_cmpint (find_recorder ("chrome", "chrome"), ==, LOOM_RECORDER_OTHER);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recording-advice/is-complete", test_is_complete);
  g_test_add_func ("/recording-advice/fits-the-profiler", test_fits_the_profiler);
  g_test_add_func ("/recording-advice/finds-the-profiler", test_finds_the_profiler);
  return g_test_run ();
}
