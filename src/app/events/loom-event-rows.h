/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the rows of the table of events that show given events.
 */
#pragma once

#include "loom-event-list.h"
#include "loom-worker.h"

#include <gtk/gtk.h>

/* Maximum number of events whose rows can be found on the main thread without delaying a frame. */
#define LOOM_EVENT_ROWS_FEW 2000

/* Returns the positions in the list of the given events; events that the list does not contain are skipped. Owned; NULL
 * when cancelled. Any thread. O(events · log list). */
GtkBitset *loom_event_rows_find (LoomEventList *list, const LoomSpanId *events, guint n, GCancellable *cancellable);
/* Runs loom_event_rows_find() in a worker, see loom_worker_start(), on a copy of `events`; the result is a
 * GtkBitset. */
void loom_event_rows_start_find (GCancellable **running, LoomEventList *list, const LoomSpanId *events, guint n,
                                 LoomWorkerDone done, gpointer owner);
