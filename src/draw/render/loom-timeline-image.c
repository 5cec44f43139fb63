/* SPDX-License-Identifier: Apache-2.0
 *
 * Lays out overview, ruler, headers, lanes and tracks in one picture, and writes it to a file.
 */
#include "loom-timeline-image.h"

#include <glib/gi18n.h>
#include <math.h>

#include "loom-error.h"
#include "loom-image-file.h"

/* Horizontal distance of the name of a lane from the edges of its header. */
#define LANE_PADDING_PX 12
/* vertical distance from the middle of a lane of values to its name (above) and to its scale (below) */
#define LANE_SCALE_PX 8.0

static double
get_lanes_height (const LoomTimelineImageLane *lanes, guint n)
{
  double height = 0;
  for (guint i = 0; i < n; i++)
    height += loom_result_lane_get_height (lanes[i].lane);
  return height;
}

/* Paints the scale of a lane below its name, and the names of the series, each beside its line. */
static void
paint_series_names (cairo_t *cr, const LoomTimelineImage *picture, const LoomResultLane *lane, double height)
{
  LoomTextCache *text = picture->options->text;
  LoomColor dim = picture->options->theme->role[LOOM_COLOR_ROLE_TEXT_DIM];
  double half = picture->header_width / 2 - LANE_PADDING_PX;
  guint n = loom_result_lane_names_series (lane) ? loom_result_lane_get_n_series (lane) : 0;
  g_autofree char *scale = loom_result_lane_dup_scale (lane);
  if (scale != NULL)
    loom_text_cache_paint (text, cr, LOOM_TEXT_SMALL, scale, LANE_PADDING_PX, height / 2 + LANE_SCALE_PX,
                           n > 0 ? half : 2 * half, dim);
  for (guint i = 0; i < n; i++) {
    const char *name = loom_result_lane_get_series_name (lane, i);
    double room = MIN (loom_text_cache_width (text, LOOM_TEXT_SMALL, name), half);
    loom_text_cache_paint (text, cr, LOOM_TEXT_SMALL, name, picture->header_width - LANE_PADDING_PX - room,
                           (i + 0.5) * height / n, room, dim);
  }
}

static void
paint_lane_header (cairo_t *cr, const LoomTimelineImage *picture, const LoomTimelineImageLane *lane, double height)
{
  const LoomTheme *theme = picture->options->theme;
  double width = picture->header_width;
  loom_color_fill_rectangle (cr, theme->role[LOOM_COLOR_ROLE_HEADER], 0, 0, width, height);
  loom_color_fill_rectangle (cr, theme->role[LOOM_COLOR_ROLE_SEPARATOR], 0, height - 1, width, 1);
  loom_text_cache_begin (picture->options->text, cr);
  gboolean is_counter = loom_result_lane_is_counter (lane->lane), named = loom_result_lane_names_series (lane->lane);
  loom_text_cache_paint (picture->options->text, cr, LOOM_TEXT_HEADER, lane->name, LANE_PADDING_PX,
                         height / 2 - (is_counter ? LANE_SCALE_PX : 0),
                         (named ? width / 2 : width) - 2 * LANE_PADDING_PX, theme->role[LOOM_COLOR_ROLE_TEXT]);
  paint_series_names (cr, picture, lane->lane, height);
  loom_text_cache_end (picture->options->text);
}

/* Paints the lanes of query results one below the other, and moves the origin of `cr` below them. */
static void
paint_lanes (cairo_t *cr, const LoomTimelineImage *picture, const LoomViewport *view)
{
  for (guint i = 0; i < picture->n_lanes; i++) {
    const LoomTimelineImageLane *lane = &picture->lanes[i];
    double height = loom_result_lane_get_height (lane->lane);
    paint_lane_header (cr, picture, lane, height);
    cairo_save (cr);
    cairo_rectangle (cr, picture->header_width, 0, view->width_px, height);
    cairo_clip (cr);
    cairo_translate (cr, picture->header_width, 0);
    loom_timeline_painter_paint_lane (cr, lane->lane, lane->color, view, height, picture->options);
    cairo_restore (cr);
    cairo_translate (cr, 0, height);
  }
}

double
loom_timeline_image_get_height (const LoomTimelineImage *picture)
{
  return loom_draw_list_get_viewport (picture->list)->height_px + LOOM_RULER_PX +
         (picture->overview != NULL ? LOOM_OVERVIEW_PX : 0) + get_lanes_height (picture->lanes, picture->n_lanes);
}

void
loom_timeline_image_paint (cairo_t *cr, const LoomTimelineImage *picture)
{
  g_return_if_fail (cr != NULL && picture != NULL && picture->list != NULL && picture->ruler != NULL);
  const LoomViewport *view = loom_draw_list_get_viewport (picture->list);
  double header = picture->header_width, y = 0;
  cairo_save (cr);
  if (picture->overview != NULL) {
    loom_color_fill_rectangle (cr, picture->options->theme->role[LOOM_COLOR_ROLE_RULER], 0, 0, header,
                               LOOM_OVERVIEW_PX);
    cairo_translate (cr, header, 0);
    loom_timeline_painter_paint_overview (cr, picture->overview, view->width_px, LOOM_OVERVIEW_PX, view,
                                          picture->options);
    cairo_translate (cr, -header, 0);
    y = LOOM_OVERVIEW_PX;
  }
  cairo_translate (cr, 0, y);
  loom_timeline_painter_paint_corner (cr, picture->ruler, header, picture->options);
  cairo_translate (cr, header, 0);
  loom_timeline_painter_paint_ruler (cr, picture->ruler, view, picture->options);
  cairo_translate (cr, -header, LOOM_RULER_PX);
  paint_lanes (cr, picture, view);
  loom_timeline_painter_paint_headers (cr, picture->list, header, picture->options);
  cairo_translate (cr, header, 0);
  loom_timeline_painter_paint (cr, picture->list, picture->ruler, picture->options);
  cairo_restore (cr);
}

/* --- files ------------------------------------------------------------------------------------------------------ */

static void
paint_scaled (cairo_t *cr, double scale, gpointer user_data)
{
  const LoomTimelineImage *picture = user_data;
  LoomPaintOptions options = *picture->options;
  LoomTimelineImage scaled = *picture;
  options.device_scale = scale;
  scaled.options = &options;
  loom_timeline_image_paint (cr, &scaled);
}

gboolean
loom_timeline_image_picture_to_file (const LoomTimelineImage *picture, const char *path, double scale, GError **error)
{
  g_return_val_if_fail (picture != NULL && path != NULL && scale > 0, FALSE);
  const LoomViewport *view = loom_draw_list_get_viewport (picture->list);
  double width = picture->header_width + view->width_px;
  return loom_image_file_write (path, width, loom_timeline_image_get_height (picture), scale, paint_scaled,
                                (gpointer) picture, error);
}

/* --- a picture of a timeline ------------------------------------------------------------------------------------ */

/* Maximum width of the header column, as a share of the picture's width. */
#define MAX_HEADER_SHARE 0.3

static gboolean
check_input (LoomTimeline *timeline, int width, int height, double lanes_px, const LoomRange *range, LoomRange *extent,
             GError **error)
{
  if (width < 64 || height < LOOM_OVERVIEW_PX + LOOM_RULER_PX + lanes_px + 16 || width > LOOM_PICTURE_MAX_PX ||
      height > LOOM_PICTURE_MAX_PX)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_RANGE,
                 _ ("An image of %d × %d pixels is too small or too large for a timeline"), width, height);
  else if (!loom_timeline_get_extent (timeline, extent))
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_EMPTY, _ ("There is nothing to draw: no event has a time"));
  else if (range != NULL && range->end_ns <= range->begin_ns)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_RANGE, _ ("The range to draw is empty"));
  else
    return TRUE;
  return FALSE;
}

static void
measure (const LoomRowList *outline, const LoomViewport *viewport, double lanes_px, LoomTimelineImageFit *fit)
{
  double rows = loom_row_list_get_pinned_height (outline) + loom_row_list_get_height (outline);
  *fit = (LoomTimelineImageFit) { .n_rows = loom_row_list_get_n_rows (outline) };
  fit->whole_height_px = (int) ceil (rows + lanes_px) + LOOM_OVERVIEW_PX + LOOM_RULER_PX;
  for (guint i = 0; i < fit->n_rows; i++)
    fit->n_cut +=
      loom_row_list_row_top (outline, i, 0) + loom_row_list_get_row (outline, i)->height > viewport->height_px;
}

gboolean
loom_timeline_image_to_file (LoomTimeline *timeline, const char *path, int width, int height, LoomThemeKind theme,
                             const LoomRange *range, const LoomTimelineImageExtras *extras, LoomTimelineImageFit *fit,
                             GError **error)
{
  g_return_val_if_fail (timeline != NULL && path != NULL && theme < LOOM_N_THEMES, FALSE);
  LoomRange extent;
  double lanes_px = extras != NULL ? get_lanes_height (extras->lanes, extras->n_lanes) : 0;
  if (!loom_image_file_check_name (path, error) ||
      !check_input (timeline, width, height, lanes_px, range, &extent, error))
    return FALSE;
  g_autoptr (LoomRowList) outline = loom_row_list_new ();
  g_autoptr (LoomDrawList) list = loom_draw_list_new ();
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  g_autoptr (LoomRuler) ruler = loom_ruler_new ();
  double header = floor (MIN (LOOM_HEADER_PX, width * MAX_HEADER_SHARE));
  LoomViewport viewport;
  loom_viewport_init (&viewport, extent, width - header, height - LOOM_OVERVIEW_PX - LOOM_RULER_PX - lanes_px);
  if (range != NULL)
    loom_viewport_fit_range (&viewport, extent, *range, 0);
  if (extras != NULL && extras->names != NULL)
    loom_row_list_set_names (outline, extras->names);
  if (extras != NULL && extras->rows != NULL)
    loom_row_list_restore (outline, extras->rows);
  loom_row_list_set_room (outline, viewport.height_px);
  loom_row_list_set_timeline (outline, timeline);
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  g_autoptr (LoomMinimapData) overview = loom_minimap_data_new (timeline, collectives, NULL);
  g_autoptr (LoomDataWaits) data_waits = loom_data_waits_new_of_run (timeline, NULL);
  g_autoptr (LoomLaneShares) lane_shares = loom_lane_shares_new (timeline, collectives, data_waits, NULL);
  const LoomDrawOptions drawn = { .path = extras != NULL ? extras->path : NULL,
                                  .collectives = collectives,
                                  .data_waits = data_waits,
                                  .lane_shares = lane_shares };
  loom_draw_list_build (list, outline, &viewport, &drawn);
  loom_ruler_update (ruler, timeline, NULL, &viewport, LOOM_RULER_UNIT_JOB, text);
  LoomPaintOptions options;
  loom_timeline_painter_init_options (&options, loom_theme_get (theme), text);
  options.collectives = collectives;
  if (extras != NULL) {
    options.bottlenecks_ns = extras->bottlenecks_ns;
    options.n_bottlenecks = extras->n_bottlenecks;
  }
  LoomTimelineImage picture = { list, ruler, overview, header, &options };
  if (extras != NULL) {
    picture.lanes = extras->lanes;
    picture.n_lanes = extras->n_lanes;
  }
  if (fit != NULL)
    measure (outline, &viewport, lanes_px, fit);
  return loom_timeline_image_picture_to_file (&picture, path, 1, error);
}
