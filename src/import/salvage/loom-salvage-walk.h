/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the state that is shared when the trees of all tables of a damaged SQLite database are walked:
 * which pages are in use, and which rows are lost.
 */
#pragma once

#include "loom-database-pages.h"

/* A row that cannot be read. */
typedef struct {
  guint32 page, cell;
} LoomLostRow;

/* State that the walks over all tables of a file share. */
typedef struct {
  const LoomDatabasePages *pages;
  guint8 *claims; /* bits indexed by page: the page belongs to a tree, or contains the rest of a row that is longer than
                   * its leaf */
  GArray *lost;   /* LoomLostRow */
  GCancellable *cancellable;
} LoomSalvageWalk;

void loom_salvage_walk_init (LoomSalvageWalk *self, const LoomDatabasePages *pages, GCancellable *cancellable);
void loom_salvage_walk_clear (LoomSalvageWalk *self);

/* Marks a page as used. Returns FALSE if it was already marked or does not exist. */
gboolean loom_salvage_walk_claim (LoomSalvageWalk *self, guint32 page);
gboolean loom_salvage_walk_is_claimed (const LoomSalvageWalk *self, guint32 page);
