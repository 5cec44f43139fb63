/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/merge: stack frames in the ranks layout. One table holds those of all sources. What comes from several
 * sources, or counted in one process, gets ids that are unique: "<source>:<number of the frame>".
 */
#pragma once

#include "loom-event-stack.h"
#include "loom-merge-private.h"

G_BEGIN_DECLS

/* Whether ids of the run's frames become others. FALSE where no source has frames. */
gboolean loom_merge_renames_frames (const LoomRun *run);

/* Writes ",\n" and the member "stackFrames"; nothing when no wanted source has frames. */
void loom_merge_put_frames (LoomMerge *merge);

/* Appends the id that stands in the merged file for `id` of an event of the source (flat); what is no id stays. */
void loom_merge_append_frame_id (GString *out, const LoomEvent *event, LoomSlice id, const LoomStacks *stacks, guint source);

G_END_DECLS
