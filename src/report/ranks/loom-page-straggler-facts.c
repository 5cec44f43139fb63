/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the facts at the top of the page "Stragglers": for each straggler, the work that takes longer on it, and the
 * waits that it causes.
 */
#include "loom-page-straggler-answer.h"

#include <glib/gi18n.h>
#include <inttypes.h>

/* A rank that is not a straggler may also make other ranks wait, because it itself waits for a third rank. The page
 * names such a rank only if the waits for it are at least this share of all waits. */
#define LEAST_WAITED 0.05
/* A rank causes a wait of other ranks only if it does not itself wait for a third rank at that time. If a rank causes
 * at most this share of the time that other ranks wait for it, the page states that they wait for it mostly because of
 * the third rank. */
#define MOST_OWN 0.5

/* Finds the lateness of a worker by its node and rank number. If no rank on the node has this number, returns the first
 * rank with this number on any node. NULL if no rank has this number. */
static const LoomStraggler *
find_lateness (const LoomStragglers *stragglers, const LoomSlowdownWorker *worker)
{
  const LoomStraggler *found = NULL;
  for (guint i = 0; stragglers != NULL && worker->rank >= 0 && i < stragglers->n_ranks; i++) {
    const LoomStraggler *rank = &stragglers->ranks[i];
    if (rank->rank == worker->rank && g_strcmp0 (rank->node, worker->node) == 0)
      return rank;
    if (rank->rank == worker->rank && found == NULL)
      found = rank;
  }
  return found;
}

/* Adds a fact with the work on which a rank spends most extra time. `longer`: the extra time, as text. */
static void
add_before_fact (const LoomPageStragglerAnswer *self, const LoomStraggler *rank, const char *longer)
{
  g_autofree char *text = rank->on_host
                            ? g_strdup_printf (/* Translators: a name, and a text such as “3 ms per step” */
                                               C_ ("work, extra time", "%s on its host, %s"), rank->before, longer)
                            : g_strdup_printf (/* Translators: a name, and a text such as “3 ms per step” */
                                               C_ ("work, extra time", "%s, %s"), rank->before, longer);
  loom_page_content_add_fact (self->sheet, _ ("Most extra time, compared with the median rank"), text);
}

static char *
dup_in_step (const LoomPageStragglerAnswer *self, const char *time, guint step)
{
  gint64 number = g_array_index (self->slowdown->steps, LoomSlowdownStep, step).number;
  return g_strdup_printf (/* Translators: a duration, and the number of a step */ _ ("%s in step %" PRId64), time,
                          number);
}

/* Adds a fact with the work on which a rank spends most extra time in one step. The extra times of other steps are not
 * added, because they are noise: with them, the sum could be greater than the time by which the rank computes longer
 * than is typical. O(collectives · ranks). */
static void
add_before_in (const LoomPageStragglerAnswer *self, const LoomSlowdownWorker *worker, guint number)
{
  const LoomSlowdownStep *step = &g_array_index (self->slowdown->steps, LoomSlowdownStep, number);
  g_autoptr (LoomCollectives) collectives =
    loom_collectives_new (self->stragglers->collectives->timeline, &step->range, NULL);
  g_autoptr (LoomStragglers) stragglers = loom_stragglers_new (collectives, NULL);
  const LoomStraggler *rank = find_lateness (stragglers, worker);
  if (rank == NULL || rank->before == NULL)
    return;
  g_autofree char *time = loom_time_format_duration (rank->before_ns), *longer = dup_in_step (self, time, number);
  add_before_fact (self, rank, longer);
}

/* Adds the fact about the kernel with most extra time, as in the table of the kernels of slow ranks. Returns FALSE if
 * the kernels of the rank were not compared with those of other ranks. */
static gboolean
add_kernel (const LoomPageStragglerAnswer *self, const LoomSlowdownWorker *worker)
{
  const LoomSlowdownCause *cause = loom_slowdown_find_cause (self->slowdown, worker);
  guint main_step = loom_slowdown_find_main_step (self->slowdown);
  if (cause == NULL || cause->names->len == 0)
    return FALSE;
  const LoomSlowdownCauseName *name = &g_array_index (cause->names, LoomSlowdownCauseName, 0);
  g_autofree char *time = loom_time_format_duration (name->longer_ns / MAX (cause->n_steps, 1)),
                  *longer = main_step != G_MAXUINT ? dup_in_step (self, time, main_step)
                                                   : g_strdup_printf (_ ("%s per step"), time);
  g_autofree char *text = g_strdup_printf (C_ ("work, extra time", "%s, %s"), name->name, longer);
  loom_page_content_add_fact (self->sheet, _ ("Most extra time, compared with the median rank"), text);
  return TRUE;
}

static void
add_before (const LoomPageStragglerAnswer *self, const LoomSlowdownWorker *worker)
{
  const LoomSlowdown *slowdown = self->slowdown;
  const LoomStraggler *rank = find_lateness (self->stragglers, worker);
  guint main_step = loom_slowdown_find_main_step (slowdown);
  if (rank == NULL || rank->before == NULL || (!rank->on_host && add_kernel (self, worker)))
    return;
  if (main_step != G_MAXUINT) {
    add_before_in (self, worker, main_step);
    return;
  }
  g_autofree char *time = loom_time_format_duration (rank->before_ns / MAX (slowdown->steps->len, 1)),
                  *longer = g_strdup_printf (/* Translators: a duration */ _ ("%s per step"), time);
  add_before_fact (self, rank, longer);
}

/* Returns TRUE if a rank is not a straggler, but makes other ranks wait, mostly because it itself waits for a third
 * rank. */
static gboolean
is_held_up (const LoomPageStragglerAnswer *self, const LoomStraggler *rank, const LoomSlowdownWorker *worker)
{
  return worker != NULL && (double) rank->others_ns >= LEAST_WAITED * (double) self->stragglers->wait_ns &&
         !loom_slowdown_is_straggler (self->slowdown, worker) &&
         (double) loom_page_get_own_waits (self->slowdown, rank) <= MOST_OWN * (double) rank->others_ns;
}

char *
loom_page_straggler_answer_dup_held_up (const LoomPageStragglerAnswer *self)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) ranks = g_array_new (FALSE, FALSE, sizeof (gint));
  for (guint i = 0; self->stragglers != NULL && i < self->stragglers->n_ranks; i++) {
    const LoomStraggler *rank = &self->stragglers->ranks[i];
    const LoomSlowdownWorker *worker = loom_slowdown_find_worker (self->slowdown, rank->node, rank->rank);
    if (!is_held_up (self, rank, worker))
      continue;
    g_ptr_array_add (names, loom_page_dup_slowdown_worker (self->input, self->slowdown, worker));
    g_array_append_val (ranks, rank->rank);
  }
  return names->len > 0 ? loom_page_join_ranks (names, (const gint *) (gconstpointer) ranks->data,
                                                LOOM_PAGE_STRAGGLER_ANSWER_MAX_NAMED)
                        : NULL;
}

/* Adds a sentence that states how long all ranks wait because of a straggler. `held_up`: names of the ranks that are
 * late mostly because they wait for the straggler; NULL if there are none. */
static void
add_caused (const LoomPageStragglerAnswer *self, const LoomSlowdownWorker *worker, const char *held_up)
{
  double share = loom_slowdown_get_caused (self->slowdown, worker);
  if (share <= 0)
    return;
  const LoomStraggler *rank = find_lateness (self->stragglers, worker);
  gint64 caused_ns = MIN (worker->waits_ns, self->slowdown->waits_ns);
  /* at most 99 %, because the text “476 ms of 478 ms (100 %)” would be wrong */
  double percent = share < 1 ? MIN (100 * share, 99) : 100;
  g_autofree char *caused = loom_time_format_duration (caused_ns),
                  *all = loom_time_format_duration (self->slowdown->waits_ns),
                  *direct = loom_time_format_duration (MIN (rank != NULL ? rank->others_ns : 0, caused_ns));
  g_autofree char *text =
    held_up != NULL
      ? g_strdup_printf (
          /* Translators: two durations, a share, a duration, and names of ranks */
          _ (
            "%s of %s in collectives (%.0f %%): %s for this rank, the rest for %s, late mostly because of waiting for this rank"),
          caused, all, percent, direct, held_up)
      : g_strdup_printf (/* Translators: two durations and a share */ _ ("%s of %s in collectives (%.0f %%)"), caused,
                         all, percent);
  loom_page_content_add_fact (self->sheet, _ ("Waits caused by this rank"), text);
}

/* Returns by how much the computing time of a rank exceeds the typical time: "3.42 ms per step (+14 %)". If most of
 * this time is in one step: "5 ms in total (+58 % in step 6)". Owned by the caller. */
static char *
dup_extra (const LoomPageStragglerAnswer *self, const LoomSlowdownWorker *worker)
{
  const LoomSlowdown *slowdown = self->slowdown;
  guint main_step = loom_slowdown_find_main_step (slowdown);
  g_autofree char *extra =
    loom_time_format_duration (worker->excess_ns * (main_step != G_MAXUINT ? slowdown->steps->len : 1));
  if (main_step != G_MAXUINT)
    return g_strdup_printf (/* Translators: a duration, a percentage, and the number of a step */
                            _ ("%s in total (%+.0f %% in step %" PRId64 ")"), extra,
                            loom_page_straggler_answer_get_step_percent (self, worker, main_step),
                            g_array_index (slowdown->steps, LoomSlowdownStep, main_step).number);
  return g_strdup_printf (/* Translators: how much longer a rank computes: "3.42 ms per step (+14 %)" */
                          _ ("%s per step (%+.0f %%)"), extra,
                          loom_page_straggler_answer_get_extra_percent (self, worker));
}

static void
add_straggler (const LoomPageStragglerAnswer *self, const LoomSlowdownWorker *worker, const char *held_up)
{
  g_autofree char *name = loom_page_dup_slowdown_worker (self->input, self->slowdown, worker),
                  *text = dup_extra (self, worker), *title = g_strdup_printf (_ ("Work that takes longer on %s"), name);
  loom_page_content_add_facts (self->sheet, title);
  loom_page_content_add_fact (self->sheet,
                              self->slowdown->stages->len > 1 || worker->stage >= 0
                                ? _ ("Computation beyond what is typical of its stage")
                                : _ ("Computation beyond the median of the same kernels"),
                              text);
  loom_page_add_straggler_cause (self->sheet, self->slowdown, worker);
  add_before (self, worker);
  add_caused (self, worker, held_up);
}

void
loom_page_straggler_answer_add_facts (const LoomPageStragglerAnswer *self)
{
  guint n = self->slowdown->stragglers->len;
  g_autofree char *held_up = n > 0 ? loom_page_straggler_answer_dup_held_up (self) : NULL;
  for (guint i = 0; i < MIN (n, LOOM_PAGE_STRAGGLER_ANSWER_MAX_NAMED); i++)
    add_straggler (self, loom_page_straggler_answer_get_straggler (self, i), i == 0 ? held_up : NULL);
}

gint64
loom_page_get_own_waits (const LoomSlowdown *slowdown, const LoomStraggler *rank)
{
  const LoomSlowdownWorker *worker =
    rank->rank >= 0 ? loom_slowdown_find_worker (slowdown, rank->node, rank->rank) : NULL;
  if (!loom_slowdown_fits (slowdown) || worker == NULL || worker->waits_ns == G_MININT64 ||
      loom_slowdown_is_straggler (slowdown, worker))
    return rank->others_ns;
  return CLAMP (worker->waits_ns, 0, rank->others_ns);
}
