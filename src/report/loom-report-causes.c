/* SPDX-License-Identifier: Apache-2.0
 *
 * The section about causes: what ran at bottlenecks and in outlier steps, held against the rest.
 */
#include <math.h>

#include "loom-conditions.h"
#include "loom-report-private.h"
#include "loom-root-cause.h"

/* Metrics that take so much longer during the condition are worth a look. */
#define SUSPECT_RATIO 2.0
#define N_WRITTEN 5

typedef struct {
  LoomRootCause during, otherwise;
} Contrast;

/* Takes the windows. */
static void
contrast_init (Contrast *contrast, const LoomReport *report, LoomWindows *during, LoomWindows *otherwise, LoomRowChoice choice)
{
  loom_root_cause_init (&contrast->during, report->frame, during, choice);
  loom_root_cause_init (&contrast->otherwise, report->frame, otherwise, choice);
  loom_windows_free (during);
  loom_windows_free (otherwise);
}

static void
contrast_clear (Contrast *contrast)
{
  loom_root_cause_clear (&contrast->during);
  loom_root_cause_clear (&contrast->otherwise);
}

static void
bottleneck_contrast (Contrast *contrast, const LoomReport *report)
{
  contrast_init (contrast, report, loom_conditions_at_bottlenecks (report->frame, &report->bottlenecks),
                 loom_conditions_at_busy_gpus (report->frame, LOOM_SELECT_DIMENSION), LOOM_ROWS_ALL);
}

static void
outlier_contrast (Contrast *contrast, const LoomReport *report)
{
  const LoomStepDurations *steps = &report->steps;
  contrast_init (contrast, report, loom_conditions_in_steps (report->frame, steps->outliers, steps->n_outliers),
                 loom_conditions_in_steps (report->frame, steps->normal, steps->n_normal), LOOM_ROWS_NO_STEPS);
}

static double
mean_of (const LoomRootCauseMetric *metric)
{
  return metric != NULL && metric->count > 0 ? (double) metric->total_ns / (double) metric->count : NAN;
}

static void
add_metric (const LoomReport *report, JsonBuilder *builder, const Contrast *contrast, const LoomRootCauseMetric *metric)
{
  double mean = mean_of (metric), other = mean_of (loom_root_cause_find (&contrast->otherwise, metric->metric));
  json_builder_begin_object (builder);
  loom_json_add_text (builder, "metric", loom_frame_get_text (report->frame, metric->metric));
  loom_json_add_bool (builder, "is_phase", metric->is_phase);
  loom_json_add_int (builder, "count", (gint64) metric->count);
  loom_json_add_int (builder, "total_ns", metric->total_ns);
  loom_json_add_double (builder, "mean_ns", mean);
  loom_json_add_double (builder, "mean_otherwise_ns", other);
  loom_json_add_double (builder, "ratio", other > 0 ? mean / other : NAN);
  json_builder_end_object (builder);
}

static void
add_contrast (const LoomReport *report, JsonBuilder *builder, const char *name, const Contrast *contrast)
{
  loom_json_begin_object (builder, name);
  loom_json_add_int (builder, "rows", (gint64) contrast->during.n_rows);
  loom_json_add_int (builder, "rows_otherwise", (gint64) contrast->otherwise.n_rows);
  loom_json_begin_array (builder, "metrics");
  for (guint i = 0; i < contrast->during.n_metrics; i++)
    add_metric (report, builder, contrast, &contrast->during.metrics[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

void
loom_report_build_root_cause (const LoomReport *report, JsonBuilder *builder)
{
  Contrast contrast;
  json_builder_begin_object (builder);
  bottleneck_contrast (&contrast, report);
  add_contrast (report, builder, "at_cpu_bottleneck", &contrast);
  contrast_clear (&contrast);
  outlier_contrast (&contrast, report);
  add_contrast (report, builder, "in_outlier_steps", &contrast);
  contrast_clear (&contrast);
  json_builder_end_object (builder);
}

static void
write_contrast (const LoomReport *report, GString *out, const char *when, const Contrast *contrast)
{
  guint n = 0;
  for (guint i = 0; i < contrast->during.n_metrics && n < N_WRITTEN; i++) {
    const LoomRootCauseMetric *metric = &contrast->during.metrics[i];
    double mean = mean_of (metric), other = mean_of (loom_root_cause_find (&contrast->otherwise, metric->metric));
    if (!(mean >= SUSPECT_RATIO * other) || !(other > 0))
      continue;
    g_autofree char *text = loom_time_format_duration ((gint64) mean);
    g_string_append_printf (out, "  %s: %s takes %s, %.1f times as long as otherwise\n", when,
                            loom_frame_get_text (report->frame, metric->metric), text, mean / other);
    n++;
  }
  if (n == 0)
    g_string_append_printf (out, "  %s: nothing takes twice as long as otherwise\n", when);
}

void
loom_report_write_root_cause (const LoomReport *report, GString *out)
{
  Contrast contrast;
  g_string_append (out, "\nCauses\n");
  bottleneck_contrast (&contrast, report);
  write_contrast (report, out, "at CPU bottlenecks", &contrast);
  contrast_clear (&contrast);
  outlier_contrast (&contrast, report);
  write_contrast (report, out, "in outlier steps", &contrast);
  contrast_clear (&contrast);
}
