/* SPDX-License-Identifier: Apache-2.0
 *
 * Saves events of the timeline to a file, as CSV or JSON, on a worker thread. The events are either an array of ids,
 * rows of the table of events, or all events that overlap a range.
 */
#pragma once

#include "loom-event-export.h"
#include "loom-event-list.h"
#include "loom-worker.h"

#include <gtk/gtk.h>

/* The events to save. If `events` is not NULL, these are its elements. Otherwise, if `list` is not NULL, they are the
 * rows `rows` of `list`; if `list` is NULL, too, they are all events of `range`. The arrays and `rows` must not change
 * until the task has ended. */
typedef struct {
  GArray *events; /* LoomSpanId: the events to save, in this order; NULL to save the events of `list` or `range` */
  /* list of the events, in the order in which they are saved; NULL to save the events of `range` */
  LoomEventList *list;
  GtkBitset *rows; /* indices of the rows of `list` to save; NULL for all rows */
  /* used if `events` and `list` are NULL: all events of this range are saved, sorted by start, without a limit of
   * their number */
  LoomRange range;
  /* LoomTrackId: if `range` is used, only events on these tracks are saved, as in LoomEventQuery; NULL for all
   * tracks */
  GArray *tracks;
  const LoomSourceOverrides *names; /* names that the user gave to sources; copied; NULL if no source was renamed */
} LoomEventExportChoice;

/* Saves the events on a worker thread. Takes references to the objects and arrays in the arguments. If the user cancels
 * through `progress`, the incomplete file is removed. `done` is always called on the main thread, and `owner` must live
 * until it is called. If there is no error, the result that `done` receives is the number of saved events
 * (GPOINTER_TO_UINT). Called on the main thread. */
void loom_event_export_task_run (LoomTimeline *timeline, const LoomEventExportChoice *choice,
                                 LoomEventExportFormat format, const char *path, LoomProgress *progress,
                                 LoomWorkerDone done, gpointer owner);
/* Returns the path of the saved file; borrowed. `input`: the input of the task, which `done` receives. */
const char *loom_event_export_task_get_path (gconstpointer input);
