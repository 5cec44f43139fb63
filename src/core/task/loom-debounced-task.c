/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-debounced-task.h: the delays before work starts and before it is reported.
 */
#include "loom-debounced-task.h"

#include "loom-progress-cancellable.h"

#define QUICK_US 15000 /* in µs: if the last work took less time than this, the next work starts without delay */
/* in ms: delay before the next work if the last work took at least QUICK_US; each call of loom_debounced_task_ask()
 * restarts the delay */
#define START_DELAY_MS 80
#define SHOW_WORK_MS 150  /* in ms: time from loom_debounced_task_ask() to the first report that its work takes long */
#define SHOW_AGAIN_MS 100 /* in ms: interval of further reports while the work runs */

void
loom_debounced_task_init (LoomDebouncedTask *self, LoomDebouncedTaskStart start, LoomWorkerDone done,
                          LoomDebouncedTaskShow show, gpointer owner)
{
  *self = (LoomDebouncedTask) { .start = start, .done = done, .show = show, .owner = owner };
}

static void
drop (LoomDebouncedTask *self)
{
  g_clear_handle_id (&self->start_id, g_source_remove);
  loom_worker_cancel (&self->running);
}

static gboolean
start (gpointer data)
{
  LoomDebouncedTask *self = data;
  self->start_id = 0;
  self->running = G_CANCELLABLE (loom_progress_cancellable_new ());
  self->started_us = g_get_monotonic_time ();
  if (self->unanswered_us == 0)
    self->unanswered_us = self->started_us;
  self->start (self, self->owner);
  return G_SOURCE_REMOVE;
}

static gboolean
show_again (gpointer data)
{
  LoomDebouncedTask *self = data;
  self->show (TRUE, self->owner);
  return G_SOURCE_CONTINUE;
}

static gboolean
show_work (gpointer data)
{
  LoomDebouncedTask *self = data;
  self->show_id = g_timeout_add (SHOW_AGAIN_MS, show_again, self);
  self->show (TRUE, self->owner);
  return G_SOURCE_REMOVE;
}

void
loom_debounced_task_ask (LoomDebouncedTask *self)
{
  if (self->running != NULL)
    self->took_us = g_get_monotonic_time () - self->unanswered_us;
  drop (self);
  if (self->show_id == 0)
    self->show_id = g_timeout_add (SHOW_WORK_MS, show_work, self);
  self->start_id = g_timeout_add (self->took_us < QUICK_US ? 0 : START_DELAY_MS, start, self);
}

static void
rest (LoomDebouncedTask *self)
{
  g_clear_handle_id (&self->show_id, g_source_remove);
  self->show (FALSE, self->owner);
}

static void
ended (gpointer data, gpointer result, const GError *error, gpointer input)
{
  LoomDebouncedTask *self = data;
  g_clear_object (&self->running);
  self->took_us = g_get_monotonic_time () - self->started_us;
  self->unanswered_us = 0;
  rest (self);
  self->done (self->owner, result, error, input);
}

void
loom_debounced_task_run (LoomDebouncedTask *self, const LoomWorkerKind *kind, gpointer input)
{
  loom_worker_run (self->running, kind, input, ended, self);
}

void
loom_debounced_task_stop (LoomDebouncedTask *self)
{
  drop (self);
  self->unanswered_us = 0;
  rest (self);
}

gboolean
loom_debounced_task_is_open (const LoomDebouncedTask *self)
{
  return self->running != NULL || self->start_id != 0;
}

double
loom_debounced_task_get_fraction (const LoomDebouncedTask *self)
{
  return loom_progress_cancellable_get_fraction (self->running);
}
