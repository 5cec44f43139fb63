/* SPDX-License-Identifier: Apache-2.0
 *
 * A snapshot of the opened files and folders on the disk: paths, sizes and times of files, and the folders that contain
 * them.
 */
#pragma once

#include "loom-run.h"
#include "loom-worker.h"

typedef struct {
  /* key: path of a file (char *); value: its size in bytes, modification time and inode, as one text (char *) */
  GHashTable *files;
  /* char *: all folders that were searched, and the folders of files that were opened one by one */
  GPtrArray *folders;
  gboolean is_remote; /* TRUE if some files are on a network file system, which other machines can change */
} LoomFolderSnapshot;

/* Takes a snapshot in a worker, see loom_worker_start(). `done` receives the snapshot and owns it. */
void loom_folder_snapshot_async (GCancellable **running, const char *const *paths, LoomWorkerDone done, gpointer owner);
void loom_folder_snapshot_free (LoomFolderSnapshot *look);

gboolean loom_folder_snapshot_equal (const LoomFolderSnapshot *a, const LoomFolderSnapshot *b);
/* Returns TRUE if a file in the snapshot is not in the run, or has another size than when it was read. */
gboolean loom_folder_snapshot_differs (const LoomFolderSnapshot *look, const LoomRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomFolderSnapshot, loom_folder_snapshot_free)
