/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-late-rank-words.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "loom-frame-collectives.h"
#include "loom-late-ranks.h"
#include "loom-page-private.h"
#include "loom-row-list.h"

/* Returns a few words about the lateness of the rank, for its row on the timeline. Owned by the caller. */
static char *
dup_label (const LoomRankLateness *rank)
{
  g_autofree char *cost = loom_time_format_duration (rank->cost_ns);
  if (rank->cost_ns <= 0)
    return g_strdup (C_ ("rank", "late"));
  if (rank->step >= 0)
    return g_strdup_printf (/* Translators: a rank is late, which costs the job a duration, mostly in the step with this
                             * number; short, or the row cuts it off */
                            _ ("late · costs %s (step %" PRId64 ")"), cost, rank->step);
  switch (rank->kind) {
  case LOOM_LATENESS_SLOW:
    return g_strdup_printf (/* Translators: a rank is late, which costs this duration in each step */
                            _ ("late · costs %s per step"), cost);
  case LOOM_LATENESS_HOST:
    return g_strdup_printf (/* Translators: a rank is late by a duration */ _ ("late by %s"), cost);
  default:
    return g_strdup_printf (/* Translators: other ranks wait for a rank for this duration */ _ ("others wait %s"),
                            cost);
  }
}

/* Returns words for a row that is too small for the result of dup_label(). They are shorter, because they do not
 * contain the step. NULL if there are no shorter words. Owned by the caller. */
static char *
dup_short_label (const LoomRankLateness *rank)
{
  g_autofree char *cost = loom_time_format_duration (rank->cost_ns);
  if (rank->cost_ns <= 0 || rank->step < 0)
    return NULL;
  return g_strdup_printf (/* Translators: a rank is late, which costs the job a duration */
                          _ ("late · costs %s"), cost);
}

/* Returns a sentence with the name of the rank and the time that its lateness costs. Owned by the caller. */
static char *
dup_sentence (const LoomRankLateness *rank, const LoomPageInput *input)
{
  guint source = rank->trace != G_MAXUINT32
                   ? loom_run_get_first_source (loom_timeline_get_run (input->frame->timeline), rank->trace)
                   : 0;
  g_autofree char *name = loom_page_rank_name (input, NULL, rank->rank, &source),
                  *cost = loom_time_format_duration (rank->cost_ns);
  if (rank->cost_ns <= 0)
    return g_strdup_printf (_ ("The others wait for %s."), name);
  if (rank->step >= 0)
    return loom_page_dup_main_step_saving (input, name, rank->step, rank->cost_ns);
  switch (rank->kind) {
  case LOOM_LATENESS_SLOW:
    return g_strdup_printf (/* Translators: the name of a rank, and a duration */
                            _ ("The others wait for %s: fixing this rank would save %s of each step."), name, cost);
  case LOOM_LATENESS_HOST:
    return g_strdup_printf (/* Translators: the name of a rank, and a duration */
                            _ ("The others wait for %s, up to %s in one collective."), name, cost);
  default:
    return g_strdup_printf (/* Translators: the name of a rank, and a duration */
                            _ ("The others wait longest for %s: %s in total."), name, cost);
  }
}

/* Makes the texts about each rank. `ranks`: array of LoomRankLateness. Returns an array of LoomRowLateness. */
static GArray *
put_into_words (const GArray *ranks, const LoomPageInput *input)
{
  GArray *words = loom_row_list_new_lateness ();
  for (guint i = 0; i < ranks->len; i++) {
    const LoomRankLateness *rank = &g_array_index (ranks, LoomRankLateness, i);
    const LoomRowLateness late = {
      .node = g_strdup (rank->node),
      .rank = rank->rank,
      .label = dup_label (rank),
      .short_label = dup_short_label (rank),
      .sentence = dup_sentence (rank, input),
      .ranges = g_memdup2 (rank->ranges->data, rank->ranges->len * sizeof (LoomRange)),
      .n_ranges = rank->ranges->len,
    };
    g_array_append_val (words, late);
  }
  return words;
}

GArray *
loom_late_rank_words_list (const LoomPageInput *input, GCancellable *cancellable)
{
  g_autoptr (LoomCollectives) collectives = loom_frame_collectives_get (input->frame, input->range, cancellable);
  g_autoptr (LoomStragglers) stragglers = collectives != NULL ? loom_stragglers_new (collectives, cancellable) : NULL;
  g_autoptr (GArray) ranks = stragglers != NULL ? loom_late_ranks_find (collectives, stragglers, cancellable) : NULL;
  return ranks != NULL ? put_into_words (ranks, input) : NULL;
}
