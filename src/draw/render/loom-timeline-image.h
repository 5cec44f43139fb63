/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole picture without a window: overview, ruler, headers and tracks as the window shows them. For PNG, SVG, PDF,
 * the command line and the report.
 */
#pragma once

#include "loom-timeline-painter.h"

/* The data of a picture. Borrowed during the call. */
typedef struct {
  const LoomDrawList *list;
  const LoomRuler *ruler;
  const LoomMinimapData *overview; /* NULL: without the overview */
  double header_width;
  const LoomPaintOptions *options;
} LoomTimelineImage;

/* Paints all areas; the size is header_width + the list's viewport, plus ruler and overview. */
void loom_timeline_image_paint (cairo_t *cr, const LoomTimelineImage *picture);

/* How many of the rows fit into a picture. */
typedef struct {
  guint n_rows;
  guint n_cut;         /* rows that end below the picture */
  int whole_height_px; /* height of a picture that shows all rows */
} LoomTimelineImageFit;

/* What is drawn besides the timeline itself. Borrowed during the call. */
typedef struct {
  GVariant *rows; /* the user's folding, pinning and order of rows from loom_row_list_save(); NULL: default */
  const LoomSourceOverrides *names; /* the user's names of sources; NULL: original names */
  const gint64 *bottlenecks_ns;     /* times at which GPUs starve, ascending */
  guint n_bottlenecks;
  LoomPathOverlay *path; /* the critical path; NULL: not drawn */
} LoomTimelineImageExtras;

/* Writes the timeline to a file: PNG, SVG or PDF by the suffix of `path`. `range` NULL: the whole run. `extras` NULL:
 * rows as in a new window, no bottlenecks. Width and height are in logical pixels; the file is complete or absent.
 * `fit` (may be NULL) is filled on success. Costs as much as one frame. Errors: LOOM_ERROR_UNSUPPORTED (suffix),
 * LOOM_ERROR_EMPTY (nothing to draw), LOOM_ERROR_RANGE (size or range), LOOM_ERROR_WRITE. */
gboolean loom_timeline_image_to_file (LoomTimeline *timeline, const char *path, int width, int height,
                                      LoomThemeKind theme, const LoomRange *range,
                                      const LoomTimelineImageExtras *extras, LoomTimelineImageFit *fit, GError **error);

/* Writes a given picture, with its fold state and overlays. `scale`: e.g. 2.0 for PNG at double density; SVG and PDF
 * ignore it. */
gboolean loom_timeline_image_picture_to_file (const LoomTimelineImage *picture, const char *path, double scale,
                                              GError **error);
