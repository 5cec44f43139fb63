/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes profiler configurations. Any content is read or refused. A configuration that was read can be described and is
 * written without loss: reading the written text gives the requested values, and writing it again gives the same text.
 */
#include "fuzz.h"

#include <string.h>

#include "loom-error.h"
#include "loom-limits.h"
#include "loom-profiler-config-report.h"
#include "loom-profiler-plan-write.h"

static void
tell (const LoomProfilerConfig *config)
{
  g_autoptr (LoomProfilerConfigEffect) effect = loom_profiler_config_effect_new (config);
  g_autoptr (JsonNode) node = loom_profiler_config_report_to_json (config, effect);
  g_autofree char *text = loom_profiler_config_report_to_text (config, effect);
  fuzz_check (g_utf8_validate (text, -1, NULL), "%s", text);
}

static LoomProfilerConfig *
read_written (const char *text)
{
  g_autoptr (GError) error = NULL;
  LoomProfilerConfig *config = loom_profiler_config_parse (text, strlen (text), &error);
  fuzz_check (config != NULL, "%s\n%s", error->message, text);
  return config;
}

static void
write_again (const LoomProfilerConfig *base)
{
  LoomProfilerPlan plan = { .chosen = 1u << LOOM_PROFILER_METRIC_DETAILED | 1u << LOOM_PROFILER_METRIC_PYTHON,
                            .interval_ms = 200 };
  plan.range = (LoomProfilerPlanRange) { .has_start_step = TRUE, .start_step = 4, .has_n_steps = TRUE, .n_steps = 3 };
  g_autofree char *text = loom_profiler_plan_write_print (&plan, LOOM_PROFILER_PLAN_KIND_REQUEST, base, NULL);
  g_autoptr (LoomProfilerConfig) config = read_written (text);
  g_autoptr (LoomProfilerConfigEffect) effect = loom_profiler_config_effect_new (config);
  const LoomProfilerMetricEffect *metric = &effect->metrics[LOOM_PROFILER_METRIC_DETAILED];
  fuzz_check (effect->interval_ms == 200 && metric->state == LOOM_EFFECT_STEPS && metric->start_step == 4 &&
                metric->n_steps == 3,
              "%s", text);
  g_autofree char *again = loom_profiler_plan_write_print (&plan, LOOM_PROFILER_PLAN_KIND_REQUEST, config, NULL);
  g_autoptr (LoomProfilerConfig) second = read_written (again);
  fuzz_check (json_object_get_size (second->request) == json_object_get_size (config->request) &&
                json_object_get_size (second->parameters) == json_object_get_size (config->parameters),
              "%s\n%s", text, again);
}

/* Writes the values that a form would read from the configuration back to it; the result must be readable. */
static void
write_as_read (const LoomProfilerConfig *base)
{
  LoomProfilerPlan plan;
  loom_profiler_plan_read (&plan, base);
  g_autoptr (GPtrArray) notes = loom_profiler_plan_check (&plan);
  if (!loom_profiler_config_notes_have_error (notes)) {
    g_autofree char *text = loom_profiler_plan_write_print (&plan, LOOM_PROFILER_PLAN_KIND_CONTAINER, base, NULL);
    g_autoptr (LoomProfilerConfig) config = read_written (text);
    g_autoptr (LoomProfilerConfigEffect) effect = loom_profiler_config_effect_new (config);
    fuzz_check (effect->system == !plan.disable, "%s", text);
  }
  loom_profiler_plan_clear (&plan);
}

/* Ignores a leak: json-glib leaks the node that it is reading if an array in an object is invalid. */
static LoomProfilerConfig *
parse (const char *text, GError **error)
{
  gboolean may_leak = !fuzz_is_json (text, strlen (text), LOOM_LIMIT_DEPTH);
  if (may_leak)
    fuzz_leaks_are_known (TRUE);
  LoomProfilerConfig *config = loom_profiler_config_parse (text, strlen (text), error);
  if (may_leak)
    fuzz_leaks_are_known (FALSE);
  return config;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strndup ((const char *) data, size); /* copied, because the parser needs a NUL-terminated
                                                                  * text */
  g_autoptr (LoomProfilerConfig) config = parse (text, &error);
  fuzz_check ((config != NULL) == (error == NULL), "neither read nor refused");
  if (config == NULL) {
    fuzz_check (error->domain == LOOM_ERROR && g_utf8_validate (error->message, -1, NULL), "%s", error->message);
    return 0;
  }
  tell (config);
  write_again (config);
  write_as_read (config);
  return 0;
}
