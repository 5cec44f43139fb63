/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows the part of a source file that contains an event: the text around the event, with the event selected. Called on
 * the main thread.
 */
#pragma once

#include "loom-timeline.h"

#include <gtk/gtk.h>

/* Number of bytes that are shown: before the event's offset, and from this offset on. */
#define LOOM_SOURCE_VIEWER_BEFORE 2000
#define LOOM_SOURCE_VIEWER_AFTER 30000

typedef struct {
  char *before, *event, *after; /* text before the event, of the event and after it; valid UTF-8 */
} LoomSourceViewer;

void loom_source_viewer_free (LoomSourceViewer *text);

/* Reads the text around an event. Blocking, any thread. Returns NULL with `error` if the event has no offset in a file,
 * or if its source can no longer be read. */
LoomSourceViewer *loom_source_viewer_read (LoomTimeline *timeline, LoomSpanId event, GError **error);

/* Reads the text in a worker and shows it in a separate window. */
GtkWindow *loom_source_viewer_present (GtkWindow *parent, LoomTimeline *timeline, LoomSpanId event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSourceViewer, loom_source_viewer_free)
