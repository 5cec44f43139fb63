/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a picture to a PNG, SVG or PDF file, depending on the suffix of the file's name. The caller passes one
 * function that paints the picture for all three formats. The file is either complete or not written: the picture is
 * written to a temporary file in the same folder, synced, and renamed. A file that is in use as input
 * (loom-input-files.h) is never overwritten. May be called on any thread.
 */
#pragma once

#include <cairo.h>
#include <glib.h>

/* Maximum width and height of an image; cairo's own limit. */
#define LOOM_PICTURE_MAX_PX 32767

/* Paints the picture. `scale`: device pixels per logical pixel; 1 for SVG and PDF. */
typedef void (*LoomImageFileFunc) (cairo_t *cr, double scale, gpointer user_data);

/* Returns FALSE with LOOM_ERROR_UNSUPPORTED if the name doesn't end in .png, .svg or .pdf. */
gboolean loom_image_file_check_name (const char *path, GError **error);

/* Writes the picture; width and height are in logical pixels. Errors: LOOM_ERROR_UNSUPPORTED (suffix),
 * LOOM_ERROR_RANGE (size), LOOM_ERROR_WRITE. */
gboolean loom_image_file_write (const char *path, double width, double height, double scale, LoomImageFileFunc paint,
                                gpointer user_data, GError **error);
