/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the row list. Declares the members that are shared by its layout (loom-row-list.c) and by the user's
 * operations on rows (loom-row-operations.c), and the functions that the files of the row list share.
 */
#pragma once

#include "loom-row-state.h"
#include "loom-row-tree.h"

struct _LoomRowList {
  LoomRowTree *tree; /* the tree of rows; NULL before the first timeline is set */
  LoomRowListState state;
  LoomSourceOverrides *names; /* the names that the user gave to sources; NULL: none */
  char *filter;               /* text of the filter, case-folded; NULL: no filter */
  char *filter_text;          /* text of the filter as the user typed it; valid while `filter` is not NULL */
  GHashTable *sources;        /* paths of the sources that are shown; NULL: all */
  GHashTable *only;           /* set of LoomRowTreeItem: only the rows of these items are shown; NULL: all */
  GArray *rows;               /* LoomTimelineRow: the rows of the list, pinned rows first */
  GPtrArray *plots;           /* LoomRowCounter: plots of those rows whose plot the user changed */
  GStringChunk *labels;       /* labels and paths of rows whose rank represents other ranks, is late or has a note */
  GArray *late;               /* LoomRowLateness: the ranks that are late; owns their members */
  guint n_pinned;
  /* values of state.epoch, state.serial, tree_serial and the number of items in the tree when the states of the rows
   * were last linked with the items */
  guint linked_epoch, linked_serial, linked_tree, linked_items;
  /* TRUE if the last layout may have omitted the row of a rank, because a similar rank represents this rank */
  gboolean was_representing;
  guint detail_serial; /* result of loom_row_list_get_detail_serial() */
  guint tree_serial;   /* result of loom_row_list_get_tree_serial() */
  double pinned_height, height;
  double room_px;       /* height of the area for rows; 0: unknown */
  double lane_px;       /* height of the lane of a folded rank in px */
  double least_lane_px; /* minimum of lane_px, set by loom_row_list_set_least_lane() */
};

/* The plot of a row if it differs from the default plot in the LoomRowTreeItem, because the user changed it. */
typedef struct {
  GArray *series, *parts;
  GStringChunk *texts; /* labels of the series and parts */
  char *detail;
} LoomRowCounter;

void loom_row_list_plot_free (LoomRowCounter *plot);
/* Sets those members of a counter's row that depend on the user's settings for this counter. */
void loom_row_list_fill_plot (LoomRowList *outline, const LoomRowTreeItem *item, LoomTimelineRow *row);
/* Returns the scale of a counter in its default plot, without the user's settings. */
LoomCounterScale loom_row_list_scale_of (const LoomTimeline *timeline, const LoomCounterPart *part,
                                         const LoomCounterSeries *series);

/* Makes all rows anew from the tree, the user's changes and the filters. Call it after any of these has changed. */
void loom_row_list_lay_out (LoomRowList *outline);

/* Stores the user's changes of each row in the item of the row. Looks up keys only if items, or rows with changes, were
 * added since the last call (loom-row-links.c). */
void loom_row_list_link_states (LoomRowList *outline);

/* Reads from the user's settings which ranks are represented by other ranks, and stores this in the items of the ranks.
 * A represented rank has no row (loom-row-alike.c). */
void loom_row_list_find_alike (LoomRowList *outline);
/* Returns TRUE for the topmost item of a rank; FALSE for all other items, also for those below a topmost item, although
 * they have the same rank. When ranks are sorted, only topmost items are moved. */
gboolean loom_row_list_is_rank (const LoomRowTreeItem *item);

/* Returns the lateness of a rank if `item` is the topmost item of the rank. NULL: the rank is not late, or `item` is
 * any other item. */
const LoomRowLateness *loom_row_list_find_lateness (const LoomRowList *outline, const LoomRowTreeItem *item);

/* Returns the item whose row has this key; NULL if there is none. */
LoomRowTreeItem *loom_row_list_find_item (const LoomRowList *outline, const char *key);

/* Returns TRUE if the row is hidden, for one of three reasons: another rank represents it; the user has hidden it; or
 * it is hidden initially, and the user has not shown it. Uses the result of the last call of
 * loom_row_list_find_alike(). */
gboolean loom_row_list_is_hidden (const LoomRowTreeItem *item);
/* Returns TRUE if the item itself is hidden; the result does not depend on its ancestors. While there is a filter, a
 * row that is hidden initially counts as visible, unless the user has hidden it, too. */
gboolean loom_row_list_is_shut_out (const LoomRowList *outline, const LoomRowTreeItem *item);
/* Returns TRUE if the item would have a row if all groups were unfolded: it is not hidden, it passes the filter, and
 * its source is shown. */
gboolean loom_row_list_is_wanted (const LoomRowList *outline, LoomRowTreeItem *item);

/* Returns TRUE if the path of the row contains the case-folded text. */
gboolean loom_row_list_is_like (LoomRowTreeItem *item, const char *folded);

/* Returns the children of an item in the order that the user chose. Children that the user has not moved come first, in
 * the order of the tree. Returns a new array, owned by the caller; the items are borrowed. */
GPtrArray *loom_row_list_dup_children (const LoomRowTreeItem *item);
