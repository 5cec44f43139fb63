/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds how long threads that launch kernels waited for data (loom-data-waits.h) while a device was idle. If a device
 * is idle because a launch is late, and the launching thread waits for its next batch, then this wait is the cause.
 * Waits of other threads do not delay a launch, for example those of a thread that fetches batches in advance. Times
 * are timeline ns. Immutable when made, freed by its owner; any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"

typedef struct _LoomIdleData LoomIdleData;

/* Finds the waits for data that touch the range. O(names + spans of rows that contain waits). NULL only when
 * cancelled. */
LoomIdleData *loom_idle_data_new (LoomTimeline *timeline, LoomRange range, GCancellable *cancellable);
void loom_idle_data_free (LoomIdleData *data);

/* Returns the waits for data on a track: LoomRange, without overlap, sorted by start. Borrowed; NULL: the track has no
 * waits for data. O(1). */
const GArray *loom_idle_data_find (const LoomIdleData *data, guint trace, guint track);

/* Returns TRUE if no track has waits for data. */
gboolean loom_idle_data_is_empty (const LoomIdleData *data);

/* Returns how many ns of the range are covered by `waits`, which may be NULL. O(log waits + waits in the range). */
gint64 loom_idle_data_measure (const GArray *waits, LoomRange range);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIdleData, loom_idle_data_free)
