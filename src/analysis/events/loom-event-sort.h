/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorting events by a number each: by its digits, since ten million of them are too many to be compared with one another.
 * Private to the event list. Any thread.
 */
#pragma once

#include "loom-timeline.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  gint64 key;
  LoomSpanId id;
} LoomKeyedEvent;

/* Ascending by key, equals as they stand. Linear, with as much memory again meanwhile; nothing to do when in order. FALSE
 * when cancelled, which is looked at before each digit: what the events are then is not defined. */
gboolean loom_event_sort (LoomKeyedEvent *events, guint n, GCancellable *cancellable);

G_END_DECLS
