/* SPDX-License-Identifier: Apache-2.0
 *
 * Saves events in a worker: a selection, or all events that overlap a range.
 */
#pragma once

#include "loom-event-export.h"
#include "loom-event-list.h"
#include "loom-worker.h"

#include <gtk/gtk.h>

/* The events to save: those of the first member that is set. Arrays and rows must not change afterwards. */
typedef struct {
  GArray *events;      /* LoomSpanId, in the order in which they are written */
  LoomEventList *list; /* written in the list's order */
  GtkBitset *rows;     /* rows of the list to write; NULL: all */
  /* if there are neither events nor a list: saves all events of this range, without limit, by start */
  LoomRange range;
  GArray *tracks;                   /* limits the range to these tracks, as in LoomEventQuery */
  const LoomSourceOverrides *names; /* names given to sources; copied. NULL: none */
} LoomEventExportChoice;

/* Saves the events in a worker. Takes references. Cancelling through `progress` leaves no file. `done` is
 * always called, and `owner` must live until then; its result is the number of events written (GPOINTER_TO_UINT),
 * unless there is an error. Called on the main thread. */
void loom_event_export_task_run (LoomTimeline *timeline, const LoomEventExportChoice *choice,
                                 LoomEventExportFormat format, const char *path, LoomProgress *progress,
                                 LoomWorkerDone done, gpointer owner);
/* The path of the file, from the input that `done` gets; borrowed. */
const char *loom_event_export_task_get_path (gconstpointer input);
