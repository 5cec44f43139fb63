/* SPDX-License-Identifier: Apache-2.0
 *
 * Data loading: iterators, workers, batches, and what took longest: formats/analysis.md §12. Where smdebug wrote
 * nothing of it, the waits of training loops for their next batch.
 */
#include "loom-page-private.h"

#include "loom-data-loading.h"
#include "loom-work.h"

#include <glib/gi18n.h>
#include <math.h>

#define BINS 50

/* --- what was loaded ------------------------------------------------------------------------------------------------- */

static void
add_times (LoomTable *table, const char *name, const LoomLoaderTimes *times)
{
  loom_table_add_row (table);
  loom_table_set_text (table, 0, name);
  loom_table_set_number (table, 1, (double) times->n);
  loom_table_set_number (table, 2, times->n > 1 ? times->median_ns : NAN);
  loom_table_set_number (table, 3, times->n > 0 ? (double) times->max_ns : NAN);
  loom_table_set_number (table, 4, times->n_outliers);
}

static void
add_summary (LoomSheet *sheet, const LoomDataLoading *loading)
{
  LoomTable *table = loom_table_new (_ ("Data loading"));
  loom_table_add_column (table, C_ ("column", "What"), NULL, NULL);
  loom_table_add_column (table, C_ ("column", "Count"), "", NULL);
  loom_table_add_column (table, C_ ("column", "Median"), "ns", NULL);
  loom_table_add_column (table, C_ ("column", "Longest"), "ns", NULL);
  loom_table_add_column (table, C_ ("column", "Outliers"), "", _ ("Longer than two medians"));
  for (guint i = 0; i < G_N_ELEMENTS (loading->iterators); i++)
    add_times (table, loading->iterators[i].name, &loading->iterators[i].times);
  add_times (table, _ ("workers"), &loading->workers);
  add_times (table, _ ("calls of GetNext"), &loading->get_next);
  add_times (table, _ ("batches"), &loading->batches);
  loom_sheet_take_table (sheet, table);
}

static void
append_workers (GString *text, const GArray *counts)
{
  for (guint i = 0; i < counts->len; i++) {
    gint64 n = g_array_index (counts, gint64, i);
    g_string_append_printf (text, n >= 0 ? "%s%" G_GINT64_FORMAT : "%s–", text->len > 0 ? ", " : "", n);
  }
}

static void
add_facts (LoomSheet *sheet, const LoomDataLoading *loading)
{
  loom_sheet_add_facts (sheet, _ ("Iterators"));
  for (guint i = 0; i < G_N_ELEMENTS (loading->iterators); i++) {
    const LoomLoaderIterator *iterator = &loading->iterators[i];
    g_autoptr (GString) pin = g_string_new (NULL), workers = g_string_new (NULL);
    if (iterator->times.n == 0) {
      loom_sheet_add_fact (sheet, iterator->name, _ ("not used"));
      continue;
    }
    for (guint k = 0; k < iterator->pin_memory->len; k++)
      g_string_append_printf (pin, "%s%s", k > 0 ? ", " : "", (const char *) iterator->pin_memory->pdata[k]);
    append_workers (workers, iterator->n_workers);
    g_autofree char *text = g_strdup_printf (_ ("initialized %u times, workers %s, pin memory %s"), (guint) iterator->times.n, workers->str, pin->str);
    loom_sheet_add_fact (sheet, iterator->name, text);
  }
  loom_page_add_number (sheet, _ ("Worker processes"), loading->n_worker_processes, "");
}

static void
add_outliers (LoomSheet *sheet, const LoomPageInput *input, const char *title, const LoomLoaderTimes *times)
{
  LoomTable *table = loom_table_new (title);
  const LoomFrameRows *rows = loom_frame_get_rows (input->frame);
  if (times->n_outliers == 0) {
    loom_table_unref (table);
    return;
  }
  loom_table_add_column (table, C_ ("column", "Begin"), "time", _ ("Since the start of the run"));
  loom_table_add_column (table, C_ ("column", "End"), "time", NULL);
  loom_table_add_column (table, C_ ("column", "Duration"), "ns", NULL);
  loom_table_add_column (table, C_ ("column", "Worker"), "", NULL);
  loom_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  loom_table_set_order (table, 2, TRUE);
  for (guint i = 0; i < times->n_outliers; i++) {
    const LoomLoaderEvent *event = &times->outliers[i];
    g_autofree char *rank = loom_page_worker_name (input, rows->worker[event->row]);
    loom_table_add_row (table);
    loom_table_set_number (table, 0, (double) (event->begin_ns - loom_frame_get_origin (input->frame)));
    loom_table_set_number (table, 1, (double) (event->end_ns - loom_frame_get_origin (input->frame)));
    loom_table_set_number (table, 2, (double) event->dur_ns);
    loom_table_set_number (table, 3, event->worker_id >= 0 ? (double) event->worker_id : NAN);
    loom_table_set_text (table, 4, rank);
  }
  loom_sheet_take_table (sheet, table);
  for (guint i = 0; i < times->n_outliers; i++) {
    const LoomLoaderEvent *event = &times->outliers[i];
    loom_sheet_set_place (sheet, i, (LoomRange) { event->begin_ns, MAX (event->end_ns, event->begin_ns + 1) }, &rows->span[event->row], 1);
  }
}

/* --- waits of training loops ----------------------------------------------------------------------------------------- */

static GArray *
find_waits (const LoomPageInput *input)
{
  const LoomFrameRows *rows = loom_frame_get_rows (input->frame);
  GArray *waits = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 i = 0; i < rows->n; i++)
    if (loom_work_is_data_wait (loom_frame_get_event_name (input->frame, i), ""))
      g_array_append_val (waits, i);
  return waits;
}

static void
add_waits (LoomSheet *sheet, const LoomPageInput *input, const GArray *waits)
{
  const LoomFrameRows *rows = loom_frame_get_rows (input->frame);
  g_autofree double *durations = g_new (double, waits->len);
  LoomHistogram histogram;
  guint32 longest = g_array_index (waits, guint32, 0);
  double total = 0;
  for (guint i = 0; i < waits->len; i++) {
    guint32 row = g_array_index (waits, guint32, i);
    durations[i] = (double) (rows->end_ns[row] - rows->start_ns[row]);
    total += durations[i];
    longest = rows->end_ns[row] - rows->start_ns[row] > rows->end_ns[longest] - rows->start_ns[longest] ? row : longest;
  }
  loom_histogram_init (&histogram, BINS);
  loom_histogram_see (&histogram, durations, waits->len);
  loom_histogram_count (&histogram, durations, waits->len, 1);
  LoomChart *chart = loom_page_new_histogram (_ ("Waits for the next batch"), _ ("duration"), "ns", _ ("waits"), &histogram);
  if (chart != NULL) {
    loom_chart_set_median (chart, loom_stats_median (durations, waits->len), _ ("median"));
    loom_sheet_take_chart (sheet, chart, FALSE);
  }
  loom_histogram_clear (&histogram);
  LoomSummary summary = loom_stats_summarise (durations, waits->len);
  loom_sheet_add_facts (sheet, _ ("Waits for the next batch"));
  loom_page_add_number (sheet, _ ("Waits"), waits->len, "");
  loom_page_add_number (sheet, _ ("Total"), total, "ns");
  loom_page_add_number (sheet, _ ("Median"), summary.n > 1 ? summary.p50 : NAN, "ns");
  loom_page_add_number (sheet, _ ("95th percentile"), summary.n > 1 ? summary.p95 : NAN, "ns");
  loom_page_add_number (sheet, _ ("Longest"), summary.max, "ns");
  loom_sheet_set_place (sheet, 4, loom_page_row_range (input, longest), &rows->span[longest], 1);
}

LoomSheet *
loom_page_loading (const LoomPageInput *input, GCancellable *cancellable)
{
  LoomSheet *sheet = loom_sheet_new (input->range);
  g_autoptr (GArray) waits = find_waits (input);
  LoomDataLoading loading;
  loom_data_loading_init (&loading, input->frame);
  gboolean any = loading.n_initializations + loading.workers.n + loading.get_next.n > 0;
  if (any) {
    add_facts (sheet, &loading);
    add_summary (sheet, &loading);
    add_outliers (sheet, input, _ ("Batches that took longest"), &loading.batches);
    add_outliers (sheet, input, _ ("Calls of GetNext that took longest"), &loading.get_next);
    add_outliers (sheet, input, _ ("Workers that took longest"), &loading.workers);
  }
  if (waits->len > 0)
    add_waits (sheet, input, waits);
  loom_sheet_set_sources (sheet, any ? _ ("from spans of PyTorch's data loader") : waits->len > 0 ? _ ("from spans of training loops that wait for data") : "");
  if (!any && waits->len == 0)
    loom_sheet_add_missing (sheet, _ ("There are no spans of a data loader here."));
  loom_data_loading_clear (&loading);
  return sheet;
}
