/* SPDX-License-Identifier: Apache-2.0
 *
 * For the table of events: makes the list of events that the table shows, in a worker, and finds the rows of the list
 * that show given events.
 */
#pragma once

#include "loom-debounced-task.h"
#include "loom-event-list.h"

#include <gtk/gtk.h>

/* Maximum number of events whose rows can be found on the main thread without delaying a frame. */
#define LOOM_EVENT_FILTER_TASK_FEW 2000

/* Starts a debounced task that makes a LoomEventList, which is its result. Copies the query. Called on the main
 * thread. */
void loom_event_filter_task_run (LoomTimeline *timeline, const LoomEventQuery *query, LoomDebouncedTask *task);

/* Returns the positions in the list of the given events; events that the list does not contain are skipped. Owned; NULL
 * when cancelled. Any thread. O(events · log list). */
GtkBitset *loom_event_filter_task_find (LoomEventList *list, const LoomSpanId *events, guint n,
                                        GCancellable *cancellable);
/* Runs loom_event_filter_task_find() in a worker, see loom_worker_start(), on a copy of `events`; the result is a
 * GtkBitset. */
void loom_event_filter_task_start_find (GCancellable **running, LoomEventList *list, const LoomSpanId *events, guint n,
                                        LoomWorkerDone done, gpointer owner);
