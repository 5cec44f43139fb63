/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: a file system layer (VFS) that lets SQLite read a damaged database. Some pages are replaced
 * while SQLite reads them: damaged pages of trees by pages that refer to the remaining leaves, and leaves with damaged
 * rows by the same leaves without these rows. The file is not changed, and no copy of it is made.
 */
#pragma once

#include "loom-salvage-table.h"

#include <sqlite3.h>

typedef struct _LoomSalvageVfs LoomSalvageVfs;

/* Takes ownership of `pages`. */
LoomSalvageVfs *loom_salvage_vfs_new (LoomDatabasePages *pages);
/* Call this after all handles were closed. */
void loom_salvage_vfs_free (LoomSalvageVfs *self);

const LoomDatabasePages *loom_salvage_vfs_get_pages (const LoomSalvageVfs *self);

/* Opens the database. Returns NULL with `error` on failure. The handle must be closed before `self` is freed. Changes
 * by loom_salvage_vfs_set_tables() do not affect a handle that is already open. */
sqlite3 *loom_salvage_vfs_open (LoomSalvageVfs *self, GError **error);

/* Replaces the trees of those tables (LoomSalvageTable) whose member `needs_tree` is TRUE, and removes the rows in
 * `lost` (LoomLostRow) from their leaves. Takes about 16 bytes per leaf of the tables, and 8 bytes per lost row. */
void loom_salvage_vfs_set_tables (LoomSalvageVfs *self, const GPtrArray *tables, const GArray *lost);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSalvageVfs, loom_salvage_vfs_free)
