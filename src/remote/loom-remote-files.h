/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/remote: what is taken from the disk below a cache folder, and nothing beside it. Links are removed, never
 * followed. Blocking; any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where `name` is to stand below `folder`: files that are in the place of its folders go, and so does a folder in its own.
 * What cannot be removed stays; then writing fails and says why. */
void loom_remote_files_clear_way (const char *folder, const char *name);

/* Bytes of all files below a folder. */
guint64 loom_remote_files_measure (const char *folder);
/* Removes a folder and all below it. */
void loom_remote_files_remove (const char *folder);

/* A name beside `path` of its own for each who writes it now: windows, and other programs. Owned. */
char *loom_remote_files_dup_part (const char *path);
/* Opens such a part for writing, locked for as long as it is open; -1 with errno. */
int loom_remote_files_open_part (const char *part);
/* Removes the parts below `folder` that nobody writes any more. */
void loom_remote_files_remove_parts (const char *folder);

G_END_DECLS
