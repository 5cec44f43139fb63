/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-facts.h"

struct _LoomFacts {
  LoomViewState *state;
  GCancellable *running; /* NULL when no worker runs */
  gboolean again;        /* the timeline changed while one ran */
};

typedef struct {
  LoomTimeline *timeline;
  LoomOverview *overview;
  LoomSteps *steps;
  LoomCollectives *collectives;
} Work;

static void
work_free (Work *work)
{
  loom_timeline_unref (work->timeline);
  g_clear_pointer (&work->overview, loom_overview_unref);
  g_clear_pointer (&work->steps, loom_steps_unref);
  g_clear_pointer (&work->collectives, loom_collectives_unref);
  g_free (work);
}

static void
compute (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Work *work = task_data;
  work->overview = loom_overview_new (work->timeline, cancellable);
  work->steps = loom_steps_new (work->timeline, cancellable);
  work->collectives = loom_collectives_new (work->timeline, NULL, cancellable);
  g_task_return_boolean (task, TRUE);
}

static void start (LoomFacts *self);

static void
computed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  /* Cancelled: `user_data` may be gone. */
  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    return;
  LoomFacts *self = user_data;
  Work *work = g_task_get_task_data (G_TASK (result));
  g_clear_object (&self->running);
  LoomTimeline *now = loom_view_state_get_timeline (self->state);
  /* While a run grows, an overview of a part of it is better than none. */
  if (now != NULL)
    loom_view_state_set_facts (self->state, work->overview, work->steps, work->collectives);
  if (self->again)
    start (self);
}

static void
start (LoomFacts *self)
{
  LoomTimeline *timeline = loom_view_state_get_timeline (self->state);
  self->again = FALSE;
  if (timeline == NULL)
    return;
  Work *work = g_new0 (Work, 1);
  work->timeline = loom_timeline_ref (timeline);
  self->running = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (NULL, self->running, computed, self);
  g_task_set_task_data (task, work, (GDestroyNotify) work_free);
  g_task_run_in_thread (task, compute);
}

static void
stop (LoomFacts *self)
{
  if (self->running != NULL)
    g_cancellable_cancel (self->running);
  g_clear_object (&self->running);
}

static void
timeline_changed (LoomFacts *self)
{
  if (loom_view_state_get_timeline (self->state) == NULL)
    stop (self); /* the next one is another run */
  else if (self->running != NULL)
    self->again = TRUE;
  else
    start (self);
}

LoomFacts *
loom_facts_new (LoomViewState *state)
{
  LoomFacts *self = g_new0 (LoomFacts, 1);
  self->state = g_object_ref (state);
  g_signal_connect_swapped (state, "timeline-changed", G_CALLBACK (timeline_changed), self);
  return self;
}

void
loom_facts_free (LoomFacts *self)
{
  g_signal_handlers_disconnect_by_data (self->state, self);
  stop (self);
  g_object_unref (self->state);
  g_free (self);
}

gboolean
loom_facts_are_whole (LoomFacts *self)
{
  return self->running == NULL && loom_view_state_get_timeline (self->state) != NULL;
}
