/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-values.h: a sorted array of values, and a bit filter that makes most searches in the array
 * unnecessary.
 */
#include "loom-query-values.h"

#include <stdlib.h>
#include <string.h>

/* The filter has eight times as many bits as the list has values, but at least 2^LEAST_BITS_LOG. About seven in eight
 * values that are not in the list are thus recognised without searching the list. */
#define BITS_PER_VALUE 8
#define LEAST_BITS_LOG 12

/* Number of values that are read between two checks of the cancellable. */
#define LOOK_EVERY (1u << 16)

static gboolean
append (LoomQueryValues *self, gint64 value)
{
  if (self->n == self->room) {
    gsize room = MAX (2 * self->room, 64);
    gint64 *all = sqlite3_realloc64 (self->all, room * sizeof (gint64));
    if (all == NULL)
      return FALSE;
    self->all = all;
    self->room = room;
  }
  self->all[self->n++] = value;
  return TRUE;
}

/* Adds the integer that is equal to the value, if such an integer exists. Returns FALSE if memory could not be
 * allocated. */
static gboolean
read_value (LoomQueryValues *self, sqlite3_value *value)
{
  LoomQueryCondition one = { .operation = SQLITE_INDEX_CONSTRAINT_EQ, .value = value };
  LoomQueryLimits limits = LOOM_QUERY_LIMITS_NONE;
  loom_query_module_narrow (&limits, &one);
  return limits.least != limits.most || append (self, limits.least);
}

static int
read_all (LoomQueryValues *self, const LoomQueryCondition *condition, GCancellable *cancellable)
{
  sqlite3_value *value = NULL;
  guint n_read = 0;
  int code = sqlite3_vtab_in_first (condition->value, &value);
  for (; code == SQLITE_OK && value != NULL; code = sqlite3_vtab_in_next (condition->value, &value)) {
    if (!read_value (self, value))
      return SQLITE_NOMEM;
    if (++n_read % LOOK_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return SQLITE_INTERRUPT;
  }
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int
compare_integers (const void *a, const void *b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;
  return (x > y) - (x < y);
}

/* Sorts the values in ascending order, and removes duplicates. */
static void
sort (LoomQueryValues *self)
{
  gsize n = 0, i = 1;
  while (i < self->n && self->all[i - 1] < self->all[i])
    i++;
  if (i >= self->n)
    return;
  qsort (self->all, self->n, sizeof (gint64), compare_integers);
  for (i = 0; i < self->n; i++)
    if (n == 0 || self->all[n - 1] != self->all[i])
      self->all[n++] = self->all[i];
  self->n = n;
}

static gboolean
set_bits (LoomQueryValues *self)
{
  guint log = LEAST_BITS_LOG;
  while (log < 40 && (G_GUINT64_CONSTANT (1) << log) < self->n * BITS_PER_VALUE)
    log++;
  gsize bytes = (gsize) (G_GUINT64_CONSTANT (1) << log) / 8;
  self->shift = 64 - log;
  self->bits = sqlite3_malloc64 (bytes);
  if (self->bits == NULL)
    return FALSE;
  memset (self->bits, 0, bytes);
  for (gsize i = 0; i < self->n; i++) {
    guint64 hash = loom_query_values_hash (self, self->all[i]);
    self->bits[hash / 64] |= G_GUINT64_CONSTANT (1) << (hash % 64);
  }
  return TRUE;
}

int
loom_query_values_new (const LoomQueryCondition *condition, GCancellable *cancellable, LoomQueryValues **made)
{
  LoomQueryValues *self = g_new0 (LoomQueryValues, 1);
  int code = read_all (self, condition, cancellable);
  if (code == SQLITE_OK)
    sort (self);
  if (code == SQLITE_OK && !set_bits (self))
    code = SQLITE_NOMEM;
  if (code != SQLITE_OK)
    loom_query_values_free (g_steal_pointer (&self));
  *made = self;
  return code;
}

void
loom_query_values_free (LoomQueryValues *self)
{
  if (self == NULL)
    return;
  sqlite3_free (self->all);
  sqlite3_free (self->bits);
  g_free (self);
}

void
loom_query_values_intersect (LoomQueryValues *self, const LoomQueryValues *other)
{
  gsize n = 0;
  for (gsize i = 0; i < self->n; i++)
    if (loom_query_values_has (other, self->all[i]))
      self->all[n++] = self->all[i];
  self->n = n;
}

gboolean
loom_query_values_find (const LoomQueryValues *self, gint64 value)
{
  gsize low = 0, high = self->n;
  while (low < high) {
    gsize middle = low + (high - low) / 2;
    if (self->all[middle] == value)
      return TRUE;
    if (self->all[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  return FALSE;
}
