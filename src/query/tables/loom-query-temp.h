/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query: temporary files of SQLite in memory. With temporary files SQLite sorts a few megabytes at a time and
 * merges them step by step; without, it sorts everything in one step that nothing can interrupt, which takes seconds for
 * millions of rows. The files never reach a disk, and SQLite counts their memory.
 */
#pragma once

/* Returns the name of the VFS for sqlite3_open_v2(), and registers the VFS on the first call; NULL if there is no
 * memory. May be called on any thread. The VFS has only temporary files, and cannot open a database with a name. */
const char *loom_query_temp_get_vfs (void);
