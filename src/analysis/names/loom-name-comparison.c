/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-name-comparison.h"

#include <stdlib.h>
#include <string.h>

struct _LoomNameComparison {
  LoomTimeline *timelines[2]; /* own the names */
  GArray *rows;               /* LoomNameChange */
};

void
loom_name_comparison_free (LoomNameComparison *changes)
{
  if (changes == NULL)
    return;
  g_clear_pointer (&changes->timelines[0], loom_timeline_unref);
  g_clear_pointer (&changes->timelines[1], loom_timeline_unref);
  g_array_unref (changes->rows);
  g_free (changes);
}

static LoomRangeStatistics *
stats_of (LoomTimeline *timeline, GCancellable *cancellable)
{
  LoomRange extent = { 0, 0 };
  loom_timeline_get_extent (timeline, &extent);
  extent.end_ns++; /* make the end exclusive, to include events at the very end */
  return loom_range_statistics_new (timeline, extent, NULL, 0, cancellable);
}

static guint
hash_change (gconstpointer data)
{
  const LoomNameChange *change = data;
  return g_str_hash (change->name) * 31 + g_str_hash (change->category);
}

static gboolean
is_same_name (gconstpointer a, gconstpointer b)
{
  const LoomNameChange *x = a, *y = b;
  return strcmp (x->name, y->name) == 0 && strcmp (x->category, y->category) == 0;
}

/* Adds the names of one run. `numbers` maps a name to its row's number, from 1 on. */
static void
take (LoomNameComparison *changes, GHashTable *numbers, GPtrArray *keys, const LoomRangeStatistics *stats, guint which)
{
  guint n;
  const LoomNameStats *names = loom_range_statistics_get (stats, &n);
  for (guint i = 0; i < n; i++) {
    LoomNameChange key = { .name = names[i].name, .category = names[i].category };
    guint number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, &key));
    if (number == 0) {
      LoomNameChange *copy = g_memdup2 (&key, sizeof key);
      g_array_append_val (changes->rows, key);
      number = changes->rows->len;
      g_ptr_array_add (keys, copy);
      g_hash_table_insert (numbers, copy, GUINT_TO_POINTER (number));
    }
    LoomNameChange *row = &g_array_index (changes->rows, LoomNameChange, number - 1);
    row->count[which] = names[i].count;
    row->mean_ns[which] = names[i].mean_ns;
    row->total_ns[which] = names[i].total_ns;
    row->longest[which] = names[i].longest;
  }
}

gint64
loom_name_comparison_get_ns (const LoomNameChange *change)
{
  return change->count[0] > 0 && change->count[1] > 0 ? change->mean_ns[1] - change->mean_ns[0] : 0;
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const LoomNameChange *x = a, *y = b;
  gboolean x_both = x->count[0] > 0 && x->count[1] > 0, y_both = y->count[0] > 0 && y->count[1] > 0;
  if (x_both != y_both)
    return x_both ? -1 : 1;
  gint64 x_ns = x_both ? llabs (loom_name_comparison_get_ns (x)) : x->total_ns[0] + x->total_ns[1];
  gint64 y_ns = y_both ? llabs (loom_name_comparison_get_ns (y)) : y->total_ns[0] + y->total_ns[1];
  return x_ns != y_ns ? (x_ns < y_ns ? 1 : -1) : strcmp (x->name, y->name);
}

LoomNameComparison *
loom_name_comparison_new (LoomTimeline *first, LoomTimeline *second, GCancellable *cancellable)
{
  g_autoptr (LoomRangeStatistics) a = stats_of (first, cancellable),
                                  b = a != NULL ? stats_of (second, cancellable) : NULL;
  if (b == NULL)
    return NULL;
  LoomNameComparison *changes = g_new0 (LoomNameComparison, 1);
  changes->timelines[0] = loom_timeline_ref (first);
  changes->timelines[1] = loom_timeline_ref (second);
  changes->rows = g_array_new (FALSE, FALSE, sizeof (LoomNameChange));
  g_autoptr (GHashTable) numbers = g_hash_table_new (hash_change, is_same_name);
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  take (changes, numbers, keys, a, 0);
  take (changes, numbers, keys, b, 1);
  g_array_sort (changes->rows, compare_rows);
  return changes;
}

const LoomNameChange *
loom_name_comparison_get (const LoomNameComparison *changes, guint *n)
{
  *n = changes->rows->len;
  return (const LoomNameChange *) (gpointer) changes->rows->data;
}
