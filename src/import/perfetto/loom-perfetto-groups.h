/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: appends events to a Perfetto trace while its packets are first read, and pairs those begin and
 * end events that can be paired by their order in the file.
 *
 * PyTorch writes all begin events of a group, and then all their end events in the same order. Other programs write
 * nested spans in the order of time, so that the first end event belongs to the last begin event. Therefore a group is
 * paired here only if its events are not in the order of time, or if it consists of one begin and one end event.
 */
#pragma once

#include "loom-perfetto-walk.h"

/* Number of events for which memory is reserved at once. */
#define LOOM_PERFETTO_GROUPS_RESERVED 4096u

static inline void
loom_perfetto_groups_append (LoomPerfettoWalk *self, const LoomPerfettoEvent *event)
{
  GArray *events = self->trace->events;
  if (G_UNLIKELY (events->len == self->n_reserved)) {
    g_array_set_size (events, self->n_reserved += LOOM_PERFETTO_GROUPS_RESERVED);
    events->len -= LOOM_PERFETTO_GROUPS_RESERVED;
  }
  g_array_index (events, LoomPerfettoEvent, events->len++) = *event;
}

/* Must be called before a begin event of the sequence is appended. `time_ns`: time of the event, in ns of its clock. */
void loom_perfetto_groups_note_begin (LoomPerfettoWalk *self, const LoomPerfettoSequence *sequence, gint64 time_ns);
/* Must be called after an end event of the sequence was appended; pairs a group if this event completes it. `n_links`:
 * number of links in the trace before those of this event were added. */
void loom_perfetto_groups_note_end (LoomPerfettoWalk *self, const LoomPerfettoSequence *sequence, guint n_links);
