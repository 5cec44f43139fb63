/* SPDX-License-Identifier: Apache-2.0
 *
 * A line of the range's table: one name's statistics. Main thread.
 */
#pragma once

#include "loom-selection-stats.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define LOOM_TYPE_NAME_ROW (loom_name_row_get_type ())
G_DECLARE_FINAL_TYPE (LoomNameRow, loom_name_row, LOOM, NAME_ROW, GObject)

/* `stats` is borrowed and outlives the row: the table keeps it. `share` is of the time of all names in the range.
 * `ambiguous`: the name stands in the table with several categories, so it is shown with its own. */
LoomNameRow *loom_name_row_new (const LoomNameStats *stats, double share, gboolean ambiguous);
const LoomNameStats *loom_name_row_get_stats (LoomNameRow *row);
double loom_name_row_get_share (LoomNameRow *row);

typedef enum {
  LOOM_NAME_COLUMN_NAME,
  LOOM_NAME_COLUMN_COUNT,
  LOOM_NAME_COLUMN_INSIDE, /* what of it lies in the range */
  LOOM_NAME_COLUMN_SHARE,  /* of that */
  LOOM_NAME_COLUMN_TOTAL,
  LOOM_NAME_COLUMN_SELF,
  LOOM_NAME_COLUMN_MEAN,
  LOOM_NAME_COLUMN_MIN,
  LOOM_NAME_COLUMN_P50, /* percentiles of whole durations */
  LOOM_NAME_COLUMN_P95,
  LOOM_NAME_COLUMN_P99,
  LOOM_NAME_COLUMN_MAX,
  LOOM_N_NAME_COLUMNS
} LoomNameColumn;

const char *loom_name_column_get_title (LoomNameColumn column);
/* A sentence that says what the column counts. */
const char *loom_name_column_get_words (LoomNameColumn column);
gboolean loom_name_column_is_number (LoomNameColumn column);
/* The cell's text; owned. */
char *loom_name_row_dup_cell (LoomNameRow *row, LoomNameColumn column);
/* The same without rounding, for the tooltip and copies; owned. */
char *loom_name_row_dup_exact (LoomNameRow *row, LoomNameColumn column);
/* Ascending. */
int loom_name_row_compare (LoomNameRow *a, LoomNameRow *b, LoomNameColumn column);

G_END_DECLS
