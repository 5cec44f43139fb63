/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the charts of the page "Stragglers": for which ranks others wait, how long each rank waits itself, how time in
 * collectives divides into waits and transfers, and how late each rank is over time.
 */
#include "loom-page-stragglers-private.h"

#include "loom-collective-times.h"
#include "loom-list-separator.h"
#include "loom-rank-waits.h"
#include "loom-step-parts.h"
#include "loom-transfers.h"

#include <glib/gi18n.h>
#include <math.h>

#define MAX_BARS 16
#define MIN_BARS 4
/* minimum length of a bar, as a share of the longest one. Shorter bars would be invisible and are omitted; their ranks
 * are in the table */
#define MIN_BAR_SHARE 0.01
/* The charts of waits are omitted if all ranks together wait for less than this share of their time. */
#define LEAST_WAITS 0.005
/* The page gives slow links as the reason of waiting if at least this share of all waits in collectives are waits for
 * ranks with slow links. */
#define LEAST_OF_LINKS 0.5
/* The page states that waits overlap if counting overlaps once makes their sum shorter by more than this share. */
#define LEAST_OVERLAP 0.01
#define MAX_HEAT_ROWS 64
#define MAX_HEAT_COLUMNS 100
#define LEAST_PART 0.05 /* minimum upper end of the colour scale, as a share of the highest value */
#define HIGH_SHARE 0.98 /* share of the cells whose values are below the upper end of the colour scale */

/* Returns TRUE if a rank is slow in the range; FALSE if no rank is slow, or if this is unknown. */
static gboolean
has_slow (const LoomPageStragglers *self)
{
  return !self->is_typical && self->cause->stragglers->len > 0;
}

/* Returns the transfers of cause_collectives, in which the groups with slow links come first. Returns NULL if slow
 * ranks, late hosts or unequal work are the reason of the waits, or if no link is slow. */
static const LoomTransfers *
get_slow_links (const LoomPageStragglers *self)
{
  if (has_slow (self) || self->has_other_cause || !loom_slowdown_fits (self->cause) ||
      !loom_page_has_unequal_transfers (self->cause))
    return NULL;
  const LoomTransfers *transfers = loom_transfers_get (self->cause_collectives, NULL);
  return transfers != NULL && transfers->groups->len > 0 && g_array_index (transfers->groups, LoomTransferGroup, 0).slow
           ? transfers
           : NULL;
}

static gboolean
has_rank (const LoomTransfers *transfers, const LoomTransferGroup *group, gint rank)
{
  for (guint i = 0; i < group->n_ranks; i++)
    if (g_array_index (transfers->ranks, gint, group->first_rank + i) == rank)
      return TRUE;
  return FALSE;
}

/* Returns TRUE if a rank is in one of the groups with slow links. The slow groups are at the beginning of the list. */
static gboolean
has_slow_link (const LoomTransfers *transfers, const LoomStraggler *rank)
{
  for (guint i = 0; i < transfers->groups->len; i++) {
    const LoomTransferGroup *group = &g_array_index (transfers->groups, LoomTransferGroup, i);
    if (!group->slow)
      return FALSE;
    if (has_rank (transfers, group, rank->rank))
      return TRUE;
  }
  return FALSE;
}

/* Returns the result of get_slow_links() if slow links are the reason of most waits in collectives, else NULL. */
static const LoomTransfers *
find_links (const LoomPageStragglers *self)
{
  const LoomTransfers *transfers = get_slow_links (self);
  gint64 waits_ns = 0;
  for (guint i = 0; transfers != NULL && i < self->stragglers->n_ranks; i++)
    if (has_slow_link (transfers, &self->stragglers->ranks[i]))
      waits_ns = loom_time_add (waits_ns, self->stragglers->ranks[i].others_ns);
  return transfers != NULL && (double) waits_ns >= LEAST_OF_LINKS * (double) self->stragglers->wait_ns ? transfers
                                                                                                       : NULL;
}

/* How each bar of waits is divided into two parts by the reason of the waits. */
typedef enum {
  SPLIT_NONE,
  SPLIT_HELD_UP, /* first part: waits that the rank causes; second part: waits while the rank itself waits */
  SPLIT_LINKS,   /* bars of ranks with slow links have only the first part, all other bars only the second one */
} Split;

/* Adds a bar for the time that other ranks wait for a rank. `links`: see find_links(). */
static void
add_bar (const LoomPageStragglers *self, LoomChart *chart, const LoomStraggler *rank, Split split,
         const LoomTransfers *links)
{
  gint64 first_ns = rank->others_ns;
  if (split == SPLIT_HELD_UP)
    first_ns = loom_page_get_own_waits (self->cause, rank);
  if (split == SPLIT_LINKS && !has_slow_link (links, rank))
    first_ns = 0;
  const double values[] = { (double) first_ns, (double) (rank->others_ns - first_ns) };
  g_autofree char *name = loom_page_stragglers_dup_rank (self, rank->rank, rank->trace);
  loom_chart_add_bar_group (chart, name, values);
}

/* Returns the number of ranks with a bar. Sets `is_held_up` to TRUE if at least one of these ranks makes other ranks
 * wait while it waits itself for a slow rank. */
static guint
count_bars (const LoomPageStragglers *self, gboolean *is_held_up)
{
  const LoomStraggler *ranks = self->stragglers->ranks;
  guint n = 0;
  for (*is_held_up = FALSE; n < MIN (self->stragglers->n_ranks, MAX_BARS) && ranks[n].others_ns > 0; n++) {
    double share = (double) ranks[n].others_ns / (double) ranks[0].others_ns;
    if (n >= MIN_BARS && share < MIN_BAR_SHARE)
      break;
    *is_held_up |= has_slow (self) && share >= MIN_BAR_SHARE &&
                   loom_page_get_own_waits (self->cause, &ranks[n]) < ranks[n].others_ns;
  }
  return n;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const LoomStraggler *x = *(const LoomStraggler *const *) a, *y = *(const LoomStraggler *const *) b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return x->trace < y->trace ? -1 : x->trace > y->trace;
}

/* Returns TRUE if the waits of all ranks together are so short, compared with the time range of the page, that
 * differences between ranks are noise. */
static gboolean
is_negligible (const LoomPageStragglers *self, gint64 waits_ns)
{
  LoomRange all, range = self->input->range;
  if (!loom_timeline_get_extent (self->input->frame->timeline, &all))
    return TRUE;
  gint64 time_ns = loom_time_sub (MIN (range.end_ns, all.end_ns), MAX (range.begin_ns, all.begin_ns));
  return (double) waits_ns < LEAST_WAITS * (double) time_ns * self->stragglers->n_ranks;
}

gboolean
loom_page_stragglers_is_slow (const LoomPageStragglers *self, const LoomStraggler *rank)
{
  if (!has_slow (self))
    return FALSE;
  const LoomSlowdownWorker *worker = loom_slowdown_find_worker (self->cause, rank->node, rank->rank);
  return worker != NULL && loom_slowdown_is_straggler (self->cause, worker);
}

static int
compare_slow (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const LoomStraggler *x = *(const LoomStraggler *const *) a, *y = *(const LoomStraggler *const *) b;
  gboolean slow_x = loom_page_stragglers_is_slow (user_data, x), slow_y = loom_page_stragglers_is_slow (user_data, y);
  if (slow_x != slow_y)
    return slow_x ? -1 : 1;
  return x->others_ns > y->others_ns ? -1 : x->others_ns < y->others_ns;
}

/* Returns the `n` ranks that get a bar (LoomStraggler *). Slow ranks come first, then the ranks for which others wait
 * longest. If the slow ranks were not first, the first rank could be one that is late only because it waits for a slow
 * rank. */
static GPtrArray *
sort_bars (const LoomPageStragglers *self, guint n)
{
  GPtrArray *ranks = g_ptr_array_sized_new (n);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (ranks, (gpointer) &self->stragglers->ranks[i]);
  g_ptr_array_sort_with_data (ranks, compare_slow, (gpointer) self);
  return ranks;
}

/* Returns how long others wait for the ranks of a group, in ns. */
static gint64
sum_waits_for (const LoomPageStragglers *self, const LoomTransfers *transfers, const LoomTransferGroup *group)
{
  gint64 sum_ns = 0;
  for (guint i = 0; i < self->stragglers->n_ranks; i++)
    if (has_rank (transfers, group, self->stragglers->ranks[i].rank))
      sum_ns = loom_time_add (sum_ns, self->stragglers->ranks[i].others_ns);
  return sum_ns;
}

/* Returns the group with slow links for whose ranks others wait longest. */
static const LoomTransferGroup *
find_slowest_group (const LoomPageStragglers *self, const LoomTransfers *links)
{
  const LoomTransferGroup *longest = &g_array_index (links->groups, LoomTransferGroup, 0);
  gint64 most_ns = sum_waits_for (self, links, longest);
  for (guint i = 1; i < links->groups->len; i++) {
    const LoomTransferGroup *group = &g_array_index (links->groups, LoomTransferGroup, i);
    gint64 waits_ns = group->slow ? sum_waits_for (self, links, group) : 0;
    if (waits_ns > most_ns) {
      longest = group;
      most_ns = waits_ns;
    }
  }
  return longest;
}

/* Adds a note that states why others wait for ranks with slow links. It names the group of find_slowest_group(). */
static void
add_links_note (const LoomPageStragglers *self, const LoomTransfers *links)
{
  const LoomTransferGroup *slow = find_slowest_group (self, links);
  g_autofree char *ranks = loom_transfers_dup_ranks (links, slow, loom_list_separator ());
  g_autofree char *text = g_strdup_printf (
    /* Translators: ranks ("0, 1, 2"), and a factor */
    _ (
      "Ranks %s are late because transfers between them take %.1f times as long as between other ranks, not because they compute longer."),
    ranks, (double) slow->median_ns / (double) slow->typical_ns);
  loom_page_content_add_note (self->sheet, text);
}

/* Adds the series of the bars of waits, and returns their number. */
static guint
add_bar_series (const LoomPageStragglers *self, LoomChart *chart, Split split)
{
  /* if the reason of the waits is not known, the bars are grey */
  gboolean is_known = has_slow (self) || self->has_other_cause;
  guint n = split == SPLIT_NONE ? 1 : 2;
  if (split == SPLIT_LINKS) {
    loom_chart_add_bar_series (chart, C_ ("wait for a rank", "because its transfers are slow"),
                               loom_step_parts_get_color (LOOM_STEP_BREAKDOWN_TRANSFER));
    loom_chart_add_bar_series (chart, C_ ("wait for a rank", "for another reason"), LOOM_CHART_GREY);
    return n;
  }
  loom_chart_add_bar_series (chart, split == SPLIT_HELD_UP ? C_ ("wait for a rank", "because of its own work") : "",
                             is_known ? 0 : LOOM_CHART_GREY);
  if (split == SPLIT_HELD_UP)
    loom_chart_add_bar_series (chart, C_ ("wait for a rank", "because the rank was held up itself"),
                               loom_step_parts_get_color (LOOM_STEP_BREAKDOWN_RANK_WAIT));
  return n;
}

/* Sets the format of the times at the bars to the format that the column of the same times has in the table “Lateness
 * by rank”. */
static void
set_bar_unit (const LoomPageStragglers *self, LoomChart *chart)
{
  gint64 least_ns = 0;
  for (guint i = 0; i < self->stragglers->n_ranks; i++)
    if (self->stragglers->ranks[i].others_ns > 0)
      least_ns = self->stragglers->ranks[i].others_ns; /* the ranks are sorted by this time, longest first */
  loom_chart_set_bar_unit (chart, least_ns, self->stragglers->ranks[0].others_ns);
}

void
loom_page_stragglers_add_bars (const LoomPageStragglers *self)
{
  gboolean is_held_up;
  guint n = count_bars (self, &is_held_up);
  if (n == 0 || is_negligible (self, self->stragglers->wait_ns))
    return;
  const LoomTransfers *links = find_links (self);
  Split split = is_held_up ? SPLIT_HELD_UP : links != NULL ? SPLIT_LINKS : SPLIT_NONE;
  LoomChart *chart =
    loom_chart_new_bars (self->waits.messages_ns > 0 ? _ ("Ranks that others wait for longest, in collectives")
                                                     : _ ("Ranks that others wait for longest"),
                         "ns", split != SPLIT_NONE);
  if (links != NULL)
    add_links_note (self, links);
  guint n_series = add_bar_series (self, chart, split);
  g_autoptr (GPtrArray) ranks = sort_bars (self, n);
  for (guint i = 0; i < n; i++)
    add_bar (self, chart, ranks->pdata[i], split, links);
  loom_chart_show_bar_sums (chart);
  set_bar_unit (self, chart);
  loom_page_content_take_chart (self->sheet, chart, FALSE);
  for (guint i = 0; i < n * n_series; i++) {
    const LoomStraggler *rank = ranks->pdata[i / n_series];
    loom_page_stragglers_set_place (self, i, rank->worst);
    loom_page_stragglers_set_rank (self, i, rank);
  }
}

/* Returns how long a rank waits for messages, in ns. */
static double
get_messages (const LoomPageStragglers *self, gint rank)
{
  for (guint i = 0; i < self->messages->len; i++)
    if (g_array_index (self->messages, LoomRankWaits, i).rank == rank)
      return (double) g_array_index (self->messages, LoomRankWaits, i).waits[LOOM_RANK_WAIT_MESSAGES].total_ns;
  return 0;
}

/* Returns TRUE if the page has the chart of loom_page_stragglers_add_own_waits(). */
static gboolean
has_own_waits (const LoomPageStragglers *self)
{
  guint n = self->stragglers->n_ranks;
  return n >= 2 && n <= MAX_BARS &&
         !is_negligible (self, loom_time_add (self->stragglers->wait_ns, self->waits.messages_ns));
}

void
loom_page_stragglers_add_own_waits (const LoomPageStragglers *self)
{
  guint n = self->stragglers->n_ranks;
  if (!has_own_waits (self))
    return;
  g_autoptr (GPtrArray) ranks = g_ptr_array_sized_new (n);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (ranks, (gpointer) &self->stragglers->ranks[i]);
  g_ptr_array_sort (ranks, compare_numbers);
  LoomChart *chart =
    loom_chart_new_bars (self->waits.messages_ns > 0 ? _ ("How long each rank waits, in collectives and for messages")
                                                     : _ ("How long each rank waits"),
                         "ns", FALSE);
  loom_chart_add_bar_series (chart, "", loom_step_parts_get_color (LOOM_STEP_BREAKDOWN_RANK_WAIT));
  for (guint i = 0; i < n; i++) {
    const LoomStraggler *rank = ranks->pdata[i];
    g_autofree char *name = loom_page_stragglers_dup_rank (self, rank->rank, rank->trace);
    loom_chart_add_bar_group (chart, name, &(double) { (double) rank->wait_ns + get_messages (self, rank->rank) });
  }
  loom_page_content_take_chart (self->sheet, chart, FALSE);
  for (guint i = 0; i < n; i++) {
    loom_page_content_set_place (self->sheet, i, self->input->range, NULL, 0);
    loom_page_stragglers_set_rank (self, i, ranks->pdata[i]);
  }
}

/* Adds a note with the total of all waits of all ranks, if it is larger than the waits in the pie, because a rank can
 * wait in several collectives and messages at once. `waits_ns`: the waits in the pie. */
static void
add_overlap (const LoomPageStragglers *self, gint64 waits_ns)
{
  gint64 sum_ns = loom_time_add (self->stragglers->wait_ns, self->waits.messages_ns);
  if (!has_own_waits (self) || (double) waits_ns > (1 - LEAST_OVERLAP) * (double) sum_ns)
    return;
  g_autofree char *sum = loom_time_format_duration (sum_ns), *once = loom_time_format_duration (waits_ns);
  g_autofree char *text = g_strdup_printf (
    /* Translators: two durations */
    _ (
      "The waits of all ranks add up to %s: where waits of a rank overlap in time, each counts. Counted once, they take %s."),
    sum, once);
  loom_page_content_add_note (self->sheet, text);
}

void
loom_page_stragglers_add_pie (const LoomPageStragglers *self)
{
  LoomCollectiveTimes times = loom_collective_times_sum (self->collectives);
  LoomChart *chart =
    loom_chart_new_pie (self->waits.messages_ns > 0 ? _ ("Time in collectives and messages, overlaps counted once")
                                                    : _ ("Time of all ranks in collectives"),
                        "ns", NULL);
  loom_chart_add_slice (chart, C_ ("time of a collective", "waiting"), (double) times.waits_ns,
                        loom_step_parts_get_color (LOOM_STEP_BREAKDOWN_RANK_WAIT));
  loom_chart_add_slice (chart, C_ ("time of a collective", "transferring"), (double) times.transfers_ns,
                        loom_step_parts_get_color (LOOM_STEP_BREAKDOWN_TRANSFER));
  loom_page_content_take_chart (self->sheet, chart, FALSE);
  loom_page_content_set_places (self->sheet, 2, self->input->range);
  add_overlap (self, times.waits_ns);
}

/* --- heat map of lateness over time ------------------------------------------------------------------------------- */

typedef struct {
  LoomRange range;
  guint n_columns;
  gboolean by_collective; /* TRUE if each column is one collective; FALSE if each column is a part of the range */
  /* array with the element row · n_columns + column for each cell: how late the rank arrived, in ns; if the column has
   * several collectives, the maximum of them; NaN: no value */
  double *most_ns;
} Cells;

static gint64
column_begin (const Cells *cells, guint column)
{
  return cells->range.begin_ns +
         (gint64) ((double) loom_time_sub (cells->range.end_ns, cells->range.begin_ns) * column / cells->n_columns);
}

static void
add_lateness (const LoomPageStragglers *self, Cells *cells, GHashTable *rows)
{
  for (guint i = 0; i < self->collectives->n; i++) {
    const LoomCollectiveMember *members = loom_collectives_get_members (self->collectives, &self->collectives->all[i]);
    double at = (double) loom_time_sub (self->collectives->all[i].arrival_ns, cells->range.begin_ns) /
                (double) loom_time_sub (cells->range.end_ns, cells->range.begin_ns);
    guint column = cells->by_collective ? i : (guint) CLAMP (at * cells->n_columns, 0, cells->n_columns - 1);
    for (guint k = 0; k < self->collectives->all[i].n; k++) {
      gpointer row = NULL;
      if (members[k].rank < 0 || !g_hash_table_lookup_extended (rows, GINT_TO_POINTER (members[k].rank), NULL, &row))
        continue;
      gsize cell = (gsize) GPOINTER_TO_UINT (row) * cells->n_columns + column;
      cells->most_ns[cell] =
        fmax (cells->most_ns[cell],
              (double) loom_time_sub (members[k].arrival_ns, members[0].arrival_ns)); /* fmax() ignores NaN */
    }
  }
}

static int
compare_doubles (gconstpointer x, gconstpointer y)
{
  double a = *(const double *) x, b = *(const double *) y;
  return a < b ? -1 : a > b;
}

/* Returns the upper end of the colour scale: the value that the share HIGH_SHARE of the cells does not exceed, but
 * at least the share LEAST_PART of the maximum. If the scale ended at the maximum, one very late rank could give
 * all other cells nearly the same colour. Without LEAST_PART, a lateness of some µs could have the same colour as
 * one of some ms. */
static double
find_high (const double *values, gsize n)
{
  g_autofree double *sorted = g_new (double, n + 1);
  gsize n_known = 0;
  for (gsize i = 0; i < n; i++)
    if (!isnan (values[i]))
      sorted[n_known++] = values[i];
  qsort (sorted, n_known, sizeof *sorted, compare_doubles);
  if (n_known == 0)
    return 1;
  double high = MAX (sorted[MIN ((gsize) ((double) n_known * HIGH_SHARE), n_known - 1)], 1);
  return MAX (high, LEAST_PART * sorted[n_known - 1]);
}

static void
take_heat (const LoomPageStragglers *self, const Cells *cells, guint n_rows)
{
  gint64 origin_ns = loom_page_get_zero (self->input);
  LoomChart *chart =
    cells->by_collective
      ? loom_chart_new_heat (_ ("Lateness in each collective"), "ns", C_ ("chart", "collective"), "", cells->n_columns,
                             0, cells->n_columns)
      : loom_chart_new_heat (_ ("Lateness over time"), "ns", _ ("time since start"), "ns", cells->n_columns,
                             (double) (cells->range.begin_ns - origin_ns), (double) (cells->range.end_ns - origin_ns));
  gsize n = (gsize) n_rows * cells->n_columns;
  loom_chart_set_scale (chart, 0, find_high (cells->most_ns, n));
  for (guint i = 0; i < n_rows; i++) {
    g_autofree char *name =
      loom_page_stragglers_dup_rank (self, self->stragglers->ranks[i].rank, self->stragglers->ranks[i].trace);
    loom_chart_add_heat_row (chart, name, cells->most_ns + (gsize) i * cells->n_columns);
  }
  loom_page_content_take_chart (self->sheet, chart, TRUE);
  for (guint i = 0; i < n; i++) {
    guint column = i % cells->n_columns;
    if (cells->by_collective)
      loom_page_stragglers_set_place (self, i, column);
    else
      loom_page_content_set_place (
        self->sheet, i, (LoomRange) { column_begin (cells, column), column_begin (cells, column + 1) }, NULL, 0);
    loom_page_stragglers_set_rank (self, i, &self->stragglers->ranks[i / cells->n_columns]);
  }
}

/* Returns the range of the heat map: from the first collective to the last one. If the first collective is near the
 * begin of the analyzed range, the heat map begins there, so that its axis begins with 0 in a whole run. */
static LoomRange
get_heat_range (const LoomPageStragglers *self)
{
  LoomRange range = { self->collectives->all[0].arrival_ns,
                      self->collectives->all[self->collectives->n - 1].arrival_ns + 1 };
  gint64 before_ns = loom_time_sub (range.begin_ns, self->input->range.begin_ns);
  if (before_ns > 0 && before_ns < loom_time_sub (range.end_ns, range.begin_ns) / MAX_HEAT_COLUMNS)
    range.begin_ns = self->input->range.begin_ns;
  return range;
}

void
loom_page_stragglers_add_heat (const LoomPageStragglers *self)
{
  g_autoptr (GHashTable) rows = g_hash_table_new (NULL, NULL);
  guint n_rows = 0;
  while (n_rows < MIN (self->stragglers->n_ranks, MAX_HEAT_ROWS) && self->stragglers->ranks[n_rows].rank >= 0) {
    g_hash_table_insert (rows, GINT_TO_POINTER (self->stragglers->ranks[n_rows].rank), GUINT_TO_POINTER (n_rows));
    n_rows++;
  }
  Cells cells = { .range = get_heat_range (self) };
  cells.n_columns = MIN (self->collectives->n, MAX_HEAT_COLUMNS);
  cells.by_collective = self->collectives->n <= MAX_HEAT_COLUMNS;
  if (n_rows < 2 || cells.n_columns < 2 || loom_time_sub (cells.range.end_ns, cells.range.begin_ns) < MAX_HEAT_COLUMNS)
    return;
  cells.most_ns = g_new (double, (gsize) n_rows *cells.n_columns);
  for (gsize i = 0; i < (gsize) n_rows * cells.n_columns; i++)
    cells.most_ns[i] = NAN;
  add_lateness (self, &cells, rows);
  take_heat (self, &cells, n_rows);
  g_free (cells.most_ns);
}
