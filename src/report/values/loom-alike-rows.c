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

/* Returns a text that is the same for all rows that are alike. Normally, a missing value is similar only to other
 * missing values. In the last attempts to merge rows (`is_last` is TRUE), it is treated like the median of its column.
 * Owned by the caller. */
static char *
dup_pattern (const Map *map, guint row, double spread, gboolean is_last)
{
  GString *pattern = g_string_new (NULL);
  for (guint i = 0; i < map->n_columns; i++) {
    double value = map->values[(gsize) row * map->n_columns + i];
    if (isnan (value) && !is_last)
      g_string_append_c (pattern, '-');
    else
      /* adding 0.0 turns −0.0, which would be printed with a minus sign, into 0.0 */
      g_string_append_printf (pattern, "%.0f", isnan (value) ? 0 : trunc ((value - map->medians[i]) / spread) + 0.0);
    g_string_append_c (pattern, ' ');
  }
  return g_string_free (pattern, FALSE);
}

static GArray *
merge (const Map *map, double spread, gboolean is_last)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (LoomAlikeRow));
  g_autoptr (GHashTable) known =
    /* text of dup_pattern() → index, in `rows`, of the first row with this text, plus 1 */
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint row = 0; row < map->n_rows; row++) {
    char *pattern = spread > 0 ? dup_pattern (map, row, spread, is_last) : g_strdup_printf ("%u", row);
    guint at = GPOINTER_TO_UINT (g_hash_table_lookup (known, pattern));
    if (at > 0) {
      g_array_index (rows, LoomAlikeRow, at - 1).n_alike++;
      g_free (pattern);
      continue;
    }
    LoomAlikeRow shown = { row, 0 };
    g_array_append_val (rows, shown);
    g_hash_table_insert (known, pattern, GUINT_TO_POINTER (rows->len));
  }
  return rows;
}

GArray *
loom_alike_rows_new (const double *values, guint n_rows, guint n_columns, double spread, guint most)
{
  Map map = { values, n_rows, n_columns, NULL };
  map.medians = find_medians (&map);
  GArray *rows = merge (&map, spread, FALSE);
  for (guint i = 1; spread > 0 && rows->len > MAX (most, 1); i++) {
    g_array_unref (rows);
    rows = merge (&map, ldexp (spread, (int) MIN (i, 2 * MAX_DOUBLINGS)), i > MAX_DOUBLINGS);
    if (i > 2 * MAX_DOUBLINGS)
      break;
  }
  g_free (map.medians);
  return rows;
}
