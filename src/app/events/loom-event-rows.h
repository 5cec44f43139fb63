/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the rows in which the table of events shows certain events.
 */
#pragma once

#include "loom-event-list.h"
#include "loom-worker.h"

#include <gtk/gtk.h>

/* Maximum number of events whose rows loom_event_rows_find() can find on the main thread without delaying a frame. */
#define LOOM_EVENT_ROWS_FEW 2000

/* Returns the positions that the given events have in the list. Skips events that the list does not contain. The caller
 * owns the result. Returns NULL when cancelled. Any thread. O(events · log list). */
GtkBitset *loom_event_rows_find (LoomEventList *list, const LoomSpanId *events, guint n, GCancellable *cancellable);
/* Runs loom_event_rows_find() on a worker thread (see loom_worker_start()), with a copy of `events`. The result is a
 * GtkBitset. */
void loom_event_rows_start_find (GCancellable **running, LoomEventList *list, const LoomSpanId *events, guint n,
                                 LoomWorkerDone done, gpointer owner);
