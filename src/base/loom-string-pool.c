/* SPDX-License-Identifier: Apache-2.0
 *
 * Implementation of the string pool. The texts are stored in blocks of memory that never move. A hash table with open
 * addressing finds the id of a text; its slots contain ids.
 */
#include "loom-string-pool.h"

#include "loom-seeded-hash.h"

#include <string.h>

#define BLOCK_BYTES (64 * 1024)
#define EMPTY_SLOT G_MAXUINT32

typedef struct {
  const char *text;
  gsize length;
  guint64 hash;
} Entry;

struct _LoomStringPool {
  GArray *entries;   /* Entry: for each id, the text with this id */
  GPtrArray *blocks; /* char *: the blocks of memory that contain the texts */
  char *free_bytes;  /* unused part of the newest block */
  gsize n_free;
  gsize n_block_bytes;
  guint32 *slots;
  guint32 mask;
  guint64 seed; /* random number of the process, on which the hashes of entries depend */
};

guint64
loom_string_pool_hash (const char *text, gsize length)
{
  return loom_seeded_hash_text_from (0, text, length);
}

static void
grow_slots (LoomStringPool *strings, guint32 n_slots)
{
  g_free (strings->slots);
  strings->slots = g_new (guint32, n_slots);
  memset (strings->slots, 0xFF, n_slots * sizeof (guint32));
  strings->mask = n_slots - 1;
  for (guint32 id = 0; id < strings->entries->len; id++) {
    guint32 slot = (guint32) g_array_index (strings->entries, Entry, id).hash & strings->mask;
    while (strings->slots[slot] != EMPTY_SLOT)
      slot = (slot + 1) & strings->mask;
    strings->slots[slot] = id;
  }
}

LoomStringPool *
loom_string_pool_new (void)
{
  LoomStringPool *strings = g_new0 (LoomStringPool, 1);
  strings->seed = loom_seeded_hash_get_seed ();
  strings->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  strings->blocks = g_ptr_array_new_with_free_func (g_free);
  grow_slots (strings, 64);
  loom_string_pool_intern (strings, "", 0);
  return strings;
}

void
loom_string_pool_free (LoomStringPool *strings)
{
  if (strings == NULL)
    return;
  g_array_unref (strings->entries);
  g_ptr_array_unref (strings->blocks);
  g_free (strings->slots);
  g_free (strings);
}

static const char *
copy_text (LoomStringPool *strings, const char *text, gsize length)
{
  gsize need = length + 1;
  if (need > strings->n_free) {
    gsize n_bytes = MAX (need, strings->blocks->len == 0 ? 1024 : BLOCK_BYTES);
    strings->free_bytes = g_malloc (n_bytes);
    strings->n_free = n_bytes;
    strings->n_block_bytes += n_bytes;
    g_ptr_array_add (strings->blocks, strings->free_bytes);
  }
  char *copy = strings->free_bytes;
  memcpy (copy, text, length);
  copy[length] = '\0';
  strings->free_bytes += need;
  strings->n_free -= need;
  return copy;
}

/* Returns the slot that contains the text; if no slot contains it, the empty slot in which it must be stored. */
static guint32
find_slot (const LoomStringPool *strings, const char *text, gsize length, guint64 hash)
{
  guint32 slot = (guint32) hash & strings->mask;
  while (strings->slots[slot] != EMPTY_SLOT) {
    const Entry *entry = &g_array_index (strings->entries, Entry, strings->slots[slot]);
    if (entry->hash == hash && entry->length == length && (length == 0 || memcmp (entry->text, text, length) == 0))
      break;
    slot = (slot + 1) & strings->mask;
  }
  return slot;
}

guint32
loom_string_pool_intern (LoomStringPool *strings, const char *text, gsize length)
{
  guint64 hash = loom_seeded_hash_text_from (strings->seed, text, length);
  guint32 slot = find_slot (strings, text, length, hash);
  if (strings->slots[slot] != EMPTY_SLOT)
    return strings->slots[slot];
  Entry entry = { copy_text (strings, text, length), length, hash };
  guint32 id = strings->entries->len;
  g_array_append_val (strings->entries, entry);
  strings->slots[slot] = id;
  if ((guint64) strings->entries->len * 2 > strings->mask)
    grow_slots (strings, (strings->mask + 1) * 2);
  return id;
}

guint32
loom_string_pool_find (const LoomStringPool *strings, const char *text, gsize length)
{
  return strings->slots[find_slot (strings, text, length, loom_seeded_hash_text_from (strings->seed, text, length))];
}

const char *
loom_string_pool_get (const LoomStringPool *strings, guint32 id)
{
  g_return_val_if_fail (id < strings->entries->len, "");
  return g_array_index (strings->entries, Entry, id).text;
}

gsize
loom_string_pool_get_length (const LoomStringPool *strings, guint32 id)
{
  g_return_val_if_fail (id < strings->entries->len, 0);
  return g_array_index (strings->entries, Entry, id).length;
}

guint32
loom_string_pool_get_count (const LoomStringPool *strings)
{
  return strings->entries->len;
}

gsize
loom_string_pool_get_memory (const LoomStringPool *strings)
{
  return strings->n_block_bytes + strings->entries->len * sizeof (Entry) + ((gsize) strings->mask + 1) * 4;
}
