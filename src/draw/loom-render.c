/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-render.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "loom-disk.h"
#include "loom-error.h"

/* cairo's own limit for images. */
#define MAX_PX 32767

typedef enum { FILE_PNG, FILE_SVG, FILE_PDF } FileKind;

void
loom_render_paint (cairo_t *cr, const LoomPicture *picture)
{
  g_return_if_fail (cr != NULL && picture != NULL && picture->list != NULL && picture->ruler != NULL);
  const LoomViewport *view = loom_draw_list_get_viewport (picture->list);
  double header = picture->header_width, y = 0;
  cairo_save (cr);
  if (picture->overview != NULL) {
    loom_overview_paint (cr, picture->overview, header + view->width_px, LOOM_OVERVIEW_PX, view, picture->options);
    y = LOOM_OVERVIEW_PX;
  }
  cairo_translate (cr, 0, y);
  loom_corner_paint (cr, picture->ruler, header, picture->options);
  cairo_translate (cr, header, 0);
  loom_ruler_paint (cr, picture->ruler, view, picture->options);
  cairo_translate (cr, -header, LOOM_RULER_PX);
  loom_headers_paint (cr, picture->list, header, picture->options);
  cairo_translate (cr, header, 0);
  loom_timeline_paint (cr, picture->list, picture->ruler, picture->options);
  cairo_restore (cr);
}

/* --- files ------------------------------------------------------------------------------------------------------ */

typedef struct {
  int fd;
  int error; /* errno of the first failure, 0 */
} Sink;

static cairo_status_t
write_to_sink (void *data, const unsigned char *bytes, unsigned int length)
{
  Sink *sink = data;
  if (sink->error == 0 && !loom_disk_write (sink->fd, bytes, length))
    sink->error = errno;
  return sink->error == 0 ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static gboolean
find_kind (const char *path, FileKind *kind, GError **error)
{
  static const char *const endings[] = { ".png", ".svg", ".pdf" };
  g_autofree char *lower = g_ascii_strdown (path, -1);
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (lower, endings[i])) {
      *kind = (FileKind) i;
      return TRUE;
    }
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_UNSUPPORTED, "“%s” names no kind of picture: end it in .png, .svg or .pdf",
               path);
  return FALSE;
}

static cairo_surface_t *
create_surface (FileKind kind, Sink *sink, double width, double height, double scale)
{
  if (kind == FILE_SVG)
    return cairo_svg_surface_create_for_stream (write_to_sink, sink, width, height);
  if (kind == FILE_PDF)
    return cairo_pdf_surface_create_for_stream (write_to_sink, sink, width, height);
  cairo_surface_t *surface =
    cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) ceil (width * scale), (int) ceil (height * scale));
  cairo_surface_set_device_scale (surface, scale, scale);
  return surface;
}

static cairo_status_t
draw_into (FileKind kind, Sink *sink, const LoomPicture *picture, double width, double height, double scale)
{
  cairo_surface_t *surface = create_surface (kind, sink, width, height, kind == FILE_PNG ? scale : 1);
  LoomPaintOptions options = *picture->options;
  LoomPicture scaled = *picture;
  options.device_scale = kind == FILE_PNG ? scale : 1;
  scaled.options = &options;
  cairo_t *cr = cairo_create (surface);
  loom_render_paint (cr, &scaled);
  cairo_status_t status = cairo_status (cr);
  cairo_destroy (cr);
  if (status == CAIRO_STATUS_SUCCESS && kind == FILE_PNG)
    status = cairo_surface_write_to_png_stream (surface, write_to_sink, sink);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  return status;
}

/* Moves what was written to its place, or takes it away. */
static gboolean
settle (Sink *sink, const char *temporary, const char *path, cairo_status_t status, GError **error)
{
  if (sink->error == 0 && status == CAIRO_STATUS_SUCCESS && fsync (sink->fd) != 0 && errno != EINVAL)
    sink->error = errno;
  if (close (sink->fd) != 0 && sink->error == 0)
    sink->error = errno;
  if (sink->error == 0 && status == CAIRO_STATUS_SUCCESS && rename (temporary, path) != 0)
    sink->error = errno;
  if (sink->error == 0 && status == CAIRO_STATUS_SUCCESS)
    return TRUE;
  unlink (temporary);
  if (sink->error != 0)
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, sink->error, "Could not write", path);
  else
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_WRITE, "Could not draw “%s”: %s", path, cairo_status_to_string (status));
  return FALSE;
}

gboolean
loom_render_picture_to_file (const LoomPicture *picture, const char *path, double scale, GError **error)
{
  g_return_val_if_fail (picture != NULL && path != NULL && scale > 0, FALSE);
  const LoomViewport *view = loom_draw_list_get_viewport (picture->list);
  double width = picture->header_width + view->width_px;
  double height = view->height_px + LOOM_RULER_PX + (picture->overview != NULL ? LOOM_OVERVIEW_PX : 0);
  FileKind kind;
  if (!find_kind (path, &kind, error))
    return FALSE;
  if (!(width * scale >= 1 && width * scale <= MAX_PX && height * scale >= 1 && height * scale <= MAX_PX)) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_RANGE, "A picture can have 1 to %d pixels on each side", MAX_PX);
    return FALSE;
  }
  g_autofree char *temporary = g_strconcat (path, ".XXXXXX", NULL);
  Sink sink = { g_mkstemp_full (temporary, O_WRONLY | O_CLOEXEC, 0666), 0 };
  if (sink.fd < 0) {
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, errno, "Could not write", path);
    return FALSE;
  }
  cairo_status_t status = draw_into (kind, &sink, picture, width, height, scale);
  return settle (&sink, temporary, path, status, error);
}

/* --- a picture of a timeline ------------------------------------------------------------------------------------ */

/* Header columns take at most this share of a narrow picture. */
#define MAX_HEADER_SHARE 0.3

static gboolean
check_input (LoomTimeline *timeline, int width, int height, const LoomRange *range, LoomRange *extent, GError **error)
{
  if (width < 64 || height < LOOM_OVERVIEW_PX + LOOM_RULER_PX + 16 || width > MAX_PX || height > MAX_PX)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_RANGE, "A picture of %d × %d pixels cannot hold a timeline", width,
                 height);
  else if (!loom_timeline_get_extent (timeline, extent))
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_EMPTY, "There is nothing to draw: no event has a time");
  else if (range != NULL && range->end_ns <= range->begin_ns)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_RANGE, "The range to draw is empty");
  else
    return TRUE;
  return FALSE;
}

static void
measure (const LoomOutline *outline, const LoomViewport *viewport, LoomRenderFit *fit)
{
  double rows = loom_outline_get_pinned_height (outline) + loom_outline_get_height (outline);
  *fit = (LoomRenderFit) { .n_rows = loom_outline_get_n_rows (outline) };
  fit->whole_height_px = (int) ceil (rows) + LOOM_OVERVIEW_PX + LOOM_RULER_PX;
  for (guint i = 0; i < fit->n_rows; i++)
    fit->n_cut += loom_outline_row_top (outline, i, 0) + loom_outline_get_row (outline, i)->height > viewport->height_px;
}

gboolean
loom_render_to_file (LoomTimeline *timeline, const char *path, int width, int height, LoomThemeKind theme,
                     const LoomRange *range, LoomRenderFit *fit, GError **error)
{
  g_return_val_if_fail (timeline != NULL && path != NULL && theme < LOOM_N_THEMES, FALSE);
  LoomRange extent;
  FileKind kind;
  if (!find_kind (path, &kind, error) || !check_input (timeline, width, height, range, &extent, error))
    return FALSE;
  g_autoptr (LoomOutline) outline = loom_outline_new ();
  g_autoptr (LoomDrawList) list = loom_draw_list_new ();
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  g_autoptr (LoomRuler) ruler = loom_ruler_new ();
  g_autoptr (LoomOverview) overview = loom_overview_new (timeline, NULL);
  double header = floor (MIN (LOOM_HEADER_PX, width * MAX_HEADER_SHARE));
  LoomViewport viewport;
  loom_viewport_init (&viewport, extent, width - header, height - LOOM_OVERVIEW_PX - LOOM_RULER_PX);
  if (range != NULL)
    loom_viewport_fit_range (&viewport, extent, *range, 0);
  loom_outline_set_timeline (outline, timeline);
  loom_draw_list_build (list, outline, &viewport, NULL);
  loom_ruler_update (ruler, timeline, NULL, &viewport, LOOM_READING_SINCE_START, text);
  LoomPaintOptions options;
  loom_paint_options_init (&options, loom_theme_get (theme), text);
  LoomPicture picture = { list, ruler, overview, header, &options };
  if (fit != NULL)
    measure (outline, &viewport, fit);
  return loom_render_picture_to_file (&picture, path, 1, error);
}
