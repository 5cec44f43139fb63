/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the deepest folder that contains all of several files or folders. Compares paths as text and reads no disk. Any
 * thread.
 */
#pragma once

#include <glib.h>

/* Returns the canonical path of the deepest folder that contains the first `n` of `paths`; for one path, the path
 * itself. There must be at least one path. Owned by the caller. O(bytes of the paths). */
char *loom_common_folder_dup (const char *const *paths, guint n);
