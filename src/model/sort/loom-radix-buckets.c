/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-radix-sort.h"

#define BUCKET_ITEMS 8192u /* approximate number of items in a bucket, so that it fits into the processor's cache */
#define MOST_BUCKETS 1024u
#define MOST_SHIFT 63 /* maximum of LoomRadixBuckets.shift; keys of 64 bits then have two buckets */

void
loom_radix_sort_init (LoomRadixBuckets *buckets, guint32 n, guint64 most_key)
{
  guint32 most = CLAMP (n / BUCKET_ITEMS, 1, MOST_BUCKETS);
  *buckets = (LoomRadixBuckets) { .n = n, .n_blocks = n / LOOM_BUCKET_BLOCK + (n % LOOM_BUCKET_BLOCK > 0) };
  while (buckets->shift < MOST_SHIFT && most_key >> buckets->shift >= most)
    buckets->shift++;
  buckets->n_buckets = (guint32) (most_key >> buckets->shift) + 1;
  buckets->first = g_new0 (guint32, MAX ((gsize) buckets->n_blocks, 1) * buckets->n_buckets);
}

void
loom_radix_sort_clear (LoomRadixBuckets *buckets)
{
  g_clear_pointer (&buckets->first, g_free);
}

void
loom_radix_sort_place (LoomRadixBuckets *buckets)
{
  guint32 next = 0;
  for (guint32 bucket = 0; bucket < buckets->n_buckets; bucket++)
    for (guint32 block = 0; block < buckets->n_blocks; block++) {
      guint32 *first = buckets->first + (gsize) block * buckets->n_buckets + bucket, n = *first;
      *first = next;
      next += n;
    }
}
