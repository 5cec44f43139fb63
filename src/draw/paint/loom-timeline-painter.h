/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints the areas of the timeline (tracks, headers, ruler, overview) from plain data, without state or GTK, so that
 * the window and image files show the same pixels. The origin of each area is its top left corner: the caller
 * translates `cr` first. Nothing is painted outside the width and height of the area. Painters that use the same text
 * cache must run on one thread at a time.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-draw-list.h"
#include "loom-flow-lines.h"
#include "loom-minimap-data.h"
#include "loom-overview-picture.h"
#include "loom-result-lane.h"
#include "loom-rule-result.h"
#include "loom-ruler.h"
#include "loom-text-cache.h"
#include "loom-theme.h"

/* Heights and widths of areas, in logical pixels. */
#define LOOM_OVERVIEW_PX 42
#define LOOM_RULER_PX 24
#define LOOM_HEADER_PX 216     /* default width of the header column */
#define LOOM_HEADER_MAX_PX 220 /* maximum width of the header column, unless the user makes it wider */

/* A mark that the user set on the timeline. */
typedef struct {
  gint64 time_ns;
  const char *label; /* label of the mark; NULL or "": it has no label */
  gboolean temporary;
} LoomMarker;

/* An occurrence of a finding (a result of a rule) on the timeline. */
typedef struct {
  LoomRange range; /* time of the occurrence in timeline ns; empty: an instant */
  LoomRuleSeverity severity;
  guint finding;    /* number of the finding; all occurrences of a finding have the same number */
  gboolean is_step; /* TRUE if the occurrence is a step; steps are drawn apart from each other */
} LoomFindingMark;

/* Settings of painting, and what is painted in addition to the data, such as the selection. Initialise it with
 * loom_timeline_painter_init_options(), or fill it with zeros and set `theme` and `text`. */
typedef struct {
  const LoomTheme *theme; /* colours; never NULL */
  LoomTextCache *text;    /* cache for all painted texts; never NULL */
  double device_scale;    /* device pixels per logical pixel; hairlines and rows are aligned to device pixels */
  /* number of threads that paint; 0: chosen from the number of marks. The number does not change the picture */
  guint n_threads;
  LoomRange selection;        /* the selected range; empty: no range is selected */
  const LoomSpanId *selected; /* the selected spans, sorted by trace, then span; they are outlined */
  guint n_selected;
  LoomSpanId hover; /* the span under the pointer; LOOM_SPAN_ID_NONE: there is none */
  guint hover_row;  /* row of the row list that is under the pointer; G_MAXUINT: there is none */
  /* the rows of the row list to which a finding (a result of a rule) refers; their headers are painted with a bar */
  const guint *marked_rows;
  guint n_marked_rows;
  guint focus_row; /* row whose header has the keyboard focus; G_MAXUINT: none */
  /* headers show the values that counters have at this time; LOOM_TIME_NONE: headers show no values */
  gint64 cursor_ns;
  const gint64 *tags_ns; /* instants at which plots show the values of counters on tags, ascending */
  guint n_tags;
  const LoomMarker *marks;
  guint n_marks;
  const LoomFlowLine *flows; /* arrows of the selected spans, from loom_flow_lines_of_span() */
  guint n_flows;
  /* arrows of all spans in view, from loom_span_color_mode_collect_flows(); painted below `flows`, and fainter */
  const LoomFlowLine *all_flows;
  guint n_all_flows;
  /* keeps the part of the overview that is the same in all views, borrowed; NULL: it is painted anew */
  LoomOverviewPicture *overview_picture;
  /* TRUE: in the overview, a faint line along the lower edge marks the view, instead of a window with handles; if the
   * overview marks an analyzed range, the view is not marked at all */
  gboolean plain_overview;
  /* the range that the results below the overview cover: the overview outlines it, and shades the rest of the run.
   * Empty: no range is marked */
  LoomRange analyzed;
  /* collectives of the run; NULL: unknown. The time for which a rank waits in a collective is hatched */
  const LoomCollectives *collectives;
  const gint64 *ticks_ns; /* times of search hits, ascending; painted only in the overview */
  guint n_ticks;
  const LoomFindingMark *findings; /* times of findings, sorted by finding, then start; painted only in the overview */
  guint n_findings;
  /* times of bottlenecks (busy CPU, idle GPU), ascending; painted as lines through the tracks and the overview */
  const gint64 *bottlenecks_ns;
  guint n_bottlenecks;
  const cairo_rectangle_t *box; /* rectangle that the user drags in the tracks to select; NULL: none */
  /* time ranges to which the selected element of a panel (a page of results) refers, ascending; painted as bands
   * through the tracks and the overview */
  const LoomRange *stretches;
  guint n_stretches;
} LoomPaintOptions;

void loom_timeline_painter_init_options (LoomPaintOptions *options, const LoomTheme *theme, LoomTextCache *text);

/* Paints the track area. It is as wide and high as the viewport of `list`. `ruler` provides the vertical guides; NULL:
 * none are painted. */
void loom_timeline_painter_paint (cairo_t *cr, const LoomDrawList *list, const LoomRuler *ruler,
                                  const LoomPaintOptions *options);

/* Paints the header column next to the tracks, with the values of counters at options->cursor_ns. */
void loom_timeline_painter_paint_headers (cairo_t *cr, const LoomDrawList *list, double width,
                                          const LoomPaintOptions *options);
/* Returns the width that the header column needs so that the name of the row is not cut. */
double loom_timeline_painter_measure_header (const LoomTimelineRow *row, LoomTextCache *text);
/* Returns TRUE if x is on the arrow that folds a row, or near it: the clickable area is wider than the arrow. */
gboolean loom_timeline_painter_is_header_arrow (const LoomTimelineRow *row, double x);
/* Returns TRUE if the point x, y is on the line below the name of a late rank, which says what the lateness costs. The
 * header begins at y = 0. FALSE for headers that have no room for this line. */
gboolean loom_timeline_painter_is_late_line (const LoomTimelineRow *row, double x, double y);

/* The next two functions paint the ruler, and the corner to its left above the header column. */
void loom_timeline_painter_paint_ruler (cairo_t *cr, const LoomRuler *ruler, const LoomViewport *viewport,
                                        const LoomPaintOptions *options);
void loom_timeline_painter_paint_corner (cairo_t *cr, const LoomRuler *ruler, double width,
                                         const LoomPaintOptions *options);
/* Returns the mark whose flag or label is at x. If several marks are there, returns the one that is painted on top.
 * NULL: there is no mark. Borrowed from the options. */
const LoomMarker *loom_timeline_painter_find_marker (const LoomViewport *viewport, const LoomPaintOptions *options,
                                                     double x);

/* Paints the result of a query as a lane. `color`: index of a colour for series; `lane` NULL: paints an empty lane. */
void loom_timeline_painter_paint_lane (cairo_t *cr, const LoomResultLane *lane, guint color,
                                       const LoomViewport *viewport, double height, const LoomPaintOptions *options);

/* Paints the overview of the whole run, with a frame around the time range of `viewport`. */
void loom_timeline_painter_paint_overview (cairo_t *cr, LoomMinimapData *overview, double width, double height,
                                           const LoomViewport *viewport, const LoomPaintOptions *options);
/* The next two functions convert between a time and its x in an overview that is `width` px wide. The overview has the
 * scale of a viewport of this width that shows the whole run. */
double loom_timeline_painter_overview_x (const LoomMinimapData *overview, double width, gint64 time_ns);
gint64 loom_timeline_painter_overview_time (const LoomMinimapData *overview, double width, double x);
