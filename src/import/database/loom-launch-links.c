/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-launch-links.h"

#include "loom-string-pool.h"

#define NO_CALL G_MAXUINT64

/* An entry of the open-addressing table. `key` 0: free. */
typedef struct {
  guint64 key;
  guint64 call; /* number of the best call so far */
  gint64 worth; /* of that call */
} Entry;

struct _LoomLaunchLinks {
  Entry *entries;
  guint64 n_entries, capacity; /* a power of two */
  GArray *row_keys;            /* guint64: key of each row */
  guint64 n_calls, n_linked;
  guint8 *launched, *launches; /* bits by row and by call */
};

LoomLaunchLinks *
loom_launch_links_new (void)
{
  LoomLaunchLinks *self = g_new0 (LoomLaunchLinks, 1);
  self->capacity = 1024;
  self->entries = g_new0 (Entry, self->capacity);
  self->row_keys = g_array_new (FALSE, FALSE, sizeof (guint64));
  return self;
}

void
loom_launch_links_free (LoomLaunchLinks *self)
{
  if (self == NULL)
    return;
  g_free (self->entries);
  g_clear_pointer (&self->row_keys, g_array_unref);
  g_free (self->launched);
  g_free (self->launches);
  g_free (self);
}

/* The lower half of a key is the id, the upper half a hash of the process; a free entry has key 0. */
static guint64
make_key (guint64 process, guint64 id)
{
  guint64 key = loom_string_pool_hash_join (process, id >> 32) << 32 | (id & G_MAXUINT32);
  return MAX (key, 1);
}

/* Returns the entry of a key, or the free one where it belongs. */
static Entry *
find_entry (const LoomLaunchLinks *self, guint64 key)
{
  guint64 at = (key + (key >> 32)) & (self->capacity - 1);
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
  self->entries = g_new0 (Entry, self->capacity);
  for (guint64 i = 0; i < n_old; i++)
    if (old[i].key != 0)
      *find_entry (self, old[i].key) = old[i];
  g_free (old);
}

void
loom_launch_links_add_row (LoomLaunchLinks *self, guint64 process, guint64 id)
{
  guint64 key = make_key (process, id);
  Entry *entry = find_entry (self, key);
  if (entry->key == 0) {
    *entry = (Entry) { key, NO_CALL, G_MININT64 };
    self->n_entries++;
  }
  g_array_append_val (self->row_keys, key);
  if (self->n_entries * 2 > self->capacity)
    grow (self);
}

void
loom_launch_links_add_call (LoomLaunchLinks *self, guint64 process, guint64 id, gint64 worth)
{
  Entry *entry = find_entry (self, make_key (process, id));
  guint64 number = self->n_calls++;
  if (entry->key == 0 || worth < entry->worth)
    return;
  entry->call = number;
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
  self->launched = g_malloc0 (self->row_keys->len / 8 + 1);
  self->launches = g_malloc0 (self->n_calls / 8 + 1);
  for (guint i = 0; i < self->row_keys->len; i++) {
    guint64 call = find_entry (self, g_array_index (self->row_keys, guint64, i))->call;
    if (call == NO_CALL)
      continue;
    self->launched[i / 8] |= (guint8) (1u << i % 8);
    self->launches[call / 8] |= (guint8) (1u << call % 8);
    self->n_linked++;
  }
  g_clear_pointer (&self->entries, g_free);
  self->n_entries = self->row_keys->len;
  g_clear_pointer (&self->row_keys, g_array_unref);
}

gboolean
loom_launch_links_is_launched (const LoomLaunchLinks *self, guint64 row)
{
  return row < self->n_entries && has_bit (self->launched, row);
}

gboolean
loom_launch_links_launches (const LoomLaunchLinks *self, guint64 call)
{
  return call < self->n_calls && has_bit (self->launches, call);
}

guint64
loom_launch_links_count (const LoomLaunchLinks *self, guint64 *n_without)
{
  *n_without = self->n_entries - self->n_linked;
  return self->n_linked;
}
