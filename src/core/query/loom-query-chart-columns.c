/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses which column of a query's answer a chart shows on each axis. Rates the columns by their names, the kinds of
 * their values, and the number of different values.
 */
#include "loom-query-chart.h"

#include <string.h>

static const char *const words[LOOM_N_QUERY_CHARTS] = { NULL, "bars", "lines", "histogram", "points" };

const char *
loom_query_chart_kind_to_word (LoomQueryChartKind kind)
{
  return words[kind];
}

LoomQueryChartKind
loom_query_chart_kind_from_word (const char *word)
{
  for (LoomQueryChartKind kind = LOOM_QUERY_CHART_BARS; word != NULL && kind < LOOM_N_QUERY_CHARTS; kind++)
    if (g_str_equal (word, words[kind]))
      return kind;
  return LOOM_QUERY_CHART_NONE;
}

/* --- properties of a column --------------------------------------------------------------------------------------- */

static const LoomResultTableColumn *
get (const LoomQueryAnswer *answer, guint column)
{
  return loom_result_table_get_column (answer->table, column);
}

static gboolean
is_time (const LoomQueryAnswer *answer, guint column)
{
  return g_strcmp0 (get (answer, column)->unit, "time") == 0;
}

/* Returns TRUE if the column has this name. A number that makes the name unique, as in "rank (2)", is ignored. */
static gboolean
is_named (const LoomQueryAnswer *answer, guint column, const char *name)
{
  const char *title = get (answer, column)->title;
  gsize length = strlen (name);
  return g_ascii_strncasecmp (title, name, length) == 0 &&
         (title[length] == '\0' || g_str_has_prefix (title + length, " ("));
}

/* Returns TRUE for a column whose numbers identify something, such as a rank or a step, and do not measure anything. */
static gboolean
is_key (const LoomQueryAnswer *answer, guint column)
{
  static const char *const names[] = { "rank",  "number", "step",   "track",   "process", "source",
                                       "clock", "depth",  "device", "counter", "stream",  "id" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (is_named (answer, column, names[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_id (const LoomQueryAnswer *answer, guint column)
{
  return column == answer->id_column || is_named (answer, column, "id");
}

/* Returns the number of different cells of a column in the rows that a chart can draw. Stops counting above `most`, and
 * then returns `most` + 1. */
static guint
count_different (const LoomQueryAnswer *answer, guint column, guint most)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < MIN (answer->table->n_rows, LOOM_QUERY_CHART_MOST_POINTS) && g_hash_table_size (seen) <= most;
       i++)
    g_hash_table_add (seen, loom_result_table_dup_exact (answer->table, i, column));
  return g_hash_table_size (seen);
}

gboolean
loom_query_chart_can_use (const LoomQueryAnswer *answer, LoomQueryChartKind kind, LoomQueryChartAxis axis, guint column)
{
  static const LoomQueryChartAxis last[LOOM_N_QUERY_CHARTS] = { 0, LOOM_QUERY_CHART_Y, LOOM_QUERY_CHART_GROUP,
                                                                LOOM_QUERY_CHART_X, LOOM_QUERY_CHART_GROUP };
  if (kind == LOOM_QUERY_CHART_NONE || axis > last[kind] || loom_result_table_is_empty_column (answer->table, column))
    return FALSE;
  gboolean names = axis == LOOM_QUERY_CHART_GROUP || (axis == LOOM_QUERY_CHART_X && kind == LOOM_QUERY_CHART_BARS);
  return names || loom_result_table_is_number (answer->table, column);
}

/* --- rating columns for an axis ----------------------------------------------------------------------------------- */

/* Returns how well a column fits an axis. Columns with higher values fit better; a column with the value 0 cannot be
 * used. */
typedef guint (*Rate) (const LoomQueryAnswer *answer, guint column);

/* Rates a column as a quantity to measure, for the axis y. Best are durations, then other quantities, then instants,
 * then numbers that identify something. */
static guint
rate_measure (const LoomQueryAnswer *answer, guint column)
{
  const char *unit = get (answer, column)->unit;
  if (is_key (answer, column))
    return 1;
  return g_strcmp0 (unit, "ns") == 0 ? 4 : is_time (answer, column) ? 2 : 3;
}

/* Rates a column for the horizontal axis of lines and points. Best is a column named "number" or "step", then instants,
 * then other numbers that identify something. */
static guint
rate_place (const LoomQueryAnswer *answer, guint column)
{
  if (is_time (answer, column))
    return 4;
  if (is_named (answer, column, "number") || is_named (answer, column, "step"))
    return 5;
  return is_key (answer, column) ? 3 : 2;
}

/* Rates a column as the name of the rows. Best is the column "name". Next are columns of texts, or of numbers that
 * identify something; of these, the column with the most different values is the best. */
static guint
rate_name (const LoomQueryAnswer *answer, guint column)
{
  gboolean is_text = !loom_result_table_is_number (answer->table, column);
  guint n = MIN (answer->table->n_rows, LOOM_QUERY_CHART_MOST_BARS);
  if (is_id (answer, column))
    return 1;
  if (is_named (answer, column, "name"))
    return G_MAXUINT;
  if (!is_text && !is_key (answer, column))
    return is_time (answer, column) ? 2 : 1;
  return 3 + 2 * count_different (answer, column, n) + (is_text ? 1 : 0);
}

/* Rates a column for dividing the rows into groups: a text or a number that identifies something, with a few different
 * values. */
static guint
rate_group (const LoomQueryAnswer *answer, guint column)
{
  if (is_id (answer, column) || (loom_result_table_is_number (answer->table, column) && !is_key (answer, column)))
    return 0;
  guint n = count_different (answer, column, LOOM_QUERY_CHART_MOST_GROUPS);
  return n >= 2 && n <= LOOM_QUERY_CHART_MOST_GROUPS ? 1 : 0;
}

static Rate
get_rate (LoomQueryChartKind kind, LoomQueryChartAxis axis)
{
  if (axis == LOOM_QUERY_CHART_GROUP)
    return rate_group;
  if (axis == LOOM_QUERY_CHART_Y || kind == LOOM_QUERY_CHART_HISTOGRAM)
    return rate_measure;
  return kind == LOOM_QUERY_CHART_BARS ? rate_name : rate_place;
}

static gboolean
is_taken (const guint columns[LOOM_N_QUERY_CHART_AXES], guint column)
{
  for (LoomQueryChartAxis axis = 0; axis < LOOM_N_QUERY_CHART_AXES; axis++)
    if (columns[axis] == column)
      return TRUE;
  return FALSE;
}

/* Returns the column with the best rating for an axis; of several columns with this rating, the first. Skips columns
 * that other axes of the chart use already. G_MAXUINT: no column can be used. */
static guint
find_best (const LoomQueryAnswer *answer, LoomQueryChartKind kind, LoomQueryChartAxis axis,
           const guint columns[LOOM_N_QUERY_CHART_AXES])
{
  guint best = G_MAXUINT, best_rate = 0;
  for (guint i = 0; i < answer->table->columns->len; i++) {
    if (is_taken (columns, i) || !loom_query_chart_can_use (answer, kind, axis, i))
      continue;
    guint rate = get_rate (kind, axis) (answer, i);
    if (rate > best_rate) {
      best = i;
      best_rate = rate;
    }
  }
  return best;
}

static guint
find_named (const LoomQueryAnswer *answer, LoomQueryChartKind kind, LoomQueryChartAxis axis, const char *name)
{
  for (guint i = 0; name != NULL && i < answer->table->columns->len; i++)
    if (g_str_equal (get (answer, i)->title, name) && loom_query_chart_can_use (answer, kind, axis, i))
      return i;
  return G_MAXUINT;
}

/* Chooses the column of y before the column of x, so that a column that measures something is used for y, not for x. */
void
loom_query_chart_choose (const LoomQueryAnswer *answer, LoomQueryChartKind kind,
                         const char *const names[LOOM_N_QUERY_CHART_AXES], guint columns[LOOM_N_QUERY_CHART_AXES])
{
  static const LoomQueryChartAxis order[] = { LOOM_QUERY_CHART_Y, LOOM_QUERY_CHART_X, LOOM_QUERY_CHART_GROUP };
  for (LoomQueryChartAxis axis = 0; axis < LOOM_N_QUERY_CHART_AXES; axis++)
    columns[axis] = find_named (answer, kind, axis, names[axis]);
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    if (columns[order[i]] == G_MAXUINT && g_strcmp0 (names[order[i]], "") != 0)
      columns[order[i]] = find_best (answer, kind, order[i], columns);
}
