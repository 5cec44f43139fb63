/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the rates of operators as JSON and as text.
 */
#include "loom-efficiency-section.h"

#include <math.h>

#include "loom-json-util.h"
#include "loom-report-private.h"

/* Maximum number of operators in the text; the JSON document lists all. */
#define N_ROWS 10
#define TERA 1e12

/* Adds a number as the member `name`. If the number is not finite, it is unknown, and the member is null. */
static void
add_number (JsonBuilder *builder, const char *name, double value)
{
  loom_json_util_add_double_if (builder, name, isfinite (value), value);
}

/* Adds a peak of a device. If `peak` is 0, it is unknown, and the member is null. */
static void
add_peak (JsonBuilder *builder, const char *name, double peak)
{
  loom_json_util_add_double_if (builder, name, peak > 0, peak);
}

static const char *
get_bound (const LoomEfficiencyRow *row)
{
  if (isnan (loom_efficiency_get_attainable (row)))
    return NULL;
  return loom_efficiency_is_memory_bound (row) ? "memory" : "compute";
}

static void
build_row (JsonBuilder *builder, const LoomEfficiencyRow *row)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_text (builder, "name", row->name);
  loom_json_util_add_text (builder, "kind", loom_operator_work_kind_to_string (row->kind));
  loom_json_util_add_text (builder, "shape", row->shape);
  loom_json_util_add_text (builder, "dtype", row->type);
  loom_json_util_add_text (builder, "device", row->device[0] != '\0' ? row->device : NULL);
  loom_json_util_add_int (builder, "calls", (gint64) row->calls);
  loom_json_util_add_int (builder, "recomputed_calls", (gint64) row->n_recomputed);
  loom_json_util_add_int (builder, "kernels", (gint64) row->n_kernels);
  loom_json_util_add_int (builder, "kernel_ns", row->kernel_ns);
  loom_json_util_add_int (builder, "flop_per_call", (gint64) MIN (row->work.flop, G_MAXINT64));
  loom_json_util_add_int (builder, "bytes_per_call", (gint64) MIN (row->work.bytes, G_MAXINT64));
  add_number (builder, "flop_per_s", loom_efficiency_get_rate (row));
  add_number (builder, "bytes_per_s", loom_efficiency_get_throughput (row));
  add_number (builder, "intensity", loom_efficiency_get_intensity (row));
  add_peak (builder, "peak_flop_per_s", row->peak);
  add_peak (builder, "peak_bytes_per_s", row->bandwidth);
  add_number (builder, "attainable_flop_per_s", loom_efficiency_get_attainable (row));
  add_number (builder, "efficiency", loom_efficiency_get_ratio (row));
  loom_json_util_add_text (builder, "bound", get_bound (row));
}

static void
build_step (JsonBuilder *builder, const LoomEfficiencyStep *step)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_text (builder, "node", step->node);
  loom_json_util_add_int_if (builder, "rank", step->rank >= 0, step->rank);
  loom_json_util_add_bool (builder, "is_step", step->is_step);
  loom_json_util_add_int_if (builder, "step", step->number >= 0, step->number);
  loom_json_util_add_int (builder, "start_ns", step->range.begin_ns);
  loom_json_util_add_int (builder, "end_ns", step->range.end_ns);
  loom_json_util_add_int (builder, "devices", step->n_devices);
  loom_json_util_add_int (builder, "flop", (gint64) MIN (step->flop, G_MAXINT64));
  loom_json_util_add_int (builder, "recomputed_flop", (gint64) MIN (step->recomputed_flop, G_MAXINT64));
  add_number (builder, "mfu", step->mfu);
  add_number (builder, "hfu", step->hfu);
}

void
loom_efficiency_section_build (const LoomEfficiency *efficiency, JsonBuilder *builder)
{
  double hfu, mfu = loom_efficiency_get_mfu (efficiency, &hfu);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "efficiency");
  loom_report_add_missing (builder, loom_efficiency_get_missing (efficiency));
  loom_report_add_advice (builder, loom_efficiency_get_advice (efficiency));
  loom_json_util_add_int (builder, "kernels_ns", efficiency->kernels_ns);
  loom_json_util_add_int (builder, "read_kernels_ns", efficiency->read_kernels_ns);
  loom_json_util_add_int (builder, "counted_ns", efficiency->counted_ns);
  loom_json_util_add_int (builder, "read_compute_ns", efficiency->read_compute_ns);
  loom_json_util_add_int (builder, "counted_compute_ns", efficiency->counted_compute_ns);
  loom_json_util_add_int (builder, "calls", (gint64) efficiency->n_calls);
  loom_json_util_add_int (builder, "calls_read", (gint64) efficiency->n_read);
  add_number (builder, "mfu", mfu);
  add_number (builder, "hfu", hfu);
  {
    g_auto (LoomJsonScope) rows = loom_json_util_open_array (builder, "rows");
    for (guint i = 0; i < efficiency->rows->len; i++)
      build_row (builder, &g_array_index (efficiency->rows, LoomEfficiencyRow, i));
  }
  g_auto (LoomJsonScope) steps = loom_json_util_open_array (builder, "steps");
  for (guint i = 0; i < efficiency->steps->len; i++)
    build_step (builder, &g_array_index (efficiency->steps, LoomEfficiencyStep, i));
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static void
write_sum (const LoomEfficiency *efficiency, LoomOperatorKind kind, const char *words, GString *out)
{
  LoomEfficiencySum sum = loom_efficiency_sum (efficiency, 1u << kind);
  g_autofree char *time = loom_time_format_duration (sum.kernel_ns);
  if (isnan (sum.rate))
    return;
  g_string_append_printf (out, "  %s: %.4g TFLOP/s", words, sum.rate / TERA);
  if (isfinite (sum.peak))
    g_string_append_printf (out, " of %.4g (%.1f %%)", sum.peak / TERA, 100 * sum.rate / sum.peak);
  g_string_append_printf (out, " in %s of kernels\n", time);
}

static void
write_row (const LoomEfficiencyRow *row, GString *out)
{
  g_autofree char *time = loom_time_format_duration (row->kernel_ns), *name = loom_span_analysis_dup_name (row->name);
  const char *bound = get_bound (row);
  g_string_append_printf (out,
                          "  %s %s %s: %" G_GUINT64_FORMAT " call%s, %.4g GFLOP each, kernels %s, %.4g TFLOP/s, "
                          "%.4g GB/s, %.4g FLOP/B",
                          name, row->shape, row->type, row->calls, loom_report_plural (row->calls),
                          (double) row->work.flop / 1e9, time, loom_efficiency_get_rate (row) / TERA,
                          loom_efficiency_get_throughput (row) / 1e9, loom_efficiency_get_intensity (row));
  if (bound != NULL)
    g_string_append_printf (out, ", %.1f %% of what %s allows", 100 * loom_efficiency_get_ratio (row),
                            strcmp (bound, "memory") == 0 ? "memory bandwidth" : "the peak");
  g_string_append_c (out, '\n');
}

static void
write_mfu (const LoomEfficiency *efficiency, GString *out)
{
  double hfu, mfu = loom_efficiency_get_mfu (efficiency, &hfu);
  if (isnan (mfu))
    return;
  double share = loom_efficiency_get_formula_share (efficiency);
  gboolean is_bound = share < LOOM_EFFICIENCY_LEAST_COVERAGE;
  g_string_append_printf (out, "  model FLOP utilization (MFU): %s%.1f %%", is_bound ? "at least " : "", 100 * mfu);
  if (is_bound)
    g_string_append_printf (out, " (the work is known for only %.1f %% of the time of compute kernels)", 100 * share);
  if (hfu > mfu)
    g_string_append_printf (out, ", with repeated work (HFU) %.1f %%", 100 * hfu);
  g_string_append_c (out, '\n');
}

void
loom_efficiency_section_write (const LoomSpanAnalysis *computed, GString *out)
{
  const LoomEfficiency *efficiency = computed->efficiency;
  const char *missing = loom_efficiency_get_missing (efficiency);
  g_string_append (out, "\nFloating-point work of operators\n");
  if (missing != NULL) {
    loom_report_write_missing (out, missing, loom_efficiency_get_advice (efficiency));
    return;
  }
  if (efficiency->n_read < efficiency->n_calls)
    g_string_append_printf (out,
                            "  read: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                            " calls, those of the first ranks up to a certain time\n",
                            efficiency->n_read, efficiency->n_calls);
  write_sum (efficiency, LOOM_OPERATOR_KIND_PRODUCT, "matrix products", out);
  write_sum (efficiency, LOOM_OPERATOR_KIND_CONVOLUTION, "convolutions", out);
  write_sum (efficiency, LOOM_OPERATOR_KIND_ATTENTION, "attention", out);
  write_mfu (efficiency, out);
  for (guint i = 0; i < MIN (efficiency->rows->len, N_ROWS); i++)
    write_row (&g_array_index (efficiency->rows, LoomEfficiencyRow, i), out);
  if (efficiency->rows->len > N_ROWS)
    g_string_append_printf (out, "  and %u more\n", efficiency->rows->len - N_ROWS);
}
