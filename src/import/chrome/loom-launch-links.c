/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds which calls of the host launched which rows of device work in a database. The interface is described in
 * loom-launch-links.h.
 */
#include "loom-launch-links.h"

#include "loom-seeded-hash.h"
#include "loom-string-pool.h"

#define NEAR_IDS 16u /* a group of entries is 384 bytes */
#define FIRST_CAPACITY 1024u
#define FIRST_SHIFT 58 /* 64 − log2 (FIRST_CAPACITY / NEAR_IDS) */
#define NO_CALL G_MAXUINT64

/* An entry of the hash table, which uses open addressing. `key` 0: the entry is free. */
typedef struct {
  guint64 key;
  guint64 call; /* number of the call that has the greatest `worth` so far among the calls with this key */
  gint64 worth; /* the greatest `worth` of the calls with this key, which is that of `call` */
} Entry;

typedef struct {
  guint64 row, key;
} Row;

struct _LoomLaunchLinks {
  Entry *entries;
  guint64 n_entries, capacity; /* `capacity` is the size of the table, a power of two */
  guint shift;                 /* 64 minus the number of bits of the number of a group of NEAR_IDS places */
  guint64 seed;                /* random number of this process */
  GArray *rows;                /* Row: the rows that were added with loom_launch_links_add_row() */
  guint64 n_rows, n_linked;
  guint64 end_row, end_call;   /* 1 + the greatest number of a row; 1 + the greatest number of a call */
  guint8 *launched, *launches; /* bit sets: rows that are linked to a call; calls that are linked to a row */
};

LoomLaunchLinks *
loom_launch_links_new (void)
{
  LoomLaunchLinks *self = g_new0 (LoomLaunchLinks, 1);
  self->capacity = FIRST_CAPACITY;
  self->shift = FIRST_SHIFT;
  self->seed = loom_seeded_hash_get_seed ();
  self->entries = g_new0 (Entry, self->capacity);
  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  return self;
}

void
loom_launch_links_free (LoomLaunchLinks *self)
{
  if (self == NULL)
    return;
  g_free (self->entries);
  g_clear_pointer (&self->rows, g_array_unref);
  g_free (self->launched);
  g_free (self->launches);
  g_free (self);
}

/* Returns the key of a process and an id. Its lower 32 bits are those of the id; its upper 32 bits are a hash of the
 * process and the upper half of the id, which depends on a random number of this process, so that no file can contain
 * pairs with equal keys on purpose. Never 0, which marks a free entry. */
static guint64
make_key (const LoomLaunchLinks *self, guint64 process, guint64 id)
{
  guint64 key = loom_string_pool_hash_join (self->seed ^ process, id >> 32) << 32 | (id & G_MAXUINT32);
  return MAX (key, 1);
}

/* Returns the entry with a key; if the table does not contain the key, the free entry where it belongs. Groups of
 * NEAR_IDS consecutive ids have consecutive places, because databases usually contain consecutive ids, which are then
 * near each other in memory. The place of a group depends on a random number of this process. */
static Entry *
find_entry (const LoomLaunchLinks *self, guint64 key)
{
  guint64 group = loom_string_pool_hash_join (0, key / NEAR_IDS ^ self->seed) >> self->shift,
          at = group * NEAR_IDS + key % NEAR_IDS;
  while (self->entries[at].key != 0 && self->entries[at].key != key)
    at = (at + 1) & (self->capacity - 1);
  return &self->entries[at];
}

static void
grow (LoomLaunchLinks *self)
{
  Entry *old = self->entries;
  guint64 n_old = self->capacity;
  self->capacity *= 2;
  self->shift--;
  self->entries = g_new0 (Entry, self->capacity);
  for (guint64 i = 0; i < n_old; i++)
    if (old[i].key != 0)
      *find_entry (self, old[i].key) = old[i];
  g_free (old);
}

void
loom_launch_links_add_row (LoomLaunchLinks *self, guint64 row, guint64 process, guint64 id)
{
  Row added = { row, make_key (self, process, id) };
  Entry *entry = find_entry (self, added.key);
  if (entry->key == 0) {
    *entry = (Entry) { added.key, NO_CALL, G_MININT64 };
    self->n_entries++;
  }
  g_array_append_val (self->rows, added);
  self->n_rows++;
  self->end_row = MAX (self->end_row, row + 1);
  if (self->n_entries * 2 > self->capacity)
    grow (self);
}

void
loom_launch_links_add_call (LoomLaunchLinks *self, guint64 call, guint64 process, guint64 id, gint64 worth)
{
  Entry *entry = find_entry (self, make_key (self, process, id));
  if (entry->key == 0 || worth < entry->worth)
    return;
  entry->call = call;
  self->end_call = MAX (self->end_call, call + 1);
  entry->worth = worth;
}

static gboolean
has_bit (const guint8 *bits, guint64 n)
{
  return (bits[n / 8] >> n % 8 & 1) != 0;
}

void
loom_launch_links_finish (LoomLaunchLinks *self)
{
  self->launched = g_malloc0 (self->end_row / 8 + 1);
  self->launches = g_malloc0 (self->end_call / 8 + 1);
  for (guint i = 0; i < self->rows->len; i++) {
    const Row *row = &g_array_index (self->rows, Row, i);
    guint64 call = find_entry (self, row->key)->call;
    if (call == NO_CALL)
      continue;
    self->launched[row->row / 8] |= (guint8) (1u << row->row % 8);
    self->launches[call / 8] |= (guint8) (1u << call % 8);
    self->n_linked++;
  }
  g_clear_pointer (&self->entries, g_free);
  g_clear_pointer (&self->rows, g_array_unref);
}

gboolean
loom_launch_links_is_launched (const LoomLaunchLinks *self, guint64 row)
{
  return row < self->end_row && has_bit (self->launched, row);
}

gboolean
loom_launch_links_launches (const LoomLaunchLinks *self, guint64 call)
{
  return call < self->end_call && has_bit (self->launches, call);
}

guint64
loom_launch_links_count (const LoomLaunchLinks *self, guint64 *n_without)
{
  *n_without = self->n_rows - self->n_linked;
  return self->n_linked;
}
