/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the draw list share: its arrays, and the view of one clock. Private to the draw list.
 */
#pragma once

#include "loom-draw-list.h"
#include "loom-name-colors.h"
#include "loom-row-summary.h"

G_BEGIN_DECLS

#define LOOM_SUMS_PER_PX 7

#define LOOM_MOST_BANDS 4

struct _LoomDrawList {
  LoomViewport viewport;
  LoomRowList *outline;
  LoomTimeline *timeline;
  LoomDrawOptions options;
  LoomNameColors *colors;
  GArray *strips, *marks, *plots, *lines, *columns;
  /* The list before this one: where only rows moved, its marks are taken over. */
  GArray *old_strips, *old_marks;
  GHashTable *old_index; /* item and strip → number in old_strips and one; NULL: nothing can be taken over */
  gboolean has_old;
  gint64 *edges; /* scratch, as many as pixels and one */
  LoomSpanSummary *summaries;
  double *sums; /* scratch of plots, LOOM_SUMS_PER_PX per pixel */
  guint *counts;
  guint n_scratch;
  GByteArray *cells, *pens;                 /* scratch of folded groups */
  double band_top, band_bottom;             /* strips that begin there are added */
  const LoomDrawList *whole;                /* of a band: the list it is a part of; else the list itself */
  LoomDrawList *bands[LOOM_MOST_BANDS - 1]; /* below the list's own band; NULL before there was one */
};

/* The view as a clock sees it: local = begin + x × per_px, which is exact at both edges. */
typedef struct {
  gint64 begin_ns, end_ns; /* local */
  double px_per_ns;
  double ns_per_px;
} LoomLocalView;

LoomLocalView loom_draw_local_view (const LoomDrawList *list, LoomTrackId track);

static inline double
loom_draw_local_view_x (const LoomLocalView *view, gint64 local_ns)
{
  return (double) loom_time_sub (local_ns, view->begin_ns) * view->px_per_ns;
}

LoomTrace *loom_draw_list_trace (const LoomDrawList *list, guint trace);

/* Whole pixels of the view. */
guint loom_draw_list_n_px (const LoomDrawList *list);

/* Takes the marks of a strip over from the list before; FALSE when they are not there. */
gboolean loom_draw_take_over (LoomDrawList *list, guint item, LoomDepthRow *strip);

/* Parts the view into bands that threads fill side by side: the list itself is the first, loom_draw_band() gives the others.
 * Returns how many. Joining adds their strips to the list, in the order that one thread alone would have. */
guint loom_draw_bands_part (LoomDrawList *list);
LoomDrawList *loom_draw_band (LoomDrawList *list, guint band);
void loom_draw_bands_join (LoomDrawList *list, guint n_bands);
void loom_draw_bands_free (LoomDrawList *list);

void loom_draw_list_set_timeline (LoomDrawList *list, LoomTimeline *timeline);

/* Before strips are added: room for as many pixels as the view has. */
void loom_draw_list_ensure_scratch (LoomDrawList *list);

static inline gboolean
loom_draw_list_is_in_band (const LoomDrawList *list, double y)
{
  return y >= list->band_top && y < list->band_bottom;
}

/* One strip of a spans, async or instants row, from all its tracks; and the picture of a folded group. */
void loom_draw_add_strips (LoomDrawList *list, guint row, double top);
void loom_draw_add_group (LoomDrawList *list, guint row, double top);

/* A plot at its own row. Touches plots, lines, columns, sums and counts alone, which the functions above do
 * not: one thread may add plots while others add strips. */
void loom_draw_add_plot (LoomDrawList *list, guint row, double top);
/* Once all rows are there: plots over the strips of others, sharing their lines. */
void loom_draw_add_overlays (LoomDrawList *list);

G_END_DECLS
