/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Makes spans of begins and ends, along a chain of lanes that continue one another.
 */
#pragma once

#include "loom-lane.h"

G_BEGIN_DECLS

typedef struct _LoomBeginEndPairing LoomBeginEndPairing;

/* `names` is borrowed. One per worker; used for one chain after another. */
LoomBeginEndPairing *loom_begin_end_pairing_new (const LoomNameInterner *names);
void loom_begin_end_pairing_free (LoomBeginEndPairing *pairing);

/* Turns the raw records of the lanes into spans in order of start, closed, with their logs. */
void loom_begin_end_pairing_run (LoomBeginEndPairing *pairing, LoomLane *const *lanes, guint n_lanes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomBeginEndPairing, loom_begin_end_pairing_free)

G_END_DECLS
