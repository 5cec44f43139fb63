/* SPDX-License-Identifier: Apache-2.0
 *
 * Divides the recorded time of devices into parts, and shows the parts in charts, in a table and in a sentence.
 */
#include "loom-device-parts.h"

#include <glib/gi18n.h>
#include <string.h>

#include "loom-device-label.h"
#include "loom-frame-collectives.h"
#include "loom-idle-start.h"
#include "loom-list-separator.h"
#include "loom-page-private.h"
#include "loom-sentence.h"
#include "loom-span-waits.h"
#include "loom-statistics.h"
#include "loom-step-parts.h"

#define MAX_LISTED 6 /* maximum number of ranks that a sentence names */
/* A rank is an outlier if its computing share differs from the median of all ranks by more than this fraction of the
 * median. */
#define OUTLIER_SHARE 0.1

/* the order of the parts in a bar: first computing and transferring, then waiting, copying and idle time */
static const LoomStepBreakdownPart order[LOOM_DEVICE_PARTS_N] = {
  LOOM_STEP_BREAKDOWN_COMPUTE, LOOM_STEP_BREAKDOWN_TRANSFER, LOOM_STEP_BREAKDOWN_RANK_WAIT,
  LOOM_STEP_BREAKDOWN_COPY,    LOOM_STEP_BREAKDOWN_IDLE,
};

GArray *
loom_device_parts_list_waits (const LoomPageInput *input, GCancellable *cancellable)
{
  g_autoptr (LoomCollectives) collectives = loom_frame_collectives_get (input->frame, input->range, cancellable);
  return collectives != NULL ? loom_span_waits_new (collectives, cancellable) : NULL;
}

char *
loom_device_parts_dup_sum_title (const LoomRankBreakdown *breakdown, const char *title)
{
  guint n = breakdown->n_ranks;
  if (n < 2)
    return g_strdup (title);
  for (guint i = 0; i < n; i++)
    if (breakdown->ranks[i].rank < 0 && !loom_device_parts_is_of_devices (breakdown))
      /* Translators: the title of a chart */
      return g_strdup_printf (_ ("%s, sum over all files"), title);
  if (loom_device_parts_is_of_devices (breakdown))
    /* Translators: the title of a chart, the number of devices (at least 2), and “GPUs” or “TPUs” */
    return g_strdup_printf (_ ("%s, sum of %u %s"), title, n, loom_device_parts_get_word (breakdown));
  /* Translators: the title of a chart, and the number of ranks */
  return g_strdup_printf (ngettext ("%s, sum of %u rank", "%s, sum of %u ranks", n), title, n);
}

gboolean
loom_device_parts_has_row (const LoomRankTime *rank, const LoomIdleRow *row)
{
  gboolean same = rank->rank == row->rank && g_strcmp0 (rank->node, row->node) == 0 &&
                  (rank->device == NULL || g_strcmp0 (rank->device, row->device) == 0);
  for (guint i = 0; same && i < rank->n_sources; i++)
    if (rank->rank >= 0 || rank->sources[i] == row->source)
      return TRUE;
  return FALSE;
}

/* Returns the element of the breakdown that represents the device of `row`; NULL if there is no such element. */
static LoomRankTime *
find_device (LoomRankBreakdown *breakdown, const LoomIdleRow *row)
{
  for (guint i = 0; i < breakdown->n_ranks; i++)
    if (loom_device_parts_has_row (&breakdown->ranks[i], row))
      return &breakdown->ranks[i];
  return NULL;
}

/* Adds the time before the first and after the last work of each device (loom-idle-start.h) to the recorded time and to
 * the idle time of its rank or GPU, because this time counts as idle time. Returns FALSE when cancelled. */
static gboolean
add_starts (LoomRankBreakdown *breakdown, const LoomPageInput *input, GCancellable *cancellable)
{
  g_autoptr (LoomCollectives) collectives = loom_frame_collectives_get (input->frame, input->range, cancellable);
  const LoomIdleTime *idle = collectives != NULL ? loom_idle_time_get (collectives, cancellable) : NULL,
                     *counted = idle != NULL ? loom_idle_start_get (collectives, cancellable) : NULL;
  for (guint i = 0; counted != NULL && i < counted->devices->len; i++) {
    const LoomIdleRow *row = &g_array_index (counted->devices, LoomIdleRow, i);
    gint64 added_ns = loom_time_sub (row->idle_ns, g_array_index (idle->devices, LoomIdleRow, i).idle_ns);
    LoomRankTime *rank = find_device (breakdown, row);
    if (rank == NULL)
      continue;
    rank->recorded_ns = loom_time_add (rank->recorded_ns, added_ns);
    rank->idle_ns = loom_time_add (rank->idle_ns, added_ns);
  }
  return counted != NULL;
}

LoomRankBreakdown *
loom_device_parts_new_of_devices (const LoomPageInput *input, GCancellable *cancellable)
{
  g_autoptr (GArray) waits = loom_device_parts_list_waits (input, cancellable);
  g_autoptr (LoomRankBreakdown) breakdown =
    waits != NULL ? loom_rank_breakdown_new_of_devices (input->frame->timeline, input->range, waits, cancellable)
                  : NULL;
  return breakdown != NULL && add_starts (breakdown, input, cancellable) ? g_steal_pointer (&breakdown) : NULL;
}

LoomRankBreakdown *
loom_device_parts_new (const LoomPageInput *input, GCancellable *cancellable)
{
  g_autoptr (GArray) waits = loom_device_parts_list_waits (input, cancellable);
  g_autoptr (LoomRankBreakdown) breakdown =
    waits != NULL ? loom_rank_breakdown_new_summed (input->frame->timeline, input->range, waits, cancellable) : NULL;
  if (breakdown != NULL && breakdown->n_ranks <= 1)
    return loom_device_parts_new_of_devices (input, cancellable);
  return breakdown != NULL && add_starts (breakdown, input, cancellable) ? g_steal_pointer (&breakdown) : NULL;
}

static gint64
get_part (const LoomRankTime *rank, LoomStepBreakdownPart part)
{
  switch (part) {
  case LOOM_STEP_BREAKDOWN_COMPUTE: return rank->compute_ns;
  case LOOM_STEP_BREAKDOWN_TRANSFER: return loom_time_sub (rank->exposed_communication_ns, rank->exposed_wait_ns);
  case LOOM_STEP_BREAKDOWN_RANK_WAIT: return rank->exposed_wait_ns;
  case LOOM_STEP_BREAKDOWN_COPY: return rank->exposed_copy_ns;
  default: return rank->idle_ns;
  }
}

static const char *
get_name (LoomStepBreakdownPart part)
{
  return part == LOOM_STEP_BREAKDOWN_IDLE ? C_ ("chart", "Idle") : loom_step_parts_get_name (part);
}

double
loom_device_parts_sum (const LoomRankBreakdown *breakdown, LoomStepBreakdownPart part)
{
  double sum_ns = 0;
  for (guint i = 0; i < breakdown->n_ranks; i++)
    sum_ns += (double) get_part (&breakdown->ranks[i], part);
  return sum_ns;
}

double
loom_device_parts_sum_recorded (const LoomRankBreakdown *breakdown)
{
  double sum_ns = 0;
  for (guint i = 0; i < breakdown->n_ranks; i++)
    sum_ns += (double) breakdown->ranks[i].recorded_ns;
  return sum_ns;
}

/* Sets the targets (places on the timeline) of the chart elements of the first `n` ranks. Each rank has `n_each`
 * consecutive elements, such as the parts of its bar; they have the same target. */
static void
set_places (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankBreakdown *breakdown, guint n,
            guint n_each)
{
  for (guint i = 0; i < n * n_each; i++) {
    const LoomRankTime *rank = &breakdown->ranks[i / n_each];
    loom_page_content_set_place (sheet, i, (LoomRange) { rank->begin_ns, rank->end_ns }, NULL, 0);
    if (rank->device != NULL)
      loom_page_content_set_device (sheet, i, rank->node != NULL ? rank->node : "", rank->device);
    loom_page_set_rank (sheet, input, i, rank->rank, rank->sources);
  }
}

static const char *
get_title (const LoomRankBreakdown *breakdown)
{
  return breakdown->n_ranks > 0 && loom_device_parts_is_of_devices (breakdown)
           ? _ ("Device time, computed from kernels")
           : _ ("Device time by rank, computed from kernels");
}

void
loom_device_parts_add_bars (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankBreakdown *breakdown,
                            gboolean times, gboolean wide)
{
  LoomChart *chart = loom_chart_new_bars (get_title (breakdown), times ? "ns" : "%", TRUE);
  guint n = MIN (breakdown->n_ranks, LOOM_DEVICE_PARTS_MOST);
  for (guint k = 0; k < LOOM_DEVICE_PARTS_N; k++)
    loom_chart_add_bar_series (chart, get_name (order[k]), loom_step_parts_get_color (order[k]));
  for (guint i = 0; i < n; i++) {
    const LoomRankTime *rank = &breakdown->ranks[i];
    g_autofree char *name = loom_device_parts_dup_name (input, rank);
    double values[LOOM_DEVICE_PARTS_N], whole = times ? 100 : (double) rank->recorded_ns;
    for (guint k = 0; k < LOOM_DEVICE_PARTS_N; k++)
      values[k] = loom_statistics_percent ((double) get_part (rank, order[k]), whole);
    loom_chart_add_bar_group (chart, name, values);
  }
  loom_page_content_take_chart (sheet, chart, wide);
  set_places (sheet, input, breakdown, n, LOOM_DEVICE_PARTS_N);
}

void
loom_device_parts_add_pie (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankBreakdown *breakdown)
{
  LoomChart *chart = loom_chart_new_pie (_ ("Device usage, computed from kernels"), "ns", NULL);
  for (guint k = 0; k < LOOM_DEVICE_PARTS_N; k++)
    loom_chart_add_slice (chart, get_name (order[k]), loom_device_parts_sum (breakdown, order[k]),
                          loom_step_parts_get_color (order[k]));
  loom_page_content_take_chart (sheet, chart, FALSE);
  loom_page_content_set_places (sheet, LOOM_DEVICE_PARTS_N, input->range);
}

/* Adds a column for one part of the recorded time, such as computing or idle time. */
static void
add_part_column (LoomResultTable *table, LoomStepBreakdownPart part)
{
  switch (part) {
  case LOOM_STEP_BREAKDOWN_COMPUTE:
    loom_result_table_add_share_column (table, C_ ("column", "Computing"), _ ("Share of the recorded time"));
    break;
  case LOOM_STEP_BREAKDOWN_TRANSFER:
    loom_result_table_add_column (
      table, C_ ("column", "Transferring"), "%",
      _ ("Share of the recorded time with transfers to other ranks but no computation, without waits for other ranks"));
    break;
  case LOOM_STEP_BREAKDOWN_RANK_WAIT:
    loom_result_table_add_column (
      table, C_ ("column", "Waiting for Other Ranks"), "%",
      _ ("Share of the recorded time in which the rank waits for other ranks and computes nothing"));
    break;
  case LOOM_STEP_BREAKDOWN_COPY:
    loom_result_table_add_column (table, C_ ("column", "Copying"), "%",
                                  _ ("Share of the recorded time with copies but no computation or communication"));
    break;
  default:
    loom_result_table_add_column (table, C_ ("column", "Idle"), "%",
                                  _ ("Share of the recorded time without kernels and copies"));
  }
}

static LoomResultTable *
new_table (const LoomRankBreakdown *breakdown, const gboolean shown[LOOM_DEVICE_PARTS_N])
{
  gboolean devices = breakdown->n_ranks > 0 && loom_device_parts_is_of_devices (breakdown);
  LoomResultTable *table = loom_result_table_new (get_title (breakdown));
  loom_result_table_add_column (table, devices ? C_ ("column", "GPU") : C_ ("column", "Rank"), NULL, NULL);
  loom_result_table_add_column (
    table, C_ ("column", "Recorded"), "ns",
    _ (
      "Sum over the devices and files of the rank: in each file, each device counts for the time from the first to the last work of any of them, plus the wait for the first work in a step"));
  for (guint k = 0; k < LOOM_DEVICE_PARTS_N; k++)
    if (shown[k])
      add_part_column (table, order[k]);
  loom_result_table_add_column (table, C_ ("column", "Overlapped"), "%",
                                _ ("Share of the communication during which something is computed"));
  loom_result_table_add_column (table, C_ ("column", "Kernels and Copies"), "", NULL);
  return table;
}

void
loom_device_parts_add_table (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankBreakdown *breakdown)
{
  gboolean shown[LOOM_DEVICE_PARTS_N];
  for (guint k = 0; k < LOOM_DEVICE_PARTS_N; k++)
    shown[k] = loom_device_parts_sum (breakdown, order[k]) > 0;
  LoomResultTable *table = new_table (breakdown, shown);
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    const LoomRankTime *rank = &breakdown->ranks[i];
    g_autofree char *name = loom_device_parts_dup_name (input, rank);
    double recorded = (double) rank->recorded_ns;
    guint column = 1;
    loom_result_table_add_row (table, name);
    loom_result_table_set_number (table, column++, recorded);
    for (guint k = 0; k < LOOM_DEVICE_PARTS_N; k++)
      if (shown[k])
        loom_result_table_set_number (table, column++,
                                      loom_statistics_percent ((double) get_part (rank, order[k]), recorded));
    if (rank->communication_ns > 0)
      loom_result_table_set_number (
        table, column, loom_statistics_percent ((double) rank->overlap_ns, (double) rank->communication_ns));
    loom_result_table_set_number (table, column + 1, (double) rank->n_spans);
  }
  loom_page_content_take_table (sheet, table);
  set_places (sheet, input, breakdown, breakdown->n_ranks, 1);
}

/* --- shares of computing ------------------------------------------------------------------------------------------ */

char *
loom_device_parts_dup_name (const LoomPageInput *input, const LoomRankTime *rank)
{
  g_autofree char *device = rank->device != NULL ? loom_device_label_dup (rank->device) : NULL;
  if (rank->device != NULL &&
      (rank->rank < 0 || loom_run_get_n_sources (loom_timeline_get_run (input->frame->timeline)) == 1))
    return g_steal_pointer (&device);
  if (rank->device != NULL) {
    g_autofree char *name = loom_page_rank_name (input, rank->node, rank->rank, rank->sources);
    return g_strdup_printf ("%s · %s", name, device);
  }
  return loom_page_rank_name (input, rank->node, rank->rank, rank->sources);
}

double
loom_device_parts_get_share (const LoomRankTime *rank)
{
  return loom_statistics_percent ((double) rank->compute_ns, (double) rank->recorded_ns);
}

double
loom_device_parts_get_busy_share (const LoomRankTime *rank)
{
  return loom_statistics_percent ((double) rank->busy_ns, (double) rank->recorded_ns);
}

double
loom_device_parts_get_median_share (const LoomRankBreakdown *breakdown)
{
  g_autofree double *shares = g_new (double, breakdown->n_ranks);
  for (guint i = 0; i < breakdown->n_ranks; i++)
    shares[i] = loom_device_parts_get_share (&breakdown->ranks[i]);
  return loom_statistics_median (shares, breakdown->n_ranks);
}

gboolean
loom_device_parts_is_outlier (const LoomRankTime *rank, double median, gboolean more)
{
  double share = loom_device_parts_get_share (rank);
  return more ? share > median * (1 + OUTLIER_SHARE) : share < median * (1 - OUTLIER_SHARE);
}

gboolean
loom_device_parts_has_outliers (const LoomRankBreakdown *breakdown, double median, gboolean more)
{
  guint n = 0;
  for (guint i = 0; i < breakdown->n_ranks; i++)
    n += loom_device_parts_is_outlier (&breakdown->ranks[i], median, more);
  return n > 0 && n <= MAX_LISTED && 2 * n < breakdown->n_ranks;
}

/* Returns a sentence that names the outliers: if `more` is TRUE, the ranks that compute for a notably larger share of
 * their time than the median rank; if FALSE, for a notably smaller share (loom_device_parts_is_outlier()). Returns NULL
 * if there are no outliers, or too many to be called exceptions. Owned by the caller. */
static char *
dup_outliers (const LoomPageInput *input, const LoomRankBreakdown *breakdown, double median, gboolean more)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0;
  double sum = 0;
  if (!loom_device_parts_has_outliers (breakdown, median, more))
    return NULL;
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    if (!loom_device_parts_is_outlier (&breakdown->ranks[i], median, more))
      continue;
    g_autofree char *name = loom_device_parts_dup_name (input, &breakdown->ranks[i]);
    g_string_append_printf (names, "%s%s", n++ > 0 ? loom_list_separator () : "", name);
    sum += loom_device_parts_get_share (&breakdown->ranks[i]);
  }
  g_autofree char *own = loom_chart_format (sum / n, "%"), *typical = loom_chart_format (median, "%");
  if (more)
    return g_strdup_printf (
      /* Translators: names of ranks, and two percentages */
      _ ("The GPUs compute most on %s: for %s of their recorded time; the median of all ranks is %s."), names->str, own,
      typical);
  return g_strdup_printf (
    /* Translators: names of ranks, and two percentages */
    _ ("The GPUs compute least on %s: for %s of their recorded time; the median of all ranks is %s."), names->str, own,
    typical);
}

/* Returns a text for two shares that are nearly equal: a range such as "84.6 % – 85.7 %", or a single share if both
 * texts are equal. Owned by the caller. */
static char *
dup_nearly_equal (const char *low, const char *high)
{
  return strcmp (low, high) == 0 ? g_strdup (high) : g_strdup_printf ("%s – %s", low, high);
}

/* Returns the answer of the page for a run with only one rank: it compares the GPUs of this rank. Owned by the
 * caller. */
static char *
dup_answer_of_devices (const LoomPageInput *input, const LoomRankBreakdown *breakdown, const LoomRankTime *least,
                       const LoomRankTime *most)
{
  g_autofree char *high = loom_chart_format (loom_device_parts_get_share (most), "%"),
                  *low = loom_chart_format (loom_device_parts_get_share (least), "%"),
                  *both = dup_nearly_equal (low, high);
  const char *word = loom_device_parts_get_word (breakdown);
  g_autofree char *first = loom_device_parts_dup_name (input, least), *last = loom_device_parts_dup_name (input, most);
  if (breakdown->n_ranks == 1)
    return g_strdup_printf (/* Translators: the name of a device, and a percentage */
                            _ ("%s computes for %s of its recorded time."), first, both);
  if (loom_statistics_are_alike (loom_device_parts_get_share (least), loom_device_parts_get_share (most)))
    return g_strdup_printf (/* Translators: a number, “GPUs” or “TPUs”, and a percentage */
                            _ ("%u %s compute about equally long: for %s of their recorded time each."),
                            breakdown->n_ranks, word, both);
  return g_strdup_printf (/* Translators: “GPUs” or “TPUs”, percentages and names of devices */
                          _ ("The %s compute for %s (%s) to %s (%s) of their recorded time."), word, low, first, high,
                          last);
}

const char *
loom_device_parts_get_word (const LoomRankBreakdown *breakdown)
{
  gboolean only_tpus = breakdown->n_ranks > 0;
  for (guint i = 0; i < breakdown->n_ranks; i++)
    only_tpus &= breakdown->ranks[i].device != NULL && g_str_has_prefix (breakdown->ranks[i].device, "/device:TPU:");
  return only_tpus ? C_ ("devices", "TPUs") : C_ ("devices", "GPUs");
}

gboolean
loom_device_parts_is_of_devices (const LoomRankBreakdown *breakdown)
{
  return breakdown->ranks[0].device != NULL;
}

char *
loom_device_parts_dup_answer (const LoomPageInput *input, const LoomRankBreakdown *breakdown)
{
  const LoomRankTime *least = &breakdown->ranks[0], *most = least;
  double median = loom_device_parts_get_median_share (breakdown);
  for (guint i = 1; i < breakdown->n_ranks; i++) {
    const LoomRankTime *rank = &breakdown->ranks[i];
    least = loom_device_parts_get_share (rank) < loom_device_parts_get_share (least) ? rank : least;
    most = loom_device_parts_get_share (rank) > loom_device_parts_get_share (most) ? rank : most;
  }
  if (loom_device_parts_is_of_devices (breakdown))
    return dup_answer_of_devices (input, breakdown, least, most);
  g_autofree char *high = loom_chart_format (loom_device_parts_get_share (most), "%"),
                  *low = loom_chart_format (loom_device_parts_get_share (least), "%"),
                  *both = dup_nearly_equal (low, high);
  if (loom_statistics_are_alike (loom_device_parts_get_share (least), loom_device_parts_get_share (most)))
    return g_strdup_printf (
      ngettext ("The GPUs of %u rank compute for %s of their recorded time.",
                "The GPUs of %u ranks compute about equally long: for %s of their recorded time each.",
                breakdown->n_ranks),
      breakdown->n_ranks, both);
  g_autofree char *more = dup_outliers (input, breakdown, median, TRUE),
                  *less = dup_outliers (input, breakdown, median, FALSE);
  if (more != NULL || less != NULL)
    return loom_sentence_join (more != NULL ? more : less, more != NULL ? less : NULL);
  g_autofree char *first = loom_device_parts_dup_name (input, least), *last = loom_device_parts_dup_name (input, most);
  return g_strdup_printf (/* Translators: percentages and names of ranks */
                          _ ("The GPUs of the ranks compute for %s (%s) to %s (%s) of their recorded time."), low,
                          first, high, last);
}
