/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of the event names and the kinds of statistics of a plane of an XSpace. The interface is described in
 * loom-xplane-kinds.h.
 */
#include "loom-xplane-kinds.h"

#include <string.h>

/* Names of the args that are made from the details of a kernel or copy. The index of a name in this array is its key
 * (LOOM_XPLANE_KEY_…). */
static const char *const fixed_names[LOOM_XPLANE_N_KEYS] = {
  [LOOM_XPLANE_KEY_REGISTERS] = "registers per thread",
  [LOOM_XPLANE_KEY_BYTES] = "bytes",
  [LOOM_XPLANE_KEY_GRID] = "grid",
  [LOOM_XPLANE_KEY_BLOCK] = "block",
  [LOOM_XPLANE_KEY_DURATION] = "duration_ps",
};

/* Allocates the slots of a table for `n` elements. There are so many slots that the elements use at most half of
 * them. */
static void
open_ids (LoomXplaneIds *ids, guint n)
{
  ids->n_slots = 16;
  while (ids->n_slots < 2 * (guint64) n)
    ids->n_slots *= 2;
  ids->slots = g_new0 (guint32, ids->n_slots);
  ids->dense = g_new0 (guint32, LOOM_XPLANE_KINDS_DENSE);
  ids->seed = loom_seeded_hash_get_seed ();
}

static void
add_id (LoomXplaneIds *ids, gint64 id, guint32 number)
{
  guint32 slot = loom_xplane_kinds_hash (ids, id);
  if ((guint64) id < LOOM_XPLANE_KINDS_DENSE) {
    ids->dense[id] = number + 1;
    return;
  }
  while (ids->slots[slot] != 0)
    slot = (slot + 1) & (ids->n_slots - 1);
  ids->slots[slot] = number + 1;
}

static guint
find_link (const LoomXplane *plane, gint64 id, gboolean *is_only)
{
  const gint64 *ids = (const gint64 *) &plane->links;
  guint found = 0;
  for (guint i = 0; i < sizeof plane->links / sizeof *ids; i++)
    if (ids[i] == id) {
      *is_only &= found == 0;
      found = i + 1;
    }
  return found;
}

/* Returns the number of an arg's name, and adds the name to the table `keys` if it is new. */
static guint32
find_key (GHashTable *keys, const char *name)
{
  gpointer key;
  if (g_hash_table_lookup_extended (keys, name, NULL, &key))
    return GPOINTER_TO_UINT (key);
  guint32 number = g_hash_table_size (keys);
  g_hash_table_insert (keys, (gpointer) name, GUINT_TO_POINTER (number));
  return number;
}

static LoomXplaneStatKind
describe_stat (const LoomXplane *plane, GHashTable *keys, gint64 id, const char *name)
{
  LoomXplaneStatKind kind = { .id = id, .n_text = strlen (name) + strlen ("\"\"") };
  kind.is_correlation = strcmp (name, "correlation_id") == 0;
  kind.details = strcmp (name, "kernel_details") == 0   ? LOOM_XPLANE_KERNEL_DETAILS
                 : strcmp (name, "memcpy_details") == 0 ? LOOM_XPLANE_COPY_DETAILS
                                                        : LOOM_XPLANE_NO_DETAILS;
  kind.name = kind.is_correlation ? "correlation" : name;
  kind.n_key = strlen (kind.name) + strlen ("\"\":");
  kind.key = find_key (keys, kind.name);
  /* A kind is not usable if its id is missing (0), or if its name has escapes, because such a name could contain the
   * name of another kind. */
  kind.is_usable = id != 0 && strchr (name, '\\') == NULL;
  kind.link = find_link (plane, id, &kind.is_usable);
  return kind;
}

static void
add_stats (LoomXplaneKinds *self, const LoomXplane *plane)
{
  g_autoptr (GHashTable) keys = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer id, name;
  for (guint i = 0; i < LOOM_XPLANE_N_KEYS; i++)
    find_key (keys, fixed_names[i]);
  open_ids (&self->by_stat, g_hash_table_size (plane->stats));
  g_hash_table_iter_init (&iter, plane->stats);
  while (g_hash_table_iter_next (&iter, &id, &name)) {
    LoomXplaneStatKind kind = describe_stat (plane, keys, *(const gint64 *) id, name);
    add_id (&self->by_stat, kind.id, self->stats->len);
    g_array_append_val (self->stats, kind);
  }
  self->n_keys = g_hash_table_size (keys);
}

static void
add_names (LoomXplaneKinds *self, const LoomXplane *plane)
{
  GHashTableIter iter;
  gpointer id, name;
  open_ids (&self->by_name, g_hash_table_size (plane->names));
  g_hash_table_iter_init (&iter, plane->names);
  while (g_hash_table_iter_next (&iter, &id, &name)) {
    LoomXplaneEventName entry = { .id = *(const gint64 *) id, .name = name };
    add_id (&self->by_name, entry.id, self->names->len);
    g_array_append_val (self->names, entry);
  }
}

LoomXplaneKinds *
loom_xplane_kinds_new (const LoomXplane *plane)
{
  LoomXplaneKinds *self = g_new0 (LoomXplaneKinds, 1);
  self->stats = g_array_new (FALSE, FALSE, sizeof (LoomXplaneStatKind));
  self->names = g_array_new (FALSE, FALSE, sizeof (LoomXplaneEventName));
  add_stats (self, plane);
  add_names (self, plane);
  return self;
}

void
loom_xplane_kinds_free (LoomXplaneKinds *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->stats);
  g_array_unref (self->names);
  g_free (self->by_stat.slots);
  g_free (self->by_stat.dense);
  g_free (self->by_name.slots);
  g_free (self->by_name.dense);
  g_free (self);
}
