/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the id that the trace builder has assigned to the name, cat and cname of an event. The interface is described
 * in loom-name-cache.h.
 */
#include "loom-name-cache.h"

#include "loom-json-literal.h"
#include "loom-limits.h"

#include <string.h>

typedef struct {
  guint64 hash;
  const char *raw; /* the literals of name, cat and cname, concatenated; NULL: free slot */
  guint32 length[3];
  guint32 name_id;
  LoomNameTraits traits;
} Slot;

struct _LoomNameCache {
  LoomTraceBuilder *builder;
  Slot *slots;
  guint mask;
  guint n_used;
  GStringChunk *raws;
  GString *decoded[3];
};

LoomNameCache *
loom_name_cache_new (LoomTraceBuilder *builder)
{
  LoomNameCache *cache = g_new0 (LoomNameCache, 1);
  cache->builder = builder;
  cache->mask = 255;
  cache->slots = g_new0 (Slot, cache->mask + 1);
  cache->raws = g_string_chunk_new (16 * 1024);
  for (guint i = 0; i < 3; i++)
    cache->decoded[i] = g_string_new (NULL);
  return cache;
}

void
loom_name_cache_free (LoomNameCache *cache)
{
  if (cache == NULL)
    return;
  for (guint i = 0; i < 3; i++)
    g_string_free (cache->decoded[i], TRUE);
  g_string_chunk_free (cache->raws);
  g_free (cache->slots);
  g_free (cache);
}

/* Returns a hash of the three literals. The literal of an absent member has length 0. */
static inline guint64
hash_of (const LoomJsonSlice *name, const LoomJsonSlice *cat, const LoomJsonSlice *cname)
{
  guint64 hash = loom_json_literal_hash (name->text, name->length);
  if (cat->length > 0)
    hash = loom_json_literal_fold (hash, loom_json_literal_hash (cat->text, cat->length) | 1);
  if (cname->length > 0)
    hash =
      loom_json_literal_fold (hash ^ LOOM_JSON_LITERAL_SEED_1, loom_json_literal_hash (cname->text, cname->length) | 1);
  return hash;
}

static inline gboolean
slot_matches (const Slot *slot, guint64 hash, const LoomJsonSlice *name, const LoomJsonSlice *cat,
              const LoomJsonSlice *cname)
{
  if (slot->hash != hash || slot->length[0] != name->length || slot->length[1] != cat->length ||
      slot->length[2] != cname->length)
    return FALSE;
  const char *own_cat = slot->raw + name->length, *own_cname = own_cat + cat->length;
  return loom_json_literal_equal (slot->raw, name->text, name->length) &&
         loom_json_literal_equal (own_cat, cat->text, cat->length) &&
         (cname->length == 0 || loom_json_literal_equal (own_cname, cname->text, cname->length));
}

static void
grow (LoomNameCache *cache)
{
  Slot *old = cache->slots;
  guint n_old = cache->mask + 1;
  cache->mask = n_old * 2 - 1;
  cache->slots = g_new0 (Slot, cache->mask + 1);
  for (guint i = 0; i < n_old; i++) {
    if (old[i].raw == NULL)
      continue;
    guint at = (guint) old[i].hash & cache->mask;
    while (cache->slots[at].raw != NULL)
      at = (at + 1) & cache->mask;
    cache->slots[at] = old[i];
  }
  g_free (old);
}

/* Returns TRUE if the literal is strict JSON without escapes, so that encoding the decoded text again gives the same
 * literal. */
static gboolean
is_text_of (LoomJsonSlice literal, const GString *decoded)
{
  return loom_json_slice_is_string (literal) && loom_json_slice_is_strict (literal.text, literal.length) &&
         memchr (literal.text, '\\', literal.length) == NULL && literal.length == decoded->len + 2 &&
         memcmp (literal.text + 1, decoded->str, decoded->len) == 0;
}

static gboolean
is_plain (LoomNameCache *cache, const LoomJsonSlice *parts)
{
  gboolean has_category = parts[1].length > 0;
  if (parts[2].length > 0 || (has_category && cache->decoded[1]->len == 0))
    return FALSE;
  return is_text_of (parts[0], cache->decoded[0]) && (!has_category || is_text_of (parts[1], cache->decoded[1]));
}

static guint32
intern (LoomNameCache *cache, const LoomJsonSlice *parts, LoomNameTraits *traits)
{
  gboolean was_cut = FALSE;
  for (guint i = 0; i < 3; i++) {
    g_string_truncate (cache->decoded[i], 0);
    was_cut |= loom_json_slice_decode_cut (parts[i], LOOM_LIMIT_NAME_BYTES, cache->decoded[i]);
  }
  *traits = was_cut ? LOOM_NAME_CUT : is_plain (cache, parts) ? LOOM_NAME_PLAIN : 0;
  return loom_trace_builder_name (cache->builder, cache->decoded[0]->str, cache->decoded[0]->len,
                                  cache->decoded[1]->str, cache->decoded[1]->len, cache->decoded[2]->str,
                                  cache->decoded[2]->len);
}

/* Stores a new combination of name, cat and cname in the free slot `at`. */
static void
remember (LoomNameCache *cache, guint at, guint64 hash, const LoomJsonSlice *parts, guint32 name_id,
          LoomNameTraits traits)
{
  gsize n_raw = parts[0].length + parts[1].length + parts[2].length;
  if (n_raw > LOOM_LIMIT_NAME_BYTES)
    return; /* name, cat and cname together are too long to be stored */
  Slot *slot = &cache->slots[at];
  *slot = (Slot) {
    hash, NULL, { (guint32) parts[0].length, (guint32) parts[1].length, (guint32) parts[2].length }, name_id, traits
  };
  g_autoptr (GString) raw = g_string_sized_new (n_raw);
  for (guint i = 0; i < 3; i++)
    g_string_append_len (raw, parts[i].text, (gssize) parts[i].length);
  slot->raw = g_string_chunk_insert_len (cache->raws, raw->str, (gssize) raw->len);
  if (++cache->n_used * 2 > cache->mask)
    grow (cache);
}

static guint32 __attribute__ ((noinline))
add (LoomNameCache *cache, guint at, guint64 hash, const LoomEvent *event, LoomNameTraits *traits)
{
  LoomJsonSlice parts[3] = { event->member[LOOM_MEMBER_NAME], event->member[LOOM_MEMBER_CAT],
                             event->member[LOOM_MEMBER_CNAME] };
  for (guint i = 0; i < 3; i++)
    if (parts[i].text == NULL)
      parts[i] = (LoomJsonSlice) { "", 0 };
  guint32 name_id = intern (cache, parts, traits);
  remember (cache, at, hash, parts, name_id, *traits);
  return name_id;
}

guint32
loom_name_cache_get (LoomNameCache *cache, const LoomEvent *event, LoomNameTraits *traits)
{
  /* Pointers instead of copies: the parser has just written these members, and copying them would wait until the writes
   * are complete. */
  const LoomJsonSlice *name = &event->member[LOOM_MEMBER_NAME], *cat = &event->member[LOOM_MEMBER_CAT],
                      *cname = &event->member[LOOM_MEMBER_CNAME];
  guint64 hash = hash_of (name, cat, cname);
  guint at = (guint) hash & cache->mask;
  while (cache->slots[at].raw != NULL) {
    if (slot_matches (&cache->slots[at], hash, name, cat, cname)) {
      *traits = cache->slots[at].traits;
      return cache->slots[at].name_id;
    }
    at = (at + 1) & cache->mask;
  }
  return add (cache, at, hash, event, traits);
}
