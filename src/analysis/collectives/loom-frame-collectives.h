/* SPDX-License-Identifier: Apache-2.0
 *
 * The collectives of a LoomDataFrame. All LoomDataFrames of a run share the collectives of the whole run, the
 * collectives of the range that was requested last, and the results computed from both. So rules, report sections and
 * pages do not compute them again. Any thread.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-data-frame.h"

/* Returns the collectives in a range of the run of a LoomDataFrame. If the range contains the whole run, returns all
 * collectives of the run. The LoomDataFrame keeps the result for the whole run and for the last other range; a new
 * range costs as much as loom_collectives_new(). Waits while another thread computes collectives, unless cancelled.
 * Owned by the caller; NULL only when cancelled. */
LoomCollectives *loom_frame_collectives_get (LoomDataFrame *frame, LoomRange range, GCancellable *cancellable);
