/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds the rows of a list model to its view in small steps, a few per iteration of the main loop. A view creates the
 * widgets of about the first 200 rows as soon as the model contains them, which takes several frames. Rows beyond those
 * that fit into a panel are added when the user begins to use the table. The model must report `n_shown` as its number
 * of rows. Main thread only.
 */
#pragma once

#include "loom-idle-queue.h"

#include <gtk/gtk.h>

typedef struct {
  GListModel *model; /* borrowed; emits items-changed for the rows */
  guint n_all, n_shown;
  gboolean at_once;    /* TRUE if a reset adds all rows at once */
  gboolean wants_all;  /* TRUE after the user has begun to use the table */
  GtkAdjustment *room; /* vertical adjustment of the watched view, weak; NULL: no view is watched */
  GtkBitset *stale;    /* positions of the rows with changed contents for which items-changed must still be emitted */
  LoomIdleQueue turns;
} LoomIncrementalRows;

void loom_incremental_rows_init (LoomIncrementalRows *self, GListModel *model);
void loom_incremental_rows_clear (LoomIncrementalRows *self);

/* Replaces all rows by `n_all` new ones. */
void loom_incremental_rows_reset (LoomIncrementalRows *self, guint n_all);
/* Updates the rows at these positions, whose contents have changed. The number of rows must be unchanged. Takes
 * ownership of `positions`. */
void loom_incremental_rows_refresh (LoomIncrementalRows *self, GtkBitset *positions);
/* Starts adding all rows, a few per iteration of the main loop. */
void loom_incremental_rows_want_all (LoomIncrementalRows *self);
/* Adds all rows immediately, for callers that need a row which may not have been added yet. */
void loom_incremental_rows_show_all (LoomIncrementalRows *self);

/* Makes the model add all rows as soon as the view of the model has room for more rows, or the user begins to use the
 * view: moves the focus into it, scrolls, or points at its scroll bar. Until then, only the first rows are added. */
void loom_incremental_rows_watch (GListModel *model, GtkScrolledWindow *rows);
