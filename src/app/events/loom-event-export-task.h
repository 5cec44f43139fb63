/* SPDX-License-Identifier: Apache-2.0
 *
 * Saving events in a worker: some of them, or all that touch a range.
 */
#pragma once

#include "loom-event-export.h"
#include "loom-event-list.h"
#include "loom-worker.h"

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

/* References are taken. What is cancelled through `progress` leaves nothing behind. `done` is always called: `owner` must
 * live until then. Its result is the number of events written (GPOINTER_TO_UINT), unless there is an error. Main thread;
 * the work is not. */
void loom_event_export_task_run (LoomTimeline *timeline, const LoomEventExportChoice *choice,
                                 LoomEventExportFormat format, const char *path, LoomProgress *progress,
                                 LoomWorkerDone done, gpointer owner);
/* Of the input that `done` gets; borrowed. */
const char *loom_event_export_task_get_path (gconstpointer input);

G_END_DECLS
