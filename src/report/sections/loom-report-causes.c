/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the section of the report about causes: which metrics (kinds of spans) took longer at bottlenecks and in
 * outlier steps than at other times.
 */
#include "loom-cause-comparison.h"
#include "loom-report-private.h"

#define N_WRITTEN 5

static void
add_metric (const LoomReport *report, JsonBuilder *builder, const LoomCauseComparison *contrast,
            const LoomRootCauseMetric *metric)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_text (builder, "metric", loom_data_frame_get_text (report->frame, metric->metric));
  loom_json_util_add_bool (builder, "is_phase", metric->is_phase);
  loom_json_util_add_int (builder, "count", (gint64) metric->count);
  loom_json_util_add_int (builder, "total_ns", metric->total_ns);
  loom_json_util_add_int (builder, "in_range_ns", metric->in_range_ns);
  loom_json_util_add_double (builder, "mean_ns", loom_cause_comparison_mean (metric));
  loom_json_util_add_double (builder, "mean_otherwise_ns", loom_cause_comparison_mean_otherwise (contrast, metric));
  loom_json_util_add_double (builder, "ratio", loom_cause_comparison_ratio (contrast, metric));
  loom_json_util_add_double (builder, "difference", loom_cause_comparison_difference (contrast, metric));
  loom_json_util_add_bool (builder, "only_then", loom_cause_comparison_is_only_then (contrast, metric));
}

static void
add_contrast (const LoomReport *report, JsonBuilder *builder, const char *name, const LoomCauseComparison *contrast)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, name);
  loom_json_util_add_int (builder, "rows", (gint64) contrast->during.n_rows);
  loom_json_util_add_int (builder, "rows_otherwise", (gint64) contrast->otherwise.n_rows);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "metrics");
  for (guint i = 0; i < contrast->during.n_metrics; i++)
    add_metric (report, builder, contrast, &contrast->during.metrics[i]);
}

void
loom_report_build_root_cause (const LoomReport *report, JsonBuilder *builder)
{
  LoomCauseComparison contrast;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_report_add_missing (builder, loom_report_no_hosts (report));
  loom_cause_comparison_init_bottlenecks (&contrast, report->frame, &report->bottlenecks);
  add_contrast (report, builder, "at_cpu_bottleneck", &contrast);
  loom_cause_comparison_clear (&contrast);
  loom_cause_comparison_init_outliers (&contrast, report->frame, &report->steps);
  add_contrast (report, builder, "in_outlier_steps", &contrast);
  loom_cause_comparison_clear (&contrast);
}

/* Writes the metrics that ran only at bottlenecks (or only in outlier steps). They have no spans at other times with
 * which they could be compared. Returns the number of these metrics. */
static guint
write_only_then (const LoomReport *report, GString *out, const char *when, const LoomCauseComparison *contrast)
{
  guint n = 0;
  for (guint i = 0; i < contrast->during.n_metrics && n < N_WRITTEN; i++) {
    const LoomRootCauseMetric *metric = &contrast->during.metrics[i];
    if (!loom_cause_comparison_is_named_first (contrast, metric))
      continue;
    g_autofree char *text = loom_time_format_duration ((gint64) loom_cause_comparison_mean (metric));
    g_string_append_printf (out, "  %s: %s ran %" G_GUINT64_FORMAT " %s, %s on average\n", when,
                            loom_data_frame_get_text (report->frame, metric->metric), metric->count,
                            metric->count == 1 ? "time" : "times", text);
    n++;
  }
  return n;
}

static void
write_contrast (const LoomReport *report, GString *out, const char *when, const char *only,
                const LoomCauseComparison *contrast)
{
  guint n_only_then = write_only_then (report, out, only, contrast), n = 0;
  for (guint i = 0; i < contrast->during.n_metrics && n < N_WRITTEN; i++) {
    const LoomRootCauseMetric *metric = &contrast->during.metrics[i];
    if (!loom_cause_comparison_is_suspect (contrast, metric))
      continue;
    g_autofree char *text = loom_time_format_duration ((gint64) loom_cause_comparison_mean (metric));
    g_string_append_printf (out, "  %s: %s takes %s, %.1f times as long as at other times\n", when,
                            loom_data_frame_get_text (report->frame, metric->metric), text,
                            loom_cause_comparison_ratio (contrast, metric));
    n++;
  }
  const char *no_hosts = loom_report_no_hosts (report);
  if (no_hosts != NULL)
    g_string_append_printf (out, "  %s: %s\n", when, no_hosts);
  else if (n + n_only_then == 0)
    g_string_append_printf (out, "  %s: nothing takes twice as long as at other times\n", when);
}

void
loom_report_write_root_cause (const LoomReport *report, GString *out)
{
  LoomCauseComparison contrast;
  g_string_append (out, "\nCauses\n");
  if (loom_report_has_samples (report)) {
    loom_cause_comparison_init_bottlenecks (&contrast, report->frame, &report->bottlenecks);
    if (report->bottlenecks.n > 0 && contrast.during.n_rows == 0)
      g_string_append (
        out, "  at CPU bottlenecks: nothing of the framework ran at these instants, so their causes cannot be told\n");
    else
      write_contrast (report, out, "at CPU bottlenecks", "only at CPU bottlenecks", &contrast);
    loom_cause_comparison_clear (&contrast);
  }
  if (report->steps.n_groups == 0) {
    g_string_append (out, "  in outlier steps: no training steps are known\n");
    return;
  }
  loom_cause_comparison_init_outliers (&contrast, report->frame, &report->steps);
  write_contrast (report, out, "in outlier steps", "in outlier steps, but in no normal one", &contrast);
  loom_cause_comparison_clear (&contrast);
}
