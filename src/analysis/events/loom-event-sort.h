/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts events by an integer key with a radix sort: comparison sorts are too slow for ten million events. Private to
 * the event list. Any thread.
 */
#pragma once

#include "loom-timeline.h"

#include <gio/gio.h>

typedef struct {
  gint64 key;
  LoomSpanId id;
} LoomKeyedEvent;

/* Sorts ascending by key; stable. Linear time, with as much memory again; returns at once if already sorted. Returns
 * FALSE when cancelled, which is checked before each digit: the order of the events is then undefined. */
gboolean loom_event_sort (LoomKeyedEvent *events, guint n, GCancellable *cancellable);
