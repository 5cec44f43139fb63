/* SPDX-License-Identifier: Apache-2.0
 *
 * Workers for a list of events: making it, and finding which of its rows some events are.
 */
#pragma once

#include "loom-debounced-task.h"
#include "loom-event-list.h"

#include <gtk/gtk.h>

/* Up to this number, events are found on the main thread without delaying a frame. */
#define LOOM_EVENT_FILTER_TASK_FEW 2000

/* The start function of a debounced task whose result is a LoomEventList. Copies the query. Main thread. */
void loom_event_filter_task_run (LoomTimeline *timeline, const LoomEventQuery *query, LoomDebouncedTask *task);

/* The positions of those of the events that are in the list; owned, NULL when cancelled. Any thread, O(events · log
 * list). */
GtkBitset *loom_event_filter_task_find (LoomEventList *list, const LoomSpanId *events, guint n,
                                        GCancellable *cancellable);
/* Runs loom_event_filter_task_find() in a worker, see loom_worker_start(), on a copy of `events`; the result is a
 * GtkBitset. */
void loom_event_filter_task_start_find (GCancellable **running, LoomEventList *list, const LoomSpanId *events, guint n,
                                        LoomWorkerDone done, gpointer owner);
