/* SPDX-License-Identifier: Apache-2.0
 *
 * Workers for a list of events: making it, and finding which of its rows some events are.
 */
#pragma once

#include "loom-event-list.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* So few are found at once without a frame being late. */
#define LOOM_EVENT_FILTER_TASK_FEW 2000

/* The query is copied. NULL when cancelled: `user_data` may be gone. Main thread. */
void loom_event_filter_task_run_async (LoomTimeline *timeline, const LoomEventQuery *query, GCancellable *cancellable,
                                       GAsyncReadyCallback ready, gpointer user_data);
LoomEventList *loom_event_filter_task_run_finish (GAsyncResult *result);

/* The positions of those that are in the list; owned, NULL when cancelled. Any thread, O(events · log list). */
GtkBitset *loom_event_filter_task (LoomEventList *list, const LoomSpanId *events, guint n, GCancellable *cancellable);
/* The same in a worker, with a copy of `events`. */
void loom_event_filter_task_async (LoomEventList *list, const LoomSpanId *events, guint n, GCancellable *cancellable,
                                   GAsyncReadyCallback ready, gpointer user_data);
GtkBitset *loom_event_filter_task_finish (GAsyncResult *result);

G_END_DECLS
