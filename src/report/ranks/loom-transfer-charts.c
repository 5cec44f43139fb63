/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums up waits and transfers by collective or by part of the time range, and makes the charts.
 */
#include "loom-transfer-charts.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-collective-times.h"
#include "loom-page-private.h"
#include "loom-step-parts.h"
#include "loom-transfer-list.h"

/* minimum number of different transfer sizes for the chart of bandwidths; with fewer sizes, the chart would show no
 * more than the table */
#define LEAST_SIZES 4
/* maximum number of collectives with a column each; with more, columns are parts of the time range */
#define MOST_COLUMNS 200
/* maximum number of names of collectives in the chart of bandwidths, because each name needs a colour */
#define MOST_LINES 8

/* Returns TRUE if ranks exchange messages in the range. */
static gboolean
has_messages (const LoomCollectives *collectives)
{
  return loom_transfer_list_get (collectives, NULL)->n_messages > 0;
}

/* --- waiting ------------------------------------------------------------------------------------------------------ */

char *
loom_transfer_charts_dup_waits (const LoomCollectives *collectives)
{
  LoomCollectiveTimes sums = loom_collective_times_sum (collectives);
  g_autofree char *waits = loom_time_format_duration (sums.waits_ns);
  if (sums.waits_ns + sums.transfers_ns <= 0)
    return NULL;
  double percent = 100 * (double) sums.waits_ns / ((double) sums.waits_ns + (double) sums.transfers_ns);
  if (has_messages (collectives))
    return g_strdup_printf (
      /* Translators: a percentage, and a duration */
      _ (
        "Of the time that ranks spend in collectives and messages, counted once where they overlap, %.1f %% is waiting for other ranks: %s over all ranks."),
      percent, waits);
  return g_strdup_printf (
    /* Translators: a percentage, and a duration */
    _ ("Of the time that ranks spend in collectives, %.1f %% is waiting for the last rank: %s over all ranks."),
    percent, waits);
}

void
loom_transfer_charts_add_clock_doubt (LoomPageContent *sheet, const LoomCollectives *collectives)
{
  const LoomTransferList *list = loom_transfer_list_get (collectives, NULL);
  if (list->n_unaligned == 0)
    return;
  g_autofree char *text = g_strdup_printf (
    /* Translators: numbers of messages between ranks, of which the last one is at least 1 */
    ngettext (
      "%2$'u of %1$'u message connects ranks whose clocks are not aligned with each other. As the order of its events is not known, its wait is computed as the difference between the durations of its two sides. See “Clocks”.",
      "%2$'u of %1$'u messages connect ranks whose clocks are not aligned with each other. As the order of their events is not known, their waits are computed as the difference between the durations of their two sides. See “Clocks”.",
      list->n_messages),
    list->n_messages, list->n_unaligned);
  loom_page_content_add_note (sheet, text);
}

/* --- collectives in order of time --------------------------------------------------------------------------------- */

/* Returns how long the ranks of a collective wait in it, in ns; mean over all its ranks. */
static double
get_mean_wait (const LoomCollectives *collectives, const LoomCollective *collective)
{
  const LoomCollectiveMember *members = loom_collectives_get_members (collectives, collective);
  double sum_ns = 0;
  for (guint i = 0; i < collective->n; i++)
    sum_ns += (double) members[i].wait_ns;
  return sum_ns / collective->n;
}

static void
set_collective_place (LoomPageContent *sheet, guint element, const LoomCollectives *collectives,
                      const LoomCollective *collective)
{
  const LoomCollectiveMember *members = loom_collectives_get_members (collectives, collective);
  LoomSpanId last = loom_collectives_get_span (collectives, &members[collective->n - 1]);
  LoomRange range = { members[0].arrival_ns, MAX (collective->end_ns, loom_time_add (members[0].arrival_ns, 1)) };
  loom_page_content_set_place (sheet, element, range, &last, loom_timeline_span_id_is_none (last) ? 0 : 1);
}

static void
add_each (LoomPageContent *sheet, const LoomCollectives *collectives)
{
  guint n = collectives->n;
  LoomChart *chart = loom_chart_new_stacks (_ ("Time of each collective, mean of its ranks"),
                                            C_ ("chart", "collective, in order of time"), "", "ns");
  loom_chart_add_line (chart, loom_step_parts_get_name (LOOM_STEP_BREAKDOWN_TRANSFER),
                       loom_step_parts_get_color (LOOM_STEP_BREAKDOWN_TRANSFER));
  for (guint i = 0; i < n; i++)
    loom_chart_add_point (chart, i + 1, (double) collectives->all[i].transfer_ns, FALSE);
  loom_chart_add_line (chart, loom_step_parts_get_name (LOOM_STEP_BREAKDOWN_RANK_WAIT),
                       loom_step_parts_get_color (LOOM_STEP_BREAKDOWN_RANK_WAIT));
  for (guint i = 0; i < n; i++)
    loom_chart_add_point (chart, i + 1, get_mean_wait (collectives, &collectives->all[i]), FALSE);
  loom_page_content_take_chart (sheet, chart, TRUE);
  for (guint i = 0; i < 2 * n; i++)
    set_collective_place (sheet, i, collectives, &collectives->all[i % n]);
}

/* --- time in collectives over time -------------------------------------------------------------------------------- */

#define N_BINS 150

typedef struct {
  LoomRange range;
  /* arrays indexed by bin: time for which ranks wait or transfer during the bin, in ns, summed over all ranks */
  double wait_ns[N_BINS], transfer_ns[N_BINS];
} Bins;

static gint64
get_bin_begin (const Bins *bins, guint bin)
{
  return bins->range.begin_ns + (gint64) ((double) (bins->range.end_ns - bins->range.begin_ns) * bin / N_BINS);
}

/* Adds the time from `begin_ns` to `end_ns` to the bins that it overlaps. */
static void
add_to_bins (const Bins *bins, double *sums_ns, gint64 begin_ns, gint64 end_ns)
{
  double width_ns = (double) (bins->range.end_ns - bins->range.begin_ns) / N_BINS,
         from = (double) (MAX (begin_ns, bins->range.begin_ns) - bins->range.begin_ns) / width_ns,
         to = (double) (MIN (end_ns, bins->range.end_ns) - bins->range.begin_ns) / width_ns;
  for (guint i = (guint) MAX (from, 0); i < N_BINS && i < to; i++)
    sums_ns[i] += (fmin (to, i + 1) - fmax (from, i)) * width_ns;
}

static void
add_part (LoomRange part, gboolean is_wait, gpointer data)
{
  Bins *bins = data;
  add_to_bins (bins, is_wait ? bins->wait_ns : bins->transfer_ns, part.begin_ns, part.end_ns);
}

/* Returns the time from the start of the first collective or message to the end of the last one, limited to the range
 * of `collectives`. */
static LoomRange
get_extent (const LoomCollectives *collectives)
{
  LoomRange extent = { G_MAXINT64, G_MININT64 };
  for (guint i = 0; i < collectives->n; i++) {
    extent.begin_ns =
      MIN (extent.begin_ns, loom_collectives_get_members (collectives, &collectives->all[i])[0].arrival_ns);
    extent.end_ns = MAX (extent.end_ns, collectives->all[i].end_ns);
  }
  const LoomTransferList *list = loom_transfer_list_get (collectives, NULL);
  for (guint i = 0; i < list->transfers->len; i++) {
    const LoomTransfer *transfer = &g_array_index (list->transfers, LoomTransfer, i);
    for (guint k = 0; loom_transfer_list_is_message (transfer) && k < G_N_ELEMENTS (transfer->sides); k++) {
      extent.begin_ns = MIN (extent.begin_ns, transfer->sides[k].begin_ns);
      extent.end_ns = MAX (extent.end_ns, transfer->sides[k].end_ns);
    }
  }
  return (LoomRange) { MAX (extent.begin_ns, collectives->range.begin_ns),
                       MIN (extent.end_ns, collectives->range.end_ns) };
}

static void
add_bins (LoomChart *chart, LoomStepBreakdownPart part, const Bins *bins, const double *sums_ns, guint n_ranks,
          gint64 zero_ns)
{
  double width_ns = (double) (bins->range.end_ns - bins->range.begin_ns) / N_BINS;
  loom_chart_add_line (chart, loom_step_parts_get_name (part), loom_step_parts_get_color (part));
  for (guint i = 0; i < N_BINS; i++)
    loom_chart_add_point (chart, (double) (get_bin_begin (bins, i) - zero_ns),
                          100 * sums_ns[i] / width_ns / MAX (n_ranks, 1), FALSE);
}

/* Adds a chart over time of the share of the ranks' time that is spent in collectives and messages. It is used if there
 * are messages, or too many collectives for a column each. */
static void
add_over_time (LoomPageContent *sheet, const LoomPageInput *input, const LoomCollectives *collectives)
{
  Bins bins = { .range = get_extent (collectives) };
  if (bins.range.end_ns - bins.range.begin_ns < N_BINS)
    return;
  guint n_ranks = loom_collective_times_visit (collectives, add_part, &bins);
  LoomChart *chart = loom_chart_new_stacks (
    has_messages (collectives) ? _ ("Time of ranks in collectives and messages, as a share of their time")
                               : _ ("Time of ranks in collectives, as a share of their time"),
    _ ("time since start"), "ns", "%");
  gint64 zero_ns = loom_page_get_zero (input);
  add_bins (chart, LOOM_STEP_BREAKDOWN_TRANSFER, &bins, bins.transfer_ns, n_ranks, zero_ns);
  add_bins (chart, LOOM_STEP_BREAKDOWN_RANK_WAIT, &bins, bins.wait_ns, n_ranks, zero_ns);
  loom_page_content_take_chart (sheet, chart, TRUE);
  for (guint i = 0; i < 2 * N_BINS; i++) {
    LoomRange range = { get_bin_begin (&bins, i % N_BINS), get_bin_begin (&bins, i % N_BINS + 1) };
    loom_page_content_set_place (sheet, i, range, NULL, 0);
  }
}

void
loom_transfer_charts_add_collectives (LoomPageContent *sheet, const LoomPageInput *input,
                                      const LoomCollectives *collectives)
{
  if (collectives->n > MOST_COLUMNS || has_messages (collectives))
    add_over_time (sheet, input, collectives);
  else if (collectives->n > 1)
    add_each (sheet, collectives);
}

/* --- bandwidth by size -------------------------------------------------------------------------------------------- */

static gboolean
has_bandwidth (const LoomTransferGroup *group)
{
  return group->bytes > 0 && isfinite (group->bus_bandwidth) && group->bus_bandwidth > 0;
}

/* Returns the names of the collectives with known bandwidths, without duplicates, as borrowed texts. Owned by the
 * caller. */
static GPtrArray *
list_names (const LoomTransfers *transfers)
{
  GPtrArray *names = g_ptr_array_new ();
  for (guint i = 0; i < transfers->groups->len; i++) {
    const LoomTransferGroup *group = &g_array_index (transfers->groups, LoomTransferGroup, i);
    if (has_bandwidth (group) && names->len < MOST_LINES &&
        !g_ptr_array_find_with_equal_func (names, group->name, g_str_equal, NULL))
      g_ptr_array_add (names, (gpointer) group->name);
  }
  return names;
}

static guint
count_sizes (const LoomTransfers *transfers)
{
  g_autoptr (GHashTable) sizes = g_hash_table_new (g_int64_hash, g_int64_equal);
  for (guint i = 0; i < transfers->groups->len; i++)
    if (has_bandwidth (&g_array_index (transfers->groups, LoomTransferGroup, i)))
      g_hash_table_add (sizes, &g_array_index (transfers->groups, LoomTransferGroup, i).bytes);
  return g_hash_table_size (sizes);
}

static int
compare_sizes (gconstpointer a, gconstpointer b)
{
  const LoomTransferGroup *x = *(const LoomTransferGroup *const *) a, *y = *(const LoomTransferGroup *const *) b;
  return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

/* Adds a point to the last line of the chart for each group with collectives of this name, sorted by size. Appends
 * these groups to `shown`. */
static void
add_points (LoomChart *chart, const LoomTransfers *transfers, const char *name, GPtrArray *shown)
{
  g_autoptr (GPtrArray) groups = g_ptr_array_new ();
  for (guint i = 0; i < transfers->groups->len; i++) {
    LoomTransferGroup *group = &g_array_index (transfers->groups, LoomTransferGroup, i);
    if (has_bandwidth (group) && strcmp (group->name, name) == 0)
      g_ptr_array_add (groups, group);
  }
  g_ptr_array_sort (groups, compare_sizes);
  for (guint i = 0; i < groups->len; i++) {
    const LoomTransferGroup *group = groups->pdata[i];
    loom_chart_add_point (chart, (double) group->bytes, group->bus_bandwidth, FALSE);
    g_ptr_array_add (shown, (gpointer) group);
  }
}

void
loom_transfer_charts_add_bandwidths (LoomPageContent *sheet, const LoomTransfers *transfers)
{
  g_autoptr (GPtrArray) names = list_names (transfers), shown = g_ptr_array_new ();
  if (count_sizes (transfers) < LEAST_SIZES)
    return;
  LoomChart *chart =
    loom_chart_new_dots (_ ("Bus bandwidth by size, median of each group of ranks"), C_ ("chart", "size"), "B", "B/s");
  loom_chart_use_log_x (chart);
  for (guint i = 0; i < names->len; i++) {
    const char *name = names->pdata[i];
    loom_chart_add_line (chart, strcmp (name, LOOM_TRANSFERS_MESSAGE) == 0 ? C_ ("collective", "message") : name, i);
    add_points (chart, transfers, name, shown);
  }
  loom_page_content_take_chart (sheet, chart, FALSE);
  for (guint i = 0; i < shown->len; i++) {
    const LoomTransferGroup *group = shown->pdata[i];
    loom_page_content_set_place (sheet, i, group->range, &group->longest,
                                 loom_timeline_span_id_is_none (group->longest) ? 0 : 1);
  }
}

/* --- durations ---------------------------------------------------------------------------------------------------- */

/* Appends the transfer of each message. The time in which one side waits for the other is not included. */
static void
add_messages (GArray *stretches, const LoomCollectives *collectives)
{
  const LoomTransferList *list = loom_transfer_list_get (collectives, NULL);
  for (guint i = 0; i < list->transfers->len; i++) {
    const LoomTransfer *transfer = &g_array_index (list->transfers, LoomTransfer, i);
    if (!loom_transfer_list_is_message (transfer))
      continue;
    const LoomCollectiveMember sender = { .trace = transfer->trace, .meeting = transfer->meeting };
    LoomPageStretch stretch = { { transfer->range.begin_ns,
                                  loom_time_add (transfer->range.begin_ns, transfer->transfer_ns) },
                                loom_collectives_get_span (collectives, &sender) };
    g_array_append_val (stretches, stretch);
  }
}

void
loom_transfer_charts_add_durations (LoomPageContent *sheet, const LoomCollectives *collectives)
{
  g_autoptr (GArray) stretches = g_array_new (FALSE, FALSE, sizeof (LoomPageStretch));
  for (guint i = 0; i < collectives->n; i++) {
    const LoomCollective *collective = &collectives->all[i];
    const LoomCollectiveMember *members = loom_collectives_get_members (collectives, collective);
    gint64 end_ns = loom_time_add (collective->arrival_ns, collective->transfer_ns);
    LoomPageStretch stretch = { { collective->arrival_ns, end_ns },
                                loom_collectives_get_span (collectives, &members[collective->n - 1]) };
    g_array_append_val (stretches, stretch);
  }
  gboolean with_messages = has_messages (collectives);
  guint color = loom_chart_work_color (LOOM_WORK_KIND_COMMUNICATION);
  if (with_messages)
    add_messages (stretches, collectives);
  LoomChart *chart = with_messages
                       ? loom_page_add_durations (sheet, _ ("Collectives and messages by transfer time"),
                                                  C_ ("chart", "collectives and messages"), color, stretches)
                       : loom_page_add_durations (sheet, _ ("Collectives by transfer time"),
                                                  C_ ("chart", "collectives"), color, stretches);
  if (chart != NULL)
    loom_chart_set_median (chart, chart->median, C_ ("chart", "median"));
}
