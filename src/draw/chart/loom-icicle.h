/* SPDX-License-Identifier: Apache-2.0
 *
 * An icicle chart of a call tree: callers above, callees below; the width of a box is the time of its node. Hit testing
 * and keyboard navigation use the list of drawn boxes. Nodes that are too narrow to be seen are not visited, so the
 * cost of a picture depends on its number of pixels. Only one thread at a time may use a chart.
 */
#pragma once

#include "loom-call-tree.h"
#include "loom-text-cache.h"
#include "loom-theme.h"

#define LOOM_ICICLE_ROW_PX 22.0    /* height of a row, with the gap below it */
#define LOOM_ICICLE_LEGEND_PX 22.0 /* height of the legend of colours */

typedef struct {
  guint32 node; /* the node that the box represents; if the box represents several nodes, the widest of these nodes */
  guint32 row;
  /* number of nodes that the box represents; if more than 1, they are neighbours that are too narrow to distinguish */
  guint32 n_nodes;
  guint32 color; /* colour of the box, as an index into LoomTheme.span */
  double x0, x1;
} LoomIcicleBox;

typedef struct {
  LoomCallTree *tree; /* the tree that is drawn; NULL: none */
  /* `root`: the node that is drawn over the full width; LOOM_FRAME_NONE: all roots of the tree together are drawn over
   * the full width */
  guint32 root;
  /* The members below are private. */
  gint64 family_ns[LOOM_N_FAMILIES]; /* for each family of work, the sum of the widths of its nodes, in ns */
  guint8 *colors;                    /* array indexed by function: colour, as an index into LoomTheme.span */
  guint8 *found;   /* array indexed by function: TRUE if the search finds the function; NULL: there is no search */
  GArray *marks;   /* LoomIcicleBox: the boxes, sorted by row and then by x */
  double width_px; /* width for which `marks` were made; 0: they have not been made */
  guint32 n_rows;
} LoomIcicle;

LoomIcicle *loom_icicle_new (void);
void loom_icicle_free (LoomIcicle *icicle);

/* Sets the tree and takes a reference to it; NULL: there is no tree. Resets the root to LOOM_FRAME_NONE, so that the
 * whole tree is shown. */
void loom_icicle_set_tree (LoomIcicle *icicle, LoomCallTree *tree);

/* Sets the node that is drawn over the full width; LOOM_FRAME_NONE: all roots are shown. The nodes that call `node`,
 * directly or indirectly, are drawn above it, over the full width too. */
void loom_icicle_set_root (LoomIcicle *icicle, guint32 node);

/* Searches for functions whose names contain a text, ignoring case, and returns the number of nodes whose function was
 * found. The boxes of all other functions are painted faintly. `needle` is a result of g_utf8_casefold(); "" ends the
 * search, and so does a new tree. */
guint loom_icicle_search (LoomIcicle *icicle, const char *needle);

/* Makes the boxes for this width. Returns them sorted by row and then by x. */
const LoomIcicleBox *loom_icicle_get_marks (LoomIcicle *icicle, double width_px, guint *n);
/* Returns the height of all rows that loom_icicle_get_marks() made last; the height of one row if there are none. */
double loom_icicle_get_height_px (const LoomIcicle *icicle);

/* Returns the height in px that the chart should have: the greater of two heights. The first is the height of the
 * legend and of the rows with visible boxes, limited to `most_px`. The second is the height of the legend and of all
 * rows, limited to `share_px`, which is the part of the page that the chart may always take. O(nodes). */
double loom_icicle_fit_height_px (const LoomCallTree *tree, double most_px, double share_px);

/* Returns the node whose box is at this point, among the boxes that loom_icicle_get_marks() made last; LOOM_FRAME_NONE
 * if there is no box. */
guint32 loom_icicle_hit (const LoomIcicle *icicle, double x, double y);

typedef enum { LOOM_ICICLE_CALLER, LOOM_ICICLE_CALLEE, LOOM_ICICLE_BEFORE, LOOM_ICICLE_AFTER } LoomIcicleStep;

/* Returns the node to which a key moves from `node`: the nearest node in this direction that is drawn with a box of its
 * own; `node` itself if there is none; the first node if `node` is LOOM_FRAME_NONE. */
guint32 loom_icicle_step (const LoomIcicle *icicle, guint32 node, LoomIcicleStep step);

typedef struct {
  const LoomTheme *theme;
  LoomTextCache *text;
  guint32 hover;             /* node whose box is under the pointer; LOOM_FRAME_NONE: there is none */
  guint32 selected;          /* selected node; LOOM_FRAME_NONE: no node is selected */
  guint32 selected_function; /* function of which all boxes are outlined; G_MAXUINT32: no boxes are outlined */
} LoomIcicleOptions;

/* Paints the boxes that loom_icicle_get_marks() made last, on the background of the theme, with the upper left corner
 * at (0, 0). */
void loom_icicle_paint (cairo_t *cr, const LoomIcicle *icicle, double width_px, double height_px,
                        const LoomIcicleOptions *options);

/* Returns TRUE if the boxes of the tree have the colours of at least two families of work. With a single colour, a
 * legend would explain nothing. */
gboolean loom_icicle_has_legend (const LoomIcicle *icicle);
/* Paints the legend of the families of work that occur, in one row of LOOM_ICICLE_LEGEND_PX from (0, 0) on, the
 * family with the widest boxes first. Entries for which there is no room are omitted. */
void loom_icicle_paint_legend (cairo_t *cr, const LoomIcicle *icicle, double width_px,
                               const LoomIcicleOptions *options);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIcicle, loom_icicle_free)
