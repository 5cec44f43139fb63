/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page "Stragglers". It shows how long ranks wait and transfer in collectives. For each rank, it shows how
 * often and by how much the rank is late, and after which work. It also shows the collectives that were delayed most.
 */
#include "loom-page-private.h"

#include "loom-collective-times.h"
#include "loom-frame-collectives.h"
#include "loom-list-separator.h"
#include "loom-rank-waits.h"
#include "loom-step-breakdown.h"
#include "loom-step-parts.h"
#include "loom-steps.h"
#include "loom-stragglers.h"
#include "loom-transfer-charts.h"
#include "loom-transfers.h"

#include <glib/gi18n.h>
#include <math.h>

#define MAX_NAMED 4
#define MAX_BARS 16
#define MIN_BARS 4
/* minimum length of a bar, as a share of the longest one. Shorter bars would be invisible and are omitted; their ranks
 * are in the table */
#define MIN_BAR_SHARE 0.01
/* The table of the work before late arrivals omits ranks whose extra time is less than this share of the longest extra
 * time: ranks that are not late have small extra times, too, by chance. */
#define MIN_BEFORE_SHARE 0.05
/* The charts of waits are omitted if all ranks together wait for less than this share of their time. */
#define LEAST_WAITS 0.005
/* Slow links are the reason why others wait for ranks if the waits for the ranks with slow links are at least this share
 * of all waits in collectives. */
#define LEAST_OF_LINKS 0.5
/* The page states that waits overlap if counting overlaps once makes their sum shorter by more than this share. */
#define LEAST_OVERLAP 0.01
#define MAX_HEAT_ROWS 64
#define MAX_HEAT_COLUMNS 100
#define MAX_HELD_UP 200 /* maximum number of rows in the table of collectives in which ranks wait */
#define LEAST_PART 0.05 /* minimum upper end of the colour scale, as a share of the highest value */
#define HIGH_SHARE 0.98 /* share of the cells whose values are below the upper end of the colour scale */

#define WHOLE_RUN ((LoomRange) { G_MININT64, G_MAXINT64 })

typedef struct {
  const LoomPageInput *input;
  LoomPageContent *sheet;
  LoomCollectives *collectives;
  const LoomStragglers *stragglers;
  const LoomSlowdown *slowdown;
  /* the slowdown that states which ranks are slow: `slowdown` or, if the range has too few steps, that of the whole run */
  const LoomSlowdown *cause;
  LoomCollectives *cause_collectives; /* the collectives from which `cause` is computed; borrowed */
  gboolean is_typical; /* TRUE: no rank is slow in the range, although `cause` may have slow ranks in other steps */
  const LoomHostDelay *delay; /* the ranks that are late because of their hosts; NULL: there are none */
  LoomPageStragglerWaits waits;
  GArray *messages; /* LoomRankWaits: the waits of ranks in messages */
} Page;

/* Returns the name of a rank, such as "rank 3"; if its number is unknown, the name of the file. Owned by the caller. */
static char *
dup_rank (const Page *self, gint rank, guint32 trace)
{
  guint source = loom_run_get_first_source (loom_timeline_get_run (self->input->frame->timeline), trace);
  return loom_page_rank_name (self->input, NULL, rank, &source);
}

/* --- targets on the timeline -------------------------------------------------------------------------------------- */

/* Sets the target of an element to the spans of a collective. The span of the rank that arrived last comes first. */
static void
set_place (const Page *self, guint element, guint number)
{
  const LoomCollective *collective = &self->collectives->all[number];
  const LoomCollectiveMember *members = loom_collectives_get_members (self->collectives, collective);
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  LoomRange range = { members[0].arrival_ns, MAX (collective->end_ns, collective->arrival_ns) + 1 };
  for (guint i = collective->n; i > 0 && spans->len < LOOM_NAVIGATION_TARGET_MAX_SPANS; i--) {
    LoomSpanId span = loom_collectives_get_span (self->collectives, &members[i - 1]);
    range.end_ns = MAX (range.end_ns, members[i - 1].end_ns);
    if (!loom_timeline_span_id_is_none (span))
      g_array_append_val (spans, span);
  }
  loom_page_content_set_place (self->sheet, element, range, (const LoomSpanId *) (gpointer) spans->data, spans->len);
}

static void
set_rank (const Page *self, guint element, const LoomStraggler *rank)
{
  loom_page_content_set_rank (self->sheet, element, rank->rank, rank->trace);
}

/* --- summary ------------------------------------------------------------------------------------------------------ */

/* Returns the number of ranks that count as the latest ranks. The list of ranks is sorted by the time that other ranks
 * wait for the rank, longest first. A rank is one of the latest ranks if this time is at least half of the time of the
 * first rank in the list. */
static guint
count_latest (const Page *self)
{
  guint n = 1;
  while (n < self->stragglers->n_ranks &&
         self->stragglers->ranks[n].others_ns >= self->stragglers->ranks[0].others_ns / 2)
    n++;
  return n;
}

static char *
dup_one_latest (const Page *self, const char *all)
{
  const LoomStraggler *latest = &self->stragglers->ranks[0];
  g_autofree char *name = dup_rank (self, latest->rank, latest->trace),
                  *others = loom_time_format_duration (latest->others_ns);
  return g_strdup_printf (
    ngettext (
      "The others wait longest for %s: %s of the %s that all ranks wait in collectives. This rank arrives last in %u of %u collective.",
      "The others wait longest for %s: %s of the %s that all ranks wait in collectives. This rank arrives last in %u of %u collectives.",
      latest->n),
    name, others, all, latest->n_last, latest->n);
}

static char *
dup_several_latest (const Page *self, guint n, const char *all)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree gint *ranks = g_new (gint, n);
  gint64 others_ns = 0;
  for (guint i = 0; i < n; i++) {
    const LoomStraggler *rank = &self->stragglers->ranks[i];
    ranks[i] = rank->rank;
    g_ptr_array_add (names, dup_rank (self, rank->rank, rank->trace));
    others_ns = loom_time_add (others_ns, rank->others_ns);
  }
  g_autofree char *others = loom_time_format_duration (others_ns),
                  *list = loom_page_join_ranks (names, ranks, MAX_NAMED);
  return g_strdup_printf (
    /* Translators: names of ranks, and two durations */
    _ (
      "Other ranks wait longest for %s. The waits for these ranks are %s of the %s that all ranks wait in collectives."),
    list, others, all);
}

/* Adds an answer about the ranks that are late because of their hosts. Returns FALSE if there are no such ranks. */
static gboolean
add_delay (const Page *self)
{
  g_autoptr (LoomHostDelay) delay = loom_host_delay_find (self->stragglers);
  if (delay == NULL || delay->saved_ns <= 0)
    return FALSE;
  g_autofree char *answer = loom_page_dup_delay_answer (self->input, delay);
  loom_page_content_add_answer (self->sheet, answer);
  return TRUE;
}

static void
add_summary (const Page *self)
{
  guint n = count_latest (self);
  if (self->stragglers->ranks[0].others_ns == 0) {
    loom_page_content_add_answer (self->sheet, _ ("No rank is later than another."));
    return;
  }
  if (add_delay (self))
    return;
  g_autofree char *all = loom_time_format_duration (self->stragglers->wait_ns);
  g_autofree char *latest = n == 1 ? dup_one_latest (self, all) : dup_several_latest (self, n, all);
  loom_page_content_add_answer (self->sheet, latest);
}

/* Returns TRUE if a rank is slow in the range; FALSE if no rank is slow, or if this is unknown. */
static gboolean
has_slow (const Page *self)
{
  return !self->is_typical && self->cause->stragglers->len > 0;
}

/* Returns the groups of ranks in whose transfers the cost of slow links was found; NULL if slow ranks or late hosts are
 * the reason of the waits, or if no link is slow. */
static const LoomTransfers *
get_slow_links (const Page *self)
{
  if (has_slow (self) || self->delay != NULL || !loom_slowdown_fits (self->cause) ||
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
find_links (const Page *self)
{
  const LoomTransfers *transfers = get_slow_links (self);
  gint64 waits_ns = 0;
  for (guint i = 0; transfers != NULL && i < self->stragglers->n_ranks; i++)
    if (has_slow_link (transfers, &self->stragglers->ranks[i]))
      waits_ns = loom_time_add (waits_ns, self->stragglers->ranks[i].others_ns);
  return transfers != NULL && (double) waits_ns >= LEAST_OF_LINKS * (double) self->stragglers->wait_ns ? transfers
                                                                                                       : NULL;
}

/* How the bars of waits are divided by the reason of the waits. */
typedef enum {
  SPLIT_NONE,
  SPLIT_HELD_UP, /* waits that the rank causes; waits while the rank itself waits for another rank */
  SPLIT_LINKS,   /* ranks with slow links; other ranks */
} Split;

/* Adds a bar for the time that other ranks wait for a rank. `links`: see find_links(). */
static void
add_bar (const Page *self, LoomChart *chart, const LoomStraggler *rank, Split split, const LoomTransfers *links)
{
  gint64 first_ns = rank->others_ns;
  if (split == SPLIT_HELD_UP)
    first_ns = loom_page_get_own_waits (self->cause, rank);
  if (split == SPLIT_LINKS && !has_slow_link (links, rank))
    first_ns = 0;
  const double values[] = { (double) first_ns, (double) (rank->others_ns - first_ns) };
  g_autofree char *name = dup_rank (self, rank->rank, rank->trace);
  loom_chart_add_bar_group (chart, name, values);
}

/* Returns the number of ranks with a bar. Sets `is_held_up` to TRUE if at least one of these ranks makes other ranks
 * wait while it waits itself for a slow rank. */
static guint
count_bars (const Page *self, gboolean *is_held_up)
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
is_negligible (const Page *self, gint64 waits_ns)
{
  LoomRange all, range = self->input->range;
  if (!loom_timeline_get_extent (self->input->frame->timeline, &all))
    return TRUE;
  gint64 time_ns = loom_time_sub (MIN (range.end_ns, all.end_ns), MAX (range.begin_ns, all.begin_ns));
  return (double) waits_ns < LEAST_WAITS * (double) time_ns * self->stragglers->n_ranks;
}

/* Returns TRUE if a rank is one of the slow ranks; FALSE if it is not, or if this is unknown. */
static gboolean
is_slow (const Page *self, const LoomStraggler *rank)
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
  gboolean slow_x = is_slow (user_data, x), slow_y = is_slow (user_data, y);
  if (slow_x != slow_y)
    return slow_x ? -1 : 1;
  return x->others_ns > y->others_ns ? -1 : x->others_ns < y->others_ns;
}

/* Returns the `n` ranks that get a bar (LoomStraggler *). Slow ranks come first, then the ranks for which others wait
 * longest. If the slow ranks were not first, the first rank could be one that is late only because it waits for a slow
 * rank. */
static GPtrArray *
sort_bars (const Page *self, guint n)
{
  GPtrArray *ranks = g_ptr_array_sized_new (n);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (ranks, (gpointer) &self->stragglers->ranks[i]);
  g_ptr_array_sort_with_data (ranks, compare_slow, (gpointer) self);
  return ranks;
}

/* Returns how long others wait for the ranks of a group, in ns. */
static gint64
sum_waits_for (const Page *self, const LoomTransfers *transfers, const LoomTransferGroup *group)
{
  gint64 sum_ns = 0;
  for (guint i = 0; i < self->stragglers->n_ranks; i++)
    if (has_rank (transfers, group, self->stragglers->ranks[i].rank))
      sum_ns = loom_time_add (sum_ns, self->stragglers->ranks[i].others_ns);
  return sum_ns;
}

/* Returns the group with slow links for whose ranks others wait longest. */
static const LoomTransferGroup *
find_slowest_group (const Page *self, const LoomTransfers *links)
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
add_links_note (const Page *self, const LoomTransfers *links)
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
add_bar_series (const Page *self, LoomChart *chart, Split split)
{
  /* if the reason of the waits is not known, the bars are neutral */
  gboolean is_known = has_slow (self) || self->delay != NULL;
  guint n = split == SPLIT_NONE ? 1 : 2;
  if (split == SPLIT_LINKS) {
    loom_chart_add_bar_series (chart, C_ ("wait for a rank", "because its transfers are slow"),
                               loom_step_parts_get_color (LOOM_STEP_BREAKDOWN_TRANSFER));
    loom_chart_add_bar_series (chart, C_ ("wait for a rank", "for another reason"), LOOM_CHART_GREY);
    return n;
  }
  loom_chart_add_bar_series (chart, split == SPLIT_HELD_UP ? C_ ("wait for a rank", "because the rank is slow") : "",
                             is_known ? 0 : LOOM_CHART_GREY);
  if (split == SPLIT_HELD_UP)
    loom_chart_add_bar_series (chart, C_ ("wait for a rank", "because the rank was held up itself"),
                               loom_step_parts_get_color (LOOM_STEP_BREAKDOWN_RANK_WAIT));
  return n;
}

/* Writes the waits for ranks as the column of these waits in the table “Lateness by rank” does. */
static void
set_bar_unit (const Page *self, LoomChart *chart)
{
  gint64 least_ns = 0;
  for (guint i = 0; i < self->stragglers->n_ranks; i++)
    if (self->stragglers->ranks[i].others_ns > 0)
      least_ns = self->stragglers->ranks[i].others_ns; /* the ranks are sorted by this time, longest first */
  loom_chart_set_bar_unit (chart, least_ns, self->stragglers->ranks[0].others_ns);
}

static void
add_bars (const Page *self)
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
    set_place (self, i, rank->worst);
    set_rank (self, i, rank);
  }
}

/* Returns how long a rank waits for messages, in ns. */
static double
get_messages (const Page *self, gint rank)
{
  for (guint i = 0; i < self->messages->len; i++)
    if (g_array_index (self->messages, LoomRankWaits, i).rank == rank)
      return (double) g_array_index (self->messages, LoomRankWaits, i).waits[LOOM_RANK_WAIT_MESSAGES].total_ns;
  return 0;
}

/* Returns TRUE if the page has the chart of add_own_waits(). */
static gboolean
has_own_waits (const Page *self)
{
  guint n = self->stragglers->n_ranks;
  return n >= 2 && n <= MAX_BARS &&
         !is_negligible (self, loom_time_add (self->stragglers->wait_ns, self->waits.messages_ns));
}

/* Adds a chart with the time for which each rank itself waits, in collectives and for messages. The ranks are sorted by
 * number. */
static void
add_own_waits (const Page *self)
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
    g_autofree char *name = dup_rank (self, rank->rank, rank->trace);
    loom_chart_add_bar_group (chart, name, &(double) { (double) rank->wait_ns + get_messages (self, rank->rank) });
  }
  loom_page_content_take_chart (self->sheet, chart, FALSE);
  for (guint i = 0; i < n; i++) {
    loom_page_content_set_place (self->sheet, i, self->input->range, NULL, 0);
    set_rank (self, i, ranks->pdata[i]);
  }
}

/* Adds a note with the total of all waits of all ranks, if it is larger than the waits in the pie, because a rank can
 * wait in several collectives and messages at once. `waits_ns`: the waits in the pie. */
static void
add_overlap (const Page *self, gint64 waits_ns)
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

static void
add_pie (const Page *self)
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
add_lateness (const Page *self, Cells *cells, GHashTable *rows)
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

/* Returns the upper end of the colour scale: the value that the share HIGH_SHARE of the cells does not exceed, but at
 * least the share LEAST_PART of the maximum. If the scale ended at the maximum, one very late rank could make all other
 * cells nearly colourless. Without LEAST_PART, a lateness of some µs could have the same colour as one of some ms. */
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
take_heat (const Page *self, const Cells *cells, guint n_rows)
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
    g_autofree char *name = dup_rank (self, self->stragglers->ranks[i].rank, self->stragglers->ranks[i].trace);
    loom_chart_add_heat_row (chart, name, cells->most_ns + (gsize) i * cells->n_columns);
  }
  loom_page_content_take_chart (self->sheet, chart, TRUE);
  for (guint i = 0; i < n; i++) {
    guint column = i % cells->n_columns;
    if (cells->by_collective)
      set_place (self, i, column);
    else
      loom_page_content_set_place (
        self->sheet, i, (LoomRange) { column_begin (cells, column), column_begin (cells, column + 1) }, NULL, 0);
    set_rank (self, i, &self->stragglers->ranks[i / cells->n_columns]);
  }
}

/* Returns the range of the heat map: from the first collective to the last one. If the first collective is near the
 * begin of the analyzed range, the heat map begins there, so that its axis begins with 0 in a whole run. */
static LoomRange
get_heat_range (const Page *self)
{
  LoomRange range = { self->collectives->all[0].arrival_ns,
                      self->collectives->all[self->collectives->n - 1].arrival_ns + 1 };
  gint64 before_ns = loom_time_sub (range.begin_ns, self->input->range.begin_ns);
  if (before_ns > 0 && before_ns < loom_time_sub (range.end_ns, range.begin_ns) / MAX_HEAT_COLUMNS)
    range.begin_ns = self->input->range.begin_ns;
  return range;
}

/* Adds a heat map that shows how much later than the first rank each rank arrived at collectives. A cell for several
 * collectives shows their maximum, so that a single long wait is visible. The latest ranks are in the top rows. */
static void
add_heat (const Page *self)
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

/* --- tables ------------------------------------------------------------------------------------------------------- */

/* Returns TRUE if the table needs columns for LoomStraggler.late_ns: the waits that a rank causes alone, after all
 * other ranks have arrived. The table always has a column for LoomStraggler.others_ns, all waits that the rank causes.
 * The two times are equal if only two ranks take part in each collective. */
static gboolean
has_alone (const Page *self)
{
  for (guint i = 0; i < self->stragglers->n_ranks; i++) {
    const LoomStraggler *rank = &self->stragglers->ranks[i];
    if (rank->late_ns != rank->others_ns || (rank->n_last > 0 && rank->late_max_ns != rank->latest_ns))
      return TRUE;
  }
  return FALSE;
}

static void
add_alone_columns (LoomResultTable *table)
{
  loom_result_table_add_column (table, C_ ("column", "Wait Caused Alone"), "ns",
                                _ ("Total time the others waited for this rank alone, after all others had arrived"));
  loom_result_table_add_column (table, C_ ("column", "Median"), "ns",
                                _ ("Median of the waits that the rank caused alone, when it arrived last"));
  loom_result_table_add_column (table, C_ ("column", "Max"), "ns", _ ("Largest wait that the rank caused alone"));
}

/* Returns TRUE if the transfers of some ranks take much longer than those of others, as behind a slow link. */
static gboolean
have_unequal_transfers (const LoomStragglers *stragglers)
{
  gint64 shortest_ns = G_MAXINT64, longest_ns = 0;
  for (guint i = 0; i < stragglers->n_ranks; i++) {
    shortest_ns = MIN (shortest_ns, stragglers->ranks[i].transfer_ns);
    longest_ns = MAX (longest_ns, stragglers->ranks[i].transfer_ns);
  }
  return (double) longest_ns > LOOM_TRANSFERS_SLOW * (double) shortest_ns;
}

/* Adds the columns for the time of the rank itself. A narrow table keeps the transfer times if they differ much, because
 * they are the reason of the lateness then. */
static void
add_own_columns (const Page *self, LoomResultTable *table)
{
  loom_result_table_add_column (table, C_ ("column", "Own Wait"), "ns",
                                _ ("Total time spent waiting for the last rank, in collectives only"));
  guint transfer = loom_result_table_add_column (table, C_ ("column", "Transfer"), "ns",
                                                 _ ("Total time after the last rank arrived, in collectives only"));
  if (have_unequal_transfers (self->stragglers))
    loom_result_table_set_key (table, transfer);
}

static LoomResultTable *
new_rank_table (const Page *self, gboolean shows_alone)
{
  LoomResultTable *table = loom_result_table_new (self->waits.messages_ns > 0 ? _ ("Lateness by rank, in collectives")
                                                                              : _ ("Lateness by rank"));
  loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Collectives"), "", NULL);
  guint others = loom_result_table_add_column (
    table, C_ ("column", "Wait Caused"), "ns",
    _ ("Total wait caused for other ranks; each moment is split equally among the ranks that have not arrived"));
  loom_result_table_add_column (table, C_ ("column", "Max Lateness"), "ns",
                                _ ("Largest delay after the arrival of the first rank"));
  loom_result_table_add_column (table, C_ ("column", "Arrived Last"), "",
                                _ ("Number of collectives in which the rank arrived last"));
  add_own_columns (self, table);
  if (shows_alone)
    add_alone_columns (table); /* narrow tables hide the last columns first */
  loom_result_table_set_order (table, others, TRUE);
  return table;
}

static void
set_place_of_rank (const Page *self, guint element, const LoomStraggler *rank)
{
  if (rank->worst != G_MAXUINT)
    set_place (self, element, rank->worst);
  else /* the rank was never late, so the target is the whole range of the page */
    loom_page_content_set_place (self->sheet, element, self->input->range, NULL, 0);
  set_rank (self, element, rank);
}

static void
add_rank_row (LoomResultTable *table, const LoomStraggler *rank, gboolean shows_alone)
{
  const double figures[] = { rank->n,      (double) rank->others_ns, (double) rank->latest_ns,
                             rank->n_last, (double) rank->wait_ns,   (double) rank->transfer_ns };
  const double alone[] = { (double) rank->late_ns, rank->n_last > 0 ? (double) rank->late_median_ns : NAN,
                           rank->n_last > 0 ? (double) rank->late_max_ns : NAN };
  loom_result_table_set_numbers (table, 1, figures, G_N_ELEMENTS (figures));
  if (shows_alone)
    loom_result_table_set_numbers (table, 1 + G_N_ELEMENTS (figures), alone, G_N_ELEMENTS (alone));
}

static void
add_ranks (const Page *self)
{
  gboolean shows_alone = has_alone (self);
  LoomResultTable *table = new_rank_table (self, shows_alone);
  for (guint i = 0; i < self->stragglers->n_ranks; i++) {
    const LoomStraggler *rank = &self->stragglers->ranks[i];
    g_autofree char *name = dup_rank (self, rank->rank, rank->trace);
    loom_result_table_add_row (table, name);
    add_rank_row (table, rank, shows_alone);
  }
  loom_page_content_take_table (self->sheet, table);
  for (guint i = 0; i < self->stragglers->n_ranks; i++)
    set_place_of_rank (self, i, &self->stragglers->ranks[i]);
}

static LoomResultTable *
new_before_table (void)
{
  LoomResultTable *table = loom_result_table_new (_ ("What late ranks do before they arrive"));
  loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  loom_result_table_add_column (
    table, C_ ("column", "Activity"), NULL,
    _ (
      "Work since the previous collective that took longer than on the median rank: on the devices of the late rank, or on its host if the devices do not explain the delay"));
  guint extra = loom_result_table_add_column (
    table, C_ ("column", "Extra Time"), "ns",
    _ (
      "Total extra time; ranks with less than a twentieth of the longest extra time are left out, and ranks that are late only because they wait for a slow rank"));
  loom_result_table_set_order (table, extra, TRUE);
  return table;
}

static gint64
find_longest_before (const LoomStragglers *stragglers)
{
  gint64 longest_ns = 0;
  for (guint i = 0; i < stragglers->n_ranks; i++)
    if (stragglers->ranks[i].before != NULL)
      longest_ns = MAX (longest_ns, stragglers->ranks[i].before_ns);
  return longest_ns;
}

/* Returns TRUE if the work of a rank may be the reason why it is late. A rank that is late because it waits for a slow
 * rank or for a slow link is not listed. */
static gboolean
is_cause (const Page *self, const LoomStraggler *rank)
{
  if (!loom_slowdown_fits (self->cause) || self->delay != NULL)
    return TRUE;
  return is_slow (self, rank);
}

/* Adds a table of the work that takes longer on late ranks before they arrive. */
static void
add_before (const Page *self)
{
  LoomResultTable *table = new_before_table ();
  double least_ns = MIN_BEFORE_SHARE * (double) find_longest_before (self->stragglers);
  g_autoptr (GPtrArray) ranks = g_ptr_array_new ();
  for (guint i = 0; i < self->stragglers->n_ranks; i++) {
    const LoomStraggler *rank = &self->stragglers->ranks[i];
    if (rank->before == NULL || (double) rank->before_ns < least_ns || !is_cause (self, rank))
      continue;
    g_autofree char *name = dup_rank (self, rank->rank, rank->trace);
    g_autofree char *before = rank->on_host ? g_strdup_printf (
                                                /* Translators: %s is the name of work that ran on the host */
                                                _ ("%s (host)"), rank->before)
                                            : g_strdup (rank->before);
    loom_result_table_add_row (table, name);
    loom_result_table_set_text (table, 1, before);
    loom_result_table_set_number (table, 2, (double) rank->before_ns);
    g_ptr_array_add (ranks, (gpointer) rank);
  }
  loom_page_content_take_table_if_any (self->sheet, table);
  for (guint i = 0; i < ranks->len; i++)
    set_place_of_rank (self, i, ranks->pdata[i]);
}

/* Returns the wait of the rank that arrived first at the collective with the index `number`, in ns. */
static gint64
longest_wait (const Page *self, guint number)
{
  return loom_collectives_get_members (self->collectives, &self->collectives->all[number])->wait_ns;
}

static int
compare_held_up (gconstpointer x, gconstpointer y, gpointer user_data)
{
  guint a = *(const guint *) x, b = *(const guint *) y;
  gint64 wait_a = longest_wait (user_data, a), wait_b = longest_wait (user_data, b);
  if (wait_a != wait_b)
    return wait_a > wait_b ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* Returns the indices of the collectives in which a rank waited. They are sorted by the wait of the rank that waited
 * longest, longest first. Owned by the caller. */
static GArray *
choose_held_up (const Page *self)
{
  GArray *chosen = g_array_sized_new (FALSE, FALSE, sizeof (guint), self->collectives->n);
  for (guint i = 0; i < self->collectives->n; i++)
    if (longest_wait (self, i) > 0)
      g_array_append_val (chosen, i);
  g_array_sort_with_data (chosen, compare_held_up, (gpointer) self);
  return chosen;
}

static LoomResultTable *
new_held_up_table (void)
{
  LoomResultTable *table = loom_result_table_new (_ ("Collectives held up longest"));
  loom_result_table_add_column (table, C_ ("column", "Collective"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Start"), "time",
                                _ ("Arrival of the last rank, as time since the start of the run"));
  loom_result_table_add_column (table, C_ ("column", "Group"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Ranks"), "", NULL);
  guint last = loom_result_table_add_column (table, C_ ("column", "Last Rank"), NULL, NULL);
  loom_result_table_set_key (table, last);
  loom_result_table_add_column (table, C_ ("column", "Lateness"), "ns",
                                _ ("How much later the last rank arrived than the second-to-last rank"));
  guint longest = loom_result_table_add_column (table, C_ ("column", "Longest Wait"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Transfer"), "ns",
                                _ ("From the arrival of the last rank to the median of the end times of all ranks"));
  loom_result_table_set_order (table, longest, TRUE);
  return table;
}

static void
add_held_up_row (const Page *self, LoomResultTable *table, const LoomCollective *collective)
{
  const LoomCollectiveMember *members = loom_collectives_get_members (self->collectives, collective);
  g_autofree char *last = dup_rank (self, members[collective->n - 1].rank, members[collective->n - 1].trace);
  loom_result_table_add_row (table, collective->name);
  loom_result_table_set_number (table, 1,
                                (double) loom_time_sub (collective->arrival_ns, loom_page_get_zero (self->input)));
  loom_result_table_set_text (table, 2, collective->group);
  loom_result_table_set_number (table, 3, collective->n);
  loom_result_table_set_text (table, 4, last);
  loom_result_table_set_number (table, 5, (double) collective->late_by_ns);
  loom_result_table_set_number (table, 6, (double) members[0].wait_ns);
  loom_result_table_set_number (table, 7, (double) collective->transfer_ns);
}

static void
add_held_up (const Page *self)
{
  g_autoptr (GArray) chosen = choose_held_up (self);
  if (chosen->len == 0)
    return;
  LoomResultTable *table = new_held_up_table ();
  guint n_more = chosen->len - MIN (chosen->len, MAX_HELD_UP);
  g_array_set_size (chosen, chosen->len - n_more);
  for (guint i = 0; i < chosen->len; i++)
    add_held_up_row (self, table, &self->collectives->all[g_array_index (chosen, guint, i)]);
  loom_page_content_take_table (self->sheet, table);
  for (guint i = 0; i < chosen->len; i++)
    set_place (self, i, g_array_index (chosen, guint, i));
  if (n_more == 0)
    return;
  g_autofree char *text =
    g_strdup_printf (ngettext ("%u more collective was held up for a shorter time and is not listed.",
                               "%u more collectives were held up for a shorter time and are not listed.", n_more),
                     n_more);
  loom_page_content_add_note (self->sheet, text);
}

/* --- page of stragglers ------------------------------------------------------------------------------------------- */

static void
add_straggler_answer (const Page *self, const LoomStragglers *stragglers)
{
  loom_page_add_straggler_answer (self->sheet, self->input, self->slowdown, stragglers, self->delay, &self->waits);
  /* If a rank is late because of its host, the heat map of computing times is omitted: such a rank computes as long as
   * the others, so the map would not show the cause. */
  if (self->delay == NULL)
    loom_page_add_slowdown_heat (self->sheet, self->input, self->slowdown);
}

/* Adds a note with the reason why it is unknown how much time slow ranks cost. */
static void
add_unknown (const Page *self)
{
  loom_page_content_add_note (
    self->sheet,
    self->slowdown->missing != NULL
      ? self->slowdown->missing
      : _ ("The cost of slow ranks is unknown: the recorded waits do not explain how long the steps take."));
}

static void
set_cause (Page *self, LoomCollectives *collectives, const LoomSlowdown *slowdown)
{
  if (slowdown == NULL)
    return;
  self->cause = slowdown;
  self->cause_collectives = collectives;
}

/* Adds the answer for a range in which the slowdown cannot be computed. Uses the slowdown of the whole run, if there is
 * one. `whole`: collectives of the whole run; NULL: unknown. */
static void
add_range_answer (Page *self, LoomCollectives *whole, GCancellable *cancellable)
{
  const LoomSlowdown *of_run = whole != NULL ? loom_slowdown_get (whole, cancellable) : NULL;
  gboolean fits = of_run != NULL && loom_slowdown_fits (of_run);
  if (loom_page_add_whole_run_answer (self->sheet, self->input, self->stragglers, cancellable)) {
    set_cause (self, whole, of_run);
    return;
  }
  if (fits && add_delay (self))
    return;
  if (fits && loom_page_add_typical_answer (self->sheet, self->input, whole, of_run, self->stragglers, &self->waits)) {
    set_cause (self, whole, of_run);
    self->is_typical = TRUE;
    return;
  }
  add_summary (self);
  if (!fits || !loom_page_add_slow_step_note (self->sheet, self->input, of_run))
    add_unknown (self);
}

static void
fill (Page *self, GCancellable *cancellable)
{
  g_autofree char *all = loom_chart_format (self->collectives->n, "");
  g_autofree char *from = g_strdup_printf (
    ngettext ("%s collective of several ranks", "%s collectives of several ranks", self->collectives->n), all);
  loom_page_content_set_sources (self->sheet, from);
  g_autoptr (LoomCollectives) whole = NULL; /* owns the slowdown of the whole run */
  if (loom_slowdown_fits (self->slowdown))
    add_straggler_answer (self, self->stragglers);
  else {
    whole = loom_frame_collectives_get (self->input->frame, WHOLE_RUN, cancellable);
    add_range_answer (self, whole, cancellable);
  }
  loom_transfer_charts_add_clock_doubt (self->sheet, self->collectives);
  add_bars (self);
  add_own_waits (self);
  add_pie (self);
  add_heat (self);
  add_before (self);
  add_ranks (self);
  add_held_up (self);
  /* These tables come last, because they compare each rank with the mean of all ranks, while the sentences above
   * compare it with the median. The tables are omitted if a rank is late because of its host: such a rank computes as
   * long as the others, so the tables would not show the cause. */
  if (self->delay == NULL)
    loom_page_add_slowdown_tables (self->sheet, self->input, self->slowdown);
}

/* Measures the waits of all ranks. The exposed parts (waits while nothing is computed) remain −1, which means unknown,
 * if the run has no steps, or when cancelled. Uses the collectives of the whole run, as the page "Summary" does,
 * because steps may extend beyond the range. */
static void
measure_waits (Page *self, GCancellable *cancellable)
{
  LoomTimeline *timeline = self->input->frame->timeline;
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, cancellable);
  g_autoptr (LoomCollectives) all = loom_frame_collectives_get (self->input->frame, WHOLE_RUN, cancellable);
  g_autoptr (LoomStepBreakdown) breakdown =
    steps != NULL && all != NULL ? loom_step_breakdown_new (timeline, steps, all, self->input->range, cancellable)
                                 : NULL;
  self->waits = (LoomPageStragglerWaits) { loom_rank_waits_sum_messages (self->collectives, cancellable), -1, -1 };
  if (breakdown == NULL || breakdown->n_steps == 0)
    return;
  self->waits.exposed_collectives_ns = loom_step_breakdown_sum_collective_waits (breakdown);
  self->waits.exposed_messages_ns =
    loom_step_breakdown_sum_part (breakdown, LOOM_STEP_BREAKDOWN_RANK_WAIT) - self->waits.exposed_collectives_ns;
}

LoomPageContent *
loom_page_stragglers (const LoomPageInput *input, GCancellable *cancellable)
{
  g_autoptr (LoomCollectives) collectives = loom_frame_collectives_get (input->frame, input->range, cancellable);
  g_autoptr (LoomStragglers) stragglers = collectives != NULL ? loom_stragglers_new (collectives, cancellable) : NULL;
  loom_page_count_part (input, cancellable);
  const LoomSlowdown *slowdown = stragglers != NULL ? loom_slowdown_get (collectives, cancellable) : NULL;
  loom_page_count_part (input, cancellable);
  if (slowdown == NULL)
    return NULL;
  g_autoptr (LoomHostDelay) delay =
    loom_slowdown_fits (slowdown) ? loom_slowdown_find_uncovered (slowdown, stragglers) : NULL;
  Page self = { .input = input,
                .sheet = loom_page_content_new (input->range),
                .collectives = collectives,
                .stragglers = stragglers,
                .slowdown = slowdown,
                .cause = slowdown,
                .cause_collectives = collectives,
                .delay = delay };
  g_autoptr (GArray) messages = loom_rank_waits_new_of_messages (collectives, cancellable);
  if (messages == NULL) {
    loom_page_content_unref (self.sheet);
    return NULL;
  }
  self.messages = messages;
  measure_waits (&self, cancellable);
  /* the slowdown of a run without collectives can be computed from recorded operations of a pipeline */
  if (collectives->n == 0 && loom_slowdown_fits (slowdown)) {
    add_straggler_answer (&self, NULL);
    loom_page_add_slowdown_tables (self.sheet, input, slowdown);
  } else if (collectives->n == 0)
    loom_page_add_no_collectives (self.sheet, input);
  else
    fill (&self, cancellable);
  loom_page_count_part (input, cancellable);
  return loom_page_finish (self.sheet, cancellable);
}
