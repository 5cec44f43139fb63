/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps what a window shows in a session file of its own below the user's state folder, a moment after it changed. A lock
 * beside it is held while the window lives: a lock nobody holds is left by a program that did not end by itself.
 * One file per set of opened paths; the oldest go beyond LOOM_SESSION_AUTOSAVE_MAX. Main thread; files are written in workers.
 */
#pragma once

#include "loom-run-state.h"
#include "loom-session-file.h"
#include "loom-worker.h"

#define LOOM_SESSION_AUTOSAVE_MAX 200

typedef struct _LoomSessionAutosave LoomSessionAutosave;

/* What is to be kept now, owned by the caller; NULL: nothing yet. */
typedef LoomSession *(*LoomSessionAutosaveCollect) (gpointer data);

/* A reference is taken. Nothing is kept before loom_session_autosave_start(). */
LoomSessionAutosave *loom_session_autosave_new (LoomRunState *run, LoomSessionAutosaveCollect collect, gpointer data);
/* Saves what changed and lets go of the lock: the window closes as it should. */
void loom_session_autosave_free (LoomSessionAutosave *self);

/* From now on what is open belongs to `paths`. `session`, or NULL, is what it was left as at `left`: a program that ends before
 * anything of it is seen leaves it as it was. TRUE when something was kept of them before. */
gboolean loom_session_autosave_start (LoomSessionAutosave *self, const char *const *paths, const LoomSession *session,
                                      const char *left);
/* Something is to be kept that `run` does not tell of. */
void loom_session_autosave_changed (LoomSessionAutosave *self);
/* Saves what is open now, without waiting, and keeps nothing more until the next start. */
void loom_session_autosave_stop (LoomSessionAutosave *self);

/* Waits until everything is written: before the program ends. */
void loom_session_autosave_flush (void);

/* Reads what was kept of the paths in a worker (loom_worker_start()); `done` gets a LoomSession, owned, or NULL: nothing. */
void loom_session_autosave_find_async (GCancellable **running, const char *const *paths, LoomWorkerDone done,
                                       gpointer owner);

typedef struct {
  char *path;  /* of the session file */
  char *name;  /* of what was open */
  char *place; /* its parent folder, home as "~" */
} LoomCrashedSession;

/* What was shown by programs that did not end by themselves: LoomCrashedSession, the latest first. Reads files: for workers. */
GPtrArray *loom_session_autosave_list_lost (void);
/* The same in a worker; `done` gets the list, owned, and is always called: `owner` must live until then. */
void loom_session_autosave_list_lost_async (LoomWorkerDone done, gpointer owner);
/* TRUE for a file that is kept by itself, not by the user. */
gboolean loom_session_autosave_is_own (const char *path);
/* The session at `path`, if it is one of these, was offered: it is not lost any more. */
void loom_session_autosave_forget_lost (const char *path);
