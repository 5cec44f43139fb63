/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page "Stragglers". It shows how long ranks wait and transfer in collectives. For each rank, it shows how
 * often and by how much the rank is late, and after which work. It also shows the collectives that were delayed most.
 */
#include "loom-page-stragglers-private.h"

#include "loom-frame-collectives.h"
#include "loom-late-ranks.h"
#include "loom-list-separator.h"
#include "loom-rank-waits.h"
#include "loom-step-breakdown.h"
#include "loom-steps.h"
#include "loom-stragglers.h"
#include "loom-transfer-charts.h"

#include <glib/gi18n.h>

#define MAX_NAMED 4

#define WHOLE_RUN ((LoomRange) { G_MININT64, G_MAXINT64 })

char *
loom_page_stragglers_dup_rank (const LoomPageStragglers *self, gint rank, guint32 trace)
{
  guint source = loom_run_get_first_source (loom_timeline_get_run (self->input->frame->timeline), trace);
  return loom_page_rank_name (self->input, NULL, rank, &source);
}

/* --- targets on the timeline -------------------------------------------------------------------------------------- */

void
loom_page_stragglers_set_place (const LoomPageStragglers *self, guint element, guint number)
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

void
loom_page_stragglers_set_rank (const LoomPageStragglers *self, guint element, const LoomStraggler *rank)
{
  loom_page_content_set_rank (self->sheet, element, rank->rank, rank->trace);
}

/* --- summary ------------------------------------------------------------------------------------------------------ */

/* Returns the number of ranks that count as the latest ranks. The list of ranks is sorted by the time that other ranks
 * wait for the rank, longest first. A rank is one of the latest ranks if this time is at least half of the time of the
 * first rank in the list. */
static guint
count_latest (const LoomPageStragglers *self)
{
  guint n = 1;
  while (n < self->stragglers->n_ranks &&
         self->stragglers->ranks[n].others_ns >= self->stragglers->ranks[0].others_ns / 2)
    n++;
  return n;
}

static char *
dup_one_latest (const LoomPageStragglers *self, const char *all)
{
  const LoomStraggler *latest = &self->stragglers->ranks[0];
  g_autofree char *name = loom_page_stragglers_dup_rank (self, latest->rank, latest->trace),
                  *others = loom_time_format_duration (latest->others_ns);
  return g_strdup_printf (
    ngettext (
      "The others wait longest for %s: %s of the %s that all ranks wait in collectives. This rank arrives last in %u of %u collective.",
      "The others wait longest for %s: %s of the %s that all ranks wait in collectives. This rank arrives last in %u of %u collectives.",
      latest->n),
    name, others, all, latest->n_last, latest->n);
}

static char *
dup_several_latest (const LoomPageStragglers *self, guint n, const char *all)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree gint *ranks = g_new (gint, n);
  gint64 others_ns = 0;
  for (guint i = 0; i < n; i++) {
    const LoomStraggler *rank = &self->stragglers->ranks[i];
    ranks[i] = rank->rank;
    g_ptr_array_add (names, loom_page_stragglers_dup_rank (self, rank->rank, rank->trace));
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

/* Adds sentences at the top of the page about the ranks that are late because of their hosts. Returns FALSE if there
 * are no such ranks. */
static gboolean
add_delay (const LoomPageStragglers *self)
{
  g_autoptr (LoomHostDelay) delay = loom_host_delay_find (self->stragglers);
  if (delay == NULL || delay->saved_ns <= 0)
    return FALSE;
  g_autofree char *answer = loom_page_dup_delay_answer (self->input, delay);
  loom_page_content_add_answer (self->sheet, answer);
  return TRUE;
}

static void
add_summary (const LoomPageStragglers *self)
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

/* --- page of stragglers ------------------------------------------------------------------------------------------- */

static void
add_straggler_answer (const LoomPageStragglers *self, const LoomStragglers *stragglers)
{
  loom_page_add_straggler_answer (self->sheet, self->input, self->slowdown, stragglers, self->delay, &self->waits);
  /* The heat map of computing times is omitted if the late rank is not a straggler, because it would not show the
   * cause. */
  if (!self->has_other_cause)
    loom_page_add_slowdown_heat (self->sheet, self->input, self->slowdown);
}

/* Adds a note with the reason why it is unknown how much time slow ranks cost. */
static void
add_unknown (const LoomPageStragglers *self)
{
  loom_page_content_add_note (
    self->sheet,
    self->slowdown->missing != NULL
      ? self->slowdown->missing
      : _ ("The cost of slow ranks is unknown: the recorded waits do not explain how long the steps take."));
}

static void
set_cause (LoomPageStragglers *self, LoomCollectives *collectives, const LoomSlowdown *slowdown)
{
  if (slowdown == NULL)
    return;
  self->cause = slowdown;
  self->cause_collectives = collectives;
}

/* Adds the sentences at the top of the page for a range in which the slowdown cannot be computed. Uses the slowdown of
 * the whole run, if there is one. `whole`: collectives of the whole run; NULL: unknown. */
static void
add_range_answer (LoomPageStragglers *self, LoomCollectives *whole, GCancellable *cancellable)
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
fill (LoomPageStragglers *self, GCancellable *cancellable)
{
  g_autofree char *all = loom_chart_format (self->collectives->n, "");
  g_autofree char *from = g_strdup_printf (
    ngettext ("%s collective of several ranks", "%s collectives of several ranks", self->collectives->n), all);
  loom_page_content_set_sources (self->sheet, from);
  g_autoptr (LoomCollectives) whole = NULL; /* kept because the slowdown of the whole run is borrowed from it */
  if (loom_slowdown_fits (self->slowdown))
    add_straggler_answer (self, self->stragglers);
  else {
    whole = loom_frame_collectives_get (self->input->frame, WHOLE_RUN, cancellable);
    add_range_answer (self, whole, cancellable);
  }
  loom_transfer_charts_add_clock_doubt (self->sheet, self->collectives);
  loom_page_stragglers_add_bars (self);
  loom_page_stragglers_add_own_waits (self);
  loom_page_stragglers_add_pie (self);
  loom_page_stragglers_add_heat (self);
  loom_page_stragglers_add_before (self);
  loom_page_stragglers_add_ranks (self);
  loom_page_stragglers_add_held_up (self);
  /* These tables come last, because they compare each rank with the mean of all ranks, while the sentences above
   * compare it with the median. The tables are omitted if the late rank is not a straggler, because they
   * would not show the cause. */
  if (!self->has_other_cause)
    loom_page_add_slowdown_tables (self->sheet, self->input, self->slowdown);
}

/* Measures the waits of all ranks. The exposed parts (waits while nothing is computed) remain −1, which means unknown,
 * if the run has no steps, or when cancelled. Uses the collectives of the whole run, as the page "Summary" does,
 * because steps may extend beyond the range. */
static void
measure_waits (LoomPageStragglers *self, GCancellable *cancellable)
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
  const LoomSlowdownCause *cause;
  LoomPageStragglers self = { .input = input,
                              .sheet = loom_page_content_new (input->range),
                              .collectives = collectives,
                              .stragglers = stragglers,
                              .slowdown = slowdown,
                              .cause = slowdown,
                              .cause_collectives = collectives,
                              .delay = delay,
                              .has_other_cause =
                                delay != NULL || loom_late_ranks_find_unequal (slowdown, stragglers, &cause) != NULL };
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
