/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints the timeline as one picture, without a window: overview, ruler, headers and tracks as the window shows them.
 * Used for PNG, SVG and PDF files, by the command line and by the report.
 */
#pragma once

#include "loom-result-lane.h"
#include "loom-timeline-painter.h"

/* A lane with the result of a query, painted between the ruler and the rows. Borrowed. */
typedef struct {
  const char *name;
  const LoomResultLane *lane;
  guint color; /* colour of a lane of values, as an index into LoomTheme.series */
} LoomTimelineImageLane;

/* The data of a picture. Borrowed during the call. */
typedef struct {
  const LoomDrawList *list;
  const LoomRuler *ruler;
  LoomMinimapData *overview; /* data of the overview; NULL: no overview is painted */
  double header_width;
  const LoomPaintOptions *options;
  const LoomTimelineImageLane *lanes;
  guint n_lanes;
} LoomTimelineImage;

/* Returns the height of the picture in logical pixels: the sum of the heights of the list's viewport, the ruler, the
 * overview and the lanes. */
double loom_timeline_image_get_height (const LoomTimelineImage *picture);
/* Paints the picture. Its width is header_width plus the width of the list's viewport. */
void loom_timeline_image_paint (cairo_t *cr, const LoomTimelineImage *picture);

/* The number of rows of a timeline, and how many of them don't fit into the picture. */
typedef struct {
  guint n_rows;
  guint n_cut;         /* number of rows that extend below the lower edge of the picture */
  int whole_height_px; /* height that the picture would need to show all rows */
} LoomTimelineImageFit;

/* The user's changes to the rows, and what is drawn in addition to the rows. Borrowed during the call. */
typedef struct {
  GVariant *rows;                   /* the user's changes to rows, as loom_row_list_save() returns them; NULL: none */
  const LoomSourceOverrides *names; /* the names that the user gave to sources; NULL: none */
  const gint64 *bottlenecks_ns;     /* times of bottlenecks (busy CPU, idle GPU), ascending */
  guint n_bottlenecks;
  LoomPathOverlay *path; /* the critical path; NULL: no path is drawn */
  const LoomTimelineImageLane *lanes;
  guint n_lanes;
} LoomTimelineImageExtras;

/* Writes the timeline to a file: PNG, SVG or PDF, depending on the suffix of `path`. Width and height are in logical
 * pixels. `range` NULL: the whole run. `extras` NULL: the rows are those of a new window, without bottlenecks. `fit`:
 * receives the number of rows, and how many of them don't fit into the picture; may be NULL. If an error occurs, a file
 * that is already at `path` is unchanged. Takes about as long as painting one frame. Errors: LOOM_ERROR_UNSUPPORTED
 * (suffix), LOOM_ERROR_EMPTY (nothing to draw), LOOM_ERROR_RANGE (size or range), LOOM_ERROR_WRITE. */
gboolean loom_timeline_image_to_file (LoomTimeline *timeline, const char *path, int width, int height,
                                      LoomThemeKind theme, const LoomRange *range,
                                      const LoomTimelineImageExtras *extras, LoomTimelineImageFit *fit, GError **error);

/* Writes a picture to a file. The picture shows the rows in picture->list and the marks, selection and other additions
 * in picture->options. `scale`: device pixels per logical pixel of a PNG file, for example 2.0; SVG and PDF ignore
 * it. */
gboolean loom_timeline_image_picture_to_file (const LoomTimelineImage *picture, const char *path, double scale,
                                              GError **error);
