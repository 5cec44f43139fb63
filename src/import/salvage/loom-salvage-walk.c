/* SPDX-License-Identifier: Apache-2.0
 *
 * The state that is shared when the trees of all tables of a damaged SQLite database are walked. The interface is
 * described in loom-salvage-walk.h.
 */
#include "loom-salvage-walk.h"

void
loom_salvage_walk_init (LoomSalvageWalk *self, const LoomDatabasePages *pages, GCancellable *cancellable)
{
  *self = (LoomSalvageWalk) { .pages = pages,
                              .claims = g_malloc0 (pages->n_pages / 8 + 1),
                              .lost = g_array_new (FALSE, FALSE, sizeof (LoomLostRow)),
                              .cancellable = cancellable };
}

void
loom_salvage_walk_clear (LoomSalvageWalk *self)
{
  g_free (self->claims);
  g_array_unref (self->lost);
}

gboolean
loom_salvage_walk_is_claimed (const LoomSalvageWalk *self, guint32 page)
{
  return (self->claims[page / 8] >> page % 8 & 1) != 0;
}

gboolean
loom_salvage_walk_claim (LoomSalvageWalk *self, guint32 page)
{
  if (page < 1 || page > self->pages->n_pages || loom_salvage_walk_is_claimed (self, page))
    return FALSE;
  self->claims[page / 8] |= (guint8) (1u << page % 8);
  return TRUE;
}
