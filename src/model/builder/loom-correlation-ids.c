/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-correlation-ids.h"

#include "loom-seeded-hash.h"

#include <string.h>

#define FREE_SLOT G_MAXUINT32
#define FIRST_SLOTS 64

static void
rehash (LoomCorrelationIds *keys, guint32 n_slots)
{
  g_free (keys->slots);
  keys->slots = g_new (guint32, n_slots);
  memset (keys->slots, 0xFF, (gsize) n_slots * sizeof (guint32));
  keys->mask = n_slots - 1;
  for (guint32 id = 0; id < keys->count; id++) {
    guint32 slot = (guint32) keys->hashes[id] & keys->mask;
    while (keys->slots[slot] != FREE_SLOT)
      slot = (slot + 1) & keys->mask;
    keys->slots[slot] = id;
  }
}

static guint32
intern_hash (LoomCorrelationIds *keys, guint64 hash)
{
  guint32 slot = (guint32) hash & keys->mask;
  while (keys->slots[slot] != FREE_SLOT) {
    if (keys->hashes[keys->slots[slot]] == hash)
      return keys->slots[slot];
    slot = (slot + 1) & keys->mask;
  }
  if (keys->count == keys->capacity) {
    keys->capacity = MAX (keys->capacity * 2, FIRST_SLOTS / 2);
    keys->hashes = g_renew (guint64, keys->hashes, keys->capacity);
  }
  guint32 id = keys->count++;
  keys->hashes[id] = hash;
  keys->slots[slot] = id;
  if ((guint64) keys->count * 2 > keys->mask)
    rehash (keys, (keys->mask + 1) * 2);
  return id;
}

void
loom_correlation_ids_init (LoomCorrelationIds *keys)
{
  *keys = (LoomCorrelationIds) { 0 };
  rehash (keys, FIRST_SLOTS);
  loom_correlation_ids_intern (keys, "", 0);
}

void
loom_correlation_ids_clear (LoomCorrelationIds *keys)
{
  g_free (keys->hashes);
  g_free (keys->slots);
  *keys = (LoomCorrelationIds) { 0 };
}

guint32
loom_correlation_ids_intern (LoomCorrelationIds *keys, const char *text, gsize length)
{
  return intern_hash (keys, loom_seeded_hash_text (text, length));
}

guint32 *
loom_correlation_ids_map (LoomCorrelationIds *keys, const LoomCorrelationIds *part)
{
  guint32 *map = g_new (guint32, part->count);
  for (guint32 id = 0; id < part->count; id++)
    map[id] = intern_hash (keys, part->hashes[id]);
  return map;
}
