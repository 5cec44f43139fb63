/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. Keeps the temporary files of SQLite in memory. With temporary files, SQLite sorts a large
 * result in parts of a few megabytes, and merges these step by step. Without them, it would sort the whole result in
 * one step, which takes seconds for millions of rows and cannot be interrupted. The files never reach a disk, and their
 * memory counts towards SQLite's memory limit.
 */
#pragma once

/* Returns the name of the VFS for sqlite3_open_v2(), and registers the VFS on the first call; NULL if there is no
 * memory. May be called on any thread. The VFS has only temporary files, and cannot open a database with a name. */
const char *loom_query_temp_get_vfs (void);
