/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-quickselect.h"

/* up to this number of values are sorted directly, without buckets */
#define FEW 48

#define BUCKET_BITS 10
#define N_BUCKETS (1 << BUCKET_BITS)

typedef struct {
  gint64 low;
  guint shift;
  gsize first[N_BUCKETS + 1]; /* array: [bucket] index of the first value of the bucket in the sorted values */
} Buckets;

static void
select_of_few (const gint64 *values, gsize n, const gsize *at, guint n_at, gint64 *found)
{
  gint64 sorted[FEW];
  for (gsize i = 0; i < n; i++) {
    gsize k = i;
    for (; k > 0 && sorted[k - 1] > values[i]; k--)
      sorted[k] = sorted[k - 1];
    sorted[k] = values[i];
  }
  for (guint i = 0; i < n_at; i++)
    found[i] = sorted[at[i]];
}

/* Returns the index of the bucket of a value. Uses unsigned arithmetic, because the difference of two values may exceed
 * G_MAXINT64. */
static inline guint64
bucket_of (const Buckets *buckets, gint64 value)
{
  return ((guint64) value - (guint64) buckets->low) >> buckets->shift;
}

/* Sets the start of the first bucket and the width of the buckets, so that the buckets contain all values. Returns
 * FALSE if all values are equal. */
static gboolean
place_buckets (Buckets *buckets, const gint64 *values, gsize n)
{
  gint64 low = values[0], high = values[0];
  for (gsize i = 1; i < n; i++) {
    low = MIN (low, values[i]);
    high = MAX (high, values[i]);
  }
  guint bits = g_bit_storage ((guint64) high - (guint64) low);
  *buckets = (Buckets) { .low = low, .shift = MAX (bits, BUCKET_BITS) - BUCKET_BITS };
  return low < high;
}

static void
count_buckets (Buckets *buckets, const gint64 *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    buckets->first[bucket_of (buckets, values[i]) + 1]++;
  for (guint b = 0; b < N_BUCKETS; b++)
    buckets->first[b + 1] += buckets->first[b];
}

static guint
bucket_at (const Buckets *buckets, gsize index)
{
  guint bucket = 0;
  while (buckets->first[bucket + 1] <= index)
    bucket++;
  return bucket;
}

/* Returns the values of one bucket; owned by the caller. To avoid a branch, writes every value to the next free place
 * of the result; if the value does not belong to the bucket, the place stays free, and the next value overwrites it.
 * Therefore, the result needs memory for one more value. */
static gint64 *
take_bucket (const Buckets *buckets, guint bucket, const gint64 *values, gsize n)
{
  gsize n_inside = buckets->first[bucket + 1] - buckets->first[bucket], n_taken = 0;
  gint64 *inside = g_new (gint64, n_inside + 1);
  for (gsize i = 0; i < n && n_taken < n_inside; i++) {
    inside[n_taken] = values[i];
    n_taken += bucket_of (buckets, values[i]) == bucket;
  }
  return inside;
}

/* Finds which of the wanted indices belong to a bucket. `at`: wanted indices in the sorted values, ascending; those of
 * earlier buckets must have been removed. For each index that belongs to the bucket, `inside` gets its distance from
 * the index of the bucket's first value. Returns the number of these indices. */
static guint
indices_inside (const Buckets *buckets, guint bucket, const gsize *at, guint n_at, gsize *inside)
{
  guint n = 0;
  for (; n < n_at && at[n] >= buckets->first[bucket] && at[n] < buckets->first[bucket + 1]; n++)
    inside[n] = at[n] - buckets->first[bucket];
  return n;
}

void
loom_quickselect (const gint64 *values, gsize n, const gsize *at, guint n_at, gint64 *found)
{
  if (n <= FEW) {
    select_of_few (values, n, at, n_at, found);
    return;
  }
  Buckets buckets;
  if (!place_buckets (&buckets, values, n)) {
    for (guint i = 0; i < n_at; i++)
      found[i] = buckets.low;
    return;
  }
  count_buckets (&buckets, values, n);
  g_autofree gsize *inside = g_new (gsize, MAX (n_at, 1));
  for (guint i = 0; i < n_at;) {
    guint bucket = bucket_at (&buckets, at[i]), n_inside = indices_inside (&buckets, bucket, at + i, n_at - i, inside);
    g_autofree gint64 *taken = take_bucket (&buckets, bucket, values, n);
    loom_quickselect (taken, buckets.first[bucket + 1] - buckets.first[bucket], inside, n_inside, found + i);
    i += n_inside;
  }
}
