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

/* Returns the rows to show (LoomAlikeRow), in their order, at most `most`. The value of a cell is values[row ·
 * n_columns + column]; NaN means that the cell has no value. The difference of a value from the median of its column is
 * divided by `spread` and rounded towards 0; rows are alike if all their values give the same numbers. If the groups of
 * alike rows are more than `most`, `spread` is doubled until there are at most `most`. If `spread` is 0, all rows are
 * shown. Owned by the caller. O(values · log rows). */
GArray *loom_alike_rows_new (const double *values, guint n_rows, guint n_columns, double spread, guint most);
