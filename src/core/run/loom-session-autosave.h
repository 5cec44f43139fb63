/* SPDX-License-Identifier: Apache-2.0
 *
 * Saves the session of an open run automatically, one second after a change, to a file below the user's state folder.
 * While the run is open, a lock file next to the session file is locked. A lock file without a lock was left by a
 * process that crashed. There is one session file per set of opened paths; if there are more than
 * LOOM_SESSION_AUTOSAVE_MAX files, the oldest are removed. Called on the main thread; files are written in workers.
 */
#pragma once

#include "loom-run-state.h"
#include "loom-session-file.h"
#include "loom-worker.h"

#define LOOM_SESSION_AUTOSAVE_MAX 200

typedef struct _LoomSessionAutosave LoomSessionAutosave;

/* Returns the session to save now, owned by the caller; NULL: nothing can be saved yet. */
typedef LoomSession *(*LoomSessionAutosaveCollect) (gpointer data);

/* Makes an object that saves the session of a run, to which it takes a reference. `collect` is called with `data` for
 * each save. Saves nothing before loom_session_autosave_start(). */
LoomSessionAutosave *loom_session_autosave_new (LoomRunState *run, LoomSessionAutosaveCollect collect, gpointer data);
/* Saves unsaved changes, releases the lock and frees the object. Does nothing if `self` is NULL. */
void loom_session_autosave_free (LoomSessionAutosave *self);

/* Starts saving the run that was opened from `paths`. `session`: a session that is being restored from the file `left`;
 * NULL: no session is being restored. `session` is saved at once, so that it is not lost if the program crashes before
 * it has been restored. Returns TRUE if a session was already saved for these paths. */
gboolean loom_session_autosave_start (LoomSessionAutosave *self, const char *const *paths, const LoomSession *session,
                                      const char *left);
/* Saves the session one second later. Must be called for changes that no signal of the run reports. */
void loom_session_autosave_changed (LoomSessionAutosave *self);
/* Saves unsaved changes without the delay, and stops saving until the next start. */
void loom_session_autosave_stop (LoomSessionAutosave *self);

/* Waits until all files are written. Must be called before the program ends. */
void loom_session_autosave_flush (void);

/* Reads, in a worker (see loom_worker_start()), the session that was saved for these paths. `done` receives a
 * LoomSession and owns it; NULL: no session was saved for these paths. */
void loom_session_autosave_find_async (GCancellable **running, const char *const *paths, LoomWorkerDone done,
                                       gpointer owner);

typedef struct {
  char *path;  /* path of the session file */
  char *name;  /* name of the files that were open */
  char *place; /* parent folder of the files that were open; the home folder is written as "~" */
} LoomCrashedSession;

/* Returns the sessions of programs that crashed, as LoomCrashedSession, the latest first. Owned by the caller. Reads
 * files, so it must run in a worker. */
GPtrArray *loom_session_autosave_list_lost (void);
/* Runs loom_session_autosave_list_lost() in a worker. `done` receives the list and owns it. `done` is always called, so
 * `owner` must exist until then. */
void loom_session_autosave_list_lost_async (LoomWorkerDone done, gpointer owner);
/* Returns TRUE if `path` is the file of an automatically saved session, FALSE if it is the file of a session that the
 * user saved. */
gboolean loom_session_autosave_is_own (const char *path);
/* Removes the lock of the crashed session in the file `path`; the session is then no longer listed. Ignores the paths
 * of other files. */
void loom_session_autosave_forget_lost (const char *path);
