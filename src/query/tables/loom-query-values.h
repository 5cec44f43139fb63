/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. The list of integers that a condition IN (…) allows. SQLite allocates the memory, so that it
 * counts towards the memory limit of the query.
 */
#pragma once

#include "loom-query-module.h"

typedef struct {
  gint64 *all; /* the values, sorted and each only once */
  gsize n, room;
  /* a filter that makes most searches unnecessary: one bit for each possible hash of a value; a value is not in the
   * list if the bit of its hash is 0 */
  guint64 *bits;
  /* number of low bits that are dropped from a 64-bit hash; the remaining bits are the index of a bit in `bits` */
  guint shift;
} LoomQueryValues;

/* Reads the list of values of a condition IN (LoomQueryCondition.is_list). Skips values that are not equal to any
 * integer. Returns SQLite's result code; if it is not SQLITE_OK, `made` is NULL. O(values) if the list is sorted, as
 * SQLite's lists are. */
int loom_query_values_new (const LoomQueryCondition *condition, GCancellable *cancellable, LoomQueryValues **made);
void loom_query_values_free (LoomQueryValues *self); /* `self` may be NULL */

/* Removes the values that `other` does not contain. */
void loom_query_values_intersect (LoomQueryValues *self, const LoomQueryValues *other);

gboolean loom_query_values_find (const LoomQueryValues *self, gint64 value);

static inline guint64
loom_query_values_hash (const LoomQueryValues *self, gint64 value)
{
  return ((guint64) value * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15)) >>
         self->shift; /* multiplicative hash: the factor is 2^64 divided by the golden ratio */
}

static inline gboolean
loom_query_values_has (const LoomQueryValues *self, gint64 value)
{
  guint64 hash = loom_query_values_hash (self, value);
  return (self->bits[hash / 64] >> (hash % 64) & 1) != 0 && loom_query_values_find (self, value);
}
