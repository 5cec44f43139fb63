/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. The pass behind the table of names: visits every span of a range once, sums by name and collects durations
 * for percentiles, on all processors.
 */
#pragma once

#include <gio/gio.h>

#include "loom-name-accumulate.h"
#include "loom-run-names.h"
#include "loom-timeline.h"
#include "loom-track-id.h"

typedef struct _LoomNameAggregate LoomNameAggregate;

/* Arguments as for loom_range_statistics_new(). NULL only when cancelled. */
LoomNameAggregate *loom_name_aggregate_run (LoomTimeline *timeline, LoomRunNames *names, LoomRange range,
                                            const LoomTrackId *tracks, gsize n_tracks, GCancellable *cancellable);
void loom_name_aggregate_free (LoomNameAggregate *pass);

/* The sums by joined name id. */
const LoomNameSums *loom_name_aggregate_get (const LoomNameAggregate *pass);
/* For each trace, whether any of its spans were counted. */
const gboolean *loom_name_aggregate_get_traces (const LoomNameAggregate *pass);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomNameAggregate, loom_name_aggregate_free)
