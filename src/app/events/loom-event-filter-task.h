/* SPDX-License-Identifier: Apache-2.0
 *
 * Workers for a list of events: making it, and finding which of its rows some events are.
 */
#pragma once

#include "loom-debounced-task.h"
#include "loom-event-list.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* So few are found at once without a frame being late. */
#define LOOM_EVENT_FILTER_TASK_FEW 2000

/* For the start of a debounced task, whose result is a LoomEventList. The query is copied. Main thread. */
void loom_event_filter_task_run (LoomTimeline *timeline, const LoomEventQuery *query, LoomDebouncedTask *task);

/* The positions of those that are in the list; owned, NULL when cancelled. Any thread, O(events · log list). */
GtkBitset *loom_event_filter_task_find (LoomEventList *list, const LoomSpanId *events, guint n,
                                        GCancellable *cancellable);
/* The same in a worker, as loom_worker_start(), with a copy of `events`; the result is a GtkBitset. */
void loom_event_filter_task_start_find (GCancellable **running, LoomEventList *list, const LoomSpanId *events, guint n,
                                        LoomWorkerDone done, gpointer owner);

G_END_DECLS
