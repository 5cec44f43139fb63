/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups those rows of a heat map whose values are similar, so that the chart can show one row of each group. The
 * functions may be called on any thread.
 */
#pragma once

#include <glib.h>

/* A row that the chart shows, and the number of other, similar rows that it represents. */
typedef struct {
  guint row;
  guint n_alike;
} LoomAlikeRow;

/* Returns the rows to show (LoomAlikeRow), in ascending order, at most `most`. The value of a cell is values[row ·
 * n_columns + column]; NaN: the cell has no value. Rows are alike if all their values are rounded to the same numbers:
 * the difference from the median of the column is divided by `spread` and rounded towards 0. `spread` is doubled until
 * there are at most `most` groups of alike rows. If `spread` is 0, all rows are shown. Owned by the caller. O(values ·
 * log rows). */
GArray *loom_alike_rows_new (const double *values, guint n_rows, guint n_columns, double spread, guint most);
