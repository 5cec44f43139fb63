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
  LoomSourceOverrides *names; /* the user's names of sources; NULL: none */
  char *filter;               /* case-folded; NULL: no filter */
  char *filter_text;          /* the filter's text as it was set; valid while there is a filter */
  GHashTable *sources;        /* paths of sources shown; NULL: all */
  GHashTable *only;           /* items shown; NULL: all */
  GArray *rows;               /* LoomTimelineRow */
  GPtrArray *plots;           /* LoomRowCounter of the rows whose plot the user changed */
  GStringChunk *labels;       /* texts of the headers of rows that represent several ranks */
  guint n_pinned;
  double pinned_height, height;
  double room_px; /* height of the area for rows; 0: unknown */
  double lane_px; /* height of the lane of a folded rank */
};

/* The plot of one row, if it differs from the plot of its item. */
typedef struct {
  GArray *series, *parts;
  GStringChunk *texts; /* labels of series and parts */
  char *detail;
} LoomRowCounter;

void loom_row_list_plot_free (LoomRowCounter *plot);
/* Fills in the row of a counter with the user's settings. */
void loom_row_list_fill_plot (LoomRowList *outline, const LoomRowTreeItem *item, LoomTimelineRow *row);
/* The default scale of a counter. */
LoomCounterScale loom_row_list_scale_of (const LoomTimeline *timeline, const LoomCounterPart *part,
                                         const LoomCounterSeries *series);

/* Makes the rows again. */
void loom_row_list_lay_out (LoomRowList *outline);

/* Finds which ranks are represented by others, from the states of the rows (loom-row-alike.c). */
void loom_row_list_find_alike (LoomRowList *outline);
/* Returns TRUE for the top item of a rank; items below it have the same rank but are not sorted as ranks. */
gboolean loom_row_list_is_rank (const LoomRowTreeItem *item);

/* The item of a key; NULL if there is none. */
LoomRowTreeItem *loom_row_list_find_item (const LoomRowList *outline, const char *key);

/* Returns TRUE if the row is hidden, by the user or initially. Uses the state of the last layout. */
gboolean loom_row_list_is_hidden (const LoomRowTreeItem *item);
/* Returns TRUE if the row itself is hidden, whatever its ancestors are. With a filter, rows that are hidden initially count
 * as not hidden. */
gboolean loom_row_list_is_shut_out (const LoomRowList *outline, const LoomRowTreeItem *item);
/* Returns TRUE if the item can be a row when all groups are unfolded: it is not hidden, passes the filter, and its
 * source is shown. */
gboolean loom_row_list_is_wanted (const LoomRowList *outline, LoomRowTreeItem *item);

/* Returns TRUE if the path of the row contains the case-folded text. */
gboolean loom_row_list_is_like (LoomRowTreeItem *item, const char *folded);

/* Children in the user's order; children that were never moved keep their order and come first. Returns a new array of
 * borrowed items. */
GPtrArray *loom_row_list_dup_children (const LoomRowTreeItem *item);
