/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page "Collectives", which shows how long transfers between each group of ranks take, at which bandwidth,
 * and which links are slow.
 */
#include "loom-page-private.h"

#include "loom-frame-collectives.h"
#include "loom-list-separator.h"
#include "loom-sentence.h"
#include "loom-transfer-charts.h"
#include "loom-transfers.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define MAX_BARS 24
/* Groups of ranks that do the same transfers share a bar if the longest median duration is at most this multiple of the
 * shortest one. */
#define ALIKE 1.05
#define LEAST_ALIKE 3 /* minimum number of groups that share a bar */

/* Returns the ranks of a group: "0, 2"; for messages: "0 → 2". Owned by the caller. */
static char *
dup_ranks (const LoomTransfers *transfers, const LoomTransferGroup *group)
{
  gboolean message = strcmp (group->name, LOOM_TRANSFERS_MESSAGE) == 0;
  return loom_transfers_dup_ranks (transfers, group, message ? " → " : loom_list_separator ());
}

static const char *
get_name (const LoomTransferGroup *group)
{
  gboolean message = strcmp (group->name, LOOM_TRANSFERS_MESSAGE) == 0;
  return message ? C_ ("collective", "message") : group->name;
}

static double
get_factor (const LoomTransferGroup *group)
{
  return group->typical_ns > 0 ? (double) group->median_ns / (double) group->typical_ns : NAN;
}

/* Returns, for the table, how many times as long the transfers of the group take as those of comparable groups. NAN if
 * the group is much faster: the comparable groups are then slow themselves, so their duration is not typical. */
static double
get_shown_factor (const LoomTransferGroup *group)
{
  double factor = get_factor (group);
  return factor * LOOM_TRANSFERS_SLOW < 1 ? NAN : factor;
}

/* --- sentence at the top of the page ------------------------------------------------------------------------------ */

/* Returns the bus bandwidth of a group as text. If files of some ranks of the group are not open, the text is "at least
 * …": waits for these ranks cannot be distinguished from transfers then, so the real bandwidth is higher. Owned by the
 * caller. */
static char *
dup_bandwidth (const LoomTransferGroup *group)
{
  g_autofree char *text = loom_chart_format (group->bus_bandwidth, "B/s");
  /* Translators: a bandwidth, as in “a bus bandwidth of at least 23.3 GB/s” */
  return group->n_missing > 0 ? g_strdup_printf (C_ ("bandwidth", "at least %s"), text) : g_steal_pointer (&text);
}

static char *
dup_slow (const LoomTransfers *transfers, const LoomTransferGroup *group, guint n)
{
  g_autofree char *ranks = dup_ranks (transfers, group), *time = loom_time_format_duration (group->median_ns),
                  *typical = loom_time_format_duration (group->typical_ns);
  return g_strdup_printf (
    /* Translators: the number of groups; of the slowest one: its ranks ("0, 1, 2" or "1 → 5"), a duration, the name of
     * the transfer ("message"), the typical duration, and their ratio */
    ngettext (
      "%u group of ranks is slow: ranks %s take %s per %s instead of %s, %.1f times as long.",
      "%u groups of ranks are slow. The slowest one: ranks %s take %s per %s instead of %s, %.1f times as long.", n),
    n, ranks, time, get_name (group), typical, get_factor (group));
}

/* Returns the sentence at the top of the page for a run with only one group of transfers, which cannot be compared with
 * other groups. Owned by the caller. */
static char *
dup_only (const LoomTransfers *transfers, const LoomTransferGroup *group)
{
  g_autofree char *ranks = dup_ranks (transfers, group), *time = loom_time_format_duration (group->median_ns),
                  *name = loom_sentence_dup_capital (get_name (group));
  if (!isfinite (group->bus_bandwidth) || group->bus_bandwidth <= 0)
    return g_strdup_printf (/* Translators: a collective, ranks and a duration */
                            _ ("%s of ranks %s takes a median of %s."), name, ranks, time);
  g_autofree char *bandwidth = dup_bandwidth (group);
  return g_strdup_printf (/* Translators: a collective, ranks, a duration and a bandwidth */
                          _ ("%s of ranks %s takes a median of %s, with a bus bandwidth of %s."), name, ranks, time,
                          bandwidth);
}

/* Returns the sentence at the top of the page for a run without slow groups. `group`: the group whose transfers take
 * most time in total, which is the first one (loom-transfers.h). Owned by the caller. */
static char *
dup_longest (const LoomTransfers *transfers, const LoomTransferGroup *group)
{
  if (transfers->groups->len == 1)
    return dup_only (transfers, group);
  g_autofree char *ranks = dup_ranks (transfers, group), *time = loom_time_format_duration (group->median_ns);
  if (!isfinite (group->bus_bandwidth) || group->bus_bandwidth <= 0)
    return g_strdup_printf (_ ("Most transfer time goes to %s of ranks %s: a median of %s each."), get_name (group),
                            ranks, time);
  g_autofree char *bandwidth = dup_bandwidth (group);
  return g_strdup_printf (
    _ ("Most transfer time goes to %s of ranks %s: a median of %s each, with a bus bandwidth of %s."), get_name (group),
    ranks, time, bandwidth);
}

/* Returns the sentence at the top of the page for a run with slow groups. It also states how much time would be saved
 * if all links were equally fast. Owned by the caller. */
static char *
dup_slow_and_loss (const LoomTransfers *transfers, const LoomSlowdown *slowdown, guint n_slow)
{
  g_autofree char *slow = dup_slow (transfers, &g_array_index (transfers->groups, LoomTransferGroup, 0), n_slow),
                  *loss = loom_page_dup_transfer_loss (slowdown);
  return loom_sentence_join (slow, loss);
}

/* Adds the sentences at the top of the page: which link is slow or, if this is unknown, how long ranks wait. */
static void
add_answer (LoomPageContent *sheet, const LoomTransfers *transfers, const LoomCollectives *collectives,
            const LoomSlowdown *slowdown)
{
  const LoomTransferGroup *groups = (const LoomTransferGroup *) (gpointer) transfers->groups->data;
  guint n_slow = 0, n_compared = 0;
  for (guint i = 0; i < transfers->groups->len; i++) {
    n_slow += groups[i].slow;
    n_compared += groups[i].typical_ns > 0;
  }
  const char *none = n_compared > 0
                       ? _ ("No link is slow: groups of ranks that do the same transfers take about equally long.")
                     : transfers->groups->len == 1
                       ? _ ("Only one group of ranks transfers data, so slow links cannot be detected.")
                       : _ ("No two groups of ranks do the same transfers, so slow links cannot be detected.");
  g_autofree char *first =
    n_slow > 0 ? dup_slow_and_loss (transfers, slowdown, n_slow) : dup_longest (transfers, &groups[0]);
  g_autofree char *waits = loom_transfer_charts_dup_waits (collectives);
  gboolean answers = n_slow > 0 || n_compared > 0;
  g_autofree char *begin = n_slow > 0      ? g_strdup (first)
                           : answers       ? loom_sentence_join (none, first)
                           : waits != NULL ? loom_sentence_join (waits, first)
                                           : g_strdup (first);
  loom_page_content_add_answer (sheet, begin);
  if (answers && waits != NULL)
    loom_page_content_add_note (sheet, waits);
  if (!answers)
    loom_page_content_add_note (sheet, none);
}

/* --- chart and table of the groups of transfers ------------------------------------------------------------------- */

static void
set_place (LoomPageContent *sheet, guint element, const LoomTransferGroup *group)
{
  LoomRange range = { group->range.begin_ns, MAX (group->range.end_ns, group->range.begin_ns + 1) };
  loom_page_content_set_place (sheet, element, range, &group->longest,
                               loom_timeline_span_id_is_none (group->longest) ? 0 : 1);
}

/* One bar of the chart: a single group, or several groups that do the same transfers in about the same time. */
typedef struct {
  const LoomTransferGroup *first;
  guint n;
} Bar;

static gboolean
are_alike (const LoomTransferGroup *a, const LoomTransferGroup *b)
{
  return strcmp (a->name, b->name) == 0 && a->n_ranks == b->n_ranks && a->bytes == b->bytes && a->place == b->place &&
         !a->slow && !b->slow && (double) a->median_ns <= ALIKE * (double) b->median_ns &&
         (double) b->median_ns <= ALIKE * (double) a->median_ns;
}

/* Adds a bar for the group `first`. If at least LEAST_ALIKE groups, including `first`, do the same transfers in about
 * the same time, the bar represents all of them. Marks the groups of the bar in `is_added`. O(groups). */
static void
add_alike (GArray *bars, const GArray *groups, guint first, gboolean *is_added)
{
  const LoomTransferGroup *of_first = &g_array_index (groups, LoomTransferGroup, first);
  Bar bar = { of_first, 0 };
  for (guint i = first; i < groups->len; i++)
    bar.n += !is_added[i] && are_alike (of_first, &g_array_index (groups, LoomTransferGroup, i));
  gboolean is_many = bar.n >= LEAST_ALIKE;
  for (guint i = first; is_many && i < groups->len; i++)
    is_added[i] |= are_alike (of_first, &g_array_index (groups, LoomTransferGroup, i));
  is_added[first] = TRUE;
  bar.n = is_many ? bar.n : 1;
  g_array_append_val (bars, bar);
}

static int
compare_bars (gconstpointer a, gconstpointer b)
{
  const LoomTransferGroup *x = ((const Bar *) a)->first, *y = ((const Bar *) b)->first;
  return (x->median_ns < y->median_ns) - (x->median_ns > y->median_ns);
}

/* Returns at most MAX_BARS bars, as an array of Bar, the longest first. O(MAX_BARS · groups). Owned by the caller. */
static GArray *
new_bars (const LoomTransfers *transfers)
{
  GArray *bars = g_array_new (FALSE, FALSE, sizeof (Bar));
  g_autofree gboolean *is_added = g_new0 (gboolean, transfers->groups->len);
  for (guint i = 0; i < transfers->groups->len && bars->len < MAX_BARS; i++)
    if (!is_added[i])
      add_alike (bars, transfers->groups, i, is_added);
  g_array_sort (bars, compare_bars);
  return bars;
}

/* Returns the size of the transfers of a group for labels: " 25.2 MiB"; "" if it is unknown. Owned by the caller. */
static char *
dup_size (const LoomTransferGroup *group)
{
  g_autofree char *size = loom_chart_format ((double) group->bytes, "B");
  return group->bytes > 0 ? g_strconcat (" ", size, NULL) : g_strdup ("");
}

static char *
dup_label (const LoomTransfers *transfers, const Bar *bar)
{
  g_autofree char *ranks = dup_ranks (transfers, bar->first), *size = dup_size (bar->first);
  if (bar->n == 1)
    return g_strdup_printf ("%s%s · %s", get_name (bar->first), size, ranks);
  g_autofree char *name = g_strconcat (get_name (bar->first), size, NULL);
  return g_strdup_printf (/* Translators: a collective, the number of groups, and how many ranks each has */
                          _ ("%s · %u groups of %u ranks"), name, bar->n, bar->first->n_ranks);
}

static void
add_bars (LoomPageContent *sheet, const LoomTransfers *transfers)
{
  g_autoptr (GArray) bars = new_bars (transfers);
  guint n = bars->len, n_each = 1; /* `n`: number of bars; `n_each`: number of series in the chart */
  /* omit the chart, because a single bar would only repeat the sentence at the top of the page */
  if (n < 2)
    return;
  for (guint i = 0; i < n && n_each == 1; i++)
    n_each = g_array_index (bars, Bar, i).first->slow ? 2 : 1;
  LoomChart *chart = loom_chart_new_bars (_ ("Median transfer time by group of ranks"), "ns", n_each > 1);
  loom_chart_add_bar_series (chart, C_ ("link", "normal"), loom_chart_work_color (LOOM_WORK_KIND_COMMUNICATION));
  if (n_each > 1)
    loom_chart_add_bar_series (chart, C_ ("link", "slow"), LOOM_CHART_ALARM);
  for (guint i = 0; i < n; i++) {
    const LoomTransferGroup *group = g_array_index (bars, Bar, i).first;
    g_autofree char *label = dup_label (transfers, &g_array_index (bars, Bar, i));
    const double values[] = { group->slow ? 0 : (double) group->median_ns,
                              group->slow ? (double) group->median_ns : 0 };
    loom_chart_add_bar_group (chart, label, values);
  }
  loom_page_content_take_chart (sheet, chart, TRUE);
  for (guint i = 0; i < n_each * n; i++)
    set_place (sheet, i, g_array_index (bars, Bar, i / n_each).first);
}

static const char *
get_place_words (LoomTransferPlace place)
{
  switch (place) {
  case LOOM_TRANSFER_PLACE_NODE: return C_ ("transfer", "within a node");
  case LOOM_TRANSFER_PLACE_NETWORK: return C_ ("transfer", "between nodes");
  case LOOM_TRANSFER_PLACE_MIXED: return C_ ("transfer", "within and between nodes");
  default: return "";
  }
}

static LoomResultTable *
new_table (void)
{
  LoomResultTable *table = loom_result_table_new (_ ("Transfers by group of ranks"));
  loom_result_table_add_column (table, C_ ("column", "Collective"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Ranks"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Where"), NULL, NULL);
  loom_result_table_add_column (
    table, C_ ("column", "Size"), "B",
    _ ("Bytes that each rank sends; for a collective that gathers, the bytes that each rank receives"));
  loom_result_table_add_column (table, C_ ("column", "Transfers"), "", NULL);
  guint median = loom_result_table_add_column (table, C_ ("column", "Median"), "ns",
                                               _ ("Time from the last arrival to the end, without waiting"));
  loom_result_table_add_column (table, C_ ("column", "Longest"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Bandwidth"), "B/s", _ ("Size ÷ median transfer time"));
  loom_result_table_add_column (
    table, C_ ("column", "Bus Bandwidth"), "B/s",
    _ ("Bandwidth of each link as nccl-tests computes it, comparable between kinds of collectives"));
  guint relative = loom_result_table_add_column (
    table, C_ ("column", "Relative to Other Groups"), "",
    _ (
      "Median of this group ÷ median of the other groups whose transfers have the same kind, size, number of ranks and location (within a node or between nodes)"));
  loom_result_table_set_key (table, median);
  loom_result_table_set_key (table, relative);
  return table;
}

static void
add_row (LoomResultTable *table, const LoomTransfers *transfers, const LoomTransferGroup *group)
{
  g_autofree char *ranks = dup_ranks (transfers, group);
  const double values[] = { group->bytes > 0 ? (double) group->bytes : NAN,
                            group->n,
                            (double) group->median_ns,
                            (double) group->longest_ns,
                            group->bandwidth,
                            group->bus_bandwidth,
                            get_shown_factor (group) };
  loom_result_table_add_row (table, get_name (group));
  loom_result_table_set_text (table, 1, ranks);
  loom_result_table_set_text (table, 2, get_place_words (group->place));
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    if (isfinite (values[i]))
      loom_result_table_set_number (table, 3 + i, values[i]);
}

static void
add_table (LoomPageContent *sheet, const LoomTransfers *transfers)
{
  LoomResultTable *table = new_table ();
  for (guint i = 0; i < transfers->groups->len; i++)
    add_row (table, transfers, &g_array_index (transfers->groups, LoomTransferGroup, i));
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < transfers->groups->len; i++)
    set_place (sheet, i, &g_array_index (transfers->groups, LoomTransferGroup, i));
}

/* --- page of collectives ------------------------------------------------------------------------------------------ */

LoomPageContent *
loom_page_collectives (const LoomPageInput *input, GCancellable *cancellable)
{
  g_autoptr (LoomCollectives) collectives = loom_frame_collectives_get (input->frame, input->range, cancellable);
  const LoomTransfers *transfers = collectives != NULL ? loom_transfers_get (collectives, cancellable) : NULL;
  loom_page_count_part (input, cancellable);
  if (transfers == NULL)
    return NULL;
  LoomPageContent *sheet = loom_page_content_new (input->range);
  if (transfers->groups->len == 0) {
    loom_page_add_no_collectives (sheet, input);
    return loom_page_finish (sheet, cancellable);
  }
  const LoomSlowdown *slowdown = loom_slowdown_get (collectives, cancellable);
  if (slowdown == NULL) {
    loom_page_content_unref (sheet);
    return NULL;
  }
  add_answer (sheet, transfers, collectives, slowdown);
  loom_transfer_charts_add_clock_doubt (sheet, collectives);
  loom_transfer_charts_add_collectives (sheet, input, collectives);
  add_bars (sheet, transfers);
  loom_transfer_charts_add_bandwidths (sheet, transfers);
  loom_transfer_charts_add_durations (sheet, collectives);
  add_table (sheet, transfers);
  return loom_page_finish (sheet, cancellable);
}
