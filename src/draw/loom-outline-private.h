/* SPDX-License-Identifier: Apache-2.0
 *
 * What laying out and what people do share. Private to the outline.
 */
#pragma once

#include "loom-outline-state.h"
#include "loom-outline-tree.h"

G_BEGIN_DECLS

struct _LoomOutline {
  LoomOutlineTree *tree; /* NULL at first */
  LoomOutlineState state;
  LoomSourceEdits *names; /* what sources are called; NULL: nothing was said of any */
  char *filter;        /* folded case, NULL for none */
  GHashTable *sources; /* paths shown, NULL for all */
  GHashTable *only;    /* items shown, NULL for all */
  GArray *rows;        /* LoomOutlineRow */
  GPtrArray *plots;    /* LoomRowPlot, of rows whose plot somebody changed */
  guint n_pinned;
  double pinned_height, height;
  guint serial;
};

/* The plot of one row, where it is not as its item has it. */
typedef struct {
  GArray *series, *parts;
  GStringChunk *texts; /* labels */
  char *detail;
} LoomRowPlot;

void loom_row_plot_free (LoomRowPlot *plot);
/* Fills in the row of a counter what a person chose for it. */
void loom_outline_fill_plot (LoomOutline *outline, const LoomOutlineItem *item, LoomOutlineRow *row);
/* The scale of a counter as it is. */
LoomPlotScale loom_outline_scale_of (const LoomTimeline *timeline, const LoomPlotPart *part, const LoomPlotSeries *series);

/* Makes the rows anew. */
void loom_outline_lay_out (LoomOutline *outline);

/* NULL when there is none of that key. */
LoomOutlineItem *loom_outline_find_item (const LoomOutline *outline, const char *key);

/* A row that may stand on its own, folding aside: not hidden, not filtered away, of a source that is shown. */
gboolean loom_outline_is_wanted (const LoomOutline *outline, LoomOutlineItem *item);

/* Whether the path of the row contains the text, of folded case. */
gboolean loom_outline_is_like (LoomOutlineItem *item, const char *folded);

/* Children in the order a person gave them; those never moved keep theirs, in front. A reference; borrowed items. */
GPtrArray *loom_outline_dup_children (const LoomOutlineItem *item);

G_END_DECLS
