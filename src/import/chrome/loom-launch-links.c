/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds which calls of the host launched which rows of device work in a database. The interface is described in
 * loom-launch-links.h.
 */
#include "loom-launch-links.h"

#include "loom-seeded-hash.h"
#include "loom-string-pool.h"

#include <stdlib.h>

#define NO_CALL G_MAXUINT64

/* A database row with work of a device. Rows are sorted by `key`. `call` and `worth` are valid only in the first of
 * several rows with the same key: `call` is the call with this key that has the greatest worth so far (see
 * loom_launch_links_add_call()), and `worth` is its worth. */
typedef struct {
  guint64 key, row;
  guint64 call;
  gint64 worth;
} Row;

struct _LoomLaunchLinks {
  /* Row elements: the rows that loom_launch_links_add_row() added. They are sorted by key when the first call is
   * added. */
  GArray *rows;
  gboolean is_sorted; /* TRUE if `rows` is sorted by key */
  guint at;           /* index of the first row whose key is not less than the key of the last call */
  guint64 seed;       /* random number on which the keys depend, so that a file cannot contain colliding keys on
                       * purpose */
  guint64 n_rows, n_linked;
  guint64 end_row, end_call;   /* `end_row`: 1 + the greatest row number; `end_call`: 1 + the greatest call number */
  guint8 *launched, *launches; /* bit sets. `launched`: a bit is set if the row is linked to a call; `launches`: a bit
                                * is set if the call is linked to a row */
};

LoomLaunchLinks *
loom_launch_links_new (void)
{
  LoomLaunchLinks *self = g_new0 (LoomLaunchLinks, 1);
  self->seed = loom_seeded_hash_get_seed ();
  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  self->is_sorted = TRUE;
  return self;
}

void
loom_launch_links_free (LoomLaunchLinks *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->rows, g_array_unref);
  g_free (self->launched);
  g_free (self->launches);
  g_free (self);
}

/* Returns a key made of a process and an id. Its lower 32 bits are those of the id, so that the keys of a process
 * ascend with the ids. Its upper 32 bits are a hash of the process and of the upper half of the id. The hash depends on
 * a random number, so that a file cannot contain pairs with equal keys on purpose. */
static inline guint64
make_key (const LoomLaunchLinks *self, guint64 process, guint64 id)
{
  return loom_string_pool_hash_join (self->seed ^ process, id >> 32) << 32 | (id & G_MAXUINT32);
}

void
loom_launch_links_add_row (LoomLaunchLinks *self, guint64 row, guint64 process, guint64 id)
{
  const Row added = { make_key (self, process, id), row, NO_CALL, G_MININT64 };
  guint n = self->rows->len;
  self->is_sorted &= n == 0 || g_array_index (self->rows, Row, n - 1).key <= added.key;
  g_array_append_val (self->rows, added);
  self->n_rows++;
  self->end_row = MAX (self->end_row, row + 1);
}

static int
compare_keys (const void *a, const void *b)
{
  const Row *x = a, *y = b;
  return (x->key > y->key) - (x->key < y->key);
}

/* Returns the first of the rows from `low` to `high` (excluded) whose key is not less than `key`; `high` if there is
 * none. */
static guint
search (const Row *rows, guint low, guint high, guint64 key)
{
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (rows[middle].key < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Returns the first row whose key is not less than `key`. Searches from the row of the previous call on, in steps of
 * growing length, because the ids of successive calls usually ascend. */
static guint
find_first (const LoomLaunchLinks *self, guint64 key)
{
  const Row *rows = (const Row *) (gpointer) self->rows->data;
  guint low = self->at, n = self->rows->len, step = 1;
  if (low > 0 && rows[low - 1].key >= key)
    return search (rows, 0, low - 1, key);
  for (; step <= n - low && rows[low + step - 1].key < key; step *= 2)
    low += step;
  return search (rows, low, step <= n - low ? low + step - 1 : n, key);
}

void
loom_launch_links_add_call (LoomLaunchLinks *self, guint64 call, guint64 process, guint64 id, gint64 worth)
{
  guint64 key = make_key (self, process, id);
  if (!self->is_sorted)
    qsort (self->rows->data, self->rows->len, sizeof (Row), compare_keys);
  self->is_sorted = TRUE;
  self->at = find_first (self, key);
  Row *row = self->at < self->rows->len ? &g_array_index (self->rows, Row, self->at) : NULL;
  if (row == NULL || row->key != key || worth < row->worth)
    return;
  row->call = call;
  row->worth = worth;
  self->end_call = MAX (self->end_call, call + 1);
}

static gboolean
has_bit (const guint8 *bits, guint64 n)
{
  return (bits[n / 8] >> n % 8 & 1) != 0;
}

void
loom_launch_links_finish (LoomLaunchLinks *self)
{
  const Row *first = NULL; /* the first row with the key of the current row */
  self->launched = g_malloc0 (self->end_row / 8 + 1);
  self->launches = g_malloc0 (self->end_call / 8 + 1);
  for (guint i = 0; i < self->rows->len; i++) {
    const Row *row = &g_array_index (self->rows, Row, i);
    first = first != NULL && first->key == row->key ? first : row;
    if (first->call == NO_CALL)
      continue;
    self->launched[row->row / 8] |= (guint8) (1u << row->row % 8);
    self->launches[first->call / 8] |= (guint8) (1u << first->call % 8);
    self->n_linked++;
  }
  g_clear_pointer (&self->rows, g_array_unref);
}

/* --- pairs -------------------------------------------------------------------------------------------------------- */

static int
compare_pairs (const void *a, const void *b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;
  return (x > y) - (x < y);
}

/* Sorts 64-bit pairs, id << 32 | number. Returns 1 + the greatest number; 0: the array is empty. */
static guint64
sort_pairs (GArray *pairs)
{
  const guint64 *pair = (const guint64 *) (gpointer) pairs->data;
  gboolean is_sorted = TRUE;
  guint64 end = 0;
  for (guint i = 0; i < pairs->len; i++) {
    is_sorted &= i == 0 || pair[i - 1] <= pair[i];
    end = MAX (end, (pair[i] & G_MAXUINT32) + 1);
  }
  if (!is_sorted)
    qsort (pairs->data, pairs->len, sizeof *pair, compare_pairs);
  return end;
}

static void
set_bit (guint8 *bits, guint64 n)
{
  bits[n / 8] |= (guint8) (1u << n % 8);
}

LoomLaunchLinks *
loom_launch_links_new_from_pairs (GArray *rows, GArray *calls)
{
  LoomLaunchLinks *self = g_new0 (LoomLaunchLinks, 1);
  self->end_row = sort_pairs (rows);
  self->end_call = sort_pairs (calls);
  self->n_rows = rows->len;
  self->launched = g_malloc0 (self->end_row / 8 + 1);
  self->launches = g_malloc0 (self->end_call / 8 + 1);
  const guint64 *row = (const guint64 *) (gpointer) rows->data, *call = (const guint64 *) (gpointer) calls->data;
  guint n = 0; /* number of calls whose ids are not greater than the id of row i */
  for (guint i = 0; i < rows->len; i++) {
    while (n < calls->len && call[n] >> 32 <= row[i] >> 32)
      n++;
    if (n == 0 || call[n - 1] >> 32 != row[i] >> 32)
      continue;
    set_bit (self->launched, row[i] & G_MAXUINT32);
    set_bit (self->launches, call[n - 1] & G_MAXUINT32); /* links the last one of the calls with this id */
    self->n_linked++;
  }
  return self;
}

/* --- results ------------------------------------------------------------------------------------------------------ */

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
