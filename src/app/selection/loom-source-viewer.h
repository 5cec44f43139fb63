/* SPDX-License-Identifier: Apache-2.0
 *
 * A window with the part of a source file that contains an event. The text of the event is selected in the text around
 * it. Called on the main thread, unless noted.
 */
#pragma once

#include "loom-timeline.h"

#include <gtk/gtk.h>

/* LOOM_SOURCE_VIEWER_BEFORE: number of bytes that are shown before the event's offset. LOOM_SOURCE_VIEWER_AFTER: number
 * of bytes that are shown from this offset on. */
#define LOOM_SOURCE_VIEWER_BEFORE 2000
#define LOOM_SOURCE_VIEWER_AFTER 30000

typedef struct {
  char *before, *event, *after; /* the text before the event, of the event itself, and after it; valid UTF-8 */
} LoomSourceViewer;

void loom_source_viewer_free (LoomSourceViewer *text);

/* Reads the text around an event from the source file. Blocking, any thread. Returns NULL and sets `error` if the
 * event has no offset in a file, or the file can no longer be read. */
LoomSourceViewer *loom_source_viewer_read (LoomTimeline *timeline, LoomSpanId event, GError **error);

/* Reads the text around an event on a worker thread, and shows it in a separate window. */
GtkWindow *loom_source_viewer_present (GtkWindow *parent, LoomTimeline *timeline, LoomSpanId event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSourceViewer, loom_source_viewer_free)
