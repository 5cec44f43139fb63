/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints the areas of the timeline from numbers: without state or GTK, so that screen and paper have the same pixels.
 * The origin of each area is its top left corner: translate first. Nothing is painted outside its width and height. One
 * thread at a time per text cache.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-draw-list.h"
#include "loom-flow-lines.h"
#include "loom-minimap-data.h"
#include "loom-result-lane.h"
#include "loom-rule-result.h"
#include "loom-ruler.h"
#include "loom-text-cache.h"
#include "loom-theme.h"

/* Heights and widths of areas, logical pixels. */
#define LOOM_OVERVIEW_PX 42
#define LOOM_RULER_PX 24
#define LOOM_HEADER_PX 216     /* default width of the header column */
#define LOOM_HEADER_MAX_PX 340 /* width that the column takes at most by itself, for long names */

/* A user's mark on the timeline. */
typedef struct {
  gint64 time_ns;
  const char *label; /* NULL or "": no label */
  gboolean temporary;
} LoomMarker;

/* A place of a finding. */
typedef struct {
  LoomRange range; /* an empty range is an instant */
  LoomRuleSeverity severity;
  guint finding; /* number of the finding */
} LoomFindingMark;

/* Appearance, and what is painted on top of the data. Initialise with loom_timeline_painter_init_options(), or zero it
 * and set `theme` and `text`. */
typedef struct {
  const LoomTheme *theme;     /* never NULL */
  LoomTextCache *text;        /* never NULL */
  double device_scale;        /* device pixels per logical pixel, to align hairlines and strips */
  guint n_threads;            /* number of threads that paint, with the same result; 0: chosen by the number of marks */
  LoomRange selection;        /* empty: no selection */
  const LoomSpanId *selected; /* outlined; sorted by trace, then span */
  guint n_selected;
  LoomSpanId hover;         /* LOOM_SPAN_ID_NONE: none */
  guint hover_row;          /* row of the row list under the pointer; G_MAXUINT: none */
  const guint *marked_rows; /* rows of the row list that a finding refers to, marked in their headers */
  guint n_marked_rows;
  guint focus_row;       /* header with the keyboard focus; G_MAXUINT: none */
  gint64 cursor_ns;      /* time under the pointer; LOOM_TIME_NONE: counters show no values */
  const gint64 *tags_ns; /* instants at which the plots show their values on tags, ascending */
  guint n_tags;
  const LoomMarker *marks;
  guint n_marks;
  const LoomFlowLine *flows; /* arrows, from loom_flow_lines_of_span() */
  guint n_flows;
  const LoomFlowLine *all_flows; /* fainter arrows below these, from loom_span_color_mode_collect_flows() */
  guint n_all_flows;
  const LoomCollectives *collectives; /* collectives of the run, to hatch their waiting parts; NULL: unknown */
  const gint64 *ticks_ns;             /* for the overview: times of search hits, ascending */
  guint n_ticks;
  const LoomFindingMark *findings; /* for the overview: by finding, then start */
  guint n_findings;
  const gint64 *bottlenecks_ns; /* times at which GPUs starve, ascending: lines through tracks and overview */
  guint n_bottlenecks;
  const cairo_rectangle_t *box; /* for the tracks: the selection box being dragged; NULL: none */
  /* the ranges that an element of a panel refers to, ascending: bands through tracks and overview */
  const LoomRange *stretches;
  guint n_stretches;
} LoomPaintOptions;

void loom_timeline_painter_init_options (LoomPaintOptions *options, const LoomTheme *theme, LoomTextCache *text);

/* Paints the track area: viewport width × height of the list. `ruler` provides the guides; may be NULL. */
void loom_timeline_painter_paint (cairo_t *cr, const LoomDrawList *list, const LoomRuler *ruler,
                                  const LoomPaintOptions *options);

/* Paints the header column next to the tracks, with the values of counters at options->cursor_ns. */
void loom_timeline_painter_paint_headers (cairo_t *cr, const LoomDrawList *list, double width,
                                          const LoomPaintOptions *options);
/* The width of the column at which the row's name is not cut. */
double loom_timeline_painter_measure_header (const LoomTimelineRow *row, LoomTextCache *text);
/* Returns TRUE if x is on the fold arrow of a row's header; its clickable area is wider than the arrow. */
gboolean loom_timeline_painter_is_header_arrow (const LoomTimelineRow *row, double x);

/* Paint the ruler (without the corner), and the corner to its left. */
void loom_timeline_painter_paint_ruler (cairo_t *cr, const LoomRuler *ruler, const LoomViewport *viewport,
                                        const LoomPaintOptions *options);
void loom_timeline_painter_paint_corner (cairo_t *cr, const LoomRuler *ruler, double width,
                                         const LoomPaintOptions *options);
/* The mark whose flag or label is at x, the last painted first; NULL: none. Borrowed from the options. */
const LoomMarker *loom_timeline_painter_find_marker (const LoomViewport *viewport, const LoomPaintOptions *options,
                                                     double x);

/* Paints the result of a query, in one of the colours of series; `lane` NULL: an empty lane. */
void loom_timeline_painter_paint_lane (cairo_t *cr, const LoomResultLane *lane, guint color,
                                       const LoomViewport *viewport, double height, const LoomPaintOptions *options);

/* Paints the overview of the whole run, with the window of `viewport` in it. */
void loom_timeline_painter_paint_overview (cairo_t *cr, const LoomMinimapData *overview, double width, double height,
                                           const LoomViewport *viewport, const LoomPaintOptions *options);
/* Convert between time and x in the overview, with the scale of a viewport of this width that shows the whole run. */
double loom_timeline_painter_overview_x (const LoomMinimapData *overview, double width, gint64 time_ns);
gint64 loom_timeline_painter_overview_time (const LoomMinimapData *overview, double width, double x);
