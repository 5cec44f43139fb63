/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-wait-cause.h"

#include <glib/gi18n.h>

#include "loom-frame-collectives.h"
#include "loom-late-ranks.h"
#include "loom-list-separator.h"
#include "loom-page-private.h"
#include "loom-pipeline-bubbles.h"
#include "loom-rank-waits.h"
#include "loom-transfers.h"

/* A cause is the main cause if it explains at least the share MOST of the waits. Late ranks that explain a smaller
 * share, but at least LEAST, are named as the cause of a part of the waits. */
#define MOST 0.5
#define LEAST 0.2
#define MAX_NAMED 4

/* Returns how long other ranks wait for the late ranks in collectives, in ns. `late`: array of LoomRankLateness.
 * `slowdown`: slowdown in the range of `late`; NULL if `late` is about the whole run. */
static gint64
sum_waits_for (const GArray *late, const LoomStragglers *stragglers, const LoomSlowdown *slowdown)
{
  gint64 sum_ns = 0;
  if (slowdown != NULL && g_array_index (late, LoomRankLateness, 0).kind == LOOM_LATENESS_SLOW)
    return slowdown->caused_ns;
  for (guint i = 0; i < late->len; i++)
    for (guint k = 0; k < stragglers->n_ranks; k++)
      if (stragglers->ranks[k].rank == g_array_index (late, LoomRankLateness, i).rank &&
          g_strcmp0 (stragglers->ranks[k].node, g_array_index (late, LoomRankLateness, i).node) == 0)
        sum_ns = loom_time_add (sum_ns, stragglers->ranks[k].others_ns);
  return sum_ns;
}

/* Returns the late ranks of the whole run, as the page "Stragglers" shows them. It is used for a range with too few
 * steps to find slow ranks. Owned by the caller; NULL only when cancelled. */
static GArray *
find_late_in_run (const LoomPageInput *input, GCancellable *cancellable)
{
  static const LoomRange whole = { G_MININT64, G_MAXINT64 };
  g_autoptr (LoomCollectives) all = loom_frame_collectives_get (input->frame, whole, cancellable);
  g_autoptr (LoomStragglers) stragglers = all != NULL ? loom_stragglers_new (all, cancellable) : NULL;
  return stragglers != NULL ? loom_late_ranks_find (all, stragglers, cancellable) : NULL;
}

static char *
dup_names (const LoomPageInput *input, const GArray *late)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree gint *ranks = g_new (gint, late->len);
  for (guint i = 0; i < late->len; i++) {
    const LoomRankLateness *rank = &g_array_index (late, LoomRankLateness, i);
    guint source = rank->trace != G_MAXUINT32
                     ? loom_run_get_first_source (loom_timeline_get_run (input->frame->timeline), rank->trace)
                     : 0;
    ranks[i] = rank->rank;
    g_ptr_array_add (names, loom_page_rank_name (input, NULL, rank->rank, &source));
  }
  return loom_page_join_ranks (names, ranks, MAX_NAMED);
}

/* Returns words with the names of the late ranks for which other ranks wait in collectives. Sets `share` to the share
 * of the waits for these ranks in all waits in collectives and messages. Returns NULL if there are no late ranks, or if
 * the share is very small. */
static char *
dup_late (const LoomPageInput *input, LoomCollectives *collectives, const LoomSlowdown *slowdown, double *share,
          GCancellable *cancellable)
{
  g_autoptr (LoomStragglers) stragglers = loom_stragglers_new (collectives, cancellable);
  g_autoptr (GArray) late = stragglers != NULL ? loom_late_ranks_find (collectives, stragglers, cancellable) : NULL;
  if (late != NULL && late->len == 0) {
    slowdown = NULL;
    g_clear_pointer (&late, g_array_unref);
    late = find_late_in_run (input, cancellable);
  }
  if (late == NULL || late->len == 0)
    return NULL;
  gint64 all_ns = loom_time_add (stragglers->wait_ns, loom_rank_waits_sum_messages (collectives, cancellable));
  *share = all_ns > 0 ? (double) sum_waits_for (late, stragglers, slowdown) / (double) all_ns : 0;
  if (*share < LEAST)
    return NULL;
  g_autofree char *names = dup_names (input, late);
  return g_strdup_printf (/* Translators: names of ranks; part of "The devices wait for other ranks for 9.1 % of their
                           * time, …." */
                          *share >= MOST ? _ ("mostly for %s") : _ ("partly for %s"), names);
}

/* Returns words about a slow link if it causes most of the waits; otherwise NULL. */
static char *
dup_link (LoomCollectives *collectives, const LoomSlowdown *slowdown, double waits_percent, GCancellable *cancellable)
{
  const LoomTransfers *transfers = loom_transfers_get (collectives, cancellable);
  const LoomTransferGroup *slow =
    transfers != NULL && transfers->groups->len > 0 ? &g_array_index (transfers->groups, LoomTransferGroup, 0) : NULL;
  if (slow == NULL || !slow->slow || !loom_slowdown_fits (slowdown))
    return NULL;
  double loss = 100 * (double) slowdown->transfer_loss_ns / (double) loom_slowdown_get_pace (slowdown);
  if (loss < MOST * waits_percent)
    return NULL;
  g_autofree char *ranks = loom_transfers_dup_ranks (transfers, slow, loom_list_separator ());
  return g_strdup_printf (/* Translators: ranks ("0–3"); part of "The devices wait for other ranks for 9.1 % of their
                           * time, …." */
                          _ ("mostly because transfers between ranks %s are slow"), ranks);
}

/* Returns TRUE if most of the waiting time is that of pipeline stages that wait for messages. */
static gboolean
are_bubbles (const LoomCollectives *collectives, const LoomStepBreakdown *breakdown, GCancellable *cancellable)
{
  const LoomBubbles *bubbles = loom_pipeline_bubbles_get (collectives, cancellable);
  gint64 all_ns = loom_step_breakdown_sum_part (breakdown, LOOM_STEP_BREAKDOWN_RANK_WAIT),
         messages_ns = all_ns - loom_step_breakdown_sum_collective_waits (breakdown);
  return bubbles != NULL && bubbles->all->len > 0 && (double) messages_ns >= MOST * (double) all_ns;
}

LoomWaitCause
loom_wait_cause_find (const LoomPageInput *input, LoomCollectives *collectives, const LoomStepBreakdown *breakdown,
                      double waits_percent, GCancellable *cancellable)
{
  double share = 0;
  const LoomSlowdown *slowdown = loom_slowdown_get (collectives, cancellable);
  g_autofree char *late = slowdown != NULL ? dup_late (input, collectives, slowdown, &share, cancellable) : NULL,
                  *link = slowdown != NULL ? dup_link (collectives, slowdown, waits_percent, cancellable) : NULL;
  if (late != NULL && (share >= MOST || link == NULL))
    return (LoomWaitCause) { g_steal_pointer (&late), _ ("See also “Stragglers”.") };
  if (link != NULL)
    return (LoomWaitCause) { g_steal_pointer (&link), _ ("See also “Collectives”.") };
  if (are_bubbles (collectives, breakdown, cancellable))
    return (LoomWaitCause) {
      g_strdup (/* Translators: part of "The devices wait for other ranks for 9.1 % of their time, …." */
                _ ("mostly in pipeline bubbles")),
      _ ("See also “Parallelism”.")
    };
  return (LoomWaitCause) { NULL, NULL };
}
