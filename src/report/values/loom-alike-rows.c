/* SPDX-License-Identifier: Apache-2.0
 *
 * Rounds the values of each row to a pattern; rows with the same pattern are alike.
 */
#include "loom-alike-rows.h"

#include "loom-statistics.h"

#include <math.h>

/* `spread` (the distance of values that count as similar) is doubled until there are few enough groups of rows. For the
 * first MAX_DOUBLINGS times, a missing value is similar only to other missing values. After that, it is treated like
 * the median of its column; otherwise, rows that differ only in missing values would never become alike. */
#define MAX_DOUBLINGS 32
#define MISSING G_MININT32 /* in a pattern: the row has no value in this column */

typedef struct {
  const double *values;
  guint n_rows, n_columns;
  double *medians; /* array indexed by column: median of the column; owned */
} Map;

static double *
find_medians (const Map *map)
{
  double *medians = g_new0 (double, MAX (map->n_columns, 1));
  g_autofree double *column = g_new (double, MAX (map->n_rows, 1));
  for (guint i = 0; i < map->n_columns; i++) {
    guint n = 0;
    for (guint row = 0; row < map->n_rows; row++)
      if (!isnan (map->values[(gsize) row * map->n_columns + i]))
        column[n++] = map->values[(gsize) row * map->n_columns + i];
    medians[i] = n > 0 ? loom_statistics_summarise (column, n).p50 : 0;
  }
  return medians;
}

/* Returns the rounded value of a cell. A missing value is MISSING or, if `is_last` is TRUE, 0. */
static gint32
round_value (double value, double median, double spread, gboolean is_last)
{
  if (isnan (value))
    return is_last ? 0 : MISSING;
  return (gint32) CLAMP (trunc ((value - median) / spread), -G_MAXINT32, G_MAXINT32);
}

/* Returns the rounded values of a row; they are the same for all rows that are alike. Normally, a missing value is
 * similar only to other missing values. In the last attempts to merge rows (`is_last` is TRUE), it is treated like the
 * median of its column. Owned by the caller. */
static GBytes *
new_pattern (const Map *map, guint row, double spread, gboolean is_last)
{
  gint32 *pattern = g_new (gint32, map->n_columns + 1);
  const double *values = map->values + (gsize) row * map->n_columns;
  for (guint i = 0; i < map->n_columns; i++)
    pattern[i] = round_value (values[i], map->medians[i], spread, is_last);
  return g_bytes_new_take (pattern, map->n_columns * sizeof *pattern);
}

static GArray *
show_all (guint n_rows)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (LoomAlikeRow));
  for (guint row = 0; row < n_rows; row++) {
    LoomAlikeRow shown = { row, 0 };
    g_array_append_val (rows, shown);
  }
  return rows;
}

static GArray *
merge (const Map *map, double spread, gboolean is_last)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (LoomAlikeRow));
  /* pattern → index, in `rows`, of the first row with this pattern, plus 1 */
  g_autoptr (GHashTable) known =
    g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  for (guint row = 0; row < map->n_rows; row++) {
    g_autoptr (GBytes) pattern = new_pattern (map, row, spread, is_last);
    guint at = GPOINTER_TO_UINT (g_hash_table_lookup (known, pattern));
    if (at > 0) {
      g_array_index (rows, LoomAlikeRow, at - 1).n_alike++;
      continue;
    }
    LoomAlikeRow shown = { row, 0 };
    g_array_append_val (rows, shown);
    g_hash_table_insert (known, g_steal_pointer (&pattern), GUINT_TO_POINTER (rows->len));
  }
  return rows;
}

GArray *
loom_alike_rows_new (const double *values, guint n_rows, guint n_columns, double spread, guint most)
{
  Map map = { values, n_rows, n_columns, NULL };
  if (!(spread > 0))
    return show_all (n_rows);
  map.medians = find_medians (&map);
  GArray *rows = merge (&map, spread, FALSE);
  for (guint i = 1; rows->len > MAX (most, 1); i++) {
    g_array_unref (rows);
    rows = merge (&map, ldexp (spread, (int) MIN (i, 2 * MAX_DOUBLINGS)), i > MAX_DOUBLINGS);
    if (i > 2 * MAX_DOUBLINGS)
      break;
  }
  g_free (map.medians);
  return rows;
}
