/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the events of a Perfetto trace while they can still be changed. They are in blocks of the page
 * allocator, so that the memory of events that are no longer needed is reused for the spans of the trace.
 */
#pragma once

#include "loom-page-allocator.h"
#include "loom-page-supply.h"
#include "loom-perfetto-event.h"

/* Number of events in a block. */
#define LOOM_PERFETTO_EVENT_LIST_BLOCK (LOOM_PAGE_ALLOCATOR_BYTES / sizeof (LoomPerfettoEvent))

typedef struct {
  guint32 len;
  GPtrArray *blocks;      /* arrays of LOOM_PERFETTO_EVENT_LIST_BLOCK events; NULL: the block was freed */
  LoomPageSupply *supply; /* thread that allocates the memory of further blocks in advance; NULL: there are few events,
                           * or all events were added */
} LoomPerfettoEventList;

void loom_perfetto_event_list_init (LoomPerfettoEventList *self);
void loom_perfetto_event_list_clear (LoomPerfettoEventList *self);
/* Adds memory for further events. */
void loom_perfetto_event_list_enlarge (LoomPerfettoEventList *self);
/* Ends the thread that provides memory; must be called when few or no further events will be added. */
void loom_perfetto_event_list_end_supply (LoomPerfettoEventList *self);
/* Frees each block from index `begin` on that contains only events before event `n`. Returns the index of the first
 * block that was not freed. */
guint loom_perfetto_event_list_free_before (LoomPerfettoEventList *self, guint begin, guint32 n);

static inline LoomPerfettoEvent *
loom_perfetto_event_list_get (const LoomPerfettoEventList *self, guint32 number)
{
  LoomPerfettoEvent *block = self->blocks->pdata[number / LOOM_PERFETTO_EVENT_LIST_BLOCK];
  return &block[number % LOOM_PERFETTO_EVENT_LIST_BLOCK];
}

static inline void
loom_perfetto_event_list_append (LoomPerfettoEventList *self, const LoomPerfettoEvent *event)
{
  if (G_UNLIKELY (self->len / LOOM_PERFETTO_EVENT_LIST_BLOCK == self->blocks->len))
    loom_perfetto_event_list_enlarge (self);
  *loom_perfetto_event_list_get (self, self->len) = *event;
  self->len++;
}
