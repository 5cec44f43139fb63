/* SPDX-License-Identifier: Apache-2.0
 *
 * Events, or samples, with a key to sort them by. Private to the lists of events and of samples. One thread.
 */
#pragma once

#include "loom-timeline.h"

typedef struct {
  guint64 key;
  LoomSpanId id; /* id of the span; in the list of samples: index of a Place, and index of the sample in the Place */
} LoomKeyedEvent;

/* Sorts events by key with a radix sort, because comparison sorts are too slow for ten million events. Stable, takes
 * linear time and as much memory as `events`. Changes the keys. */
void loom_keyed_events_sort (LoomKeyedEvent *events, guint n);
