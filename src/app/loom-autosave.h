/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps what a window shows in a session file of its own below the user's state folder, a moment after it changed. A lock
 * beside it is held while the window lives: a lock nobody holds is left by a program that did not end by itself.
 * One file per set of opened paths; the oldest go beyond LOOM_AUTOSAVE_MAX. Main thread; files are written in workers.
 */
#pragma once

#include "loom-run-view.h"
#include "loom-session.h"

G_BEGIN_DECLS

#define LOOM_AUTOSAVE_MAX 200

typedef struct _LoomAutosave LoomAutosave;

/* What is to be kept now, owned by the caller; NULL: nothing yet. */
typedef LoomSession *(*LoomAutosaveCollect) (gpointer data);

/* The view is borrowed and outlives it. Nothing is kept before loom_autosave_start(). */
LoomAutosave *loom_autosave_new (LoomRunView *view, LoomAutosaveCollect collect, gpointer data);
/* Saves what changed and lets go of the lock: the window closes as it should. */
void loom_autosave_free (LoomAutosave *autosave);

/* From now on what is open belongs to `paths`. `session`, or NULL, is what it was left as at `left`: a program that ends before
 * anything of it is seen leaves it as it was. TRUE when something was kept of them before. */
gboolean loom_autosave_start (LoomAutosave *autosave, const char *const *paths, const LoomSession *session, const char *left);
/* Something is to be kept that the view does not tell of. */
void loom_autosave_changed (LoomAutosave *autosave);
/* Saves what is open now, without waiting, and keeps nothing more until the next start. */
void loom_autosave_stop (LoomAutosave *autosave);

/* Waits until everything is written: before the program ends. */
void loom_autosave_flush (void);

/* What was kept of the paths, read in a worker; NULL when nothing was, or when it was cancelled. Owned by the caller. */
void loom_autosave_find_async (const char *const *paths, GCancellable *cancellable, gpointer source, GAsyncReadyCallback done);
LoomSession *loom_autosave_find_finish (GAsyncResult *result);

typedef struct {
  char *path;  /* of the session file */
  char *name;  /* of what was open */
  char *place; /* its parent folder, home as "~" */
} LoomLost;

/* What was shown by programs that did not end by themselves: LoomLost, the latest first. Reads files: for workers. */
GPtrArray *loom_autosave_list_lost (void);
/* The same in a worker; NULL when it was cancelled. Owned by the caller. */
void loom_autosave_list_lost_async (GCancellable *cancellable, GAsyncReadyCallback done, gpointer user_data);
GPtrArray *loom_autosave_list_lost_finish (GAsyncResult *result);
/* TRUE for a file that is kept by itself, not by the user. */
gboolean loom_autosave_is_own (const char *path);
/* The session at `path`, if it is one of these, was offered: it is not lost any more. */
void loom_autosave_forget_lost (const char *path);

G_END_DECLS
