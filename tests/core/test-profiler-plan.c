/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests plans for the next profile: the text of each kind of configuration, the rules of SageMaker's SDK, reading and
 * rewriting configurations, and the steps or seconds that are planned for a range of the timeline.
 */
#include "run-fixture.h"

#include "loom-next-profile.h"
#include "loom-profiler-config-effect.h"
#include "loom-profiler-plan-write.h"

#include <string.h>

static void
assert_text (const LoomProfilerPlan *plan, LoomProfilerPlanKind kind, const LoomProfilerConfig *base, const char *holds)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = loom_profiler_plan_write_print (plan, kind, base, &error);
  g_assert_no_error (error);
  if (strstr (text, holds) == NULL)
    g_error ("no “%s” in\n%s", holds, text);
}

static void
assert_request (const LoomProfilerPlan *plan, const char *holds)
{
  assert_text (plan, LOOM_PROFILER_PLAN_KIND_REQUEST, NULL, holds);
}

static gboolean
has_note (GPtrArray *notes, const char *holds)
{
  for (guint i = 0; i < notes->len; i++)
    if (strstr (((const LoomProfilerConfigNote *) notes->pdata[i])->message, holds) != NULL)
      return TRUE;
  return FALSE;
}

static void
assert_checked (const LoomProfilerPlan *plan, const char *message)
{
  g_autoptr (GPtrArray) notes = loom_profiler_plan_check (plan);
  if (message != NULL)
    g_assert_true (has_note (notes, message));
  else
    g_assert_false (loom_profiler_config_notes_have_error (notes));
}

/* A plan without values has the text of the SDK's defaults in every kind of configuration. */
static void
test_defaults (void)
{
  static const struct {
    LoomProfilerPlanKind kind;
    const char *holds;
  } kinds[] = {
    { LOOM_PROFILER_PLAN_KIND_REQUEST,
      "{\\\"StartStep\\\":9,\\\"NumSteps\\\":3,\\\"ProfilerName\\\":\\\"cprofile\\\",\\\"cProfileTimer\\\":\\\"default\\\"}" },
    { LOOM_PROFILER_PLAN_KIND_CONTAINER, "\"RotateMaxFileSizeInBytes\" : \"10485760\"" },
    { LOOM_PROFILER_PLAN_KIND_PYTHON, "framework_profile_params=FrameworkProfile()" },
    { LOOM_PROFILER_PLAN_KIND_PYTORCH, "schedule(skip_first=4, wait=0, warmup=1, active=1, repeat=1)" },
    { LOOM_PROFILER_PLAN_KIND_COMPOSER, "cyclic_schedule(skip_first=4" },
  };
  const LoomProfilerPlan plan = { 0 };
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    assert_text (&plan, kinds[i].kind, NULL, kinds[i].holds);
  g_autofree char *text = loom_profiler_plan_write_print (&plan, LOOM_PROFILER_PLAN_KIND_CONTAINER, NULL, NULL);
  g_autoptr (LoomProfilerConfig) config = loom_profiler_config_parse (text, strlen (text), NULL);
  g_autoptr (LoomProfilerConfigEffect) effect = loom_profiler_config_effect_new (config);
  g_autofree char *means = loom_profiler_config_effect_describe_metric (&effect->metrics[LOOM_PROFILER_METRIC_PYTHON]);
  g_assert_cmpstr (means, ==, "steps 9 to 11");
  g_assert_true (has_note (effect->notes, "The profiler in the container ignores this metric"));
}

/* The SDK accepts either step fields or time fields, for all metrics and for each metric; default steps count as a step
 * field. */
static void
test_exclusion (void)
{
  static const char both[] = "Both step and time fields cannot be specified in the metrics config!";
  LoomProfilerPlan plan = {
    .range = { .has_start_step = TRUE, .start_step = 3, .has_duration = TRUE, .duration_s = 2.5 },
  };
  assert_checked (&plan, both);
  plan.range.has_start_step = FALSE;
  assert_checked (&plan, NULL);
  assert_request (&plan, "\\\"DurationInSeconds\\\":2.5,\\\"Duration\\\":2.5");
  plan.one_duration_key = TRUE;
  assert_request (&plan, "{\\\"DurationInSeconds\\\":2.5}");
  plan.range = (LoomProfilerPlanRange) { 0 };
  plan.chosen = 1u << LOOM_PROFILER_METRIC_PYTHON;
  plan.ranges[LOOM_PROFILER_METRIC_PYTHON] = (LoomProfilerPlanRange) { .has_start_s = TRUE, .start_s = 1932984000 };
  plan.default_steps = TRUE;
  assert_checked (&plan, both);
  plan.ranges[LOOM_PROFILER_METRIC_PYTHON] = (LoomProfilerPlanRange) { 0 };
  plan.python_profiler = (char *) "pyinstrument";
  assert_checked (&plan, NULL);
  assert_request (&plan, "\\\"ProfilerName\\\":\\\"pyinstrument\\\"");
  plan = (LoomProfilerPlan) { .no_framework = TRUE, .smprofiler = TRUE };
  assert_checked (&plan, NULL);
  assert_request (&plan, "\"CPUProfilingDuration\" : \"3600\"");
  plan.disable = TRUE;
  assert_checked (&plan, "The profiler is disabled");
}

/* Tests reading of each form of configuration: problems are noted, and members that plans do not contain are
 * preserved. */
static void
test_read (void)
{
  static const struct {
    const char *text, *trap;
    LoomProfilerPlanKind kind;
    const char *kept;
  } files[] = {
    { "{\"DisableProfiler\": false, \"Mine\": [1], \"ProfilingParameters\": {\"PythonProfilingConfig\": "
      "\"{\\\"StartTimeInSecSinceEpoch\\\": 1932984000, \\\"Duration\\\": 12.5, \\\"ProfilerName\\\": \\\"pyinstrument\\\", \\\"x\\\": 7, }\"}}",
      "Duration", LOOM_PROFILER_PLAN_KIND_REQUEST, "\\\"x\\\":7" },
    { "{\"disableprofiler\": false, \"profilinginterval\": 1, \"profilingparameters\": {\"detailedprofilingconfig\": \"{'startstep': 3, 'numsteps': 2}\"}}",
      "", LOOM_PROFILER_PLAN_KIND_CONTAINER, "\"profilinginterval\" : 1" },
    { "{\"JobName\": \"x\", \"ProfilerConfig\": {\"ProfilingIntervalInMilliseconds\": 250, \"ProfilingParameters\": {\"LocalPath\": \"/Data\"}}}",
      "The service accepts only 100", LOOM_PROFILER_PLAN_KIND_REQUEST, NULL },
    { "{\"DisableProfiler\": \"false\"}", "“false”", LOOM_PROFILER_PLAN_KIND_REQUEST, NULL },
  };
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autoptr (LoomProfilerConfig) config = loom_profiler_config_parse (files[i].text, strlen (files[i].text), NULL);
    g_autoptr (LoomProfilerConfigEffect) effect = loom_profiler_config_effect_new (config);
    LoomProfilerPlan plan;
    loom_profiler_plan_read (&plan, config);
    g_assert_true (*files[i].trap == '\0' || has_note (effect->notes, files[i].trap));
    g_assert_cmpint (config->layer == LOOM_PROFILER_CONFIG_CONTAINER, ==,
                     files[i].kind == LOOM_PROFILER_PLAN_KIND_CONTAINER);
    if (i == 0)
      g_assert_cmpfloat (plan.ranges[LOOM_PROFILER_METRIC_PYTHON].duration_s, ==, 12.5);
    else if (i == 1)
      g_assert_cmpint (plan.ranges[LOOM_PROFILER_METRIC_DETAILED].n_steps, ==, 2);
    else if (i == 2)
      g_assert_cmpstr (plan.local_path, ==, "/Data");
    if (files[i].kept != NULL)
      assert_text (&plan, files[i].kind, config, files[i].kept);
    loom_profiler_plan_clear (&plan);
  }
}

static gboolean
has_summaries (gpointer run)
{
  return loom_run_state_has_summaries (run);
}

/* A range that begins in step 4 and ends in step 5 is planned as two steps. */
static void
test_steps (void)
{
  static const struct {
    LoomProfilerPlanKind kind;
    const char *holds;
  } kinds[] = {
    { LOOM_PROFILER_PLAN_KIND_REQUEST, "\\\"StartStep\\\"" }, { LOOM_PROFILER_PLAN_KIND_CONTAINER, "StartStep" },
    { LOOM_PROFILER_PLAN_KIND_PYTHON, "start_step=4" },       { LOOM_PROFILER_PLAN_KIND_PYTORCH, "schedule" },
    { LOOM_PROFILER_PLAN_KIND_COMPOSER, "cyclic_schedule" },
  };
  LoomRunState *run = run_fixture_open (fixture_sample ());
  g_assert_true (fixture_wait (has_summaries, run));
  LoomSteps *steps = loom_timeline_state_get_steps (loom_run_state_get_view (run));
  const LoomStep *all = steps->reference;
  LoomProfilerPlan plan = { 0 };
  for (guint i = 0; i + 1 < steps->n_reference; i++)
    if (all[i].number == 4)
      plan.range = loom_next_profile_range (steps, (LoomRange) { all[i].begin_ns + 1000, all[i + 1].begin_ns + 1000 });
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    assert_text (&plan, kinds[i].kind, NULL, kinds[i].holds);
  assert_text (&plan, LOOM_PROFILER_PLAN_KIND_PYTHON, NULL, "num_steps=2");
  run_fixture_close (run);
}

/* Without steps, a plan for a range is in seconds, and a schedule, which counts steps, cannot be written. */
static void
test_times (void)
{
  LoomProfilerPlan plan = {
    .range = loom_next_profile_range (NULL, (LoomRange) { 7 * LOOM_NS_PER_S + 5, 9 * LOOM_NS_PER_S + 5 }),
  };
  g_assert_true (plan.range.has_start_s && plan.range.has_duration && !plan.range.has_start_step);
  g_assert_cmpint (plan.range.start_s, ==, 7);
  g_assert_cmpfloat (plan.range.duration_s, ==, 2);
  assert_request (&plan, "DurationInSeconds");
  g_assert_null (loom_profiler_plan_write_print (&plan, LOOM_PROFILER_PLAN_KIND_PYTORCH, NULL, NULL));
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/profiler-plan/defaults", test_defaults);
  g_test_add_func ("/core/profiler-plan/exclusion", test_exclusion);
  g_test_add_func ("/core/profiler-plan/read", test_read);
  g_test_add_func ("/core/profiler-plan/steps", test_steps);
  g_test_add_func ("/core/profiler-plan/times", test_times);
  return run_fixture_run ();
}
