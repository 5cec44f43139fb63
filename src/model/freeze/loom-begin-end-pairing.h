/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model. Pairs the begin and end events of a thread to spans. A thread that continues in another file
 * has several lanes (loom-lane.h), which form a chain: an end event may close a begin event of an earlier lane of the
 * chain.
 */
#pragma once

#include "loom-lane.h"

typedef struct _LoomBeginEndPairing LoomBeginEndPairing;

/* Makes an object that pairs events. `names` is borrowed. Each worker thread has one object, and uses it for one chain
 * of lanes after another: the lanes of a thread and of the threads that continue it. */
LoomBeginEndPairing *loom_begin_end_pairing_new (const LoomNameInterner *names);
void loom_begin_end_pairing_free (LoomBeginEndPairing *pairing);

/* Turns the records of the lanes of one chain into spans with an end, sorted by start. The lanes must be in the order
 * of their files. Counts problems in the lanes. */
void loom_begin_end_pairing_run (LoomBeginEndPairing *pairing, LoomLane *const *lanes, guint n_lanes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomBeginEndPairing, loom_begin_end_pairing_free)
