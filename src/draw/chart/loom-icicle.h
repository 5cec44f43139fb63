/* SPDX-License-Identifier: Apache-2.0
 *
 * An icicle chart of a call tree: callers above, callees below, width by time. The list of what is drawn also answers
 * what is under the pointer and where the keyboard goes next. Cost of a picture follows pixels, but for following the
 * tree's nodes that are wide enough to see. One thread at a time.
 */
#pragma once

#include "loom-call-tree.h"
#include "loom-text-cache.h"
#include "loom-theme.h"

G_BEGIN_DECLS

#define LOOM_ICICLE_ROW_PX 19.0 /* with the gap below */

typedef struct {
  guint32 node; /* of several the widest */
  guint32 row;
  guint32 n_nodes; /* more than one: neighbours too narrow to tell apart */
  guint32 color;   /* index into LoomTheme.span */
  double x0, x1;
} LoomIcicleBox;

typedef struct _LoomIcicle LoomIcicle;

LoomIcicle *loom_icicle_new (void);
void loom_icicle_free (LoomIcicle *icicle);

/* The tree to draw, kept; NULL: none. Shows all of it. */
void loom_icicle_set_tree (LoomIcicle *icicle, LoomCallTree *tree);
LoomCallTree *loom_icicle_get_tree (LoomIcicle *icicle); /* borrowed, may be NULL */

/* The node that fills the width, its callers as wide above it; LOOM_FRAME_NONE: all roots. */
void loom_icicle_set_root (LoomIcicle *icicle, guint32 node);
guint32 loom_icicle_get_root (const LoomIcicle *icicle);

/* What is drawn at that width; sorted by row, then x. */
const LoomIcicleBox *loom_icicle_get_marks (LoomIcicle *icicle, double width_px, guint *n);
/* Of all rows with the last built marks, at least one row. */
double loom_icicle_get_height_px (const LoomIcicle *icicle);

/* The node at a point of the last built marks; LOOM_FRAME_NONE where there is none. */
guint32 loom_icicle_hit (const LoomIcicle *icicle, double x, double y);

typedef enum { LOOM_ICICLE_CALLER, LOOM_ICICLE_CALLEE, LOOM_ICICLE_BEFORE, LOOM_ICICLE_AFTER } LoomIcicleStep;

/* Where the keyboard goes from a node among what is drawn; the node itself where it cannot. From LOOM_FRAME_NONE: the
 * first. */
guint32 loom_icicle_step (const LoomIcicle *icicle, guint32 node, LoomIcicleStep step);

typedef struct {
  const LoomTheme *theme;
  LoomTextCache *text;
  guint32 hover;             /* node, LOOM_FRAME_NONE */
  guint32 selected;          /* node */
  guint32 selected_function; /* all of its marks are outlined; G_MAXUINT32 */
} LoomIcicleOptions;

/* Paints the last built marks from (0, 0), on the theme's background. */
void loom_icicle_paint (cairo_t *cr, const LoomIcicle *icicle, double width_px, double height_px,
                        const LoomIcicleOptions *options);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIcicle, loom_icicle_free)

G_END_DECLS
