/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a list come to its view a few per turn of the main loop, and more than fit in a panel when somebody turns to them: a view makes
 * a widget of every cell of the first two hundred as soon as it hears of them, which takes several frames, and again as it is
 * measured, drawn and hidden. For models, which count `n_shown` as their rows. Main thread only.
 */
#pragma once

#include "loom-idle-queue.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct {
  GListModel *model; /* borrowed; what changes is told in its name */
  guint n_all, n_shown;
  gboolean at_once;   /* a reset shows all rows */
  gboolean wants_all; /* somebody turned to them */
  GtkBitset *stale;   /* rows that are others now, and nobody was told yet */
  LoomIdleQueue turns;
} LoomIncrementalRows;

void loom_incremental_rows_init (LoomIncrementalRows *self, GListModel *model);
void loom_incremental_rows_clear (LoomIncrementalRows *self);

/* All rows are others, and so many. */
void loom_incremental_rows_reset (LoomIncrementalRows *self, guint n_all);
/* As many as before, others at these positions; taken over. */
void loom_incremental_rows_refresh (LoomIncrementalRows *self, GtkBitset *positions);
/* From now on all rows come. */
void loom_incremental_rows_want_all (LoomIncrementalRows *self);
/* At once, for who needs a row that may not be there yet. */
void loom_incremental_rows_show_all (LoomIncrementalRows *self);

/* All rows come when somebody goes into the view of the model by keys, scrolls or points at its scroll bar, or when there is room for
 * more: who only looks sees the first. */
void loom_incremental_rows_watch (GListModel *model, GtkScrolledWindow *rows);

G_END_DECLS
