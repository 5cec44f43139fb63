/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the cairo surface for the suffix, and writes the file by way of a temporary file.
 */
#include "loom-image-file.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-error.h"
#include "loom-output-file.h"

typedef enum { FILE_PNG, FILE_SVG, FILE_PDF } FileKind;

static cairo_status_t
append_bytes (void *file, const unsigned char *bytes, unsigned int length)
{
  g_byte_array_append (file, bytes, length);
  return CAIRO_STATUS_SUCCESS;
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
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_UNSUPPORTED, _ ("The file name “%s” must end in .png, .svg or .pdf"),
               path);
  return FALSE;
}

static cairo_surface_t *
create_surface (FileKind kind, GByteArray *file, double width, double height, double scale)
{
  if (kind == FILE_SVG)
    return cairo_svg_surface_create_for_stream (append_bytes, file, width, height);
  if (kind == FILE_PDF)
    return cairo_pdf_surface_create_for_stream (append_bytes, file, width, height);
  cairo_surface_t *surface =
    cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) ceil (width * scale), (int) ceil (height * scale));
  cairo_surface_set_device_scale (surface, scale, scale);
  return surface;
}

static cairo_status_t
draw_into (FileKind kind, GByteArray *file, double width, double height, double scale, LoomImageFileFunc paint,
           gpointer user_data)
{
  cairo_surface_t *surface = create_surface (kind, file, width, height, scale);
  cairo_t *cr = cairo_create (surface);
  paint (cr, scale, user_data);
  cairo_status_t status = cairo_status (cr);
  cairo_destroy (cr);
  if (status == CAIRO_STATUS_SUCCESS && kind == FILE_PNG)
    status = cairo_surface_write_to_png_stream (surface, append_bytes, file);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  return status;
}

gboolean
loom_image_file_check_name (const char *path, GError **error)
{
  FileKind kind;
  g_return_val_if_fail (path != NULL, FALSE);
  return find_kind (path, &kind, error);
}

gboolean
loom_image_file_write (const char *path, double width, double height, double scale, LoomImageFileFunc paint,
                       gpointer user_data, GError **error)
{
  g_return_val_if_fail (path != NULL && scale > 0 && paint != NULL, FALSE);
  FileKind kind;
  if (!find_kind (path, &kind, error))
    return FALSE;
  if (!(width * scale >= 1 && width * scale <= LOOM_PICTURE_MAX_PX && height * scale >= 1 &&
        height * scale <= LOOM_PICTURE_MAX_PX)) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_RANGE, _ ("An image can have 1 to %d pixels on each side"),
                 LOOM_PICTURE_MAX_PX);
    return FALSE;
  }
  GByteArray *file = g_byte_array_new ();
  cairo_status_t status = draw_into (kind, file, width, height, kind == FILE_PNG ? scale : 1, paint, user_data);
  g_autoptr (GBytes) bytes = g_byte_array_free_to_bytes (file);
  if (status == CAIRO_STATUS_SUCCESS)
    return loom_output_file_write (path, bytes, error);
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_WRITE, _ ("Could not draw “%s”: %s"), path,
               cairo_status_to_string (status));
  return FALSE;
}
