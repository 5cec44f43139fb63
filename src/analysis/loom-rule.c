/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rule.h"

#include <math.h>
#include <string.h>

#include "loom-rule-private.h"
#include "loom-stats.h"

static void (*const evaluators[LOOM_N_RULES]) (const LoomRuleContext *context, LoomRuleResult *result) = {
  [LOOM_RULE_BATCH_SIZE] = loom_rule_batch_size,
  [LOOM_RULE_CPU_BOTTLENECK] = loom_rule_bottleneck,
  [LOOM_RULE_DATALOADER] = loom_rule_dataloader,
  [LOOM_RULE_GPU_MEMORY_INCREASE] = loom_rule_gpu_memory_increase,
  [LOOM_RULE_IO_BOTTLENECK] = loom_rule_bottleneck,
  [LOOM_RULE_LOAD_BALANCING] = loom_rule_load_balancing,
  [LOOM_RULE_LOW_GPU_UTILIZATION] = loom_rule_low_gpu_utilization,
  [LOOM_RULE_MAX_INITIALIZATION_TIME] = loom_rule_max_initialization_time,
  [LOOM_RULE_STEP_OUTLIER] = loom_rule_step_outlier,
  [LOOM_RULE_OVERALL_SYSTEM_USAGE] = loom_rule_overall_system_usage,
  [LOOM_RULE_OVERALL_FRAMEWORK_METRICS] = loom_rule_overall_framework_metrics,
};

const char *
loom_rule_status_to_string (LoomRuleStatus status)
{
  static const char *const words[] = { "fired", "passed", "not enough data", "not applicable" };
  return words[status];
}

/* --- what rules use -------------------------------------------------------------------------------------------------- */

double
loom_rule_value (const LoomRuleContext *context, const LoomRuleResult *result, guint parameter)
{
  return loom_rule_settings_get (context->settings, result->rule, parameter);
}

void
loom_rule_say (LoomRuleResult *result, LoomRuleStatus status, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_free (result->sentence);
  result->sentence = g_strdup_vprintf (format, args);
  result->status = status;
  va_end (args);
}

void
loom_rule_say_not_enough (LoomRuleResult *result, guint64 n_have, guint64 n_needed, const char *what)
{
  result->n_have = n_have;
  result->n_needed = n_needed;
  loom_rule_say (result, LOOM_RULE_NOT_ENOUGH, "not enough data (%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " %s)", n_have, n_needed, what);
}

void
loom_rule_mark (LoomRuleResult *result, gint64 begin_ns, gint64 end_ns, const char *host, const char *device)
{
  LoomRuleMark mark = { begin_ns, end_ns, host, device };
  if (result->marks->len < LOOM_RULE_MAX_MARKS)
    g_array_append_val (result->marks, mark);
}

GPtrArray *
loom_rule_series_of (const LoomRuleContext *context, const char *dimension)
{
  guint n;
  const LoomSampleSeries *series = loom_frame_get_series (context->frame, &n);
  GPtrArray *found = g_ptr_array_new ();
  for (guint i = 0; i < n; i++)
    if (strcmp (series[i].dimension, dimension) == 0)
      g_ptr_array_add (found, (gpointer) &series[i]);
  return found;
}

JsonObject *
loom_rule_details_at (JsonObject *details, const char *name)
{
  if (!json_object_has_member (details, name))
    json_object_set_object_member (details, name, json_object_new ());
  return json_object_get_object_member (details, name);
}

void
loom_rule_details_set (JsonObject *details, const char *name, double value)
{
  if (isfinite (value))
    json_object_set_double_member (details, name, value);
  else
    json_object_set_null_member (details, name);
}

void
loom_rule_quantiles (const double *values, gsize n, const double *q, guint n_q, double *out)
{
  g_autofree double *copy = g_memdup2 (values, MAX (n, 1) * sizeof *copy);
  for (guint i = 0; i < n_q; i++)
    out[i] = loom_stats_quantile (copy, n, q[i]);
}

void
loom_rule_details_set_box (JsonObject *details, const double *values, gsize n)
{
  static const double q[] = { 0, 0.25, 0.5, 0.75, 0.95, 1 };
  double at[G_N_ELEMENTS (q)];
  if (n == 0)
    return;
  loom_rule_quantiles (values, n, q, G_N_ELEMENTS (q), at);
  double whisker = 1.5 * (at[3] - at[1]);
  loom_rule_details_set (details, "p25", at[1]);
  loom_rule_details_set (details, "p50", at[2]);
  loom_rule_details_set (details, "p75", at[3]);
  loom_rule_details_set (details, "p95", at[4]);
  loom_rule_details_set (details, "upper", MIN (at[5], at[3] + whisker));
  loom_rule_details_set (details, "lower", MAX (at[0], at[1] - whisker));
}

/* --- results --------------------------------------------------------------------------------------------------------- */

void
loom_rule_result_free (LoomRuleResult *result)
{
  if (result == NULL)
    return;
  g_free (result->sentence);
  g_array_unref (result->marks);
  json_object_unref (result->details);
  g_free (result);
}

static LoomRuleResult *
result_new (guint rule)
{
  LoomRuleResult *result = g_new0 (LoomRuleResult, 1);
  result->rule = rule;
  result->status = LOOM_RULE_PASSED;
  result->marks = g_array_new (FALSE, FALSE, sizeof (LoomRuleMark));
  result->details = json_object_new ();
  return result;
}

static int
compare_marks (gconstpointer a, gconstpointer b)
{
  const LoomRuleMark *x = a, *y = b;
  return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

static LoomRuleResult *
evaluate (guint rule, const LoomRuleContext *context)
{
  g_autoptr (LoomRuleResult) result = result_new (rule);
  if (evaluators[rule] != NULL)
    evaluators[rule] (context, result);
  g_array_sort (result->marks, compare_marks);
  if (result->sentence == NULL)
    loom_rule_say (result, result->status, "nothing found");
  return g_cancellable_is_cancelled (context->cancellable) ? NULL : g_steal_pointer (&result);
}

/* The report fires when another rule did. */
static void
report (GPtrArray *results)
{
  LoomRuleResult *whole = results->pdata[LOOM_RULE_PROFILER_REPORT];
  guint n_fired = 0, n_judged = 0;
  for (guint i = 0; i < results->len; i++) {
    const LoomRuleResult *result = results->pdata[i];
    n_fired += result->status == LOOM_RULE_FIRED;
    n_judged += i != LOOM_RULE_PROFILER_REPORT && result->status <= LOOM_RULE_PASSED;
  }
  whole->n_violations = n_fired;
  whole->n_datapoints = n_judged;
  loom_rule_say (whole, n_fired > 0 ? LOOM_RULE_FIRED : LOOM_RULE_PASSED, "%u of %u rules that had data fired", n_fired, n_judged);
}

GPtrArray *
loom_rules_evaluate (LoomFrame *frame, const LoomRuleSettings *settings, GCancellable *cancellable)
{
  LoomRuleContext context = { frame, loom_phases_compute (frame), settings, cancellable };
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_rule_result_free);
  for (guint i = 0; i < LOOM_N_RULES; i++) {
    LoomRuleResult *result = evaluate (i, &context);
    if (result == NULL)
      return NULL;
    g_ptr_array_add (results, result);
  }
  report (results);
  return g_steal_pointer (&results);
}

LoomRuleResult *
loom_rule_evaluate (guint rule, LoomFrame *frame, const LoomRuleSettings *settings, GCancellable *cancellable)
{
  g_return_val_if_fail (rule < LOOM_N_RULES, NULL);
  if (rule != LOOM_RULE_PROFILER_REPORT) {
    LoomRuleContext context = { frame, loom_phases_compute (frame), settings, cancellable };
    return evaluate (rule, &context);
  }
  g_autoptr (GPtrArray) results = loom_rules_evaluate (frame, settings, cancellable);
  return results != NULL ? g_ptr_array_steal_index (results, rule) : NULL;
}

static void
add_marks (JsonObject *object, const GArray *marks)
{
  JsonArray *array = json_array_new ();
  for (guint i = 0; i < marks->len; i++) {
    const LoomRuleMark *mark = &g_array_index (marks, LoomRuleMark, i);
    JsonObject *place = json_object_new ();
    json_object_set_int_member (place, "start_ns", mark->begin_ns);
    json_object_set_int_member (place, "end_ns", mark->end_ns);
    json_object_set_string_member (place, "node", mark->host);
    json_object_set_string_member (place, "device", mark->device);
    json_array_add_object_element (array, place);
  }
  json_object_set_array_member (object, "Marks", array);
}

JsonNode *
loom_rule_result_to_json (const LoomRuleResult *result, const LoomRuleSettings *settings)
{
  g_autofree char *parameters = loom_rule_settings_print (settings, result->rule);
  g_autoptr (JsonObject) object = json_object_new ();
  json_object_set_int_member (object, "RuleTriggered", result->status == LOOM_RULE_FIRED);
  json_object_set_int_member (object, "Violations", (gint64) result->n_violations);
  json_object_set_int_member (object, "Datapoints", (gint64) result->n_datapoints);
  json_object_set_string_member (object, "RuleParameters", parameters);
  json_object_set_object_member (object, "Details", json_object_ref (result->details));
  json_object_set_string_member (object, "Status", loom_rule_status_to_string (result->status));
  json_object_set_string_member (object, "Sentence", result->sentence);
  add_marks (object, result->marks);
  return json_node_init_object (json_node_alloc (), object);
}
