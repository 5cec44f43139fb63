/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rank-matrix.h"

#include <math.h>
#include <string.h>

#include "loom-statistics.h"

/* Factor from the median absolute deviation to the standard deviation of normally distributed values. */
#define MAD_TO_SIGMA 1.4826

const char *
loom_rank_matrix_value_to_string (LoomRankMatrixValue value)
{
  static const char *const words[] = { "duration", "compute", "exposed_communication", "rank_wait", "idle" };
  g_return_val_if_fail (value < LOOM_RANK_MATRIX_N, NULL);
  return words[value];
}

/* --- columns of the matrix: steps --------------------------------------------------------------------------------- */

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const gint64 *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

static void
sort_unique (GArray *numbers)
{
  guint n = 0;
  gint64 *all = (gint64 *) (gpointer) numbers->data;
  g_array_sort (numbers, compare_numbers);
  for (guint i = 0; i < numbers->len; i++)
    if (n == 0 || all[i] != all[n - 1])
      all[n++] = all[i];
  g_array_set_size (numbers, n);
}

/* Returns TRUE if all steps of the rank have numbers, and no number occurs twice. */
static gboolean
has_own_numbers (const LoomRankSteps *rank)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; i < rank->n_steps; i++) {
    if (rank->steps[i].number < 0)
      return FALSE;
    g_array_append_val (numbers, rank->steps[i].number);
  }
  sort_unique (numbers);
  return numbers->len == rank->n_steps;
}

static void
find_columns (LoomRankMatrix *matrix, const LoomStepBreakdown *breakdown)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (gint64));
  matrix->is_numbered = TRUE;
  for (guint r = 0; r < breakdown->n_ranks; r++)
    matrix->is_numbered &= has_own_numbers (&breakdown->ranks[r]);
  for (guint r = 0; r < breakdown->n_ranks; r++)
    for (gint64 i = 0; i < breakdown->ranks[r].n_steps; i++)
      g_array_append_val (numbers, *(matrix->is_numbered ? &breakdown->ranks[r].steps[i].number : &i));
  sort_unique (numbers);
  matrix->n_steps = numbers->len;
  matrix->steps = (gint64 *) (gpointer) g_array_free (numbers, FALSE);
}

static guint
find_column (const LoomRankMatrix *matrix, gint64 number)
{
  const gint64 *found = bsearch (&number, matrix->steps, matrix->n_steps, sizeof number, compare_numbers);
  return (guint) (found - matrix->steps);
}

/* --- values of a step --------------------------------------------------------------------------------------------- */

/* Sets values[LoomRankMatrixValue] of one step of one rank, in ns. If no devices are recorded in the step, all values
 * except the duration are −1. */
static void
read_step (const LoomStepTime *step, gint64 values[LOOM_RANK_MATRIX_N])
{
  const gint64 *parts = step->parts_ns;
  memset (values, 0xFF, LOOM_RANK_MATRIX_N * sizeof (gint64)); /* sets all values to −1, which means unknown */
  values[LOOM_RANK_MATRIX_DURATION] = loom_time_sub (step->end_ns, step->begin_ns);
  if (!step->is_recorded)
    return;
  values[LOOM_RANK_MATRIX_COMPUTE] = parts[LOOM_STEP_BREAKDOWN_COMPUTE];
  values[LOOM_RANK_MATRIX_EXPOSED] = parts[LOOM_STEP_BREAKDOWN_RANK_WAIT] + parts[LOOM_STEP_BREAKDOWN_TRANSFER];
  values[LOOM_RANK_MATRIX_WAIT] = parts[LOOM_STEP_BREAKDOWN_RANK_WAIT];
  values[LOOM_RANK_MATRIX_IDLE] = parts[LOOM_STEP_BREAKDOWN_DATA_WAIT] + parts[LOOM_STEP_BREAKDOWN_IDLE];
}

static void
fill_row (LoomRankMatrix *matrix, guint row, const LoomRankSteps *rank)
{
  g_autofree double *column = g_new (double, rank->n_steps + 1);
  matrix->rows[row] = (LoomRankMatrixRow) { .node = rank->node, .rank = rank->rank };
  for (guint v = 0; v < LOOM_RANK_MATRIX_N; v++) {
    guint n_known = 0;
    for (guint i = 0; i < rank->n_steps; i++) {
      gint64 values[LOOM_RANK_MATRIX_N];
      guint at = find_column (matrix, matrix->is_numbered ? rank->steps[i].number : i);
      read_step (&rank->steps[i], values);
      matrix->values[v][(gsize) row * matrix->n_steps + at] = values[v];
      if (values[v] >= 0)
        column[n_known++] = (double) values[v];
    }
    matrix->rows[row].median_ns[v] = n_known > 0 ? loom_statistics_median (column, n_known) : 0;
  }
}

/* --- ranks that are outliers -------------------------------------------------------------------------------------- */

static void
find_outliers (LoomRankMatrix *matrix, guint value)
{
  guint n = matrix->n_rows;
  g_autofree double *medians = g_new (double, n + 1);
  for (guint r = 0; r < n; r++)
    medians[r] = matrix->rows[r].median_ns[value];
  double middle = matrix->median_ns[value] = n > 0 ? loom_statistics_median (medians, n) : 0;
  for (guint r = 0; r < n; r++)
    medians[r] = fabs (matrix->rows[r].median_ns[value] - middle);
  double deviation = n > 0 ? MAD_TO_SIGMA * loom_statistics_median (medians, n) : 0;
  double least =
    MAX (LOOM_RANK_MATRIX_OUTLIER * deviation, LOOM_RANK_MATRIX_LEAST * matrix->median_ns[LOOM_RANK_MATRIX_DURATION]);
  for (guint r = 0; n >= LOOM_RANK_MATRIX_LEAST_RANKS && r < n; r++)
    matrix->rows[r].is_outlier[value] = fabs (matrix->rows[r].median_ns[value] - middle) > least;
}

LoomRankMatrix *
loom_rank_matrix_new (const LoomStepBreakdown *breakdown)
{
  LoomRankMatrix *matrix = g_new0 (LoomRankMatrix, 1);
  matrix->n_rows = breakdown->n_ranks;
  matrix->rows = g_new0 (LoomRankMatrixRow, matrix->n_rows + 1);
  find_columns (matrix, breakdown);
  gsize n = (gsize) matrix->n_rows * matrix->n_steps;
  for (guint v = 0; v < LOOM_RANK_MATRIX_N; v++) {
    matrix->values[v] = g_new (gint64, n + 1);
    memset (matrix->values[v], 0xFF, n * sizeof (gint64)); /* sets all values to −1, which means unknown */
  }
  for (guint r = 0; r < matrix->n_rows; r++)
    fill_row (matrix, r, &breakdown->ranks[r]);
  for (guint v = 0; v < LOOM_RANK_MATRIX_N; v++)
    find_outliers (matrix, v);
  return matrix;
}

void
loom_rank_matrix_free (LoomRankMatrix *matrix)
{
  if (matrix == NULL)
    return;
  for (guint v = 0; v < LOOM_RANK_MATRIX_N; v++)
    g_free (matrix->values[v]);
  g_free (matrix->rows);
  g_free (matrix->steps);
  g_free (matrix);
}

/* --- writing the matrix as CSV ------------------------------------------------------------------------------------ */

/* Appends a text in quotes, with the quotes inside the text doubled (RFC 4180). */
static void
append_quoted (GString *out, const char *text)
{
  g_string_append_c (out, '"');
  for (; *text != '\0'; text++) {
    if (*text == '"')
      g_string_append_c (out, '"');
    g_string_append_c (out, *text);
  }
  g_string_append_c (out, '"');
}

static void
append_cell (GString *out, const LoomRankMatrix *matrix, guint row, guint column)
{
  gsize at = (gsize) row * matrix->n_steps + column;
  if (matrix->values[LOOM_RANK_MATRIX_DURATION][at] < 0)
    return;
  if (matrix->rows[row].node != NULL)
    append_quoted (out, matrix->rows[row].node);
  g_string_append_printf (out, ",%d,%" G_GINT64_FORMAT, matrix->rows[row].rank, matrix->steps[column]);
  for (guint v = 0; v < LOOM_RANK_MATRIX_N; v++)
    if (matrix->values[v][at] >= 0)
      g_string_append_printf (out, ",%" G_GINT64_FORMAT, matrix->values[v][at]);
    else
      g_string_append_c (out, ',');
  g_string_append (out, "\r\n");
}

char *
loom_rank_matrix_to_csv (const LoomRankMatrix *matrix)
{
  GString *out = g_string_new ("node,rank,step");
  for (guint v = 0; v < LOOM_RANK_MATRIX_N; v++)
    g_string_append_printf (out, ",%s_ns", loom_rank_matrix_value_to_string (v));
  g_string_append (out, "\r\n");
  for (guint r = 0; r < matrix->n_rows; r++)
    for (guint c = 0; c < matrix->n_steps; c++)
      append_cell (out, matrix, r, c);
  return g_string_free (out, FALSE);
}
