/* SPDX-License-Identifier: Apache-2.0
 *
 * What laying out and what people do share. Private to the outline.
 */
#pragma once

#include "loom-row-state.h"
#include "loom-row-tree.h"

G_BEGIN_DECLS

struct _LoomRowList {
  LoomRowTree *tree; /* NULL at first */
  LoomRowListState state;
  LoomSourceOverrides *names; /* what sources are called; NULL: nothing was said of any */
  char *filter;               /* folded case, NULL for none */
  char *filter_text;          /* as it was set; counts while there is a filter */
  GHashTable *sources;        /* paths shown, NULL for all */
  GHashTable *only;           /* items shown, NULL for all */
  GArray *rows;               /* LoomTimelineRow */
  GPtrArray *plots;           /* LoomRowCounter, of rows whose plot somebody changed */
  guint n_pinned;
  double pinned_height, height;
  guint serial;
};

/* The plot of one row, where it is not as its item has it. */
typedef struct {
  GArray *series, *parts;
  GStringChunk *texts; /* labels */
  char *detail;
} LoomRowCounter;

void loom_row_list_plot_free (LoomRowCounter *plot);
/* Fills in the row of a counter what a person chose for it. */
void loom_row_list_fill_plot (LoomRowList *outline, const LoomRowTreeItem *item, LoomTimelineRow *row);
/* The scale of a counter as it is. */
LoomCounterScale loom_row_list_scale_of (const LoomTimeline *timeline, const LoomCounterPart *part,
                                         const LoomCounterSeries *series);

/* Makes the rows anew. */
void loom_row_list_lay_out (LoomRowList *outline);

/* NULL when there is none of that key. */
LoomRowTreeItem *loom_row_list_find_item (const LoomRowList *outline, const char *key);

/* A row that may stand on its own, folding aside: not hidden, not filtered away, of a source that is shown. */
gboolean loom_row_list_is_wanted (const LoomRowList *outline, LoomRowTreeItem *item);

/* Whether the path of the row contains the text, of folded case. */
gboolean loom_row_list_is_like (LoomRowTreeItem *item, const char *folded);

/* Children in the order a person gave them; those never moved keep theirs, in front. A reference; borrowed items. */
GPtrArray *loom_row_list_dup_children (const LoomRowTreeItem *item);

G_END_DECLS
