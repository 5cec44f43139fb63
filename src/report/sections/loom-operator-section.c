/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the operators by name, by input shapes and by module as JSON and as text.
 */
#include "loom-operator-section.h"

#include "loom-report-private.h"

/* Maximum number of operators in the report as text; the JSON document lists all operators. */
#define N_ROWS 10

static void
build_row (JsonBuilder *builder, const LoomOperator *row, gboolean shape)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_text (builder, "name", row->name);
  loom_json_util_add_text (builder, "category", row->category);
  if (shape)
    loom_json_util_add_text (builder, "input_dims", row->shape);
  loom_json_util_add_int (builder, "calls", (gint64) row->calls);
  loom_json_util_add_int (builder, "host_ns", row->host_ns);
  loom_json_util_add_int (builder, "host_self_ns", row->host_self_ns);
  loom_json_util_add_int (builder, "device_ns", row->device_ns);
  loom_json_util_add_int (builder, "device_self_ns", row->device_self_ns);
  loom_json_util_add_int (builder, "kernels", (gint64) row->n_kernels);
  loom_json_util_add_int_if (builder, "mean_ns", row->calls > 0, row->mean_ns);
}

static void
build_rows (JsonBuilder *builder, const GArray *rows, gboolean shape)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "rows");
  for (guint i = 0; i < rows->len; i++)
    build_row (builder, &g_array_index (rows, LoomOperator, i), shape);
}

void
loom_operator_section_build (const LoomOperators *operators, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "operators");
  loom_report_add_missing (builder, loom_operators_get_missing (operators));
  loom_report_add_advice (builder, loom_operators_get_advice (operators));
  loom_json_util_add_int (builder, "kernels", (gint64) operators->n_kernels);
  loom_json_util_add_int (builder, "kernels_ns", operators->kernels_ns);
  loom_json_util_add_int (builder, "unlinked", (gint64) operators->n_unlinked);
  loom_json_util_add_int (builder, "unlinked_ns", operators->unlinked_ns);
  loom_json_util_add_int (builder, "outside_ns", operators->outside_ns);
  build_rows (builder, operators->names, FALSE);
  {
    g_auto (LoomJsonScope) shapes = loom_json_util_open_object (builder, "by_shape");
    loom_report_add_missing (builder, loom_operators_get_missing_shapes (operators));
    loom_report_add_advice (builder, loom_operators_get_advice_shapes (operators));
    loom_json_util_add_int (builder, "calls_read", (gint64) operators->n_shapes_read);
    build_rows (builder, operators->shapes, TRUE);
  }
  g_auto (LoomJsonScope) modules = loom_json_util_open_object (builder, "modules");
  loom_report_add_missing (builder, loom_operators_get_missing_modules (operators));
  loom_report_add_advice (builder, loom_operators_get_advice_modules (operators));
  build_rows (builder, operators->modules, FALSE);
}

static void
write_rows (const GArray *rows, GString *out)
{
  for (guint i = 0; i < MIN (rows->len, N_ROWS); i++) {
    const LoomOperator *row = &g_array_index (rows, LoomOperator, i);
    g_autofree char *device = loom_time_format_duration (row->device_ns);
    g_autofree char *device_self = loom_time_format_duration (row->device_self_ns);
    g_autofree char *host = loom_time_format_duration (row->host_ns);
    g_autofree char *host_self = loom_time_format_duration (row->host_self_ns);
    g_autofree char *name = loom_span_analysis_dup_name (row->name);
    g_string_append_printf (out, "  %s: %" G_GUINT64_FORMAT " call%s, devices %s (self %s), host %s (self %s)\n", name,
                            row->calls, loom_report_plural (row->calls), device, device_self, host, host_self);
  }
  if (rows->len > N_ROWS)
    g_string_append_printf (out, "  and %u more\n", rows->len - N_ROWS);
}

void
loom_operator_section_write (const LoomOperators *operators, GString *out)
{
  const char *missing = loom_operators_get_missing (operators);
  g_string_append (out, "\nOperators, longest on devices first\n");
  if (missing != NULL)
    loom_report_write_missing (out, missing, loom_operators_get_advice (operators));
  write_rows (operators->names, out);
  if (operators->n_unlinked > 0)
    g_string_append_printf (
      out, "  %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " kernels and copies have no launch in the files\n",
      operators->n_unlinked, operators->n_kernels);
  if (operators->modules->len == 0)
    return;
  g_string_append (out, "\nModules, longest on devices first\n");
  write_rows (operators->modules, out);
}
