/* SPDX-License-Identifier: Apache-2.0
 *
 * One look at the disk: which files stand in what is open, how large and how old they are, and in which folders.
 */
#pragma once

#include "loom-run.h"
#include "loom-worker.h"

typedef struct {
  GHashTable *files;  /* char * path → char * size, time and place on the disk */
  GPtrArray *folders; /* char *, all that were looked through, and those of single files */
  gboolean is_remote; /* some stand on another machine */
} LoomFolderSnapshot;

/* In a worker (loom_worker_start()); `done` gets the snapshot, owned. */
void loom_folder_snapshot_async (GCancellable **running, const char *const *paths, LoomWorkerDone done, gpointer owner);
void loom_folder_snapshot_free (LoomFolderSnapshot *look);

gboolean loom_folder_snapshot_equal (const LoomFolderSnapshot *a, const LoomFolderSnapshot *b);
/* Whether a file is there that the run does not know, or knows with another size. */
gboolean loom_folder_snapshot_differs (const LoomFolderSnapshot *look, const LoomRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomFolderSnapshot, loom_folder_snapshot_free)
