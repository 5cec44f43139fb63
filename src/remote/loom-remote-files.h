/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/remote. Functions for the files in the cache folder: deleting them, and writing files that are not
 * complete yet. Nothing outside the cache folder is deleted; links are deleted, never followed. The functions block,
 * and may be called on any thread.
 */
#pragma once

#include <glib.h>

/* Makes it possible to write a file at the path `name` below `folder`. Deletes a folder that is at this path, and files
 * that are at the paths of its parent folders. Errors are ignored here: writing the file then fails and reports
 * them. */
void loom_remote_files_clear_way (const char *folder, const char *name);

/* Returns the total size of all files below a folder, in bytes. */
guint64 loom_remote_files_measure (const char *folder);
/* Deletes a folder and everything below it. */
void loom_remote_files_remove (const char *folder);

/* Returns a path for a partial file in the folder of `path`. No other writer uses this path, in this process or in
 * another. Owned by the caller. */
char *loom_remote_files_dup_part (const char *path);
/* Opens a partial file for writing; `part` is a path that loom_remote_files_dup_part() returned. The file is locked
 * while it is open. Returns -1 with errno on failure. */
int loom_remote_files_open_part (const char *part);
/* Deletes those partial files below `folder` that are no longer being written. */
void loom_remote_files_remove_parts (const char *folder);
