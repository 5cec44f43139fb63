/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export: writes stack frames. In the ranks layout, one table contains the frames of all sources; in the
 * composer layout, metadata events contain the frames of each process. With several sources, or if an id is valid in
 * one process only, ids could clash, so each frame gets a new unique id: "<source>:<number of the frame>".
 */
#pragma once

#include "loom-event-stack.h"
#include "loom-export-private.h"

/* Returns TRUE if the stack frames of the run need new ids in the merged file. FALSE if no source has stack frames. */
gboolean loom_export_stack_frames_needs_rename (const LoomRun *run);

/* Writes ",\n" and the member "stackFrames"; writes nothing if no exported source has frames. */
void loom_export_stack_frames_write (LoomExport *merge);

/* Writes `head` and then the frames of a source (index in the run) as members of an object. `process` NULL: writes all
 * frames, with unique ids as keys. `process` not NULL: writes only those frames to which an event of this process can
 * refer and whose ids are valid in the whole source; their own ids are the keys. Returns FALSE, with nothing written,
 * if there are no such frames. */
gboolean loom_export_stack_frames_write_source (LoomExport *merge, guint source, const char *process, const char *head);

/* Replaces the frame ids in `text` by the unique ids. `text`: an object with the members of the event that refer to
 * stack frames. */
void loom_export_stack_frames_rename (GString *text, const LoomEvent *event, const LoomStackFrames *stacks,
                                      guint source);

/* Appends the id that a stack frame has in the merged file. `id`: the id of the frame in `event`; a value that is not
 * an id is appended unchanged. `source`: index, in the run, of the source of the event. */
void loom_export_stack_frames_append_id (GString *out, const LoomEvent *event, LoomJsonSlice id,
                                         const LoomStackFrames *stacks, guint source);
