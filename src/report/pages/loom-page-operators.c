/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page "Operators", which shows how long each operator (such as aten::mm) takes on the host and, through the
 * kernels that it launches, on devices. Tables list operators by name, by the shapes of their inputs, and by module.
 */
#include "loom-page-private.h"

#include "loom-device-parts.h"
#include "loom-locale-number.h"
#include "loom-operators.h"
#include "loom-sentence.h"
#include "loom-shape-text.h"
#include "loom-time-by-work-kind.h"
#include "loom-work-kind.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_BARS 12

/* --- chart and sentence at the top of the page -------------------------------------------------------------------- */

/* Returns TRUE if the self time of all operators together is longer on devices than on the host. The chart and the
 * tables are then sorted by the self time on devices, otherwise by the self time on the host. */
static gboolean
is_on_devices (const LoomOperators *operators)
{
  gint64 host_ns = 0, device_ns = 0;
  for (guint i = 0; i < operators->names->len; i++) {
    const LoomOperator *row = &g_array_index (operators->names, LoomOperator, i);
    host_ns = loom_time_add (host_ns, row->host_self_ns);
    device_ns = loom_time_add (device_ns, row->device_self_ns);
  }
  return device_ns > host_ns;
}

static int
compare_self (gconstpointer a, gconstpointer b, gpointer on_devices)
{
  const LoomOperator *x = *(const LoomOperator *const *) a, *y = *(const LoomOperator *const *) b;
  gint64 own = GPOINTER_TO_INT (on_devices) ? x->device_self_ns : x->host_self_ns,
         other = GPOINTER_TO_INT (on_devices) ? y->device_self_ns : y->host_self_ns;
  return own != other ? (own > other ? -1 : 1) : g_strcmp0 (x->name, y->name);
}

/* Sets the target of a chart element or table row: the spans that it shows on the timeline when activated. If `row`
 * contains a list of its spans (rows by input shape do), the target is these spans. Otherwise, the target is all spans
 * with the name of the operator. */
static void
set_target (LoomPageContent *sheet, guint element, LoomRange range, const LoomOperator *row)
{
  if (row->spans != NULL && row->spans->len > 0)
    loom_page_content_set_place (sheet, element, range, (const LoomSpanId *) (gpointer) row->spans->data,
                                 row->spans->len);
  else if (!loom_timeline_span_id_is_none (row->longest)) {
    loom_page_content_set_place (sheet, element, range, &row->longest, 1);
    loom_page_content_set_same_name (sheet, element);
  }
}

/* Returns TRUE if an operator calls a collective, or is a span that the profiler put around such a call. */
static gboolean
is_communication (const LoomOperator *row)
{
  return loom_work_kind_classify (row->name, row->category, FALSE) == LOOM_WORK_KIND_COLLECTIVE ||
         strcmp (row->name, "record_param_comms") == 0;
}

/* Returns the operators with self time on devices (on the host if `on_devices` is FALSE), longest first. */
static GPtrArray *
sort_by_self_time (const LoomOperators *operators, gboolean on_devices)
{
  GPtrArray *sorted = g_ptr_array_new ();
  for (guint i = 0; i < operators->names->len; i++) {
    LoomOperator *row = &g_array_index (operators->names, LoomOperator, i);
    if ((on_devices ? row->device_self_ns : row->host_self_ns) > 0)
      g_ptr_array_add (sorted, row);
  }
  g_ptr_array_sort_with_data (sorted, compare_self, GINT_TO_POINTER (on_devices));
  return sorted;
}

/* Returns the first operator in `sorted` that does not communicate, because the time of a collective is mostly waiting.
 * If all operators communicate, returns the first operator. Returns NULL if `sorted` is empty. */
static const LoomOperator *
find_leading (const GPtrArray *sorted)
{
  for (guint i = 0; i < sorted->len; i++)
    if (!is_communication (sorted->pdata[i]))
      return sorted->pdata[i];
  return sorted->len > 0 ? sorted->pdata[0] : NULL;
}

/* Returns a sentence about `longest`, the operator with the longest self time. `on_devices`: TRUE if this is the self
 * time on devices, FALSE if it is the self time on the host. `device`: TRUE if self times on devices are known. Owned
 * by the caller. */
static char *
dup_longest (const LoomOperator *longest, gboolean device, gboolean on_devices)
{
  g_autofree char *host = loom_time_format_duration (longest->host_self_ns),
                  *on_device = loom_time_format_duration (longest->device_self_ns);
  return on_devices ? g_strdup_printf (_ ("%s has the longest self time on devices: %s; on the host, it takes %s."),
                                       longest->name, on_device, host)
         : device   ? g_strdup_printf (_ ("%s has the longest self time on the host: %s; on devices, it takes %s."),
                                       longest->name, host, on_device)
                    : g_strdup_printf (_ ("%s has the longest self time: %s on the host."), longest->name, host);
}

/* Returns TRUE if an operator that communicates has time on devices. */
static gboolean
has_collectives (const GPtrArray *sorted)
{
  for (guint i = 0; i < sorted->len; i++)
    if (is_communication (sorted->pdata[i]) && ((const LoomOperator *) sorted->pdata[i])->device_self_ns > 0)
      return TRUE;
  return FALSE;
}

/* Returns the time for which devices communicate. Includes kernels that belong to no operator, because their launch is
 * not in the files. */
static gint64
sum_communication (const LoomTimeByWorkKind *times)
{
  for (guint i = 0; i < times->n_times; i++)
    if (times->times[i].work == LOOM_WORK_KIND_COMMUNICATION)
      return times->times[i].self_ns;
  return 0;
}

/* Returns a sentence with the time of devices in communication, and with the part of it that is waiting
 * (loom-span-waits.h). NULL if `longest` communicates, if no operator communicates, or when cancelled. Owned by the
 * caller. */
static char *
dup_collectives (const LoomPageInput *input, const GPtrArray *sorted, const LoomOperator *longest, const GArray *waits,
                 GCancellable *cancellable)
{
  if (is_communication (longest) || !has_collectives (sorted))
    return NULL;
  gint64 waits_ns = 0;
  g_autoptr (LoomTimeByWorkKind) times =
    loom_time_by_work_kind_new (input->frame->timeline, NULL, input->range, NULL, 0, cancellable);
  gint64 all_ns = times != NULL ? sum_communication (times) : 0;
  for (guint i = 0; i < waits->len; i++) {
    const LoomRange *wait = &g_array_index (waits, LoomSpanWait, i).range;
    gint64 begin_ns = MAX (wait->begin_ns, input->range.begin_ns), end_ns = MIN (wait->end_ns, input->range.end_ns);
    waits_ns = loom_time_add (waits_ns, MAX (loom_time_sub (end_ns, begin_ns), 0));
  }
  if (all_ns == 0)
    return NULL;
  g_autofree char *all = loom_time_format_duration (all_ns),
                  *waited = loom_time_format_duration (MIN (waits_ns, all_ns));
  if (waits_ns == 0)
    return g_strdup_printf (_ ("Besides, devices spend %s in communication, added up where it overlaps."), all);
  return g_strdup_printf (
    /* Translators: two durations */
    _ ("Besides, devices spend %s in communication, added up where it overlaps; %s of it is waiting for other ranks."),
    all, waited);
}

/* Returns a chart of the operators with the longest self time on devices or on the host; NULL if no operator has self
 * time there. */
static LoomChart *
new_chart (const GPtrArray *sorted, gboolean on_devices)
{
  if (sorted->len == 0)
    return NULL;
  LoomChart *chart = loom_chart_new_bars (
    on_devices ? _ ("Longest self time on devices") : _ ("Longest self time on the host"), "ns", TRUE);
  loom_chart_add_bar_series (chart, C_ ("chart", "operators"),
                             loom_chart_work_color (on_devices ? LOOM_WORK_KIND_COMPUTE : LOOM_WORK_KIND_OPERATOR));
  loom_chart_add_bar_series (
    chart, C_ ("chart", "collectives"),
    loom_chart_work_color (on_devices ? LOOM_WORK_KIND_COMMUNICATION : LOOM_WORK_KIND_COLLECTIVE));
  for (guint i = 0; i < MIN (sorted->len, MAX_BARS); i++) {
    const LoomOperator *row = sorted->pdata[i];
    gboolean communicates = is_communication (row);
    double value = (double) (on_devices ? row->device_self_ns : row->host_self_ns);
    const double values[] = { communicates ? 0 : value, communicates ? value : 0 };
    loom_chart_add_bar_group (chart, row->name, values);
  }
  return chart;
}

static void
take_chart (LoomPageContent *sheet, const LoomPageInput *input, LoomChart *chart, const GPtrArray *sorted,
            gboolean wide)
{
  if (chart == NULL)
    return;
  loom_page_content_take_chart (sheet, chart, wide);
  for (guint i = 0; i < MIN (sorted->len, MAX_BARS) * 2; i++)
    set_target (sheet, i, input->range, sorted->pdata[i / 2]);
}

/* Adds the sentence at the top of the page, and charts of the self times on devices and on the host. The chart of the
 * self time that the sentence states comes first. Both charts have the same axis, except if the bars of one chart would
 * be too short with this axis. */
static void
add_bars (LoomPageContent *sheet, const LoomPageInput *input, const LoomOperators *operators, const GArray *waits,
          GCancellable *cancellable)
{
  gboolean device = operators->n_kernels > operators->n_unlinked, on_devices = is_on_devices (operators);
  g_autoptr (GPtrArray) first = sort_by_self_time (operators, on_devices),
                        second = sort_by_self_time (operators, !on_devices);
  const LoomOperator *longest = find_leading (first);
  if (longest != NULL) {
    g_autofree char *own = dup_longest (longest, device, on_devices),
                    *more = dup_collectives (input, first, longest, waits, cancellable),
                    *text = loom_sentence_join (own, more);
    loom_page_content_add_answer (sheet, text);
  }
  LoomChart *charts[] = { new_chart (first, on_devices), device ? new_chart (second, !on_devices) : NULL };
  loom_chart_share_bar_axis (charts, G_N_ELEMENTS (charts));
  take_chart (sheet, input, charts[0], first, !device);
  take_chart (sheet, input, charts[1], second, FALSE);
}

static char *
dup_count (guint64 n)
{
  return loom_locale_number_group (n);
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomResultTable *table;
  gboolean shape, device;
} Layout;

/* maximum length of shapes in characters; enough for the sizes of two tensors with four dimensions */
#define SHAPE_CHARS 30

static LoomResultTable *
new_table (const char *title, const char *first, gboolean shape, gboolean device)
{
  LoomResultTable *table = loom_result_table_new (title);
  loom_result_table_add_column (table, first, NULL, NULL);
  if (shape)
    loom_result_table_set_chars (table, loom_result_table_add_column (table, C_ ("column", "Input Shapes"), NULL, NULL),
                                 SHAPE_CHARS);
  loom_result_table_add_column (table, C_ ("column", "Calls"), "", NULL);
  guint order = loom_result_table_add_column (table, C_ ("column", "Host"), "ns",
                                              _ ("Host time; nested calls of the same row count only once"));
  loom_result_table_add_column (
    table, C_ ("column", "Host Self"), "ns",
    _ ("Host time, not including callees (other operators and calls of the device runtime, such as CUDA)"));
  if (device) {
    order = loom_result_table_add_column (table, C_ ("column", "Device"), "ns",
                                          _ ("Kernels and copies launched during the calls, even if they run later"));
    loom_result_table_add_column (table, C_ ("column", "Device Self"), "ns",
                                  _ ("Kernels and copies launched by the row itself, not by operators that it calls"));
    loom_result_table_add_column (table, C_ ("column", "Kernels"), "",
                                  _ ("Number of kernels and copies launched by the row itself"));
  }
  guint n = table->columns->len;
  loom_result_table_add_column (table, C_ ("column", "Host Mean"), "ns", _ ("Time on the host for each call"));
  if (device)
    loom_result_table_add_column (table, C_ ("column", "Device Mean"), "ns", _ ("Time on devices for each call"));
  for (guint i = n; shape && i < table->columns->len; i++)
    loom_result_table_set_detail (table, i); /* hide the column, so that the shapes fit a window of 1366 px */
  loom_result_table_set_order (table, order, TRUE);
  return table;
}

/* Sorts a table of operators by self time on devices or on the host, like the chart (is_on_devices()). */
static void
sort_by_self (LoomResultTable *table, const LoomOperators *operators, gboolean shape)
{
  guint host_self = shape ? 4 : 3;
  loom_result_table_set_order (table, is_on_devices (operators) ? host_self + 2 : host_self, TRUE);
}

static void
add_row (const Layout *layout, const LoomOperator *row)
{
  guint column = 1;
  loom_result_table_add_row (layout->table, row->name);
  if (layout->shape) {
    g_autofree char *shape = row->shape != NULL ? loom_shape_text_dup (row->shape) : NULL;
    loom_result_table_set_text (layout->table, column++, shape);
  }
  const double host[] = { (double) row->calls, (double) row->host_ns, (double) row->host_self_ns };
  loom_result_table_set_numbers (layout->table, column, host, G_N_ELEMENTS (host));
  column += G_N_ELEMENTS (host);
  if (layout->device) {
    const double device[] = { (double) row->device_ns, (double) row->device_self_ns, (double) row->n_kernels };
    loom_result_table_set_numbers (layout->table, column, device, row->n_kernels > 0 ? G_N_ELEMENTS (device) : 1);
    column += G_N_ELEMENTS (device);
  }
  if (row->calls == 0)
    return;
  loom_result_table_set_number (layout->table, column, (double) row->mean_ns);
  if (layout->device && row->device_ns > 0)
    loom_result_table_set_number (layout->table, column + 1, (double) row->device_ns / (double) row->calls);
}

static void
add_table (LoomPageContent *sheet, const LoomPageInput *input, const GArray *rows, Layout layout)
{
  for (guint i = 0; i < rows->len; i++)
    add_row (&layout, &g_array_index (rows, LoomOperator, i));
  loom_page_content_take_table (sheet, layout.table);
  for (guint i = 0; i < rows->len; i++)
    set_target (sheet, i, input->range, &g_array_index (rows, LoomOperator, i));
}

static void
add_shapes (LoomPageContent *sheet, const LoomPageInput *input, const LoomOperators *operators, gboolean device)
{
  const char *missing = loom_operators_get_missing_shapes (operators);
  if (missing != NULL) {
    loom_page_add_missing (sheet, missing, loom_operators_get_advice_shapes (operators));
    return;
  }
  LoomResultTable *table = new_table (_ ("Operators by shape of their inputs"), C_ ("column", "Name"), TRUE, device);
  sort_by_self (table, operators, TRUE);
  add_table (sheet, input, operators->shapes, (Layout) { table, TRUE, device });
  if (operators->n_shapes_read < operators->n_calls) {
    g_autofree char *read = dup_count (operators->n_shapes_read), *all = dup_count (operators->n_calls);
    g_autofree char *note = g_strdup_printf (
      _ (
        "Input shapes were read for %s of %s calls, beginning with the operators that take longest; other calls are in rows without a shape."),
      read, all);
    loom_page_content_add_note (sheet, note);
  }
}

static void
add_modules (LoomPageContent *sheet, const LoomPageInput *input, const LoomOperators *operators, gboolean device)
{
  const char *missing = loom_operators_get_missing_modules (operators);
  if (missing != NULL) {
    loom_page_add_missing (sheet, missing, loom_operators_get_advice_modules (operators));
    return;
  }
  LoomResultTable *table = new_table (_ ("Modules"), C_ ("column", "Module"), FALSE, device);
  add_table (sheet, input, operators->modules, (Layout) { table, FALSE, device });
  if (device)
    loom_page_content_add_note (
      sheet,
      _ ("A module includes the kernels that are launched in its forward pass, but not those of the backward pass."));
}

/* --- page of operators -------------------------------------------------------------------------------------------- */

static void
add_kernels (LoomPageContent *sheet, const LoomOperators *operators)
{
  if (operators->n_kernels == 0) {
    loom_page_content_add_missing (sheet, _ ("There are no GPU kernels or memory copies in this range."));
    return;
  }
  if (operators->n_unlinked > 0) {
    g_autofree char *time = loom_time_format_duration (operators->unlinked_ns);
    g_autofree char *unlinked = dup_count (operators->n_unlinked), *all = dup_count (operators->n_kernels);
    g_autofree char *text = g_strdup_printf (
      _ ("%s of %s kernels and copies have no launch in the files; their time (%s) is not assigned to any operator."),
      unlinked, all, time);
    loom_page_content_add_missing (sheet, text);
  }
  if (operators->outside_ns > 0) {
    g_autofree char *time = loom_time_format_duration (operators->outside_ns);
    g_autofree char *text =
      g_strdup_printf (_ ("Kernels and copies that take %s in total were launched outside of operators."), time);
    loom_page_content_add_note (sheet, text);
  }
}

LoomPageContent *
loom_page_operators (const LoomPageInput *input, GCancellable *cancellable)
{
  g_autoptr (LoomOperators) operators = loom_operators_new (input->frame->timeline, NULL, input->range, cancellable);
  loom_page_count_part (input, cancellable);
  g_autoptr (GArray) waits = operators != NULL ? loom_device_parts_list_waits (input, cancellable) : NULL;
  if (waits == NULL)
    return NULL;
  LoomPageContent *sheet = loom_page_content_new (input->range);
  const char *missing = loom_operators_get_missing (operators);
  if (missing != NULL) {
    loom_page_add_missing (sheet, missing, loom_operators_get_advice (operators));
    return loom_page_finish (sheet, cancellable);
  }
  gboolean device = operators->n_kernels > operators->n_unlinked;
  add_bars (sheet, input, operators, waits, cancellable);
  add_kernels (sheet, operators);
  LoomResultTable *table = new_table (_ ("Operators"), C_ ("column", "Name"), FALSE, device);
  sort_by_self (table, operators, FALSE);
  add_table (sheet, input, operators->names, (Layout) { table, FALSE, device });
  add_shapes (sheet, input, operators, device);
  add_modules (sheet, input, operators, device);
  return loom_page_finish (sheet, cancellable);
}
