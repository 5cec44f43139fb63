/* SPDX-License-Identifier: Apache-2.0
 *
 * The file an event came from, opened at its byte: the text around it, with the event itself selected. Main thread.
 */
#pragma once

#include "loom-timeline.h"

#include <gtk/gtk.h>

/* Number of bytes shown before the event's offset and from it on. */
#define LOOM_SOURCE_VIEWER_BEFORE 2000
#define LOOM_SOURCE_VIEWER_AFTER 30000

typedef struct {
  char *before, *event, *after; /* valid UTF-8 */
} LoomSourceViewer;

void loom_source_viewer_free (LoomSourceViewer *text);

/* Reads the text around an event. Blocking, any thread. NULL with `error` when the event has no place in a file, or
 * its source cannot be read any more. */
LoomSourceViewer *loom_source_viewer_read (LoomTimeline *timeline, LoomSpanId event, GError **error);

/* Reads the text in a worker and shows it in a window of its own. */
GtkWindow *loom_source_viewer_present (GtkWindow *parent, LoomTimeline *timeline, LoomSpanId event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSourceViewer, loom_source_viewer_free)
