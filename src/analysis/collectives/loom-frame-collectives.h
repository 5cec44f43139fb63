/* SPDX-License-Identifier: Apache-2.0
 *
 * The collectives of a data frame: all frames of a run share those of the whole run, and those of the part that was asked for
 * last, with the results that belong to them, so that the rules, the sections of a report and the pages compute them once. Any thread.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-data-frame.h"

/* A range that holds the whole run is taken as all of time. Waits while another thread makes some, unless cancelled. Owned by the
 * caller; NULL only when cancelled. Cost of a new range: loom_collectives_new(). */
LoomCollectives *loom_frame_collectives_get (LoomDataFrame *frame, LoomRange range, GCancellable *cancellable);
