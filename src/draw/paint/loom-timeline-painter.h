/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints the window's areas from numbers: no state of its own, no GTK, the same pixels on screen and on paper.
 * The origin of each area is its own top left corner: translate first. Nothing is painted outside its width and height.
 * One thread at a time per text cache.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-draw-list.h"
#include "loom-flow-lines.h"
#include "loom-minimap-data.h"
#include "loom-ruler.h"
#include "loom-text-cache.h"
#include "loom-theme.h"

G_BEGIN_DECLS

/* Heights and widths of areas, logical pixels. */
#define LOOM_OVERVIEW_PX 42
#define LOOM_RULER_PX 24
#define LOOM_HEADER_PX 216 /* default width of the header column */

/* A person's mark on the timeline. */
typedef struct {
  gint64 time_ns;
  const char *label; /* NULL or "" for none */
  gboolean temporary;
} LoomMarker;

/* What stands on top of the data. Zero it, then set `theme` and `text`; loom_timeline_painter_init_options() does. */
typedef struct {
  const LoomTheme *theme;     /* never NULL */
  LoomTextCache *text;        /* never NULL */
  double device_scale;        /* device pixels per logical pixel: hairlines and strips fall on them */
  guint n_threads;            /* that paint side by side, the same picture; 0: what is worth it */
  LoomRange selection;        /* empty: none */
  const LoomSpanId *selected; /* outlined; sorted by trace, then span */
  guint n_selected;
  LoomSpanId hover;         /* LOOM_SPAN_ID_NONE */
  guint hover_row;          /* row of the outline under the pointer, G_MAXUINT */
  const guint *marked_rows; /* rows of the outline a finding speaks of, in their headers */
  guint n_marked_rows;
  guint focus_row;       /* header with keyboard focus, G_MAXUINT */
  gint64 cursor_ns;      /* under the pointer; LOOM_TIME_NONE: counters show no values */
  const gint64 *tags_ns; /* instants at which all counters in view say their values beside their plots, ascending */
  guint n_tags;
  const LoomMarker *marks;
  guint n_marks;
  const LoomFlowLine *flows; /* loom_flow_lines_of_span() collects them */
  guint n_flows;
  const LoomFlowLine *all_flows; /* drawn below those, as if from afar: loom_span_color_mode_collect_flows() */
  guint n_all_flows;
  const LoomCollectives *collectives; /* of the run: what is waited for in them is hatched; NULL: not known */
  const gint64 *ticks_ns;             /* of the overview: search hits, ascending */
  guint n_ticks;
  const gint64 *findings_ns; /* of the overview: findings, ascending */
  guint n_findings;
  const gint64 *bottlenecks_ns; /* instants at which GPUs starve, ascending: lines through tracks and overview */
  guint n_bottlenecks;
  const cairo_rectangle_t *box; /* of the tracks, while it is being drawn by hand; NULL: none is */
  const LoomRange *stretches;   /* what an element of a panel speaks of, ascending: bands through tracks and overview */
  guint n_stretches;
} LoomPaintOptions;

void loom_timeline_painter_init_options (LoomPaintOptions *options, const LoomTheme *theme, LoomTextCache *text);

/* The track area: viewport width × height of the list. `ruler` gives the guides; may be NULL. */
void loom_timeline_painter_paint (cairo_t *cr, const LoomDrawList *list, const LoomRuler *ruler,
                                  const LoomPaintOptions *options);

/* The header column beside it. Values of counters at options->cursor_ns. */
void loom_timeline_painter_paint_headers (cairo_t *cr, const LoomDrawList *list, double width,
                                          const LoomPaintOptions *options);
/* Which part of a row's header is at x: the fold arrow is wider than it looks. */
gboolean loom_timeline_painter_is_header_arrow (const LoomTimelineRow *row, double x);

/* The ruler (without the corner), and the corner left of it. */
void loom_timeline_painter_paint_ruler (cairo_t *cr, const LoomRuler *ruler, const LoomViewport *viewport,
                                        const LoomPaintOptions *options);
void loom_timeline_painter_paint_corner (cairo_t *cr, const LoomRuler *ruler, double width,
                                         const LoomPaintOptions *options);
/* The mark whose flag or label is at x, the last painted first; NULL for none. Borrowed from the options. */
const LoomMarker *loom_timeline_painter_find_marker (const LoomViewport *viewport, const LoomPaintOptions *options,
                                                     double x);

/* The strip of the whole run with the window of `viewport` in it. */
void loom_timeline_painter_paint_overview (cairo_t *cr, const LoomMinimapData *overview, double width, double height,
                                           const LoomViewport *viewport, const LoomPaintOptions *options);
/* Its scale, for dragging: 6 px of margin on both sides. */
double loom_timeline_painter_overview_x (const LoomMinimapData *overview, double width, gint64 time_ns);
gint64 loom_timeline_painter_overview_time (const LoomMinimapData *overview, double width, double x);

G_END_DECLS
