/* SPDX-License-Identifier: Apache-2.0
 *
 * An icicle chart of a call tree: callers above, callees below, width by time. Hit testing and keyboard navigation use
 * the list of drawn boxes. Building a picture visits only the nodes that are wide enough to see, so its cost depends on
 * the number of pixels. One thread at a time.
 */
#pragma once

#include "loom-call-tree.h"
#include "loom-text-cache.h"
#include "loom-theme.h"

#define LOOM_ICICLE_ROW_PX 19.0 /* including the gap below */

typedef struct {
  guint32 node; /* the node; of several merged nodes the widest */
  guint32 row;
  guint32 n_nodes; /* more than one: merged neighbours that are too narrow to distinguish */
  guint32 color;   /* index into LoomTheme.span */
  double x0, x1;
} LoomIcicleBox;

typedef struct {
  LoomCallTree *tree; /* may be NULL */
  guint32 root;       /* node that fills the width; LOOM_FRAME_NONE: all roots */
  /* Private: */
  guint8 *colors;  /* [function] → colour */
  guint8 *found;   /* [function] → whether the search finds it; NULL: nothing is searched */
  GArray *marks;   /* LoomIcicleBox */
  double width_px; /* width for which the marks were built; 0: not built */
  guint32 n_rows;
} LoomIcicle;

LoomIcicle *loom_icicle_new (void);
void loom_icicle_free (LoomIcicle *icicle);

/* Sets the tree and keeps a reference; NULL: none. Resets the root, so that the whole tree is shown. */
void loom_icicle_set_tree (LoomIcicle *icicle, LoomCallTree *tree);

/* Sets the node that fills the width, with its callers equally wide above it; LOOM_FRAME_NONE: all roots. */
void loom_icicle_set_root (LoomIcicle *icicle, guint32 node);

/* Paints boxes in full colour only if their function's name contains the text, ignoring case; `needle` is from
 * g_utf8_casefold(), "" ends the search. Returns the number of nodes. A new tree ends the search. */
guint loom_icicle_search (LoomIcicle *icicle, const char *needle);

/* The boxes drawn at that width; sorted by row, then x. */
const LoomIcicleBox *loom_icicle_get_marks (LoomIcicle *icicle, double width_px, guint *n);
/* Height of all rows of the marks built last, at least one row. */
double loom_icicle_get_height_px (const LoomIcicle *icicle);

/* The node at a point, among the marks built last; LOOM_FRAME_NONE if there is none. */
guint32 loom_icicle_hit (const LoomIcicle *icicle, double x, double y);

typedef enum { LOOM_ICICLE_CALLER, LOOM_ICICLE_CALLEE, LOOM_ICICLE_BEFORE, LOOM_ICICLE_AFTER } LoomIcicleStep;

/* The drawn node to which the keyboard moves from `node`; `node` itself if there is none. From LOOM_FRAME_NONE to the
 * first node. */
guint32 loom_icicle_step (const LoomIcicle *icicle, guint32 node, LoomIcicleStep step);

typedef struct {
  const LoomTheme *theme;
  LoomTextCache *text;
  guint32 hover;             /* node under the pointer; LOOM_FRAME_NONE: none */
  guint32 selected;          /* selected node; LOOM_FRAME_NONE: none */
  guint32 selected_function; /* all boxes of this function are outlined; G_MAXUINT32: none */
} LoomIcicleOptions;

/* Paints the marks built last from (0, 0), on the theme's background. */
void loom_icicle_paint (cairo_t *cr, const LoomIcicle *icicle, double width_px, double height_px,
                        const LoomIcicleOptions *options);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIcicle, loom_icicle_free)
