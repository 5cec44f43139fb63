/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-name-interner.h"

#include "loom-seeded-hash.h"

#include <string.h>

#define FIRST_SLOTS 256
#define EMPTY_SLOT G_MAXUINT32

static void
grow_slots (LoomNameInterner *names, guint32 n_slots)
{
  g_free (names->slots);
  names->slots = g_new (guint32, n_slots);
  memset (names->slots, 0xFF, n_slots * sizeof (guint32));
  names->mask = n_slots - 1;
  for (guint32 id = 0; id < names->entries->len; id++) {
    guint32 slot = loom_name_interner_get (names, id)->hash & names->mask;
    while (names->slots[slot] != EMPTY_SLOT)
      slot = (slot + 1) & names->mask;
    names->slots[slot] = id;
  }
}

void
loom_name_interner_init (LoomNameInterner *names)
{
  names->texts = loom_string_pool_new ();
  names->entries = g_array_new (FALSE, FALSE, sizeof (LoomNameEntry));
  names->slots = NULL;
  grow_slots (names, FIRST_SLOTS);
  loom_name_interner_intern (names, "", 0, "", 0, "", 0);
}

void
loom_name_interner_clear (LoomNameInterner *names)
{
  g_clear_pointer (&names->texts, loom_string_pool_free);
  g_clear_pointer (&names->entries, g_array_unref);
  g_clear_pointer (&names->slots, g_free);
}

static inline gboolean
is_same_text (const char *a, guint32 length_a, const char *b, guint32 length_b)
{
  return length_a == length_b && (length_a == 0 || memcmp (a, b, length_a) == 0);
}

static inline gboolean
is_same (const LoomNameEntry *entry, const LoomNameEntry *wanted)
{
  return entry->hash == wanted->hash &&
         is_same_text (entry->text, entry->text_length, wanted->text, wanted->text_length) &&
         is_same_text (entry->category, entry->category_length, wanted->category, wanted->category_length) &&
         is_same_text (entry->cname, entry->cname_length, wanted->cname, wanted->cname_length);
}

static const char *
keep (LoomNameInterner *names, const char *text, guint32 length, guint32 *id)
{
  *id = loom_string_pool_intern (names->texts, text, length);
  return loom_string_pool_get (names->texts, *id);
}

static guint32
append (LoomNameInterner *names, LoomNameEntry entry)
{
  guint32 cname_id;
  entry.text = keep (names, entry.text, entry.text_length, &entry.text_id);
  entry.category = keep (names, entry.category, entry.category_length, &entry.category_id);
  entry.cname = keep (names, entry.cname, entry.cname_length, &cname_id);
  g_array_append_val (names->entries, entry);
  return names->entries->len - 1;
}

static guint32
hash_triple (const LoomNameEntry *name)
{
  guint64 seed = loom_seeded_hash_get_seed (), hash = loom_seeded_hash_text_from (seed, name->text, name->text_length);
  if (name->category_length > 0)
    hash = hash * 31 + loom_seeded_hash_text_from (seed, name->category, name->category_length);
  if (name->cname_length > 0)
    hash = hash * 37 + loom_seeded_hash_text_from (seed, name->cname, name->cname_length);
  return (guint32) (hash ^ hash >> 32);
}

guint32
loom_name_interner_intern (LoomNameInterner *names, const char *text, gsize length, const char *category,
                           gsize category_length, const char *cname, gsize cname_length)
{
  LoomNameEntry wanted = {
    .text = length > 0 ? text : "",
    .text_length = (guint32) length,
    .category = category_length > 0 ? category : "",
    .category_length = (guint32) category_length,
    .cname = cname_length > 0 ? cname : "",
    .cname_length = (guint32) cname_length,
  };
  wanted.hash = hash_triple (&wanted);
  guint32 slot = wanted.hash & names->mask;
  for (; names->slots[slot] != EMPTY_SLOT; slot = (slot + 1) & names->mask) {
    if (is_same (loom_name_interner_get (names, names->slots[slot]), &wanted))
      return names->slots[slot];
  }
  guint32 id = append (names, wanted);
  names->slots[slot] = id;
  if ((guint64) names->entries->len * 2 > names->mask)
    grow_slots (names, (names->mask + 1) * 2);
  return id;
}
