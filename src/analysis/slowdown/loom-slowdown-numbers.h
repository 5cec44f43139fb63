/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/slowdown: hash tables from 64-bit keys to numbers. A table is made with
 * g_hash_table_new (loom_int64_hash_packed, NULL); it contains each number plus 1, because NULL means that the key is
 * not in the table.
 */
#pragma once

#include "loom-slowdown-replay.h"

/* Returns the number that belongs to a key; LOOM_SLOWDOWN_NONE if the key is not in the table. */
static inline guint32
loom_slowdown_numbers_find (GHashTable *table, guint64 key)
{
  gpointer found = g_hash_table_lookup (table, GSIZE_TO_POINTER (key));
  return found != NULL ? GPOINTER_TO_UINT (found) - 1 : LOOM_SLOWDOWN_NONE;
}

static inline void
loom_slowdown_numbers_set (GHashTable *table, guint64 key, guint32 number)
{
  g_hash_table_insert (table, GSIZE_TO_POINTER (key), GUINT_TO_POINTER (number + 1));
}
