/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-overview-picture.h"

#include <math.h>
#include <string.h>

struct _LoomOverviewPicture {
  LoomMinimapData *overview; /* what `surface` shows; NULL: nothing is kept */
  double width, height, scale;
  LoomTheme theme;
  cairo_surface_t *surface;
};

LoomOverviewPicture *
loom_overview_picture_new (void)
{
  return g_new0 (LoomOverviewPicture, 1);
}

static void
clear (LoomOverviewPicture *picture)
{
  g_clear_pointer (&picture->overview, loom_minimap_data_unref);
  g_clear_pointer (&picture->surface, cairo_surface_destroy);
}

void
loom_overview_picture_free (LoomOverviewPicture *picture)
{
  if (picture == NULL)
    return;
  clear (picture);
  g_free (picture);
}

static gboolean
shows (const LoomOverviewPicture *picture, const LoomMinimapData *overview, double width, double height, double scale,
       const LoomTheme *theme)
{
  return picture->overview == overview && picture->width == width && picture->height == height &&
         picture->scale == scale && memcmp (&picture->theme, theme, sizeof *theme) == 0;
}

static cairo_surface_t *
new_surface (double width, double height, double scale)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, MAX ((int) ceil (width * scale), 1),
                                                         MAX ((int) ceil (height * scale), 1));
  cairo_surface_set_device_scale (surface, scale, scale);
  return surface;
}

void
loom_overview_picture_paint (LoomOverviewPicture *picture, cairo_t *cr, LoomMinimapData *overview, double width,
                             double height, double scale, const LoomTheme *theme, LoomOverviewPictureFunc paint,
                             gpointer user_data)
{
  g_return_if_fail (picture != NULL && overview != NULL && scale > 0);
  if (!shows (picture, overview, width, height, scale, theme)) {
    clear (picture);
    *picture = (LoomOverviewPicture) { loom_minimap_data_ref (overview),  width, height, scale, *theme,
                                       new_surface (width, height, scale) };
    cairo_t *own = cairo_create (picture->surface);
    paint (own, user_data);
    cairo_destroy (own);
  }
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  cairo_set_source_surface (cr, picture->surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_restore (cr);
}
