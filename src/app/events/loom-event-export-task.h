/* SPDX-License-Identifier: Apache-2.0
 *
 * Saving events in a worker: some of them, or all that touch a range.
 */
#pragma once

#include "loom-event-export.h"
#include "loom-event-list.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What is saved; the first of these that is there. Arrays and rows are not changed from then on. */
typedef struct {
  GArray *events;                   /* LoomSpanId, in their order */
  LoomEventList *list;              /* in its order */
  GtkBitset *rows;                  /* of the list; NULL: all */
  LoomRange range;                  /* else its events, however many, by start */
  GArray *tracks;                   /* on these, as in LoomEventQuery */
  const LoomSourceOverrides *names; /* what sources are called; copied. NULL: as they are */
} LoomEventExportChoice;

/* References are taken. What is cancelled through `progress` leaves nothing behind. Main thread; the work is not. */
void loom_event_export_task_run_async (LoomTimeline *timeline, const LoomEventExportChoice *choice,
                                       LoomEventExportFormat format, const char *path, LoomProgress *progress,
                                       GAsyncReadyCallback ready, gpointer user_data);
/* How many were written; −1 with `error`. */
gint64 loom_event_export_task_run_finish (GAsyncResult *result, GError **error);
const char *loom_event_export_task_get_path (GAsyncResult *result); /* borrowed from the result */

G_END_DECLS
