/* SPDX-License-Identifier: Apache-2.0
 *
 * Events or samples with a sort key. Private to the lists of events and of samples. One thread.
 */
#pragma once

#include "loom-timeline.h"

typedef struct {
  guint64 key;
  /* id of the span; in the list of samples: `trace` is the index of a Place (loom-sample-list.c), and `span` is the
   * index of the sample in this Place */
  LoomSpanId id;
} LoomKeyedEvent;

/* Sorts events by key with a radix sort, because comparison sorts are too slow for ten million events. The sort is
 * stable, takes linear time, and needs as much memory as `events`. Changes the keys. */
void loom_keyed_events_sort (LoomKeyedEvent *events, guint n);
