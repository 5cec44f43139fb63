/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/remote: deletes files below a cache folder, and nothing outside it. Links are deleted, never followed.
 * Blocking; any thread.
 */
#pragma once

#include <glib.h>

/* Makes the path `name` below `folder` usable for a file: deletes files in place of its parent folders, and a folder in
 * its own place. Errors are ignored: writing then fails and reports them. */
void loom_remote_files_clear_way (const char *folder, const char *name);

/* Sum of the sizes of all files below a folder, in bytes. */
guint64 loom_remote_files_measure (const char *folder);
/* Deletes a folder and everything below it. */
void loom_remote_files_remove (const char *folder);

/* Returns a name in the folder of `path` that no other writer uses, whether a window of this program or another program.
 * Owned by the caller. */
char *loom_remote_files_dup_part (const char *path);
/* Opens a partial file with a name of loom_remote_files_dup_part() for writing. It is locked while it is open. Returns
 * -1 with errno on failure. */
int loom_remote_files_open_part (const char *part);
/* Deletes the parts below `folder` that are no longer being written. */
void loom_remote_files_remove_parts (const char *folder);
