/* SPDX-License-Identifier: Apache-2.0
 *
 * Radix sort on several threads: items are distributed to buckets by the highest bits of their keys, block by block;
 * then each bucket, which fits the processor's cache, is sorted digit by digit. The sort is stable and takes linear
 * time.
 */
#pragma once

#include "loom-parallel.h"

#include <string.h>

typedef struct {
  guint32 n, n_blocks, n_buckets;
  guint shift; /* the bucket of an item is key >> shift */
  /* array indexed by block and bucket: position, in the sorted order, of the first item of this block that belongs to
   * this bucket */
  guint32 *first;
} LoomRadixBuckets;

#define LOOM_BUCKET_BLOCK 65536u  /* number of items in a block; loom_parallel_for() runs one call per block */
#define LOOM_BUCKET_DIGIT_BITS 11 /* maximum number of bits of a digit */

void loom_radix_sort_init (LoomRadixBuckets *buckets, guint32 n, guint64 most_key);
void loom_radix_sort_clear (LoomRadixBuckets *buckets);

/* Before the call, `first` must contain the number of items in each block and bucket. The function replaces these
 * numbers by positions in the sorted order. This order is by bucket, and within a bucket by block. */
void loom_radix_sort_place (LoomRadixBuckets *buckets);

static inline guint32
loom_radix_sort_block_end (const LoomRadixBuckets *buckets, guint block)
{
  return (guint32) MIN (buckets->n, ((guint64) block + 1) * LOOM_BUCKET_BLOCK);
}

static inline guint32
loom_radix_sort_end (const LoomRadixBuckets *buckets, guint bucket)
{
  return bucket + 1 < buckets->n_buckets ? buckets->first[bucket + 1] : buckets->n;
}

/* Defines the function static void name (Item *items, Item *room, guint32 n, guint n_bits): a stable sort of `items`,
 * from the lowest digit of the key to the highest. `room` must have space for n items. guint64 KEY (const Item *)
 * returns the key, of which only the lowest n_bits count. */
#define LOOM_DEFINE_DIGIT_SORT(name, Item, KEY)                                                              \
  static void name (Item *items, Item *room, guint32 n, guint n_bits)                                        \
  {                                                                                                          \
    guint n_digits = (n_bits + LOOM_BUCKET_DIGIT_BITS - 1) / LOOM_BUCKET_DIGIT_BITS;                         \
    guint digit_bits = n_digits > 0 ? (n_bits + n_digits - 1) / n_digits : 0, mask = (1u << digit_bits) - 1; \
    Item *from = items, *to = room;                                                                          \
    for (guint shift = 0; shift < n_bits; shift += digit_bits) {                                             \
      guint32 first[(1 << LOOM_BUCKET_DIGIT_BITS) + 1];                                                      \
      memset (first, 0, (mask + 2) * sizeof *first);                                                         \
      for (guint32 i = 0; i < n; i++)                                                                        \
        first[((KEY (&from[i]) >> shift) & mask) + 1]++;                                                     \
      for (guint digit = 1; digit <= mask; digit++)                                                          \
        first[digit] += first[digit - 1];                                                                    \
      for (guint32 i = 0; i < n; i++)                                                                        \
        to[first[(KEY (&from[i]) >> shift) & mask]++] = from[i];                                             \
      Item *sorted = to;                                                                                     \
      to = from;                                                                                             \
      from = sorted;                                                                                         \
    }                                                                                                        \
    if (from != items)                                                                                       \
      memcpy (items, from, n * sizeof (Item));                                                               \
  }

/* Defines the function static void name (const Context *context, guint32 n, guint64 most_key, guint n_threads, Item
 * *items), which sorts n items into `items`. Item GET (const Context *, guint32 i) returns the i-th item. guint64 KEY
 * (const Item *) returns its key, at most `most_key`. void DONE (const Context *, Item *items, guint32 first, guint32
 * n) is called when the n items from `first` on are in their final places. GET, KEY and DONE may be called on any
 * thread. */
#define LOOM_DEFINE_BUCKET_SORT(name, Context, Item, GET, KEY, DONE)                                               \
  LOOM_DEFINE_DIGIT_SORT (name##_digits, Item, KEY)                                                                \
                                                                                                                   \
  typedef struct {                                                                                                 \
    LoomRadixBuckets buckets;                                                                                      \
    const Context *context;                                                                                        \
    Item *items;                                                                                                   \
  } name##_Work;                                                                                                   \
                                                                                                                   \
  static void name##_count_block (guint block, guint worker, gpointer user_data)                                   \
  {                                                                                                                \
    const name##_Work *work = user_data;                                                                           \
    guint32 *count = work->buckets.first + (gsize) block * work->buckets.n_buckets;                                \
    for (guint32 i = block * LOOM_BUCKET_BLOCK; i < loom_radix_sort_block_end (&work->buckets, block); i++) {      \
      const Item item = GET (work->context, i);                                                                    \
      count[KEY (&item) >> work->buckets.shift]++;                                                                 \
    }                                                                                                              \
  }                                                                                                                \
                                                                                                                   \
  static void name##_deal_block (guint block, guint worker, gpointer user_data)                                    \
  {                                                                                                                \
    const name##_Work *work = user_data;                                                                           \
    gsize n_bytes = work->buckets.n_buckets * sizeof (guint32);                                                    \
    g_autofree guint32 *next = g_memdup2 (work->buckets.first + (gsize) block * work->buckets.n_buckets, n_bytes); \
    for (guint32 i = block * LOOM_BUCKET_BLOCK; i < loom_radix_sort_block_end (&work->buckets, block); i++) {      \
      const Item item = GET (work->context, i);                                                                    \
      work->items[next[KEY (&item) >> work->buckets.shift]++] = item;                                              \
    }                                                                                                              \
  }                                                                                                                \
                                                                                                                   \
  static void name##_sort_bucket (guint bucket, guint worker, gpointer user_data)                                  \
  {                                                                                                                \
    const name##_Work *work = user_data;                                                                           \
    guint32 first = work->buckets.first[bucket], n = loom_radix_sort_end (&work->buckets, bucket) - first;         \
    if (n == 0)                                                                                                    \
      return;                                                                                                      \
    g_autofree Item *room = g_new (Item, n);                                                                       \
    name##_digits (work->items + first, room, n, work->buckets.shift);                                             \
    DONE (work->context, work->items, first, n);                                                                   \
  }                                                                                                                \
                                                                                                                   \
  static void name (const Context *context, guint32 n, guint64 most_key, guint n_threads, Item *items)             \
  {                                                                                                                \
    name##_Work work = { .context = context, .items = items };                                                     \
    loom_radix_sort_init (&work.buckets, n, most_key);                                                             \
    loom_parallel_for (work.buckets.n_blocks, n_threads, name##_count_block, &work, NULL);                         \
    loom_radix_sort_place (&work.buckets);                                                                         \
    loom_parallel_for (work.buckets.n_blocks, n_threads, name##_deal_block, &work, NULL);                          \
    loom_parallel_for (work.buckets.n_buckets, n_threads, name##_sort_bucket, &work, NULL);                        \
    loom_radix_sort_clear (&work.buckets);                                                                         \
  }
