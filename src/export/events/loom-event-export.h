/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes selected events to a file with exact numbers, either as a table (CSV) or as an array of the JSON objects that
 * `traceloom-cli dump` prints. The file is either complete or not written, and is the same in every locale.
 */
#pragma once

#include "loom-progress.h"
#include "loom-source-overrides.h"
#include "loom-timeline.h"

typedef enum {
  LOOM_EVENT_EXPORT_CSV, /* RFC 4180; args as JSON in the last column */
  LOOM_EVENT_EXPORT_JSON,
  LOOM_N_EVENT_FILES
} LoomEventExportFormat;

/* Writes events to a file, in the order of `events`. Blocks. `names`: the names that the user gave to sources, may be
 * NULL. `progress` counts events and may be NULL. Returns FALSE if cancelled, if a source cannot be read any more, or
 * if the file cannot be written. */
gboolean loom_event_export_write (LoomTimeline *timeline, const LoomSpanId *events, gsize n_events,
                                  const LoomSourceOverrides *names, LoomEventExportFormat format, const char *path,
                                  LoomProgress *progress, GError **error);

/* Returns the events as text with tabs between the columns and without args, for the clipboard. Returns NULL with
 * `error` only when cancelled. */
char *loom_event_export_dup_tsv (LoomTimeline *timeline, const LoomSpanId *events, gsize n_events,
                                 const LoomSourceOverrides *names, LoomProgress *progress, GError **error);
