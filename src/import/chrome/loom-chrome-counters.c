/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads counter events. The interface is described in loom-chrome-counters.h.
 */
#include "loom-chrome-counters.h"

#include "loom-parse-double.h"
#include "loom-seeded-hash.h"

#include <glib/gi18n.h>
#include <string.h>

#define FIRST_SLOTS 64
#define QUICK_SERIES 16 /* maximum number of series in an event that read_values(), the fast path, can read */
#define MAX_LITERAL 512 /* maximum length in bytes of the literals of a name that is cached */
#define NO_SLOT G_MAXUINT

/* A member of the args of a counter's events. Counter.members contains each member once, in the order in which the
 * members first appeared. */
typedef struct {
  const char *key; /* the key as a JSON literal, with quotes */
  gsize length;
  guint32 series;
} Member;

typedef struct {
  guint64 hash;
  const char *raw; /* the literals of name, cat and id, concatenated */
  gsize length[3];
  guint32 process, counter;
  /* index of the counter whose event followed the previous event of this counter, and is likely to follow the next one,
   * too; NO_SLOT: unknown */
  guint next;
  Member *members;
  guint n_members;
} Counter;

struct _LoomCounterCache {
  GArray *counters; /* Counter: the counters whose events have been read */
  guint *slots;     /* hash table: index into `counters` plus 1; 0: free slot */
  guint mask;
  guint last; /* index of the counter of the previous event; NO_SLOT: no event was read yet */
  GStringChunk *texts;
};

LoomCounterCache *
loom_chrome_counters_cache_new (void)
{
  LoomCounterCache *cache = g_new0 (LoomCounterCache, 1);
  cache->counters = g_array_new (FALSE, FALSE, sizeof (Counter));
  cache->mask = FIRST_SLOTS - 1;
  cache->slots = g_new0 (guint, FIRST_SLOTS);
  cache->last = NO_SLOT;
  cache->texts = g_string_chunk_new (4096);
  return cache;
}

void
loom_chrome_counters_cache_free (LoomCounterCache *cache)
{
  if (cache == NULL)
    return;
  for (guint i = 0; i < cache->counters->len; i++)
    g_free (g_array_index (cache->counters, Counter, i).members);
  g_array_unref (cache->counters);
  g_string_chunk_free (cache->texts);
  g_free (cache->slots);
  g_free (cache);
}

/* --- counters ----------------------------------------------------------------------------------------------------- */

static inline gboolean
is_same (const Counter *counter, guint32 process, const LoomJsonSlice *parts)
{
  if (counter->process != process || counter->length[0] != parts[0].length || counter->length[1] != parts[1].length ||
      counter->length[2] != parts[2].length)
    return FALSE;
  const char *raw = counter->raw;
  for (guint i = 0; i < 3; raw += parts[i++].length)
    if (parts[i].length > 0 && memcmp (raw, parts[i].text, parts[i].length) != 0)
      return FALSE;
  return TRUE;
}

static guint64
hash_of (guint32 process, const LoomJsonSlice *parts)
{
  guint64 hash = process;
  for (guint i = 0; i < 3; i++)
    if (parts[i].length > 0)
      hash = (hash << 7 | hash >> 57) ^ loom_seeded_hash_text (parts[i].text, parts[i].length);
  return hash;
}

static void
grow (LoomCounterCache *cache)
{
  g_free (cache->slots);
  cache->mask = cache->mask * 2 + 1;
  cache->slots = g_new0 (guint, (gsize) cache->mask + 1);
  for (guint i = 0; i < cache->counters->len; i++) {
    guint at = (guint) g_array_index (cache->counters, Counter, i).hash & cache->mask;
    while (cache->slots[at] != 0)
      at = (at + 1) & cache->mask;
    cache->slots[at] = i + 1;
  }
}

static guint32
make_counter (LoomChromeImporter *chrome, guint32 process, const LoomJsonSlice *parts)
{
  g_autofree char *name = g_strdup (loom_chrome_importer_text (chrome, parts[0])),
                  *category = g_strdup (loom_chrome_importer_text (chrome, parts[1]));
  const char *id = loom_chrome_importer_text (chrome, parts[2]);
  return loom_trace_builder_counter (chrome->builder, process, category, strlen (category), name, strlen (name), id,
                                     chrome->scratch->len);
}

static const char *
keep (LoomCounterCache *cache, const LoomJsonSlice *parts, guint n)
{
  g_autoptr (GString) raw = g_string_new (NULL);
  for (guint i = 0; i < n; i++)
    g_string_append_len (raw, parts[i].text, (gssize) parts[i].length);
  return g_string_chunk_insert_len (cache->texts, raw->str, (gssize) raw->len);
}

static guint
add_counter (LoomChromeImporter *chrome, guint64 hash, guint32 process, const LoomJsonSlice *parts)
{
  LoomCounterCache *cache = chrome->counters;
  Counter fresh = { hash,
                    keep (cache, parts, 3),
                    { parts[0].length, parts[1].length, parts[2].length },
                    process,
                    make_counter (chrome, process, parts),
                    NO_SLOT,
                    NULL,
                    0 };
  g_array_append_val (cache->counters, fresh);
  if (cache->counters->len * 2 > cache->mask)
    grow (cache);
  else {
    guint at = (guint) hash & cache->mask;
    while (cache->slots[at] != 0)
      at = (at + 1) & cache->mask;
    cache->slots[at] = cache->counters->len;
  }
  return cache->counters->len - 1;
}

static guint
look_up (LoomChromeImporter *chrome, guint32 process, const LoomJsonSlice *parts)
{
  LoomCounterCache *cache = chrome->counters;
  guint64 hash = hash_of (process, parts);
  for (guint at = (guint) hash & cache->mask; cache->slots[at] != 0; at = (at + 1) & cache->mask) {
    const Counter *counter = &g_array_index (cache->counters, Counter, cache->slots[at] - 1);
    if (counter->hash == hash && is_same (counter, process, parts))
      return cache->slots[at] - 1;
  }
  return add_counter (chrome, hash, process, parts);
}

/* Returns the index of a counter; adds the counter if it is new. First tries Counter.next of the previous event's
 * counter, because events of different counters usually alternate in a fixed order. */
static guint
find_counter (LoomChromeImporter *chrome, guint32 process, const LoomJsonSlice *parts)
{
  LoomCounterCache *cache = chrome->counters;
  Counter *counters = (Counter *) (gpointer) cache->counters->data;
  guint next = cache->last != NO_SLOT ? counters[cache->last].next : NO_SLOT;
  if (next == NO_SLOT || !is_same (&counters[next], process, parts)) {
    next = look_up (chrome, process, parts);
    if (cache->last != NO_SLOT)
      g_array_index (cache->counters, Counter, cache->last).next = next;
  }
  cache->last = next;
  return next;
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

static guint32
make_series (LoomChromeImporter *chrome, guint32 counter, LoomJsonSlice key)
{
  const char *name = loom_chrome_importer_text (chrome, key);
  return loom_trace_builder_series (chrome->builder, counter, name, chrome->scratch->len);
}

static void
remember_member (LoomCounterCache *cache, Counter *counter, LoomJsonSlice key, guint32 series)
{
  if (counter->n_members >= QUICK_SERIES || key.length > MAX_LITERAL)
    return;
  for (guint i = 0; i < counter->n_members; i++)
    if (counter->members[i].series == series)
      return;
  if (counter->members == NULL)
    counter->members = g_new (Member, QUICK_SERIES);
  counter->members[counter->n_members++] = (Member) { keep (cache, &key, 1), key.length, series };
}

static void
say (LoomChromeImporter *chrome, const LoomEvent *event, const char *code, const char *message)
{
  loom_import_log_add (chrome->info->log, LOOM_SEVERITY_WARNING, code, event->offset, message);
}

/* Adds the samples in the event's args to the counter. The args may be any JSON value. `known`: the entry of the cache
 * for this counter, to which new members of the args are added; NULL: there is no entry. */
static void
take_samples (LoomChromeImporter *chrome, const LoomEvent *event, guint32 counter, Counter *known, gint64 time_ns,
              LoomRef ref)
{
  LoomJsonIter iter;
  LoomJsonSlice key, value;
  guint n = 0;
  gboolean object = loom_json_slice_iter_init (&iter, event->member[LOOM_MEMBER_ARGS]) && iter.object;
  for (; object && loom_json_slice_iter_next (&iter, &key, &value); n++) {
    double number;
    if (!loom_parse_time_parse_double (value.text, value.length, &number)) {
      say (chrome, event, "counter-value", N_ ("A counter value that is not a number was skipped"));
      continue;
    }
    guint32 series = make_series (chrome, counter, key);
    if (known != NULL)
      remember_member (chrome->counters, known, key, series);
    loom_trace_builder_sample (chrome->builder, series, time_ns, number, ref);
  }
  if (n == 0)
    say (chrome, event, "empty-counter", N_ ("A counter without values was skipped"));
}

static inline const char *
skip_blanks (const char *p, const char *end)
{
  while (p < end && loom_json_slice_is_blank (*p))
    p++;
  return p;
}

/* Returns the index of the member of the counter whose key begins at `p`; G_MAXUINT if it has no such member. Tries
 * the member `due` first. */
static inline guint
member_at (const Counter *counter, guint due, const char *p, const char *end)
{
  for (guint n = 0; n < counter->n_members; n++, due++) {
    due = due < counter->n_members ? due : 0;
    const Member *member = &counter->members[due];
    if ((gsize) (end - p) > member->length && memcmp (p, member->key, member->length) == 0)
      return due;
  }
  return G_MAXUINT;
}

typedef struct {
  guint32 series;
  double value;
} Value;

/* Fast path for args whose members are all known and are plain numbers: sets `values`, which has room for QUICK_SERIES
 * elements, and returns their number. Returns 0 for any other args. */
static guint
read_values (const Counter *counter, LoomJsonSlice args, Value *values)
{
  const char *p = args.text, *end = args.text + args.length;
  guint n = 0, due = 0;
  if (counter->n_members == 0 || !loom_json_slice_is_object (args))
    return 0;
  do {
    p = skip_blanks (p + 1, end); /* `p` is at the "{" or at the "," before a key */
    due = n < QUICK_SERIES ? member_at (counter, due, p, end) : G_MAXUINT;
    if (due == G_MAXUINT)
      return 0;
    p = skip_blanks (p + counter->members[due].length, end);
    if (p == end || *p != ':' || (p = loom_parse_double_scan (skip_blanks (p + 1, end), end, &values[n].value)) == NULL)
      return 0;
    values[n++].series = counter->members[due++].series;
    p = skip_blanks (p, end);
  } while (p < end && *p == ',');
  return p + 1 == end && *p == '}' ? n : 0;
}

static void
take_known (LoomChromeImporter *chrome, const LoomEvent *event, Counter *counter, gint64 time_ns, LoomRef ref)
{
  Value values[QUICK_SERIES];
  guint n = read_values (counter, event->member[LOOM_MEMBER_ARGS], values);
  if (n == 0)
    take_samples (chrome, event, counter->counter, counter, time_ns, ref);
  for (guint i = 0; i < n; i++)
    loom_trace_builder_sample (chrome->builder, values[i].series, time_ns, values[i].value, ref);
}

static LoomJsonSlice
name_of (const LoomChromeImporter *chrome, const LoomEvent *event)
{
  LoomJsonSlice name = { NULL, 0 };
  if (chrome->hooks->counter_name != NULL)
    name = chrome->hooks->counter_name (event);
  return name.text != NULL ? name : event->member[LOOM_MEMBER_NAME];
}

void
loom_chrome_counters_parse (LoomChromeImporter *chrome, const LoomEvent *event, guint32 process, gint64 time_ns,
                            LoomRef ref)
{
  const LoomJsonSlice parts[] = { name_of (chrome, event), event->member[LOOM_MEMBER_CAT],
                                  event->member[LOOM_MEMBER_ID] };
  if (parts[0].length + parts[1].length + parts[2].length > MAX_LITERAL) {
    take_samples (chrome, event, make_counter (chrome, process, parts), NULL, time_ns, ref);
    return;
  }
  guint found = find_counter (chrome, process, parts);
  take_known (chrome, event, &g_array_index (chrome->counters->counters, Counter, found), time_ns, ref);
}
