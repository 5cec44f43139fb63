/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole picture without a window: overview, ruler, headers, tracks, as the window shows them. For PNG, SVG, PDF,
 * the command line and the report.
 */
#pragma once

#include "loom-timeline-painter.h"

G_BEGIN_DECLS

/* Everything a picture of the window needs. Borrowed, during the call. */
typedef struct {
  const LoomDrawList *list;
  const LoomRuler *ruler;
  const LoomMinimapData *overview; /* NULL: no overview */
  double header_width;
  const LoomPaintOptions *options;
} LoomTimelineImage;

/* Paints all areas; the size is header_width + the list's viewport, plus ruler and overview. */
void loom_timeline_image_paint (cairo_t *cr, const LoomTimelineImage *picture);

/* What of the rows a picture has room for. */
typedef struct {
  guint n_rows;
  guint n_cut;         /* that end below the picture */
  int whole_height_px; /* of a picture that shows all */
} LoomTimelineImageFit;

/* What is drawn besides the timeline itself. Borrowed, during the call. */
typedef struct {
  GVariant *rows;                   /* what a person did to them, as loom_row_list_save() had it; NULL: nothing */
  const LoomSourceOverrides *names; /* what sources are called; NULL: as they are */
  const gint64 *bottlenecks_ns;     /* instants at which GPUs starve, ascending */
  guint n_bottlenecks;
} LoomTimelineImageExtras;

/* The timeline in a file: PNG, SVG or PDF by the suffix of `path`. `range` NULL: all of the run. `extras` NULL: rows as in a
 * new window, no bottlenecks. Width and height in logical pixels; the file is whole or absent. `fit` (may be NULL) is filled on TRUE. Cost: one
 * frame.
 * Errors: LOOM_ERROR_UNSUPPORTED (suffix), LOOM_ERROR_EMPTY (nothing to draw), LOOM_ERROR_RANGE (size or range),
 * LOOM_ERROR_WRITE. */
gboolean loom_timeline_image_to_file (LoomTimeline *timeline, const char *path, int width, int height,
                                      LoomThemeKind theme, const LoomRange *range,
                                      const LoomTimelineImageExtras *extras, LoomTimelineImageFit *fit, GError **error);

/* The same for a picture at hand: fold state, what is on top, and scale (2.0 for PNG at double density; SVG and PDF
 * ignore it). */
gboolean loom_timeline_image_picture_to_file (const LoomTimelineImage *picture, const char *path, double scale,
                                              GError **error);

G_END_DECLS
