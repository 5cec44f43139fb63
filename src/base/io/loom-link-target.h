/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the file to which a path refers through symbolic links; this file does not have to exist. Any thread.
 */
#pragma once

/* Returns the path of the file to which `path` refers through symbolic links. If this file exists, any number of links
 * is followed; if it does not exist, only the first link is followed. If `path` is not a link, returns a copy of
 * `path`. Owned by the caller. */
char *loom_link_target_resolve (const char *path);
