/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens, restores and saves the run of a tab. Opens files, folders, locations and session files. Restores the
 * automatically saved session of the same paths, and saves the session automatically while the run is open. Reports
 * changes that loading made to the clocks. Called on the main thread; session files are read and written in workers.
 *
 * Signals: "changed": the undo history, the unsaved changes or the result of loom_run_session_get_stage() may have
 * changed. "saved" (gboolean done): saving a session file ended; done is TRUE if the file was written. "failed" (const
 * char *what, const char *advice): a session file could not be read or written. "restored": an automatically saved
 * session has been restored. "asks-locations" (GStrv locations, guint number): a session file contains remote
 * locations; nothing is fetched before loom_run_session_answer_locations(). "clocks-fitted" (guint n, gint64 most_ns):
 * loading fitted n clocks and moved them by up to most_ns. "clocks-refused" (guint n): the fits of n clocks were
 * refused, so the times that the files state are used for these clocks. "runs-differ" (const char *text): the files
 * belong to different runs, so their times cannot be compared.
 */
#pragma once

#include "loom-run-state.h"

#define LOOM_TYPE_RUN_SESSION (loom_run_session_get_type ())
G_DECLARE_FINAL_TYPE (LoomRunSession, loom_run_session, LOOM, RUN_SESSION, GObject)

/* Makes the session of a run. Takes a reference to the run, and connects to the signals of its document. GObject calls
 * signal handlers in the order in which they were connected. An object whose handlers must be called before the
 * handlers of the session must therefore be made before the session. */
LoomRunSession *loom_run_session_new (LoomRunState *run);
/* Returns the run to which the session belongs. Borrowed. */
LoomRunState *loom_run_session_get_run_state (LoomRunSession *self);

/* Opens the paths. The new run replaces the open run or, if `add` is TRUE, is added to it. A single session file is
 * opened as a session. */
void loom_run_session_open_paths (LoomRunSession *self, const char *const *paths, gboolean add);
/* Answers the question of the signal "asks-locations" that was emitted with this number. If a newer question has been
 * asked since, does nothing. `may_fetch`: TRUE if the session with these locations may be opened. */
void loom_run_session_answer_locations (LoomRunSession *self, guint number, gboolean may_fetch);

/* Returns TRUE if no run is open and none is loading. */
gboolean loom_run_session_is_empty (LoomRunSession *self);
/* Returns TRUE while a session file is being read; the files and edits in it are applied afterwards. */
gboolean loom_run_session_is_opening (LoomRunSession *self);
/* Returns "run" if a run is shown, "reading" if files are being read but nothing can be shown yet, "nothing" if the
 * load found nothing to show, "empty" if nothing is open. */
const char *loom_run_session_get_stage (LoomRunSession *self);

/* Returns the path of the open session file, borrowed; NULL: no session file is open. */
const char *loom_run_session_get_path (LoomRunSession *self);
/* Writes the session to the file at `path`, and replaces an existing file. The written file becomes the open session
 * file. */
void loom_run_session_save (LoomRunSession *self, const char *path);
/* loom_run_session_is_unsaved() returns TRUE if there are unsaved changes: a session file is open, and the state has
 * changed since the file was opened or saved; changes of the view alone do not count. loom_run_session_discard()
 * discards these changes. */
gboolean loom_run_session_is_unsaved (LoomRunSession *self);
void loom_run_session_discard (LoomRunSession *self);
/* Resets the view, rows and marks to the state of a newly opened run. */
void loom_run_session_forget_view (LoomRunSession *self);

/* Saves the session, releases the lock of the automatically saved session, and stops loading and following files. Must
 * be called when the tab closes. */
void loom_run_session_close (LoomRunSession *self);
