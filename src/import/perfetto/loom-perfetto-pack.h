/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: stores the finished events of a Perfetto trace, those that no later packet changes, in less
 * than half of the memory that LoomPerfettoEvent needs.
 */
#pragma once

#include "loom-perfetto-event.h"

#define LOOM_PERFETTO_PACK_BLOCK 64

typedef struct _LoomPerfettoPack LoomPerfettoPack;

/* Returns an object for `n` events, which must then be added in order. Memory: 14.25 bytes per usual event, and 56
 * bytes per event with an unusual time, place, look (see loom-perfetto-looks.h) or length. */
LoomPerfettoPack *loom_perfetto_pack_new (guint32 n);
/* Adds the next `n` events. Unless they are the last ones, `n` must be a multiple of LOOM_PERFETTO_PACK_BLOCK. */
void loom_perfetto_pack_add (LoomPerfettoPack *self, const LoomPerfettoEvent *events, guint32 n);
/* Returns TRUE if the events that were added need more than half of the memory that an array of these events would
 * need. */
gboolean loom_perfetto_pack_is_large (const LoomPerfettoPack *self);
void loom_perfetto_pack_free (LoomPerfettoPack *self);

/* Returns an event with all members set except `place`, `is_paired` and `is_told`. May be called on any thread.
 * Takes O(1), or O(log n) for one of n unusual events. */
LoomPerfettoEvent loom_perfetto_pack_get (const LoomPerfettoPack *self, guint32 number);
/* Returns the member `place` of an event. May be called on any thread. Takes the same time as
 * loom_perfetto_pack_get(). */
guint64 loom_perfetto_pack_get_place (const LoomPerfettoPack *self, guint32 number);
