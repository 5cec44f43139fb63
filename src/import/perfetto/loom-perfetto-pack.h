/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the events of a Perfetto trace in less than half of the memory, once they do not change any more.
 */
#pragma once

#include "loom-perfetto-event.h"

typedef struct _LoomPerfettoPack LoomPerfettoPack;

/* Packs `n` events: 14.25 bytes per usual event, and 56 bytes for each one with an unusual time, place, look or length.
 * Returns NULL if the packed events would need more than half of the memory of the array. Cost: O(n). */
LoomPerfettoPack *loom_perfetto_pack_new (const LoomPerfettoEvent *events, guint32 n);
void loom_perfetto_pack_free (LoomPerfettoPack *self);

/* Returns an event. All members are set but `place`, `is_paired` and `is_told`. Any thread may call this. Cost: O(1); for
 * an unusual event O(log unusual events). */
LoomPerfettoEvent loom_perfetto_pack_get (const LoomPerfettoPack *self, guint32 number);
/* Returns the member `place` of an event. Threads and cost as above. */
guint64 loom_perfetto_pack_get_place (const LoomPerfettoPack *self, guint32 number);
