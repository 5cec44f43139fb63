/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the file that a path refers to through symbolic links, also if this file does not exist yet. Any thread.
 */
#pragma once

/* Returns the path of the file; `path` if it is not a link. Follows one link if its target does not exist, and any number of
 * links otherwise. Owned by the caller. */
char *loom_link_target_resolve (const char *path);
