/* SPDX-License-Identifier: Apache-2.0
 *
 * The collectives of a data frame. All frames of a run share the collectives of the whole run and of the range that was
 * requested last, with the results computed from them, so that rules, sections of a report and pages compute them only
 * once. Any thread.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-data-frame.h"

/* Returns the collectives in a range of the run of a LoomDataFrame. If the range contains the whole run, returns all
 * collectives of the run. The LoomDataFrame keeps the result for the whole run and for the last other range; a new
 * range costs as much as loom_collectives_new(). Waits while another thread computes collectives, unless cancelled.
 * Owned by the caller; NULL only when cancelled. */
LoomCollectives *loom_frame_collectives_get (LoomDataFrame *frame, LoomRange range, GCancellable *cancellable);
