/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the map of the ranks on the page "Parallelism".
 */
#include "loom-parallel-map.h"

#include "loom-list-separator.h"
#include "loom-page-private.h"

#include <glib/gi18n.h>

/* maximum number of columns of the map; if there are more data replicas, a column shows several of them */
#define MAX_COLUMNS 16
/* A map with at most this many rows is a chart with a cell for each rank; a map with more rows is a table. */
#define MAX_CHART_ROWS 32
#define MAX_IN_CELL 3 /* maximum number of ranks that a cell of the map names */
#define MAX_ROWS 512  /* maximum number of rows of the map */

static guint
get_size (const LoomParallelAxes *axes, LoomParallelAxis axis)
{
  return MAX (axes->sizes[axis].size, 1);
}

static gint
get_coordinate (const LoomParallelRank *rank, LoomParallelAxis axis)
{
  return MAX (rank->coordinates[axis], 0);
}

/* Returns the row of the map that contains a rank. Rows are sorted by pipeline stage, then by the position on the
 * context axis, then by the position on the tensor axis. */
static guint
get_map_row (const LoomParallelAxes *axes, const LoomParallelRank *rank)
{
  guint tensor = get_size (axes, LOOM_PARALLEL_AXIS_TENSOR), context = get_size (axes, LOOM_PARALLEL_AXIS_CONTEXT);
  return ((guint) get_coordinate (rank, LOOM_PARALLEL_AXIS_PIPELINE) * context +
          (guint) get_coordinate (rank, LOOM_PARALLEL_AXIS_CONTEXT)) *
           tensor +
         (guint) get_coordinate (rank, LOOM_PARALLEL_AXIS_TENSOR);
}

static void
append_coordinate (const LoomParallelAxes *axes, GString *text, LoomParallelAxis axis, guint value)
{
  const char *name = axis == LOOM_PARALLEL_AXIS_PIPELINE ? C_ ("place of a rank in its pipeline", "stage")
                                                         : loom_page_get_axis_name (axis);
  if (get_size (axes, axis) > 1)
    g_string_append_printf (text, "%s%s %u", text->len > 0 ? " · " : "", name, value);
}

/* Returns the name of a row of the map: "stage 1 · tensor 0". Owned by the caller. */
static char *
dup_map_row_name (const LoomParallelAxes *axes, guint row)
{
  guint tensor = get_size (axes, LOOM_PARALLEL_AXIS_TENSOR), context = get_size (axes, LOOM_PARALLEL_AXIS_CONTEXT);
  g_autoptr (GString) text = g_string_new (NULL);
  append_coordinate (axes, text, LOOM_PARALLEL_AXIS_PIPELINE, row / tensor / context);
  append_coordinate (axes, text, LOOM_PARALLEL_AXIS_CONTEXT, row / tensor % context);
  append_coordinate (axes, text, LOOM_PARALLEL_AXIS_TENSOR, row % tensor);
  return text->len > 0 ? g_strdup (text->str) : g_strdup (C_ ("row of a table", "ranks"));
}

/* Returns the name of a column of the map: "data 3", or "data 4–7" for a column with several replicas. Owned by the
 * caller. */
static char *
dup_map_column_name (guint n_replicas, guint fold, guint column)
{
  guint first = column * fold, last = MIN (first + fold, n_replicas) - 1;
  if (n_replicas == 1)
    return g_strdup (C_ ("column", "Rank"));
  return first == last ? g_strdup_printf ("%s %u", loom_page_get_axis_name (LOOM_PARALLEL_AXIS_DATA), first)
                       : g_strdup_printf ("%s %u–%u", loom_page_get_axis_name (LOOM_PARALLEL_AXIS_DATA), first, last);
}

static LoomResultTable *
new_map (guint n_replicas, guint fold)
{
  LoomResultTable *table = loom_result_table_new (_ ("Ranks by axis"));
  loom_result_table_add_column (table, C_ ("column", "Position"), NULL, NULL);
  for (guint i = 0; i * fold < n_replicas; i++) {
    g_autofree char *title = dup_map_column_name (n_replicas, fold, i);
    loom_result_table_add_column (table, title, NULL, NULL);
  }
  return table;
}

/* Returns the numbers in `ranks` as a short text, without elements that are −1: "3"; "4–7"; "0, 8 … 56" if they are
 * equally spaced; otherwise "0, 5, 6 …". Owned by the caller. */
static char *
dup_ranks (const gint *ranks, guint n)
{
  g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (gint));
  for (guint i = 0; i < n; i++)
    if (ranks[i] >= 0)
      g_array_append_val (own, ranks[i]);
  const gint *all = (const gint *) (gpointer) own->data;
  gboolean even = own->len > 2;
  for (guint i = 2; i < own->len; i++)
    even &= all[i] - all[i - 1] == all[1] - all[0];
  if (even && all[1] == all[0] + 1)
    return g_strdup_printf ("%d–%d", all[0], all[own->len - 1]);
  if (even)
    return g_strdup_printf ("%d, %d … %d", all[0], all[1], all[own->len - 1]);
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < MIN (own->len, MAX_IN_CELL); i++)
    g_string_append_printf (text, "%s%d", i > 0 ? loom_list_separator () : "", all[i]);
  return g_string_free (own->len > MAX_IN_CELL ? g_string_append (text, " …") : text, FALSE);
}

/* Returns the number of the rank in each cell of the map; −1 for a cell without a rank. The map has n_rows rows, each
 * with n_replicas cells. Owned by the caller. */
static gint *
place_ranks (const LoomParallelAxes *axes, guint n_rows, guint n_replicas)
{
  gint *ranks = g_new (gint, (gsize) n_rows * n_replicas);
  for (guint i = 0; i < n_rows * n_replicas; i++)
    ranks[i] = -1;
  for (guint i = 0; i < axes->all->len; i++) {
    const LoomParallelRank *rank = &g_array_index (axes->all, LoomParallelRank, i);
    guint cell = get_map_row (axes, rank) * n_replicas + (guint) get_coordinate (rank, LOOM_PARALLEL_AXIS_DATA);
    if (cell < n_rows * n_replicas)
      ranks[cell] = rank->rank;
  }
  return ranks;
}

/* Adds the map of the ranks as a chart that has a cell for each rank. */
static void
add_map_chart (const LoomParallelCharts *charts, LoomPageContent *sheet, const LoomParallelAxes *axes, guint n_rows,
               guint n_replicas, const gint *ranks)
{
  g_auto (GStrv) rows = g_new0 (char *, n_rows + 1), columns = g_new0 (char *, n_replicas + 1);
  for (guint i = 0; i < n_rows; i++)
    rows[i] = dup_map_row_name (axes, i);
  for (guint i = 0; i < n_replicas; i++)
    columns[i] = dup_map_column_name (n_replicas, 1, i);
  loom_parallel_charts_add_map (charts, sheet, (const char *const *) rows, n_rows, (const char *const *) columns,
                                n_replicas, ranks);
}

void
loom_parallel_map_add_world (const LoomParallelCharts *charts, LoomPageContent *sheet, const LoomParallelAxes *axes)
{
  const char *const row = C_ ("row of a table", "ranks");
  guint n = axes->all->len;
  gint ranks[MAX_COLUMNS];
  const char *columns[MAX_COLUMNS];
  for (guint i = 0; n <= MAX_COLUMNS && i < n; i++) {
    ranks[i] = g_array_index (axes->all, LoomParallelRank, i).rank;
    columns[i] = "";
  }
  if (n > 1 && n <= MAX_COLUMNS)
    loom_parallel_charts_add_map (charts, sheet, &row, 1, columns, n, ranks);
}

/* Adds the map as a table with a row for each position. Each cell contains the numbers of the ranks of up to `fold`
 * data replicas. */
static void
add_map_table (const LoomParallelCharts *charts, LoomPageContent *sheet, const LoomParallelAxes *axes, guint n_rows,
               guint n_replicas, const gint *ranks)
{
  guint fold = (n_replicas + MAX_COLUMNS - 1) / MAX_COLUMNS;
  LoomResultTable *table = new_map (n_replicas, fold);
  for (guint i = 0; i < n_rows; i++) {
    g_autofree char *name = dup_map_row_name (axes, i);
    loom_result_table_add_row (table, name);
    for (guint k = 0; k * fold < n_replicas; k++) {
      g_autofree char *cell = dup_ranks (ranks + i * n_replicas + k * fold, MIN (fold, n_replicas - k * fold));
      loom_result_table_set_text (table, k + 1, cell);
    }
  }
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < n_rows; i++) {
    loom_page_content_set_place (sheet, i, charts->input->range, NULL, 0);
    loom_page_content_set_rank (sheet, i, ranks[i * n_replicas], G_MAXUINT32);
  }
}

void
loom_parallel_map_add (const LoomParallelCharts *charts, LoomPageContent *sheet, const LoomParallelAxes *axes)
{
  guint n_replicas = get_size (axes, LOOM_PARALLEL_AXIS_DATA), n_rows = get_size (axes, LOOM_PARALLEL_AXIS_PIPELINE) *
                                                                        get_size (axes, LOOM_PARALLEL_AXIS_TENSOR) *
                                                                        get_size (axes, LOOM_PARALLEL_AXIS_CONTEXT);
  if (n_rows > MAX_ROWS) {
    g_autofree char *text = g_strdup_printf (
      _ ("The map of ranks is not shown, because it would have %u rows. The table of groups lists the ranks."), n_rows);
    loom_page_content_add_note (sheet, text);
    return;
  }
  g_autofree gint *ranks = place_ranks (axes, n_rows, n_replicas);
  if (n_rows <= MAX_CHART_ROWS && n_replicas <= MAX_COLUMNS)
    add_map_chart (charts, sheet, axes, n_rows, n_replicas, ranks);
  else
    add_map_table (charts, sheet, axes, n_rows, n_replicas, ranks);
}
