/* SPDX-License-Identifier: Apache-2.0 */
#include "golden.h"

#include <glib.h>
#include <stdlib.h>

/* A pixel differs if one of its colour channels differs by more than this. */
#define CHANNEL_SLACK 40
/* A picture differs if the fraction of differing pixels is larger than MOST_DIFFERENT, or if the mean difference of
 * colour channels is larger than MOST_MEAN. */
#define MOST_DIFFERENT 0.012
#define MOST_MEAN 1.6

typedef struct {
  double different; /* fraction of pixels that differ */
  double mean;      /* mean difference per colour channel */
} Difference;

static guint8 *
row_of (cairo_surface_t *surface, int y)
{
  return cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface);
}

/* Fills `diff` with a picture of the differences: differing pixels in red, other pixels in grey. */
static Difference
measure (cairo_surface_t *a, cairo_surface_t *b, cairo_surface_t *diff)
{
  int width = cairo_image_surface_get_width (a), height = cairo_image_surface_get_height (a);
  guint64 n_different = 0, sum = 0;
  for (int y = 0; y < height; y++) {
    const guint8 *p = row_of (a, y), *q = row_of (b, y);
    guint32 *to = (guint32 *) (gpointer) row_of (diff, y);
    for (int x = 0; x < width; x++) {
      int most = 0;
      for (int c = 0; c < 3; c++) {
        int off = abs (p[4 * x + c] - q[4 * x + c]);
        most = MAX (most, off);
        sum += (guint) off;
      }
      n_different += most > CHANNEL_SLACK;
      guint32 grey = (guint32) (p[4 * x + 1] / 2 + 96);
      to[x] = most > CHANNEL_SLACK ? 0xFF0000 : grey << 16 | grey << 8 | grey;
    }
  }
  cairo_surface_mark_dirty (diff);
  return (Difference) { (double) n_different / (width * height), (double) sum / (3.0 * width * height) };
}

static void
write_picture (cairo_surface_t *picture, const char *name, const char *what)
{
  g_autofree char *file = g_strdup_printf ("%s.%s.png", name, what);
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, file, NULL);
  g_assert_cmpint (cairo_surface_write_to_png (picture, path), ==, CAIRO_STATUS_SUCCESS);
  g_test_message ("see %s", path);
}

void
golden_compare (cairo_surface_t *picture, const char *name)
{
  g_autofree char *file = g_strconcat (name, ".png", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "golden", file, NULL);
  cairo_surface_flush (picture);
  if (g_getenv ("LOOM_UPDATE_GOLDEN") != NULL) {
    g_assert_cmpint (cairo_surface_write_to_png (picture, path), ==, CAIRO_STATUS_SUCCESS);
    return;
  }
  cairo_surface_t *golden = cairo_image_surface_create_from_png (path);
  if (cairo_surface_status (golden) != CAIRO_STATUS_SUCCESS)
    g_error ("%s: %s", path, cairo_status_to_string (cairo_surface_status (golden)));
  int width = cairo_image_surface_get_width (picture), height = cairo_image_surface_get_height (picture);
  g_assert_cmpint (cairo_image_surface_get_width (golden), ==, width);
  g_assert_cmpint (cairo_image_surface_get_height (golden), ==, height);
  cairo_surface_t *diff = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  Difference difference = measure (picture, golden, diff);
  g_test_message ("%s: %.2f %% of the pixels differ, %.2f on average", name, difference.different * 100,
                  difference.mean);
  if (difference.different > MOST_DIFFERENT || difference.mean > MOST_MEAN) {
    write_picture (picture, name, "is");
    write_picture (diff, name, "diff");
    g_test_fail_printf ("%s differs: %.2f %% of the pixels, %.2f on average", name, difference.different * 100,
                        difference.mean);
  }
  cairo_surface_destroy (diff);
  cairo_surface_destroy (golden);
}
