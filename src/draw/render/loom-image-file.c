/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-image-file.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "loom-disk-space.h"
#include "loom-error.h"
#include "loom-input-files.h"

typedef enum { FILE_PNG, FILE_SVG, FILE_PDF } FileKind;

typedef struct {
  int fd;
  int error; /* errno of the first failure, 0: none */
} Sink;

static cairo_status_t
write_to_sink (void *data, const unsigned char *bytes, unsigned int length)
{
  Sink *sink = data;
  if (sink->error == 0 && !loom_disk_space_write (sink->fd, bytes, length))
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
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_UNSUPPORTED, _ ("The file name “%s” must end in .png, .svg or .pdf"),
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
draw_into (FileKind kind, Sink *sink, double width, double height, double scale, LoomImageFileFunc paint,
           gpointer user_data)
{
  cairo_surface_t *surface = create_surface (kind, sink, width, height, scale);
  cairo_t *cr = cairo_create (surface);
  paint (cr, scale, user_data);
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

/* Ends the writing of a file: closes the temporary file, and renames it to `path` or, if writing has failed, deletes
 * it. */
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
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, sink->error, "Could not write “%s”", path);
  else
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_WRITE, _ ("Could not draw “%s”: %s"), path,
                 cairo_status_to_string (status));
  return FALSE;
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
  if (!loom_input_files_check_target (path, error))
    return FALSE;
  g_autofree char *temporary = g_strconcat (path, ".XXXXXX", NULL);
  Sink sink = { g_mkstemp_full (temporary, O_WRONLY | O_CLOEXEC, 0666), 0 };
  if (sink.fd < 0) {
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, errno, "Could not write “%s”", path);
    return FALSE;
  }
  cairo_status_t status = draw_into (kind, &sink, width, height, kind == FILE_PNG ? scale : 1, paint, user_data);
  return settle (&sink, temporary, path, status, error);
}
