/* SPDX-License-Identifier: Apache-2.0
 *
 * A macro that defines a stable merge sort for one type, with the comparison inlined. Takes linear time on sorted
 * input, and little more if the input consists of sorted sequences, as in most traces.
 */
#pragma once

#include <glib.h>
#include <string.h>

#define LOOM_MERGE_SORT_INSERTION 12

/* Defines the function static void name (Type *items, gsize n), which sorts the array `items` of `n` elements.
 * `IS_BEFORE (a, b)` takes two pointers to elements and must be a strict order. */
#define LOOM_DEFINE_SORT(name, Type, IS_BEFORE)                                                                      \
  static void name##_insert (Type *items, gsize n)                                                                   \
  {                                                                                                                  \
    for (gsize i = 1; i < n; i++) {                                                                                  \
      if (!IS_BEFORE (&items[i], &items[i - 1]))                                                                     \
        continue;                                                                                                    \
      Type item = items[i];                                                                                          \
      gsize at = i;                                                                                                  \
      do {                                                                                                           \
        items[at] = items[at - 1];                                                                                   \
        at--;                                                                                                        \
      } while (at > 0 && IS_BEFORE (&item, &items[at - 1]));                                                         \
      items[at] = item;                                                                                              \
    }                                                                                                                \
  }                                                                                                                  \
                                                                                                                     \
  /* Returns how many of the sorted `items` may stay where they are, because they are not after the item `first`. */ \
  static gsize name##_skip (const Type *items, gsize n, const Type *first)                                           \
  {                                                                                                                  \
    gsize low = 0, high = n;                                                                                         \
    while (low < high) {                                                                                             \
      gsize middle = low + (high - low) / 2;                                                                         \
      if (IS_BEFORE (first, &items[middle]))                                                                         \
        high = middle;                                                                                               \
      else                                                                                                           \
        low = middle + 1;                                                                                            \
    }                                                                                                                \
    return low;                                                                                                      \
  }                                                                                                                  \
                                                                                                                     \
  static void name##_merge (Type *items, gsize n_left, gsize n, Type *room)                                          \
  {                                                                                                                  \
    gsize n_kept = name##_skip (items, n_left, &items[n_left]);                                                      \
    gsize n_room = n_left - n_kept;                                                                                  \
    memcpy (room, items + n_kept, n_room * sizeof (Type));                                                           \
    Type *out = items + n_kept;                                                                                      \
    const Type *left = room, *left_end = room + n_room, *right = items + n_left, *right_end = items + n;             \
    while (left < left_end && right < right_end)                                                                     \
      *out++ = IS_BEFORE (right, left) ? *right++ : *left++;                                                         \
    memcpy (out, left, (gsize) (left_end - left) * sizeof (Type));                                                   \
  }                                                                                                                  \
                                                                                                                     \
  static void name##_range (Type *items, gsize n, Type *room)                                                        \
  {                                                                                                                  \
    if (n <= LOOM_MERGE_SORT_INSERTION) {                                                                            \
      name##_insert (items, n);                                                                                      \
      return;                                                                                                        \
    }                                                                                                                \
    gsize n_left = n / 2;                                                                                            \
    name##_range (items, n_left, room);                                                                              \
    name##_range (items + n_left, n - n_left, room);                                                                 \
    if (IS_BEFORE (&items[n_left], &items[n_left - 1]))                                                              \
      name##_merge (items, n_left, n, room);                                                                         \
  }                                                                                                                  \
                                                                                                                     \
  static void name (Type *items, gsize n)                                                                            \
  {                                                                                                                  \
    gsize n_sorted = 1;                                                                                              \
    while (n_sorted < n && !IS_BEFORE (&items[n_sorted], &items[n_sorted - 1]))                                      \
      n_sorted++;                                                                                                    \
    if (n_sorted >= n)                                                                                               \
      return;                                                                                                        \
    Type *room = g_new (Type, n / 2 + 1);                                                                            \
    name##_range (items, n, room);                                                                                   \
    g_free (room);                                                                                                   \
  }
