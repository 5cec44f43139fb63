/* SPDX-License-Identifier: Apache-2.0
 *
 * Saves events of the timeline to a file, as CSV or JSON, in a worker: given events, rows of the table of events, or
 * all events that overlap a range.
 */
#pragma once

#include "loom-event-export.h"
#include "loom-event-list.h"
#include "loom-worker.h"

#include <gtk/gtk.h>

/* The events to save: `events`; if it is NULL, the rows `rows` of `list`; if `list` is NULL, too, all events of
 * `range`. The arrays and `rows` must not change until the task has ended. */
typedef struct {
  GArray *events;      /* LoomSpanId: the events to write, in this order; NULL: `list` or `range` is used */
  LoomEventList *list; /* list of the events, in the order in which they are written */
  GtkBitset *rows;     /* rows of `list` to write; NULL: all rows */
  /* if `events` and `list` are NULL: saves all events of this range, sorted by start, however many there are */
  LoomRange range;
  /* LoomTrackId: only these tracks of the range are saved, as in LoomEventQuery; NULL: all tracks */
  GArray *tracks;
  const LoomSourceOverrides *names; /* names that the user gave to sources; copied; NULL: no source was renamed */
} LoomEventExportChoice;

/* Saves the events in a worker. Takes references. If the user cancels through `progress`, no file is left. `done` is
 * always called; its result is the number of events written (GPOINTER_TO_UINT), unless there is an error. `owner` must
 * live until `done` is called. Called on the main thread. */
void loom_event_export_task_run (LoomTimeline *timeline, const LoomEventExportChoice *choice,
                                 LoomEventExportFormat format, const char *path, LoomProgress *progress,
                                 LoomWorkerDone done, gpointer owner);
/* Returns the path of the file, given the input that `done` received; borrowed. */
const char *loom_event_export_task_get_path (gconstpointer input);
