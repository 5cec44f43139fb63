/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-config-report.h"

/* --- JSON ------------------------------------------------------------------------------------------------------------ */

static void
add_text (JsonBuilder *builder, const char *key, const char *text)
{
  json_builder_set_member_name (builder, key);
  if (text != NULL)
    json_builder_add_string_value (builder, text);
  else
    json_builder_add_null_value (builder);
}

static void
add_int (JsonBuilder *builder, const char *key, gboolean given, gint64 value)
{
  json_builder_set_member_name (builder, key);
  if (given)
    json_builder_add_int_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_real (JsonBuilder *builder, const char *key, gboolean given, double value)
{
  json_builder_set_member_name (builder, key);
  if (given)
    json_builder_add_double_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_switch (JsonBuilder *builder, const char *key, gboolean on)
{
  json_builder_set_member_name (builder, key);
  json_builder_add_boolean_value (builder, on);
}

static void
add_metric (JsonBuilder *builder, const LoomMetricEffect *metric, LoomMetric kind)
{
  gboolean steps = metric->state == LOOM_EFFECT_STEPS, time = metric->state == LOOM_EFFECT_TIME;
  g_autofree char *means = loom_metric_effect_describe (metric);
  json_builder_set_member_name (builder, loom_metric_to_key (kind));
  json_builder_begin_object (builder);
  add_text (builder, "state", loom_effect_state_to_string (metric->state));
  add_int (builder, "start_step", steps && metric->has_start, metric->start_step);
  add_int (builder, "num_steps", steps, metric->n_steps);
  add_int (builder, "start_s", time && metric->has_start, metric->start_s);
  add_real (builder, "duration_s", time && metric->has_duration, metric->duration_s);
  add_text (builder, "regex", metric->regex);
  add_text (builder, "profiler", metric->profiler);
  add_text (builder, "timer", metric->timer);
  add_text (builder, "means", means);
  json_builder_end_object (builder);
}

static void
add_framework (JsonBuilder *builder, const LoomConfigEffect *effect)
{
  json_builder_set_member_name (builder, "framework");
  json_builder_begin_object (builder);
  add_switch (builder, "on", effect->framework);
  add_text (builder, "reason", effect->reason);
  add_text (builder, "local_path", effect->local_path);
  add_int (builder, "rotate_bytes", TRUE, effect->rotate_bytes);
  add_real (builder, "rotate_s", TRUE, effect->rotate_s);
  add_int (builder, "fail_threshold", TRUE, effect->fail_threshold);
  json_builder_end_object (builder);
}

static void
add_notes (JsonBuilder *builder, GPtrArray *notes)
{
  for (guint i = 0; i < notes->len; i++) {
    const LoomConfigNote *note = notes->pdata[i];
    json_builder_begin_object (builder);
    add_text (builder, "severity", loom_note_severity_to_string (note->severity));
    add_text (builder, "code", note->code);
    add_text (builder, "where", note->where);
    add_text (builder, "message", note->message);
    json_builder_end_object (builder);
  }
}

JsonNode *
loom_config_report_to_json (const LoomConfig *config, const LoomConfigEffect *effect)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  json_builder_begin_object (builder);
  add_text (builder, "layer", loom_config_layer_to_string (config->layer));
  json_builder_set_member_name (builder, "system");
  json_builder_begin_object (builder);
  add_switch (builder, "on", effect->system);
  add_int (builder, "interval_ms", TRUE, effect->interval_ms);
  json_builder_end_object (builder);
  add_framework (builder, effect);
  json_builder_set_member_name (builder, "metrics");
  json_builder_begin_object (builder);
  for (guint i = 0; i < LOOM_N_METRICS; i++)
    add_metric (builder, &effect->metrics[i], (LoomMetric) i);
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "notes");
  json_builder_begin_array (builder);
  add_notes (builder, config->notes);
  add_notes (builder, effect->notes);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* --- text ------------------------------------------------------------------------------------------------------------ */

void
loom_config_report_append_notes (GString *out, GPtrArray *notes)
{
  for (guint i = 0; i < notes->len; i++) {
    const LoomConfigNote *note = notes->pdata[i];
    g_string_append_printf (out, "%s: %s%s%s\n", loom_note_severity_to_string (note->severity), note->where,
                            *note->where != '\0' ? ": " : "", note->message);
  }
}

static void
append_metric (GString *out, const LoomMetricEffect *metric, LoomMetric kind)
{
  g_autofree char *means = loom_metric_effect_describe (metric);
  g_string_append_printf (out, "  %-30s %s", loom_metric_to_key (kind), means);
  if (metric->regex != NULL)
    g_string_append_printf (out, ", names that begin like “%s”", metric->regex);
  if (metric->profiler != NULL)
    g_string_append_printf (out, ", %s", metric->profiler);
  if (metric->timer != NULL)
    g_string_append_printf (out, ", timer %s", metric->timer);
  g_string_append_c (out, '\n');
}

char *
loom_config_report_to_text (const LoomConfig *config, const LoomConfigEffect *effect)
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
    g_string_append_printf (out, "Framework metrics: on\n  files in “%s”; a new one after %" G_GINT64_FORMAT " bytes or %s s; given up after %" G_GINT64_FORMAT " failures\n",
                            effect->local_path, effect->rotate_bytes, g_ascii_formatd (seconds, sizeof seconds, "%.15g", effect->rotate_s),
                            effect->fail_threshold);
  for (guint i = 0; i < LOOM_N_METRICS; i++)
    append_metric (out, &effect->metrics[i], (LoomMetric) i);
  loom_config_report_append_notes (out, config->notes);
  loom_config_report_append_notes (out, effect->notes);
  return g_string_free (out, FALSE);
}
