/* SPDX-License-Identifier: Apache-2.0
 *
 * A picture in a file: PNG, SVG or PDF by the suffix of its name, from one painter. The file is whole or absent: written
 * beside the target, synced, renamed. A file in use as input (loom-input-files.h) is never written over. Any thread.
 */
#pragma once

#include <cairo.h>
#include <glib.h>

G_BEGIN_DECLS

/* cairo's own limit for images. */
#define LOOM_PICTURE_MAX_PX 32767

/* `scale`: device pixels per logical pixel, 1 in SVG and PDF. */
typedef void (*LoomImageFileFunc) (cairo_t *cr, double scale, gpointer user_data);

/* FALSE with LOOM_ERROR_UNSUPPORTED when the name has none of the three endings. */
gboolean loom_image_file_check_name (const char *path, GError **error);

/* Size in logical pixels. Errors: LOOM_ERROR_UNSUPPORTED (suffix), LOOM_ERROR_RANGE (size), LOOM_ERROR_WRITE. */
gboolean loom_image_file_write (const char *path, double width, double height, double scale, LoomImageFileFunc paint,
                                gpointer user_data, GError **error);

G_END_DECLS
