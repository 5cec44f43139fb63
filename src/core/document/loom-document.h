/* SPDX-License-Identifier: Apache-2.0
 *
 * What a window has open: the paths, the run they became, its alignment, and the load that is under way.
 * The timeline is replaced, never changed; whoever keeps one keeps a consistent picture. Main thread only.
 *
 * Signals: "timeline-changed" (the run grew, was replaced or emptied), "loading-changed" (a load began or ended),
 * "sources-edited" (what a person changed about sources is another).
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

/* Replaces what is open. A load that is under way ends without a word. */
void loom_document_open (LoomDocument *self, const char *const *paths);
/* Adds to what is open; while something loads, waits for it. */
void loom_document_add (LoomDocument *self, const char *const *paths);
/* Reads everything opened and added anew: files may have grown, and others come. What is there is shown until all of it was
 * read, and stays when that fails or is stopped. */
void loom_document_reload (LoomDocument *self);
/* The same for one or some sources, by their paths: all others stay as they are. */
void loom_document_reload_sources (LoomDocument *self, const char *const *paths);
/* Looks what changed on the disk since it was read: files that grew are read anew, others come; those that are gone stay. In
 * silence: no error is kept, and nothing changes while nothing did. FALSE while something loads: ask again later. */
gboolean loom_document_follow (LoomDocument *self);
/* TRUE when the load that is under way, or was the last, is not one a person asked for. */
gboolean loom_document_is_quiet (LoomDocument *self);
/* Stops loading; what has arrived stays. */
void loom_document_cancel (LoomDocument *self);

gboolean loom_document_is_loading (LoomDocument *self);
/* Borrowed; NULL when nothing loads. */
LoomProgress *loom_document_get_progress (LoomDocument *self);

/* When the first source of the load under way, or of the last one, was ready, in µs of g_get_monotonic_time(); 0: none
 * was. */
gint64 loom_document_get_ready_time (LoomDocument *self);

/* Borrowed; NULL while no source has arrived. */
LoomTimeline *loom_document_get_timeline (LoomDocument *self);
/* Borrowed; also there when no trace was found, for its list of ignored files. NULL before the first load. */
LoomRun *loom_document_get_run (LoomDocument *self);
/* Why the last load failed, NULL when it did not; a cancelled load did not fail. */
const GError *loom_document_get_error (LoomDocument *self);
/* TRUE when the last load was stopped by a person: what is shown is not all. */
gboolean loom_document_was_cancelled (LoomDocument *self);

/* What a person changed about its clocks; borrowed, as it was when it was asked for. An edit is a step that can be taken
 * back (loom_undo_stack_push()); `edits` is taken over. Set, as when a session is opened, it is none, and nothing that was done
 * before can be taken back. */
const LoomClockOverrides *loom_document_get_clock_edits (LoomDocument *self);
void loom_document_edit_clocks (LoomDocument *self, LoomClockOverrides *edits, const char *words, gboolean joins);
void loom_document_set_clock_edits (LoomDocument *self, const LoomClockOverrides *edits);
/* What is in force was put in force by no edit: taken back, it gives way to `before`, which is taken over. */
void loom_document_note_clocks (LoomDocument *self, LoomClockOverrides *before, const char *words);
/* What a person changed about its sources; borrowed, as it was when it was asked for. An edit can be taken back; `edits` is
 * taken over. What it removes, brings back or places is read anew; a name, muting and solo cost nothing. Set, as when a
 * session is opened, before what is to be loaded with it. */
const LoomSourceOverrides *loom_document_get_source_edits (LoomDocument *self);
void loom_document_edit_sources (LoomDocument *self, LoomSourceOverrides *edits, const char *words, gboolean joins);
void loom_document_set_source_edits (LoomDocument *self, const LoomSourceOverrides *edits);
/* Borrowed. Whoever pushes a step of another kind says so with "timeline-changed". */
LoomUndoStack *loom_document_get_undo (LoomDocument *self);

/* Everything opened and added, NULL-terminated, borrowed. */
const char *const *loom_document_get_paths (LoomDocument *self);
/* In a word: the folder or file, or their common folder, and how many were added ("run + 2"). Owned by the caller. */
char *loom_document_dup_name (LoomDocument *self);
/* The path of what is named so. Owned by the caller; NULL when nothing is open. */
char *loom_document_dup_place (LoomDocument *self);
/* Distinct known ranks. */
guint loom_document_count_ranks (LoomDocument *self);
guint64 loom_document_count_spans (LoomDocument *self);
