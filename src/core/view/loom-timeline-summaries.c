/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-timeline-summaries.h: a worker that computes the overview, the steps, the collectives, the times
 * during which ranks wait for data, and the shares in the lanes of ranks.
 */
#include "loom-timeline-summaries.h"

#include "loom-worker.h"

struct _LoomTimelineSummaries {
  LoomTimelineState *state;
  GCancellable *running; /* cancels the worker; NULL: no worker is running */
  /* TRUE if the timeline changed while the worker was running, so that the worker must be started again when it ends */
  gboolean again;
};

typedef struct {
  LoomTimeline *timeline;
  LoomMinimapData *overview;
  LoomSteps *steps;
  LoomCollectives *collectives;
  LoomDataWaits *data_waits;
  LoomLaneShares *lane_shares;
} Input;

static void
input_free (Input *input)
{
  loom_timeline_unref (input->timeline);
  g_clear_pointer (&input->overview, loom_minimap_data_unref);
  g_clear_pointer (&input->steps, loom_steps_unref);
  g_clear_pointer (&input->collectives, loom_collectives_unref);
  g_clear_pointer (&input->data_waits, loom_data_waits_free);
  g_clear_pointer (&input->lane_shares, loom_lane_shares_free);
  g_free (input);
}

static gpointer
compute (Input *input, GCancellable *cancellable, GError **error)
{
  input->steps = loom_steps_new (input->timeline, cancellable);
  input->collectives = loom_collectives_new (input->timeline, NULL, cancellable);
  input->overview = loom_minimap_data_new (input->timeline, input->collectives, cancellable);
  input->data_waits = loom_data_waits_new_of_run (input->timeline, cancellable);
  input->lane_shares = loom_lane_shares_new (input->timeline, input->collectives, input->data_waits, cancellable);
  return NULL;
}

static void start (LoomTimelineSummaries *self);

static void
computed (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  LoomTimelineSummaries *self = owner;
  Input *input = data;
  LoomTimeline *now = loom_timeline_state_get_timeline (self->state);
  /* Set the results even if the timeline has changed meanwhile: while files of the run grow, an overview of the
   * beginning of the run is better than none. */
  if (now != NULL) {
    loom_timeline_state_take_lane_shares (self->state, g_steal_pointer (&input->lane_shares));
    loom_timeline_state_set_facts (self->state, input->overview, input->steps, input->collectives);
    loom_timeline_state_take_data_waits (self->state, g_steal_pointer (&input->data_waits));
  }
  if (self->again)
    start (self);
}

static void
start (LoomTimelineSummaries *self)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (self->state);
  self->again = FALSE;
  if (timeline == NULL)
    return;
  static const LoomWorkerKind kind = { (LoomWorkerFunc) compute, (GDestroyNotify) input_free, NULL };
  loom_worker_start (&self->running, &kind, LOOM_WORKER_INPUT (Input, loom_timeline_ref (timeline)), computed, self);
}

static void
timeline_changed (LoomTimelineSummaries *self)
{
  if (loom_timeline_state_get_timeline (self->state) == NULL)
    /* The timeline was removed. The next timeline will belong to another run, so the results of the running worker are
     * not needed any more. */
    loom_worker_cancel (&self->running);
  else if (self->running != NULL)
    self->again = TRUE;
  else
    start (self);
}

LoomTimelineSummaries *
loom_timeline_summaries_new (LoomTimelineState *state)
{
  LoomTimelineSummaries *self = g_new0 (LoomTimelineSummaries, 1);
  self->state = g_object_ref (state);
  g_signal_connect_swapped (state, "timeline-changed", G_CALLBACK (timeline_changed), self);
  return self;
}

void
loom_timeline_summaries_free (LoomTimelineSummaries *self)
{
  g_signal_handlers_disconnect_by_data (self->state, self);
  loom_worker_cancel (&self->running);
  g_object_unref (self->state);
  g_free (self);
}

gboolean
loom_timeline_summaries_are_whole (LoomTimelineSummaries *self)
{
  return self->running == NULL && loom_timeline_state_get_timeline (self->state) != NULL;
}
