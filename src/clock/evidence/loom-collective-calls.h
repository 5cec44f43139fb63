/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. What calls tell of the collectives that devices run for them: a kernel of an older PyTorch has neither number nor
 * group, but record_param_comms on the processor does, and both have one "External id" (formats/kineto.md §5). One thread.
 */
#pragma once

#include "loom-trace.h"

typedef struct _LoomCollectiveCalls LoomCollectiveCalls;

/* O(meetings). Borrows the trace. */
LoomCollectiveCalls *loom_collective_calls_new (const LoomTrace *trace);
void loom_collective_calls_free (LoomCollectiveCalls *calls);

/* Who says what a meeting is: its call where it has no number itself and the call is known, else itself. Borrowed; texts are
 * those of the trace. O(1). */
const LoomSyncEvent *loom_collective_calls_get (const LoomCollectiveCalls *calls, const LoomSyncEvent *meeting);
