/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the file that a path refers to through symbolic links, also if this file does not exist yet. Any thread.
 */
#pragma once

/* Returns the path of the file to which `path` refers; `path` itself if it is not a link. If the target of a link does
 * not exist, follows only this link; otherwise follows any number of links. Owned by the caller. */
char *loom_link_target_resolve (const char *path);
