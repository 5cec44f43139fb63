/* SPDX-License-Identifier: Apache-2.0
 *
 * An open run: its paths, the run that was loaded from them, its timeline, the user's changes to clocks and sources,
 * the undo stack, and the current load. A timeline is immutable. A change replaces the timeline, and a reference to the
 * old timeline stays valid. Main thread only.
 *
 * Signals: "timeline-changed" when the run has grown, was replaced or was emptied. "loading-changed" when a load has
 * started or ended. "sources-edited" when the user's changes to sources have changed.
 */
#pragma once

#include "loom-clock-overrides.h"
#include "loom-progress.h"
#include "loom-source-overrides.h"
#include "loom-timeline.h"
#include "loom-undo-stack.h"

#include <gio/gio.h>

#define LOOM_TYPE_DOCUMENT (loom_document_get_type ())
G_DECLARE_FINAL_TYPE (LoomDocument, loom_document, LOOM, DOCUMENT, GObject)

LoomDocument *loom_document_new (void);

/* Opens a run in place of the open run. A current load is cancelled, and this is not reported as an error. */
void loom_document_open (LoomDocument *self, const char *const *paths);
/* Adds files to the open run. If a load is running, the files are read after it. */
void loom_document_add (LoomDocument *self, const char *const *paths);
/* Reads all opened and added paths again, because files may have grown, and folders may contain new files. The
 * present run stays until the load has ended. It also stays if the load fails or is cancelled. */
void loom_document_reload (LoomDocument *self);
/* Reads the sources with these paths again. Of the other files, reads only the changed ones. */
void loom_document_reload_sources (LoomDocument *self, const char *const *paths);
/* Reads new files and files that have changed on the disk. Sources whose files were deleted stay. Errors are not
 * reported, and "timeline-changed" is not emitted if nothing has changed. Returns FALSE, without doing anything,
 * while a load is running. */
gboolean loom_document_follow (LoomDocument *self);
/* Returns TRUE if the current load was started by loom_document_follow(). If nothing is loading, returns TRUE if the
 * last load was started by that function. */
gboolean loom_document_is_quiet (LoomDocument *self);
/* Cancels the current load. Sources that were already read stay. */
void loom_document_cancel (LoomDocument *self);

gboolean loom_document_is_loading (LoomDocument *self);
/* Returns the progress of the current load; borrowed. NULL if nothing is loading. */
LoomProgress *loom_document_get_progress (LoomDocument *self);

/* Returns the value of g_get_monotonic_time() when the first source of the current load was ready. If nothing is
 * loading, returns this value for the first source of the last load. Returns 0 if no source is ready yet. */
gint64 loom_document_get_ready_time (LoomDocument *self);

/* Returns the timeline; borrowed. NULL until a source has been read. */
LoomTimeline *loom_document_get_timeline (LoomDocument *self);
/* Returns the run; borrowed. NULL before the first load. If a load finds no trace, its run contains only a list of
 * ignored files. */
LoomRun *loom_document_get_run (LoomDocument *self);
/* Returns the error of the last load; NULL if the last load succeeded or was cancelled. */
const GError *loom_document_get_error (LoomDocument *self);
/* Returns TRUE if the user cancelled the last load, which makes the run incomplete. */
gboolean loom_document_was_cancelled (LoomDocument *self);

/* The user's changes to clocks. The getter returns a borrowed object, which is valid until the next change.
 * loom_document_edit_clocks() takes ownership of `edits` and adds an undo step; `words` and `joins`: see
 * loom_undo_stack_push(). loom_document_set_clock_edits() is called when a session is opened; it copies `edits` and
 * clears the undo stack. */
const LoomClockOverrides *loom_document_get_clock_edits (LoomDocument *self);
void loom_document_edit_clocks (LoomDocument *self, LoomClockOverrides *edits, const char *words, gboolean joins);
void loom_document_set_clock_edits (LoomDocument *self, const LoomClockOverrides *edits);
/* Adds an undo step for changes to clocks that a load made automatically. Undoing the step applies `before`. The
 * function takes ownership of `before`. `words`: description of the step for the user, copied. */
void loom_document_note_clocks (LoomDocument *self, LoomClockOverrides *before, const char *words);
/* The user's changes to sources. The getter returns a borrowed object, which is valid until the next change.
 * loom_document_edit_sources() takes ownership of `edits` and adds an undo step; `words` and `joins`: see
 * loom_undo_stack_push(). Sources that were removed, restored, or given a rank or node are read again. Sources that
 * were only renamed, muted or made solo are not read again. loom_document_set_source_edits() is called when a session
 * is opened; it copies `edits` and adds no undo step. */
const LoomSourceOverrides *loom_document_get_source_edits (LoomDocument *self);
void loom_document_edit_sources (LoomDocument *self, LoomSourceOverrides *edits, const char *words, gboolean joins);
void loom_document_set_source_edits (LoomDocument *self, const LoomSourceOverrides *edits);
/* Returns the undo stack of the document; borrowed. */
LoomUndoStack *loom_document_get_undo (LoomDocument *self);

/* Returns all opened and added paths; NULL-terminated, borrowed. */
const char *const *loom_document_get_paths (LoomDocument *self);
/* Returns a short name of the run: the name of the opened file or folder. If several were opened, it is the name of
 * their common folder. If paths were added later, their number is appended ("run + 2"). Owned by the caller. */
char *loom_document_dup_name (LoomDocument *self);
/* Returns the path of the file or folder that loom_document_dup_name() names; NULL if nothing is open. Owned by the
 * caller. */
char *loom_document_dup_place (LoomDocument *self);
/* Returns the number of different ranks in the run. */
guint loom_document_count_ranks (LoomDocument *self);
guint64 loom_document_count_spans (LoomDocument *self);
