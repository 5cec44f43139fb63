/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: shows SQLite a damaged database as if it were intact. SQLite reads the pages of the file, of
 * which some are replaced: damaged pages of trees by pages that refer to the leaves that remain, and leaves with
 * damaged rows by the same leaves without these rows. The file is not changed, and no copy of it is made.
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

/* Opens the database. Returns NULL with `error` on failure. The handle must be closed before `self` is freed, and sees
 * only the changes that were made before it was opened. */
sqlite3 *loom_salvage_vfs_open (LoomSalvageVfs *self, GError **error);

/* Replaces the trees of the tables (LoomSalvageTable) that need it, and removes the rows in `lost` (LoomLostRow) from
 * their leaves. Takes about 16 bytes per leaf of the tables, and 8 bytes per lost row. */
void loom_salvage_vfs_set_tables (LoomSalvageVfs *self, const GPtrArray *tables, const GArray *lost);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSalvageVfs, loom_salvage_vfs_free)
