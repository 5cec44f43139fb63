/* SPDX-License-Identifier: Apache-2.0
 *
 * One look at the disk: which files stand in what is open, how large and how old they are, and in which folders.
 */
#pragma once

#include "loom-run.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  GHashTable *files;  /* char * path → char * size, time and place on the disk */
  GPtrArray *folders; /* char *, all that were looked through, and those of single files */
  gboolean is_remote; /* some stand on another machine */
} LoomLook;

/* In a worker; `done` gets a GTask whose pointer is the look, owned, or NULL when it was cancelled. */
void loom_look_async (const char *const *paths, GCancellable *cancellable, GAsyncReadyCallback done, gpointer user_data);
void loom_look_free (LoomLook *look);

gboolean loom_look_equal (const LoomLook *a, const LoomLook *b);
/* Whether a file is there that the run does not know, or knows with another size. */
gboolean loom_look_differs (const LoomLook *look, const LoomRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomLook, loom_look_free)

G_END_DECLS
