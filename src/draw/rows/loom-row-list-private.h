/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the layout and the user's operations. Private to the row list.
 */
#pragma once

#include "loom-row-state.h"
#include "loom-row-tree.h"

struct _LoomRowList {
  LoomRowTree *tree; /* NULL before the first timeline */
  LoomRowListState state;
  LoomSourceOverrides *names; /* the names that the user gave to sources; NULL: none */
  char *filter;               /* text of the filter, case-folded; NULL: no filter */
  char *filter_text;          /* text of the filter as the user typed it; valid while `filter` is not NULL */
  GHashTable *sources;        /* paths of the sources that are shown; NULL: all */
  GHashTable *only;           /* set of LoomRowTreeItem: only these items are shown; NULL: all */
  GArray *rows;               /* LoomTimelineRow */
  GPtrArray *plots;           /* LoomRowCounter: plots of those rows whose plot the user changed */
  GStringChunk *labels;       /* labels and details of rows that represent several ranks */
  guint n_pinned;
  guint detail_serial; /* loom_row_list_get_detail_serial() */
  guint tree_serial;   /* loom_row_list_get_tree_serial() */
  double pinned_height, height;
  double room_px; /* height of the area for rows; 0: unknown */
  double lane_px; /* height of the lane of a folded rank in px */
};

/* The plot of a row if it differs from the default plot in the LoomRowTreeItem, because the user changed it. */
typedef struct {
  GArray *series, *parts;
  GStringChunk *texts; /* labels of series and parts */
  char *detail;
} LoomRowCounter;

void loom_row_list_plot_free (LoomRowCounter *plot);
/* Sets those members of the row of a counter that depend on how the user wants to see it. */
void loom_row_list_fill_plot (LoomRowList *outline, const LoomRowTreeItem *item, LoomTimelineRow *row);
/* Returns the default scale of a counter. */
LoomCounterScale loom_row_list_scale_of (const LoomTimeline *timeline, const LoomCounterPart *part,
                                         const LoomCounterSeries *series);

/* Makes all rows anew. */
void loom_row_list_lay_out (LoomRowList *outline);

/* Reads from the user's settings which ranks are represented by others, and stores this in the items of the ranks
 * (loom-row-alike.c). */
void loom_row_list_find_alike (LoomRowList *outline);
/* Returns TRUE for the topmost item of a rank. The items below it have the same rank, but are not moved when ranks are
 * sorted. */
gboolean loom_row_list_is_rank (const LoomRowTreeItem *item);

/* Returns the item of a key; NULL if there is none. */
LoomRowTreeItem *loom_row_list_find_item (const LoomRowList *outline, const char *key);

/* Returns TRUE if the row is hidden: because another rank represents it, or because the user has hidden it or, if the
 * user has neither hidden nor shown it, because it is hidden initially. Uses the result of the last call of
 * loom_row_list_find_alike(). */
gboolean loom_row_list_is_hidden (const LoomRowTreeItem *item);
/* Returns TRUE if the item itself is hidden; whether its ancestors are hidden doesn't matter. While there is a filter,
 * rows that are hidden only initially count as visible. */
gboolean loom_row_list_is_shut_out (const LoomRowList *outline, const LoomRowTreeItem *item);
/* Returns TRUE if the item has a row when all groups are unfolded: it is not hidden, it passes the filter, and its
 * source is shown. */
gboolean loom_row_list_is_wanted (const LoomRowList *outline, LoomRowTreeItem *item);

/* Returns TRUE if the path of the row contains the case-folded text. */
gboolean loom_row_list_is_like (LoomRowTreeItem *item, const char *folded);

/* Returns the children of an item in the order that the user chose. Children that the user has not moved come first, in
 * the order of the tree. Returns a new array, owned by the caller; the items are borrowed. */
GPtrArray *loom_row_list_dup_children (const LoomRowTreeItem *item);
