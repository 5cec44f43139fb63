/* SPDX-License-Identifier: Apache-2.0
 *
 * The last chapter: what was computed from spans alone, as tables.
 */
#include "loom-book-private.h"

#include <glib/gi18n.h>
#include <math.h>

static char *
dup_place (const char *node, gint rank, const guint *sources)
{
  g_autofree char *who = rank >= 0 ? g_strdup_printf (_ ("rank %d"), rank) : g_strdup_printf (_ ("source %u"), sources[0]);
  return node != NULL && node[0] != '\0' ? g_strdup_printf ("%s, %s", node, who) : g_steal_pointer (&who);
}

static double
percent (gint64 part_ns, gint64 whole_ns)
{
  return whole_ns > 0 ? 100 * (double) part_ns / (double) whole_ns : NAN;
}

static void
add_ranks (LoomSheet *sheet, const LoomRankBreakdown *breakdown)
{
  guint n;
  const LoomRankTime *ranks = loom_rank_breakdown_get (breakdown, &n);
  if (n == 0) {
    loom_sheet_add_missing (sheet, loom_rank_breakdown_get_missing (breakdown));
    return;
  }
  LoomTable *table = loom_table_new (_ ("Devices by rank"));
  loom_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  loom_table_add_column (table, C_ ("column", "Recorded"), "ns", NULL);
  loom_table_add_column (table, C_ ("column", "Computing"), "%", NULL);
  loom_table_add_column (table, C_ ("column", "Communicating alone"), "%", NULL);
  loom_table_add_column (table, C_ ("column", "Copying alone"), "%", NULL);
  loom_table_add_column (table, C_ ("column", "Idle"), "%", NULL);
  loom_table_add_column (table, C_ ("column", "Communication under computation"), "%", NULL);
  for (guint i = 0; i < n; i++) {
    const LoomRankTime *rank = &ranks[i];
    g_autofree char *place = dup_place (rank->node, rank->rank, rank->sources);
    loom_table_add_row (table);
    loom_table_set_text (table, 0, place);
    loom_table_set_number (table, 1, (double) rank->recorded_ns);
    loom_table_set_number (table, 2, percent (rank->compute_ns, rank->recorded_ns));
    loom_table_set_number (table, 3, percent (rank->exposed_communication_ns, rank->recorded_ns));
    loom_table_set_number (table, 4, percent (rank->exposed_copy_ns, rank->recorded_ns));
    loom_table_set_number (table, 5, percent (rank->idle_ns, rank->recorded_ns));
    loom_table_set_number (table, 6, percent (rank->overlap_ns, rank->communication_ns));
  }
  loom_sheet_take_table (sheet, table);
}

static void
add_devices (LoomSheet *sheet, const LoomGpuBusy *busy)
{
  guint n;
  const LoomGpuBusyDevice *devices = loom_gpu_busy_get (busy, &n);
  if (n == 0)
    return; /* said of the ranks */
  LoomTable *table = loom_table_new (_ ("Devices"));
  loom_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  loom_table_add_column (table, C_ ("column", "Device"), NULL, NULL);
  loom_table_add_column (table, C_ ("column", "Recorded"), "ns", NULL);
  loom_table_add_column (table, C_ ("column", "Running kernels"), "%", NULL);
  loom_table_add_column (table, C_ ("column", "Busy, with copies"), "%", NULL);
  for (guint i = 0; i < n; i++) {
    g_autofree char *place = dup_place (devices[i].node, devices[i].rank, devices[i].sources);
    loom_table_add_row (table);
    loom_table_set_text (table, 0, place);
    loom_table_set_text (table, 1, devices[i].device);
    loom_table_set_number (table, 2, (double) devices[i].recorded_ns);
    loom_table_set_number (table, 3, percent (devices[i].kernel_ns, devices[i].recorded_ns));
    loom_table_set_number (table, 4, percent (devices[i].busy_ns, devices[i].recorded_ns));
  }
  loom_sheet_take_table (sheet, table);
}

static void
add_work (LoomSheet *sheet, const LoomWorkTimes *times)
{
  guint n;
  const LoomWorkTime *kinds = loom_work_times_get (times, &n);
  if (n == 0) {
    loom_sheet_add_missing (sheet, loom_work_times_get_missing (times));
    return;
  }
  LoomTable *table = loom_table_new (_ ("Time by kind of work"));
  loom_table_add_column (table, C_ ("column", "Kind"), NULL, NULL);
  loom_table_add_column (table, C_ ("column", "Of"), NULL, NULL);
  loom_table_add_column (table, C_ ("column", "Spans"), "", NULL);
  loom_table_add_column (table, C_ ("column", "Names"), "", NULL);
  loom_table_add_column (table, C_ ("column", "Self time"), "ns", NULL);
  loom_table_add_column (table, C_ ("column", "Share"), "%", NULL);
  for (guint i = 0; i < n; i++) {
    loom_table_add_row (table);
    loom_table_set_text (table, 0, loom_work_to_string (kinds[i].work));
    loom_table_set_text (table, 1, kinds[i].work < LOOM_N_DEVICE_WORK ? _ ("devices") : _ ("hosts"));
    loom_table_set_number (table, 2, (double) kinds[i].count);
    loom_table_set_number (table, 3, kinds[i].n_names);
    loom_table_set_number (table, 4, (double) kinds[i].self_ns);
    loom_table_set_number (table, 5, 100 * kinds[i].share);
  }
  loom_sheet_take_table (sheet, table);
}

static void
add_kernels (LoomSheet *sheet, const LoomWorkTimes *times)
{
  guint n;
  const LoomKernel *kernels = loom_work_times_get_kernels (times, &n);
  if (n == 0) {
    loom_sheet_add_missing (sheet, loom_work_times_get_missing_kernels (times));
    return;
  }
  LoomTable *table = loom_table_new (_ ("Kernels and copies, longest in total first"));
  loom_table_add_column (table, C_ ("column", "Name"), NULL, NULL);
  loom_table_add_column (table, C_ ("column", "Times"), "", NULL);
  loom_table_add_column (table, C_ ("column", "Total"), "ns", NULL);
  loom_table_add_column (table, C_ ("column", "Share"), "%", NULL);
  loom_table_add_column (table, C_ ("column", "Median"), "ns", NULL);
  loom_table_add_column (table, C_ ("column", "p95"), "ns", NULL);
  loom_table_add_column (table, C_ ("column", "Longest"), "ns", NULL);
  for (guint i = 0; i < n; i++) {
    const LoomNameStats *stats = &kernels[i].stats;
    loom_table_add_row (table);
    loom_table_set_text (table, 0, stats->name);
    loom_table_set_number (table, 1, (double) stats->count);
    loom_table_set_number (table, 2, (double) stats->total_ns);
    loom_table_set_number (table, 3, 100 * stats->share);
    loom_table_set_number (table, 4, (double) stats->p50_ns);
    loom_table_set_number (table, 5, (double) stats->p95_ns);
    loom_table_set_number (table, 6, (double) stats->max_ns);
  }
  loom_sheet_take_table (sheet, table);
}

static void
add_waits (LoomSheet *sheet, const LoomDataWaits *waits)
{
  guint n;
  const LoomDataRank *ranks = loom_data_waits_get (waits, &n);
  if (n == 0) {
    loom_sheet_add_missing (sheet, loom_data_waits_get_missing (waits));
    return;
  }
  LoomTable *table = loom_table_new (_ ("Waits for data"));
  loom_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  loom_table_add_column (table, C_ ("column", "Waits"), "", NULL);
  loom_table_add_column (table, C_ ("column", "Total"), "ns", NULL);
  loom_table_add_column (table, C_ ("column", "Median"), "ns", NULL);
  loom_table_add_column (table, C_ ("column", "Longest"), "ns", NULL);
  loom_table_add_column (table, C_ ("column", "Beyond twice the median"), "", NULL);
  loom_table_add_column (table, C_ ("column", "Share of the steps"), "%", NULL);
  for (guint i = 0; i < n; i++) {
    const LoomDataRank *rank = &ranks[i];
    g_autofree char *place = dup_place (rank->node, rank->rank, rank->sources);
    loom_table_add_row (table);
    loom_table_set_text (table, 0, place);
    loom_table_set_number (table, 1, rank->n_waits);
    loom_table_set_number (table, 2, (double) rank->total_ns);
    loom_table_set_number (table, 3, rank->median_ns);
    loom_table_set_number (table, 4, (double) rank->max_ns);
    loom_table_set_number (table, 5, rank->n_outliers);
    loom_table_set_number (table, 6, percent (rank->in_steps_ns, rank->steps_ns));
  }
  loom_sheet_take_table (sheet, table);
}

LoomSheet *
loom_book_new_computed_sheet (const LoomComputed *computed)
{
  LoomSheet *sheet = loom_sheet_new (loom_computed_get_range (computed));
  add_ranks (sheet, loom_computed_get_ranks (computed));
  add_devices (sheet, loom_computed_get_busy (computed));
  add_work (sheet, loom_computed_get_times (computed));
  add_kernels (sheet, loom_computed_get_times (computed));
  add_waits (sheet, loom_computed_get_waits (computed));
  return sheet;
}
