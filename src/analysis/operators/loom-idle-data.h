/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of idle time in which the rank of a device waited for data (loom-data-waits.h): a gap that ends late because
 * the host launches late has a more specific cause while the training loop waits for its next batch. Times are timeline
 * ns. Immutable when made, freed by its owner; any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"

typedef struct _LoomIdleData LoomIdleData;

/* The waits for data that touch the range. O(names + spans of rows that contain waits). NULL only when cancelled. */
LoomIdleData *loom_idle_data_new (LoomTimeline *timeline, LoomRange range, GCancellable *cancellable);
void loom_idle_data_free (LoomIdleData *data);

/* The waits of the track's rank, in any file of the run, as disjoint LoomRange sorted by begin; of a track without rank
 * those of its own trace. Borrowed; NULL: none. O(ranks with waits). */
const GArray *loom_idle_data_find (const LoomIdleData *data, guint trace, const LoomTrack *track);

/* The time of the range that lies in waits. `waits` may be NULL. O(log waits + waits in the range). */
gint64 loom_idle_data_measure (const GArray *waits, LoomRange range);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIdleData, loom_idle_data_free)
