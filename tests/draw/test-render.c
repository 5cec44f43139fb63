/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the image files of the timeline: they have the requested format, and are complete or absent.
 */
#include <glib/gstdio.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "fake-run.h"
#include "golden.h"
#include "loom-error.h"
#include "loom-timeline-image.h"
#include "loom-trace-builder.h"

typedef struct {
  LoomTimeline *timeline;
  char *folder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  FakeShape shape = { 1, 2, 2, 4, 4, TRUE };
  fixture->timeline = fake_run_new (&shape);
  fixture->folder = g_dir_make_tmp ("loom-render-XXXXXX", NULL);
}

/* Returns the number of files in the folder, to find temporary files that were left. */
static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;
  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
    g_assert_cmpint (g_remove (path), ==, 0);
  }
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
  loom_timeline_unref (fixture->timeline);
}

static void
assert_begins (const char *path, const char *bytes, gsize n)
{
  g_autofree char *contents = NULL;
  gsize length;
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  g_assert_cmpuint (length, >, 1000);
  g_assert_cmpmem (contents, n, bytes, n);
}

static void
test_kinds (Fixture *fixture, gconstpointer data)
{
  static const struct {
    const char *name, *begin;
    gsize n;
  } kinds[] = { { "a.png", "\211PNG", 4 }, { "a.PNG", "\211PNG", 4 }, { "a.svg", "<?xml", 5 }, { "a.pdf", "%PDF", 4 } };
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *path = g_build_filename (fixture->folder, kinds[i].name, NULL);
    gboolean done = loom_timeline_image_to_file (fixture->timeline, path, 640, 400, i % 2, NULL, NULL, NULL, &error);
    g_assert_no_error (error);
    g_assert_true (done);
    assert_begins (path, kinds[i].begin, kinds[i].n);
  }
  g_assert_cmpuint (count_files (fixture->folder), ==, 4);
}

static void
test_size_and_range (Fixture *fixture, gconstpointer data)
{
  g_autofree char *whole = g_build_filename (fixture->folder, "whole.png", NULL);
  g_autofree char *part = g_build_filename (fixture->folder, "part.png", NULL);
  LoomRange range = { FAKE_BEGIN_NS + 10000000, FAKE_BEGIN_NS + 20000000 };
  g_assert_true (
    loom_timeline_image_to_file (fixture->timeline, whole, 777, 333, LOOM_THEME_LIGHT, NULL, NULL, NULL, NULL));
  g_assert_true (
    loom_timeline_image_to_file (fixture->timeline, part, 777, 333, LOOM_THEME_LIGHT, &range, NULL, NULL, NULL));
  cairo_surface_t *a = cairo_image_surface_create_from_png (whole), *b = cairo_image_surface_create_from_png (part);
  g_assert_cmpint (cairo_image_surface_get_width (a), ==, 777);
  g_assert_cmpint (cairo_image_surface_get_height (a), ==, 333);
  g_assert_cmpint (memcmp (cairo_image_surface_get_data (a), cairo_image_surface_get_data (b), 777 * 4 * 333), !=, 0);
  cairo_surface_destroy (a);
  cairo_surface_destroy (b);
}

/* Number of bottlenecks, enough that pictures with and without them differ for golden_compare(). */
#define BOTTLENECKS 20

/* Lines at bottlenecks cross the tracks and the overview; a picture of a range shows only those within the range. */
static void
test_bottlenecks (Fixture *fixture, gconstpointer data)
{
  gint64 times_ns[BOTTLENECKS];
  const LoomTimelineImageExtras extras = { .bottlenecks_ns = times_ns, .n_bottlenecks = BOTTLENECKS };
  for (guint i = 0; i < BOTTLENECKS; i++)
    times_ns[i] = FAKE_BEGIN_NS + 9500000 + (gint64) i * 500000;
  const LoomRange range = { FAKE_BEGIN_NS + 10000000, FAKE_BEGIN_NS + 20000000 };
  g_autofree char *path = g_build_filename (fixture->folder, "bottlenecks.png", NULL);
  g_assert_true (
    loom_timeline_image_to_file (fixture->timeline, path, 640, 300, LOOM_THEME_LIGHT, &range, &extras, NULL, NULL));
  cairo_surface_t *picture = cairo_image_surface_create_from_png (path);
  golden_compare (picture, "render-bottlenecks");
  cairo_surface_destroy (picture);
}

static void
assert_fails (Fixture *fixture, LoomTimeline *timeline, const char *name, int width, const LoomRange *range, int code)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  guint before = count_files (fixture->folder);
  g_assert_false (loom_timeline_image_to_file (timeline, path, width, 400, LOOM_THEME_DARK, range, NULL, NULL, &error));
  g_assert_error (error, LOOM_ERROR, code);
  if (code == LOOM_ERROR_WRITE)
    g_assert_nonnull (strstr (error->message, path));
  g_assert_cmpuint (count_files (fixture->folder), ==, before);
}

static void
test_refusals (Fixture *fixture, gconstpointer data)
{
  LoomRange empty = { FAKE_BEGIN_NS, FAKE_BEGIN_NS };
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  loom_trace_builder_add_source (builder, loom_source_new ("empty.json"), loom_trace_builder_add_clock (builder));
  LoomTimeline *nothing = fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL));
  assert_fails (fixture, fixture->timeline, "a.gif", 640, NULL, LOOM_ERROR_UNSUPPORTED);
  assert_fails (fixture, fixture->timeline, "a.png", 5, NULL, LOOM_ERROR_RANGE);
  assert_fails (fixture, fixture->timeline, "a.png", 1000000, NULL, LOOM_ERROR_RANGE);
  assert_fails (fixture, fixture->timeline, "a.png", 640, &empty, LOOM_ERROR_RANGE);
  assert_fails (fixture, fixture->timeline, "no-such-folder/a.png", 640, NULL, LOOM_ERROR_WRITE);
  assert_fails (fixture, nothing, "a.png", 640, NULL, LOOM_ERROR_EMPTY);
  loom_timeline_unref (nothing);
}

/* If writing fails, an existing file stays unchanged; if it succeeds, the file is replaced. */
static void
test_whole_or_as_before (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "a.svg", NULL), *contents = NULL;
  g_assert_true (g_file_set_contents (path, "before", -1, NULL));
  assert_fails (fixture, fixture->timeline, "a.svg", 5, NULL, LOOM_ERROR_RANGE);
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "before");
  g_assert_true (
    loom_timeline_image_to_file (fixture->timeline, path, 640, 400, LOOM_THEME_LIGHT, NULL, NULL, NULL, NULL));
  assert_begins (path, "<?xml", 5);
  g_assert_cmpuint (count_files (fixture->folder), ==, 1);
}

/* Simulates a full disk by limiting the size of files; the signal of the limit is ignored. */
static void
test_full_disk (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "a.png", "a.svg", "a.pdf" };
  struct rlimit before, little;
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  little = (struct rlimit) { 4096, before.rlim_max };
  void (*handler) (int) = signal (SIGXFSZ, SIG_IGN);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *path = g_build_filename (fixture->folder, names[i], NULL);
    g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &little), ==, 0);
    gboolean done =
      loom_timeline_image_to_file (fixture->timeline, path, 640, 400, LOOM_THEME_LIGHT, NULL, NULL, NULL, &error);
    g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
    g_assert_false (done);
    g_assert_error (error, LOOM_ERROR, LOOM_ERROR_WRITE);
    g_assert_cmpuint (count_files (fixture->folder), ==, 0);
  }
  signal (SIGXFSZ, handler);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
  ADD ("/draw/render/bottlenecks", test_bottlenecks);
  ADD ("/draw/render/kinds", test_kinds);
  ADD ("/draw/render/size-and-range", test_size_and_range);
  ADD ("/draw/render/refusals", test_refusals);
  ADD ("/draw/render/whole-or-as-before", test_whole_or_as_before);
  ADD ("/draw/render/full-disk", test_full_disk);
  return g_test_run ();
}
