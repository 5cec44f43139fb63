/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds the rows of a list model to its view in small steps, a few rows per iteration of the main loop. Without this,
 * GTK would make the widgets of about 200 rows at once, which takes several frames. At first, only the visible rows are
 * added; the others follow when the user begins to use the table. The model must report `n_shown` as its number of
 * rows. Main thread only.
 */
#pragma once

#include "loom-idle-queue.h"

#include <gtk/gtk.h>

typedef struct {
  GListModel *model; /* borrowed; items-changed is emitted on it when rows are added */
  guint n_all, n_shown;
  gboolean at_once;    /* TRUE if loom_incremental_rows_reset() adds all rows at once; FALSE if it adds them in steps */
  gboolean wants_all;  /* TRUE after the user has begun to use the table */
  GtkAdjustment *room; /* vertical adjustment of the watched view, as a weak pointer; NULL if no view is watched */
  GtkBitset *stale; /* positions of rows whose contents have changed, but for which items-changed was not emitted yet */
  LoomIdleQueue turns;
} LoomIncrementalRows;

void loom_incremental_rows_init (LoomIncrementalRows *self, GListModel *model);
void loom_incremental_rows_clear (LoomIncrementalRows *self);

/* Replaces all rows by `n_all` new rows, which are added in steps. */
void loom_incremental_rows_reset (LoomIncrementalRows *self, guint n_all);
/* Updates the rows at these positions, whose contents have changed. The number of rows must not have changed. Takes
 * ownership of `positions`. */
void loom_incremental_rows_refresh (LoomIncrementalRows *self, GtkBitset *positions);
/* Starts adding all rows, a few per iteration of the main loop. */
void loom_incremental_rows_want_all (LoomIncrementalRows *self);
/* Adds all rows immediately. Needed by callers that use a row which may not have been added yet. */
void loom_incremental_rows_show_all (LoomIncrementalRows *self);

/* Adds all rows of the model as soon as its view has space for more rows, or the user begins to use the view: moves
 * the focus into it, scrolls, or moves the pointer over its scroll bar. Until then, only the first rows are added. */
void loom_incremental_rows_watch (GListModel *model, GtkScrolledWindow *rows);
