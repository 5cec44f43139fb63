/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a chart to a PNG, SVG or PDF file, or returns it as SVG for embedding.
 */
#include "loom-chart-layout.h"

#include <cairo-svg.h>

#include "loom-image-file.h"

#define MARGIN_PX 12.0
#define PNG_SCALE 2.0

typedef struct {
  const LoomChartLayout *layout;
  LoomChartOptions options;
} Picture;

static void
paint (cairo_t *cr, double scale, gpointer user_data)
{
  const Picture *picture = user_data;
  loom_color_set_source (cr, picture->options.theme->role[LOOM_COLOR_ROLE_BACKGROUND]);
  cairo_paint (cr);
  cairo_translate (cr, MARGIN_PX, MARGIN_PX);
  loom_chart_layout_paint (cr, picture->layout, &picture->options);
}

gboolean
loom_chart_layout_to_file (LoomChart *chart, const char *path, double width_px, double height_px, LoomThemeKind theme,
                           GError **error)
{
  g_return_val_if_fail (chart != NULL && path != NULL && theme < LOOM_N_THEMES, FALSE);
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (chart, width_px, height_px, text);
  Picture picture = { layout, { loom_theme_get (theme), text, LOOM_CHART_NONE, LOOM_CHART_NONE } };
  return loom_image_file_write (path, width_px + 2 * MARGIN_PX, height_px + 2 * MARGIN_PX, PNG_SCALE, paint, &picture,
                                error);
}

static cairo_status_t
append_bytes (void *data, const unsigned char *bytes, unsigned int length)
{
  g_byte_array_append (data, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

GBytes *
loom_chart_layout_to_svg (LoomChart *chart, double width_px, double height_px, LoomThemeKind theme, LoomTextCache *text)
{
  g_return_val_if_fail (chart != NULL && theme < LOOM_N_THEMES && text != NULL, NULL);
  g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (chart, width_px, height_px, text);
  const LoomChartOptions options = { loom_theme_get (theme), text, LOOM_CHART_NONE, LOOM_CHART_NONE };
  GByteArray *bytes = g_byte_array_new ();
  cairo_surface_t *surface = cairo_svg_surface_create_for_stream (append_bytes, bytes, width_px, height_px);
  cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
  cairo_t *cr = cairo_create (surface);
  loom_chart_layout_paint (cr, layout, &options);
  cairo_status_t status = cairo_status (cr);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  GBytes *result = g_byte_array_free_to_bytes (bytes);
  if (status != CAIRO_STATUS_SUCCESS)
    g_clear_pointer (&result, g_bytes_unref);
  return result;
}
