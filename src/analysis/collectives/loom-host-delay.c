/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-host-delay.h"

#include <string.h>

#include "loom-list-separator.h"

/* A rank is nearly as bad as the worst rank (LoomStragglers.ranks[0]) if the time that other ranks waited for it is at
 * least this share of the time that they waited for the worst rank. */
#define ABOUT_AS_LONG 0.9

/* A delayed rank is included in LoomHostDelay.ranks only if the time that other ranks waited for it is at least this
 * share of the time that they waited for LoomHostDelay.main. */
#define WORTH_A_NAME 0.5

/* Work on the host of a late rank is the cause of its lateness if the extra time of this work is at least the share
 * EXPLAINED of the lateness. The smaller share CORRELATED_EXPLAINED is enough if the correlation of the extra time with
 * the lateness is at least LEAST_CORRELATION. In that case, the work causes a part of the lateness, and something else,
 * such as a slow link, causes the rest. */
#define EXPLAINED 0.5
#define CORRELATED_EXPLAINED 0.1
#define LEAST_CORRELATION 0.5

#define MAX_NAMED 4 /* maximum number of ranks that a sentence names */

/* Returns TRUE if the rank's number is known and the rank is late because its host spends longer on the work
 * LoomStraggler.before. */
static gboolean
is_delayed (const LoomStraggler *rank)
{
  if (rank->rank < 0 || !rank->on_host || rank->before == NULL || rank->before_ns <= 0)
    return FALSE;
  double share = (double) rank->before_ns / (double) MAX (rank->behind_ns, 1);
  return share >= EXPLAINED || (share >= CORRELATED_EXPLAINED && rank->correlation >= LEAST_CORRELATION);
}

static const LoomStraggler *
find_main (const LoomStragglers *stragglers)
{
  for (guint i = 0; i < stragglers->n_ranks; i++) {
    const LoomStraggler *rank = &stragglers->ranks[i];
    if ((double) rank->others_ns < ABOUT_AS_LONG * (double) stragglers->ranks[0].others_ns)
      break;
    if (is_delayed (rank))
      return rank;
  }
  return NULL;
}

static gboolean
is_named (const LoomStraggler *rank, const LoomStraggler *main)
{
  return is_delayed (rank) && strcmp (rank->before, main->before) == 0 &&
         (double) rank->others_ns >= WORTH_A_NAME * (double) main->others_ns;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const LoomStraggler *x = *(const LoomStraggler *const *) a, *y = *(const LoomStraggler *const *) b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return x->rank_number < y->rank_number ? -1 : x->rank_number > y->rank_number;
}

LoomHostDelay *
loom_host_delay_find (const LoomStragglers *stragglers)
{
  g_return_val_if_fail (stragglers != NULL, NULL);
  const LoomStraggler *main = find_main (stragglers);
  if (main == NULL)
    return NULL;
  LoomHostDelay *delay = g_new0 (LoomHostDelay, 1);
  delay->main = main;
  delay->before = main->before;
  delay->ranks = g_new (const LoomStraggler *, stragglers->n_ranks);
  for (guint i = 0; i < stragglers->n_ranks; i++) {
    const LoomStraggler *rank = &stragglers->ranks[i];
    if (!is_named (rank, main))
      continue;
    delay->ranks[delay->n++] = rank;
    delay->before_ns = MAX (delay->before_ns, rank->before_ns);
    delay->latest_ns = MAX (delay->latest_ns, rank->latest_ns);
  }
  qsort (delay->ranks, delay->n, sizeof *delay->ranks, compare_numbers);
  delay->saved_ns = loom_stragglers_sum_saving (stragglers, delay->ranks, delay->n);
  return delay;
}

void
loom_host_delay_free (LoomHostDelay *delay)
{
  if (delay == NULL)
    return;
  g_free (delay->ranks);
  g_free (delay);
}

char *
loom_host_delay_dup_ranks (const LoomHostDelay *delay)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < delay->n; i++)
    g_ptr_array_add (names, g_strdup_printf ("%d", delay->ranks[i]->rank));
  return loom_list_separator_join_most (names, MAX_NAMED);
}
