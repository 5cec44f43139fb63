/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-profiler-config-report.h"

#include "loom-json-util.h"

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static void
add_metric (JsonBuilder *builder, const LoomProfilerMetricEffect *metric, LoomProfilerMetric kind)
{
  gboolean steps = metric->state == LOOM_EFFECT_STEPS, time = metric->state == LOOM_EFFECT_TIME;
  g_autofree char *means = loom_profiler_config_effect_describe_metric (metric);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, loom_profiler_config_metric_to_key (kind));
  loom_json_util_add_text (builder, "state", loom_profiler_config_effect_state_to_string (metric->state));
  loom_json_util_add_int_if (builder, "start_step", steps && metric->has_start, metric->start_step);
  loom_json_util_add_int_if (builder, "num_steps", steps, metric->n_steps);
  loom_json_util_add_int_if (builder, "start_s", time && metric->has_start, metric->start_s);
  loom_json_util_add_double_if (builder, "duration_s", time && metric->has_duration, metric->duration_s);
  loom_json_util_add_text (builder, "regex", metric->regex);
  loom_json_util_add_text (builder, "profiler", metric->profiler);
  loom_json_util_add_text (builder, "timer", metric->timer);
  loom_json_util_add_text (builder, "means", means);
}

static void
add_framework (JsonBuilder *builder, const LoomProfilerConfigEffect *effect)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "framework");
  loom_json_util_add_bool (builder, "on", effect->framework);
  loom_json_util_add_text (builder, "reason", effect->reason);
  loom_json_util_add_text (builder, "local_path", effect->local_path);
  loom_json_util_add_int (builder, "rotate_bytes", effect->rotate_bytes);
  loom_json_util_add_double (builder, "rotate_s", effect->rotate_s);
  loom_json_util_add_int (builder, "fail_threshold", effect->fail_threshold);
}

static void
add_notes (JsonBuilder *builder, GPtrArray *notes)
{
  for (guint i = 0; i < notes->len; i++) {
    const LoomProfilerConfigNote *note = notes->pdata[i];
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, "severity", loom_profiler_config_note_severity_to_string (note->severity));
    loom_json_util_add_text (builder, "code", note->code);
    loom_json_util_add_text (builder, "where", note->where);
    loom_json_util_add_text (builder, "message", note->message);
  }
}

void
loom_profiler_config_report_add_notes (JsonBuilder *builder, GPtrArray *first, GPtrArray *second)
{
  loom_json_util_begin_array (builder, "notes");
  add_notes (builder, first);
  add_notes (builder, second);
  json_builder_end_array (builder);
}

JsonNode *
loom_profiler_config_report_to_json (const LoomProfilerConfig *config, const LoomProfilerConfigEffect *effect)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  json_builder_begin_object (builder);
  loom_json_util_add_text (builder, "layer", loom_profiler_config_layer_to_string (config->layer));
  loom_json_util_begin_object (builder, "system");
  loom_json_util_add_bool (builder, "on", effect->system);
  loom_json_util_add_int (builder, "interval_ms", effect->interval_ms);
  json_builder_end_object (builder);
  add_framework (builder, effect);
  loom_json_util_begin_object (builder, "metrics");
  for (guint i = 0; i < LOOM_N_PROFILER_METRICS; i++)
    add_metric (builder, &effect->metrics[i], (LoomProfilerMetric) i);
  json_builder_end_object (builder);
  loom_profiler_config_report_add_notes (builder, config->notes, effect->notes);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

void
loom_profiler_config_report_append_notes (GString *out, GPtrArray *notes)
{
  for (guint i = 0; i < notes->len; i++) {
    const LoomProfilerConfigNote *note = notes->pdata[i];
    g_string_append_printf (out, "%s: %s%s%s\n", loom_profiler_config_note_severity_to_string (note->severity),
                            note->where, *note->where != '\0' ? ": " : "", note->message);
  }
}

static void
append_metric (GString *out, const LoomProfilerMetricEffect *metric, LoomProfilerMetric kind)
{
  g_autofree char *means = loom_profiler_config_effect_describe_metric (metric);
  g_string_append_printf (out, "  %-30s %s", loom_profiler_config_metric_to_key (kind), means);
  if (metric->regex != NULL)
    g_string_append_printf (out, ", names that begin like “%s”", metric->regex);
  if (metric->profiler != NULL)
    g_string_append_printf (out, ", %s", metric->profiler);
  if (metric->timer != NULL)
    g_string_append_printf (out, ", timer %s", metric->timer);
  g_string_append_c (out, '\n');
}

char *
loom_profiler_config_report_to_text (const LoomProfilerConfig *config, const LoomProfilerConfigEffect *effect)
{
  GString *out = g_string_new (NULL);
  char seconds[G_ASCII_DTOSTR_BUF_SIZE];
  if (effect->system)
    g_string_append_printf (out, "System metrics: every %" G_GINT64_FORMAT " ms\n", effect->interval_ms);
  else
    g_string_append (out, "System metrics: off\n");
  if (!effect->framework)
    g_string_append_printf (out, "Framework metrics: off, %s\n", effect->reason);
  else
    g_string_append_printf (out,
                            "Framework metrics: on\n  files in “%s”; a new one after %" G_GINT64_FORMAT
                            " bytes or %s s; given up after %" G_GINT64_FORMAT " failure%s\n",
                            effect->local_path, effect->rotate_bytes,
                            g_ascii_formatd (seconds, sizeof seconds, "%.15g", effect->rotate_s),
                            effect->fail_threshold, effect->fail_threshold == 1 ? "" : "s");
  for (guint i = 0; i < LOOM_N_PROFILER_METRICS; i++)
    append_metric (out, &effect->metrics[i], (LoomProfilerMetric) i);
  loom_profiler_config_report_append_notes (out, config->notes);
  loom_profiler_config_report_append_notes (out, effect->notes);
  return g_string_free (out, FALSE);
}
