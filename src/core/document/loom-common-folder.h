/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the deepest folder that contains all of several files or folders. Compares only the texts of the paths and does
 * not read the disk. Any thread.
 */
#pragma once

#include <glib.h>

/* Returns the canonical path of the deepest folder that contains the first `n` elements of `paths`. If n is 1,
 * returns this path itself. n must be ≥ 1. Owned by the caller. O(bytes of the paths). */
char *loom_common_folder_dup (const char *const *paths, guint n);
