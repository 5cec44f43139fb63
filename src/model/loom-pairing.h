/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Makes spans of begins and ends, along a chain of lanes that continue one another.
 */
#pragma once

#include "loom-lane.h"

G_BEGIN_DECLS

typedef struct _LoomPairing LoomPairing;

/* `names` is borrowed. One per worker; used for one chain after another. */
LoomPairing *loom_pairing_new (const LoomNames *names);
void loom_pairing_free (LoomPairing *pairing);

/* Turns the raw records of the lanes into spans in order of start, closed, with their logs. */
void loom_pairing_run (LoomPairing *pairing, LoomLane *const *lanes, guint n_lanes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPairing, loom_pairing_free)

G_END_DECLS
