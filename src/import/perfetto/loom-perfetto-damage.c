/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles damaged parts of a Perfetto trace when its packets are first read. The interface is described in
 * loom-perfetto-damage.h.
 */
#include "loom-perfetto-damage.h"

#include <gio/gio.h>

/* Records that the packets from place `begin` to place `end` are lost. If this gap touches the last recorded gap,
 * extends that gap instead of adding one. Also increments `n_gaps`, so that the state of every sequence counts as
 * unknown, and ends the current group of begin and end events (`group`) without pairing its events. */
static void
add_gap (LoomPerfettoWalk *self, guint64 begin, guint64 end)
{
  GArray *gaps = self->trace->gaps;
  LoomPerfettoGap gap = { begin, end }, *last = NULL;
  if (gaps->len > 0)
    last = &g_array_index (gaps, LoomPerfettoGap, gaps->len - 1);
  if (last != NULL && last->end >= begin)
    last->end = MAX (last->end, end);
  else
    g_array_append_val (gaps, gap);
  self->group.sequence = NULL;
  self->n_gaps++;
}

void
loom_perfetto_damage_lose_packet (LoomPerfettoWalk *self, LoomPerfettoLoss loss, guint64 begin, guint64 end)
{
  loom_perfetto_trace_lose (self->trace, loss, begin);
  add_gap (self, begin, end);
}

void
loom_perfetto_damage_lose_rest (LoomPerfettoWalk *self, guint64 begin, guint64 next)
{
  gboolean is_whole;
  guint64 end = loom_perfetto_packets_find_part_end (self->trace->packets, next, &is_whole);
  loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_BAD_PACKED, begin);
  if (end > next)
    self->cut_at = end;
  else
    add_gap (self, begin, next);
}

void
loom_perfetto_damage_end_cut (LoomPerfettoWalk *self, guint64 place)
{
  if (self->cut_at == 0 || place < self->cut_at)
    return;
  add_gap (self, self->cut_at - 1, self->cut_at);
  self->cut_at = 0;
}

gboolean
loom_perfetto_damage_skip_part (LoomPerfettoWalk *self, guint64 *place)
{
  gboolean is_whole;
  guint64 end = loom_perfetto_packets_find_part_end (self->trace->packets, *place, &is_whole);
  if (end == *place)
    return FALSE;
  if (is_whole) /* FALSE: the packet was unpacked incompletely, and its damage was counted then */
    loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_BAD_PACKED, *place);
  add_gap (self, *place, end);
  *place = end;
  return TRUE;
}

gboolean
loom_perfetto_damage_skip (LoomPerfettoWalk *self, LoomPerfettoReader *reader, LoomProgress *progress, guint64 begin,
                           guint64 *place)
{
  guint64 found = begin + 1;
  if (begin >= loom_perfetto_packets_get_end (self->trace->packets) ||
      !loom_perfetto_packets_find_boundary (reader, &found, progress))
    return FALSE;
  add_gap (self, begin, found);
  *place = found;
  return TRUE;
}

void
loom_perfetto_damage_skip_packet (LoomPerfettoWalk *self, LoomPerfettoReader *reader, LoomProgress *progress,
                                  const LoomPerfettoPacket *packet, guint64 *place)
{
  guint64 begin = packet->place;
  gboolean is_too_large = packet->bytes == NULL;
  if (packet->is_unpacked || loom_perfetto_packets_is_boundary (reader, *place, 1) ||
      !loom_perfetto_damage_skip (self, reader, progress, begin, place))
    loom_perfetto_damage_lose_packet (self, is_too_large ? LOOM_PERFETTO_TOO_LARGE : LOOM_PERFETTO_DAMAGED, begin,
                                      *place);
}
