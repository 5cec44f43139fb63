/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export: stack frames. In the ranks layout one table holds those of all sources, in the composer layout
 * metadata events hold those of a process. What comes from several sources, or counted in one process, gets ids that are unique:
 * "<source>:<number of the frame>".
 */
#pragma once

#include "loom-event-stack.h"
#include "loom-export-private.h"

G_BEGIN_DECLS

/* Whether ids of the run's frames become others. FALSE where no source has frames. */
gboolean loom_export_stack_frames_needs_rename (const LoomRun *run);

/* Writes ",\n" and the member "stackFrames"; nothing when no wanted source has frames. */
void loom_export_stack_frames_write (LoomExport *merge);

/* Writes `head` and then the frames of one source (flat), which has some, as members of an object. `process` NULL: all of them,
 * by unique ids. Else by their own ids, those that count in the whole source and that an event of this process can mean. FALSE,
 * and nothing written, when there are none. */
gboolean loom_export_stack_frames_write_source (LoomExport *merge, guint source, const char *process, const char *head);

/* In `text`, an object with the stacks of the event, ids become unique. */
void loom_export_stack_frames_rename (GString *text, const LoomEvent *event, const LoomStackFrames *stacks,
                                      guint source);

/* Appends the id that stands in the merged file for `id` of an event of the source (flat); what is no id stays. */
void loom_export_stack_frames_append_id (GString *out, const LoomEvent *event, LoomJsonSlice id,
                                         const LoomStackFrames *stacks, guint source);

G_END_DECLS
