/* SPDX-License-Identifier: Apache-2.0
 *
 * Saving events in a worker: some of them, or all that touch a range.
 */
#pragma once

#include "loom-event-file.h"
#include "loom-event-list.h"

G_BEGIN_DECLS

/* `events` (LoomSpanId) in their order, a reference is taken; NULL: those of `range` on `tracks` (as in LoomEventQuery), by
 * start. What is cancelled through `progress` leaves nothing behind. Main thread. */
void loom_event_save_async (LoomTimeline *timeline, GArray *events, LoomRange range, GArray *tracks, LoomEventFormat format, const char *path,
                            LoomProgress *progress, GAsyncReadyCallback ready, gpointer user_data);
/* How many were written; −1 with `error`. */
gint64 loom_event_save_finish (GAsyncResult *result, GError **error);
const char *loom_event_save_get_path (GAsyncResult *result); /* borrowed from the result */

G_END_DECLS
