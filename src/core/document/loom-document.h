/* SPDX-License-Identifier: Apache-2.0
 *
 * An open run: its paths, the run that was loaded from them, its timeline, the user's changes to clocks and sources,
 * the undo stack, and the current load. A timeline is immutable; changes replace it, so a reference to an old timeline
 * stays valid. Main thread only.
 *
 * Signals: "timeline-changed" (the run grew, was replaced or emptied), "loading-changed" (a load began or ended),
 * "sources-edited" (the user's changes to sources are different).
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

/* Replaces the open run. A current load is cancelled without an error. */
void loom_document_open (LoomDocument *self, const char *const *paths);
/* Adds files to the open run. If a load is running, the files are read after it. */
void loom_document_add (LoomDocument *self, const char *const *paths);
/* Reads all opened and added paths again, for files that grew or are new. The present run stays until the load has
 * ended, and remains if the load fails or is cancelled. */
void loom_document_reload (LoomDocument *self);
/* Reads the sources with these paths again. Of the other files, reads only those that have changed. */
void loom_document_reload_sources (LoomDocument *self, const char *const *paths);
/* Reads files that changed on the disk or are new; sources whose files were deleted stay. Does not report errors, and
 * does not emit "timeline-changed" if nothing changed. Returns FALSE without doing anything while a load is running. */
gboolean loom_document_follow (LoomDocument *self);
/* Returns TRUE if loom_document_follow() started the current load or, if nothing is loading, the last load. */
gboolean loom_document_is_quiet (LoomDocument *self);
/* Cancels the current load; sources that were read stay. */
void loom_document_cancel (LoomDocument *self);

gboolean loom_document_is_loading (LoomDocument *self);
/* Returns the progress of the current load. Borrowed; NULL: nothing is loading. */
LoomProgress *loom_document_get_progress (LoomDocument *self);

/* Returns the time at which the first source of the current load or, if nothing is loading, of the last load was ready,
 * in µs of g_get_monotonic_time(); 0: no source is ready yet. */
gint64 loom_document_get_ready_time (LoomDocument *self);

/* Returns the timeline. Borrowed; NULL while no source has been read. */
LoomTimeline *loom_document_get_timeline (LoomDocument *self);
/* Returns the run. Borrowed; NULL before the first load. If a load finds no trace, its run has only a list of ignored
 * files. */
LoomRun *loom_document_get_run (LoomDocument *self);
/* Returns the error of the last load; NULL: it succeeded or was cancelled. */
const GError *loom_document_get_error (LoomDocument *self);
/* Returns TRUE if the user cancelled the last load, so that the run is incomplete. */
gboolean loom_document_was_cancelled (LoomDocument *self);

/* The user's changes to clocks. The getter returns a borrowed object that is valid until the next change.
 * loom_document_edit_clocks() takes ownership of `edits` and pushes an undo step. loom_document_set_clock_edits(),
 * which is called when a session is opened, copies `edits` and clears the undo stack. */
const LoomClockOverrides *loom_document_get_clock_edits (LoomDocument *self);
void loom_document_edit_clocks (LoomDocument *self, LoomClockOverrides *edits, const char *words, gboolean joins);
void loom_document_set_clock_edits (LoomDocument *self, const LoomClockOverrides *edits);
/* Pushes an undo step for clocks that a load changed without an edit of the user. Undoing the step applies `before`.
 * The function takes ownership of `before`. */
void loom_document_note_clocks (LoomDocument *self, LoomClockOverrides *before, const char *words);
/* The user's changes to sources. The getter returns a borrowed object that is valid until the next change.
 * loom_document_edit_sources() takes ownership of `edits` and pushes an undo step. It reads those sources again that
 * were removed, brought back, or given a rank or node; changes of names, muting and solo need no reading.
 * loom_document_set_source_edits(), which is called when a session is opened, copies `edits` and pushes no undo
 * step. */
const LoomSourceOverrides *loom_document_get_source_edits (LoomDocument *self);
void loom_document_edit_sources (LoomDocument *self, LoomSourceOverrides *edits, const char *words, gboolean joins);
void loom_document_set_source_edits (LoomDocument *self, const LoomSourceOverrides *edits);
/* Returns the undo stack of the document. Borrowed. */
LoomUndoStack *loom_document_get_undo (LoomDocument *self);

/* Returns all opened and added paths, NULL-terminated, borrowed. */
const char *const *loom_document_get_paths (LoomDocument *self);
/* Returns a short name: the name of the opened file or folder; if several were opened, the name of their common folder.
 * If paths were added later, the name ends with the number of added paths ("run + 2"). Owned by the caller. */
char *loom_document_dup_name (LoomDocument *self);
/* Returns the path of the file or folder whose name loom_document_dup_name() returns. Owned by the caller; NULL:
 * nothing is open. */
char *loom_document_dup_place (LoomDocument *self);
/* Returns the number of different ranks among the sources. */
guint loom_document_count_ranks (LoomDocument *self);
guint64 loom_document_count_spans (LoomDocument *self);
