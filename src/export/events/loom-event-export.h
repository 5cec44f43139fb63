/* SPDX-License-Identifier: Apache-2.0
 *
 * Some events of a timeline as a file, with the exact numbers: a table (CSV) or an array of what `traceloom-cli dump`
 * prints (JSON). Whole or absent, the same in every locale.
 */
#pragma once

#include "loom-progress.h"
#include "loom-source-overrides.h"
#include "loom-timeline.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_EVENT_EXPORT_CSV, /* RFC 4180; args as JSON in the last column */
  LOOM_EVENT_EXPORT_JSON,
  LOOM_N_EVENT_FILES
} LoomEventExportFormat;

/* Blocking, in the order of `events`; `names`: what sources are called, may be NULL; progress counts events and may be NULL. FALSE when cancelled, when a source cannot be
 * read any more, or when the place cannot be written. */
gboolean loom_event_export_write (LoomTimeline *timeline, const LoomSpanId *events, gsize n_events,
                                  const LoomSourceOverrides *names, LoomEventExportFormat format, const char *path,
                                  LoomProgress *progress, GError **error);

/* The same as text, columns between tabs, args left out: for a clipboard. NULL with `error` only when cancelled. */
char *loom_event_export_dup_tsv (LoomTimeline *timeline, const LoomSpanId *events, gsize n_events,
                                 const LoomSourceOverrides *names, LoomProgress *progress, GError **error);

G_END_DECLS
