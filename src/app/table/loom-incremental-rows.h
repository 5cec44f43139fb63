/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds the rows of a list model to its view a few per turn of the main loop. A view makes the widgets of the first two hundred rows
 * as soon as the model has them, which takes several frames. Rows beyond those that fit into a panel are added once a person uses
 * the table. The model reports `n_shown` as its number of rows. Main thread only.
 */
#pragma once

#include "loom-idle-queue.h"

#include <gtk/gtk.h>

typedef struct {
  GListModel *model; /* borrowed; emits items-changed for the rows */
  guint n_all, n_shown;
  gboolean at_once;    /* a reset adds all rows at once */
  gboolean wants_all;  /* a person uses the table */
  GtkAdjustment *room; /* of the view that is watched, weak; NULL: none */
  GtkBitset *stale;    /* rows whose contents changed and for which items-changed was not emitted yet */
  LoomIdleQueue turns;
} LoomIncrementalRows;

void loom_incremental_rows_init (LoomIncrementalRows *self, GListModel *model);
void loom_incremental_rows_clear (LoomIncrementalRows *self);

/* Replaces all rows by `n_all` others. */
void loom_incremental_rows_reset (LoomIncrementalRows *self, guint n_all);
/* The rows at these positions have changed, their number has not; `positions` is taken over. */
void loom_incremental_rows_refresh (LoomIncrementalRows *self, GtkBitset *positions);
/* From now on all rows are added, a few per turn of the main loop. */
void loom_incremental_rows_want_all (LoomIncrementalRows *self);
/* Adds all rows at once, for callers that need a row which may not be added yet. */
void loom_incremental_rows_show_all (LoomIncrementalRows *self);

/* Adds all rows once a person moves the focus into the model's view, scrolls, or points at its scroll bar, or once
 * there is room for more rows. Until then only the first rows are added. */
void loom_incremental_rows_watch (GListModel *model, GtkScrolledWindow *rows);
