/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the draw list share: its arrays, and the view of one clock. Private to the draw list.
 */
#pragma once

#include "loom-draw-list.h"
#include "loom-name-colors.h"
#include "loom-summary.h"

G_BEGIN_DECLS

#define LOOM_SUMS_PER_PX 7

struct _LoomDrawList {
  LoomViewport viewport;
  LoomOutline *outline;
  LoomTimeline *timeline;
  LoomDrawOptions options;
  LoomNameColors *colors;
  GArray *strips, *marks, *plots, *lines, *columns;
  /* The list before this one: where only rows moved, its marks are taken over. */
  GArray *old_strips, *old_marks;
  GHashTable *old_index; /* item and strip → number in old_strips and one; NULL: nothing can be taken over */
  gboolean has_old;
  gint64 *edges;    /* scratch, as many as pixels and one */
  LoomSummary *summaries;
  double *sums; /* scratch of plots, LOOM_SUMS_PER_PX per pixel */
  guint *counts;
  guint n_scratch;
  GByteArray *cells, *pens; /* scratch of folded groups */
};

/* The view as a clock sees it: local = begin + x × per_px, which is exact at both edges. */
typedef struct {
  gint64 begin_ns, end_ns; /* local */
  double px_per_ns;
  double ns_per_px;
} LoomLocalView;

LoomLocalView loom_local_view (const LoomDrawList *list, LoomTrackId track);

static inline double
loom_local_view_x (const LoomLocalView *view, gint64 local_ns)
{
  return (double) loom_time_sub (local_ns, view->begin_ns) * view->px_per_ns;
}

LoomTrace *loom_draw_list_trace (const LoomDrawList *list, guint trace);

/* Whole pixels of the view. */
guint loom_draw_list_n_px (const LoomDrawList *list);

/* Takes the marks of a strip over from the list before; FALSE when they are not there. */
gboolean loom_draw_take_over (LoomDrawList *list, guint item, LoomStrip *strip);

/* One strip of a spans, async or instants row, from all its tracks; and the picture of a folded group. */
void loom_draw_add_strips (LoomDrawList *list, guint row, double top);
void loom_draw_add_group (LoomDrawList *list, guint row, double top);

/* A plot at its own row. Touches plots, lines, columns, sums and counts alone, which the functions above do
 * not: one thread may add plots while another adds strips. */
void loom_draw_add_plot (LoomDrawList *list, guint row, double top);
/* Once all rows are there: plots over the strips of others, sharing their lines. */
void loom_draw_add_overlays (LoomDrawList *list);

G_END_DECLS
