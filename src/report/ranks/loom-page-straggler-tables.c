/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the tables of the page "Stragglers": ranks, the work before late arrivals, and the collectives that were delayed
 * most.
 */
#include "loom-page-stragglers-private.h"

#include "loom-transfers.h"

#include <glib/gi18n.h>
#include <math.h>

/* The table of the work before late arrivals omits ranks whose extra time is less than this share of the longest extra
 * time: ranks that are not late have small extra times, too, by chance. */
#define MIN_BEFORE_SHARE 0.05
#define MAX_HELD_UP 200 /* maximum number of rows in the table of collectives in which ranks wait */

/* Returns TRUE if the table needs columns for LoomStraggler.late_ns: the waits that a rank causes alone, after all
 * other ranks have arrived. The table always has a column for LoomStraggler.others_ns, all waits that the rank causes.
 * The two times are equal if only two ranks take part in each collective. */
static gboolean
has_alone (const LoomPageStragglers *self)
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

/* Adds the columns for the time of the rank itself. If the transfer times differ much, a narrow table does not hide
 * their column, because they are then the reason of the lateness. */
static void
add_own_columns (const LoomPageStragglers *self, LoomResultTable *table)
{
  loom_result_table_add_column (table, C_ ("column", "Own Wait"), "ns",
                                _ ("Total time spent waiting for the last rank, in collectives only"));
  guint transfer = loom_result_table_add_column (table, C_ ("column", "Transfer"), "ns",
                                                 _ ("Total time after the last rank arrived, in collectives only"));
  if (have_unequal_transfers (self->stragglers))
    loom_result_table_set_key (table, transfer);
}

static LoomResultTable *
new_rank_table (const LoomPageStragglers *self, gboolean shows_alone)
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
    add_alone_columns (table); /* last, because narrow tables hide the last columns first */
  loom_result_table_set_order (table, others, TRUE);
  return table;
}

static void
set_place_of_rank (const LoomPageStragglers *self, guint element, const LoomStraggler *rank)
{
  if (rank->worst != G_MAXUINT)
    loom_page_stragglers_set_place (self, element, rank->worst);
  else /* the rank was never late, so the target is the whole range of the page */
    loom_page_content_set_place (self->sheet, element, self->input->range, NULL, 0);
  loom_page_stragglers_set_rank (self, element, rank);
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

void
loom_page_stragglers_add_ranks (const LoomPageStragglers *self)
{
  gboolean shows_alone = has_alone (self);
  LoomResultTable *table = new_rank_table (self, shows_alone);
  for (guint i = 0; i < self->stragglers->n_ranks; i++) {
    const LoomStraggler *rank = &self->stragglers->ranks[i];
    g_autofree char *name = loom_page_stragglers_dup_rank (self, rank->rank, rank->trace);
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
    table, C_ ("column", "Extra Time Before Collectives"), "ns",
    _ (
      "Extra time, summed over the collectives for which the rank was late; ranks with less than a twentieth of the longest extra time are left out, and ranks that are late only because they wait for a slow rank"));
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
is_cause (const LoomPageStragglers *self, const LoomStraggler *rank)
{
  if (!loom_slowdown_fits (self->cause) || self->has_other_cause)
    return TRUE;
  return loom_page_stragglers_is_slow (self, rank);
}

/* Returns TRUE if the table of the kernels of slow ranks already states on which kernels the rank spends its extra time.
 * That table compares kernel by kernel; the extra time before collectives also contains differences of other steps, and
 * so would be a second, larger number for the same kernel. */
static gboolean
is_compared (const LoomPageStragglers *self, const LoomStraggler *rank)
{
  const LoomSlowdownWorker *worker = loom_slowdown_find_worker (self->slowdown, rank->node, rank->rank);
  const LoomSlowdownCause *cause = worker != NULL ? loom_slowdown_find_cause (self->slowdown, worker) : NULL;
  return !rank->on_host && cause != NULL && cause->names->len > 0 &&
         loom_slowdown_is_straggler (self->slowdown, worker);
}

void
loom_page_stragglers_add_before (const LoomPageStragglers *self)
{
  LoomResultTable *table = new_before_table ();
  double least_ns = MIN_BEFORE_SHARE * (double) find_longest_before (self->stragglers);
  g_autoptr (GPtrArray) ranks = g_ptr_array_new ();
  for (guint i = 0; i < self->stragglers->n_ranks; i++) {
    const LoomStraggler *rank = &self->stragglers->ranks[i];
    if (rank->before == NULL || (double) rank->before_ns < least_ns || !is_cause (self, rank) ||
        is_compared (self, rank))
      continue;
    g_autofree char *name = loom_page_stragglers_dup_rank (self, rank->rank, rank->trace);
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
longest_wait (const LoomPageStragglers *self, guint number)
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
choose_held_up (const LoomPageStragglers *self)
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
add_held_up_row (const LoomPageStragglers *self, LoomResultTable *table, const LoomCollective *collective)
{
  const LoomCollectiveMember *members = loom_collectives_get_members (self->collectives, collective);
  g_autofree char *last =
    loom_page_stragglers_dup_rank (self, members[collective->n - 1].rank, members[collective->n - 1].trace);
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

void
loom_page_stragglers_add_held_up (const LoomPageStragglers *self)
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
    loom_page_stragglers_set_place (self, i, g_array_index (chosen, guint, i));
  if (n_more == 0)
    return;
  g_autofree char *text =
    g_strdup_printf (ngettext ("%u more collective was held up for a shorter time and is not listed.",
                               "%u more collectives were held up for a shorter time and are not listed.", n_more),
                     n_more);
  loom_page_content_add_note (self->sheet, text);
}
