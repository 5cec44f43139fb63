/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/merge: stack frames. In the ranks layout one table holds those of all sources, in the composer layout
 * metadata events hold those of a process. What comes from several sources, or counted in one process, gets ids that are unique:
 * "<source>:<number of the frame>".
 */
#pragma once

#include "loom-event-stack.h"
#include "loom-merge-private.h"

G_BEGIN_DECLS

/* Whether ids of the run's frames become others. FALSE where no source has frames. */
gboolean loom_merge_renames_frames (const LoomRun *run);

/* Writes ",\n" and the member "stackFrames"; nothing when no wanted source has frames. */
void loom_merge_put_frames (LoomMerge *merge);

/* Writes `head` and then the frames of one source (flat), which has some, as members of an object. `process` NULL: all of them,
 * by unique ids. Else by their own ids, those that count in the whole source and that an event of this process can mean. FALSE,
 * and nothing written, when there are none. */
gboolean loom_merge_put_frames_of (LoomMerge *merge, guint source, const char *process, const char *head);

/* In `text`, an object with the stacks of the event, ids become unique. */
void loom_merge_rename_frames (GString *text, const LoomEvent *event, const LoomStacks *stacks, guint source);

/* Appends the id that stands in the merged file for `id` of an event of the source (flat); what is no id stays. */
void loom_merge_append_frame_id (GString *out, const LoomEvent *event, LoomSlice id, const LoomStacks *stacks, guint source);

G_END_DECLS
