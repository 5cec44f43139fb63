/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests how the start of a rotated timeline of Horovod is found: the time does not grow with the number of files of the
 * load, the timeline of the framework is read once, and reading it can be cancelled.
 */
#include "loom-horovod-anchor.h"

#include "loom-time.h"

#include <glib/gstdio.h>
#include <string.h>
#include <time.h>

#define FIRST_NS (G_GINT64_CONSTANT (1932984125) * LOOM_NS_PER_S)
#define EARLY_NS (G_GINT64_CONSTANT (1932900000) * LOOM_NS_PER_S)
#define HOROVOD "/j/framework/pevents/2031040400/1932900061000000_7-algo-2_horovod_timeline.json"

static void
free_file (gpointer file)
{
  loom_file_discovery_free_file (file);
}

static GPtrArray *
new_files (void)
{
  return g_ptr_array_new_with_free_func (free_file);
}

static void
add (GPtrArray *files, const char *path)
{
  g_ptr_array_add (files, loom_file_discovery_new_file (path, 1, 0, NULL));
}

/* Returns the processor time, in ns, of finding the start of `n` timelines in a load of `n_files` files. */
static gint64
measure (guint n_files, guint n)
{
  g_autoptr (GPtrArray) files = new_files ();
  for (guint i = 0; i < n_files; i++) {
    g_autofree char *path = g_strdup_printf ("/j/system/incremental/2031040512/%u.algo-%u.json", 1932984125 + i, i);
    add (files, path);
  }
  g_autoptr (LoomHorovodAnchors) anchors = loom_importer_horovod_anchors_new (files);
  struct timespec begin, end;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &begin);
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (loom_horovod_anchor_find (anchors, HOROVOD, "algo-2", EARLY_NS, NULL), ==, FIRST_NS);
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &end);
  return (end.tv_sec - begin.tv_sec) * LOOM_NS_PER_S + end.tv_nsec - begin.tv_nsec;
}

static void
test_many_files (void)
{
  gint64 few_ns = measure (10, 2000), many_ns = measure (10000, 2000);
  g_assert_cmpint (many_ns, <, 20 * few_ns + LOOM_NS_PER_MS);
}

/* A job in a folder on disk. */
typedef struct {
  char *folder;
  char *timeline; /* path of the timeline of the framework */
  char *horovod;
  GPtrArray *files;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("loom-horovod-XXXXXX", NULL);
  g_autofree char *framework = g_build_filename (fixture->folder, "framework", NULL),
                  *metrics = g_build_filename (fixture->folder, "system", "1932984120.algo-2.json", NULL);
  g_assert_cmpint (g_mkdir (framework, 0700), ==, 0);
  fixture->timeline = g_build_filename (framework, "1932984126000000_7-algo-2_pythontimeline.json", NULL);
  fixture->horovod = g_build_filename (framework, "1932900061000000_7-algo-2_horovod_timeline.json", NULL);
  g_assert_true (g_file_set_contents (
    fixture->timeline, "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1932984125000000,\"dur\":1,\"name\":\"a\"}]", -1,
    NULL));
  fixture->files = new_files ();
  add (fixture->files, metrics), add (fixture->files, fixture->timeline), add (fixture->files, fixture->horovod);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *framework = g_path_get_dirname (fixture->timeline);
  g_unlink (fixture->timeline);
  g_rmdir (framework);
  g_rmdir (fixture->folder);
  g_ptr_array_unref (fixture->files);
  g_free (fixture->folder), g_free (fixture->timeline), g_free (fixture->horovod);
}

static gint64
find (const Fixture *fixture, LoomHorovodAnchors *anchors, LoomProgress *progress)
{
  return loom_horovod_anchor_find (anchors, fixture->horovod, "algo-2", EARLY_NS, progress);
}

static void
test_read_once (Fixture *fixture, gconstpointer data)
{
  g_autoptr (LoomHorovodAnchors) anchors = loom_importer_horovod_anchors_new (fixture->files);
  g_assert_cmpint (find (fixture, anchors, NULL), ==, FIRST_NS);
  g_unlink (fixture->timeline);
  g_assert_cmpint (find (fixture, anchors, NULL), ==, FIRST_NS);
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (LoomHorovodAnchors) anchors = loom_importer_horovod_anchors_new (fixture->files);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (LoomProgress) progress = loom_progress_new (cancellable);
  g_cancellable_cancel (cancellable);
  g_assert_cmpint (find (fixture, anchors, progress), ==, LOOM_TIME_NONE);
  g_assert_cmpint (find (fixture, anchors, NULL), ==, FIRST_NS);
}

/* The load counts the bytes of the timeline when it reads its events, not when it looks for the first one. */
static void
test_progress (Fixture *fixture, gconstpointer data)
{
  g_autoptr (LoomHorovodAnchors) anchors = loom_importer_horovod_anchors_new (fixture->files);
  g_autoptr (LoomProgress) progress = loom_progress_new (NULL);
  g_assert_cmpint (find (fixture, anchors, progress), ==, FIRST_NS);
  g_assert_cmpuint (loom_progress_get_done (progress), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/horovod/many-files", test_many_files);
  g_test_add ("/horovod/read-once", Fixture, NULL, set_up, test_read_once, tear_down);
  g_test_add ("/horovod/cancelled", Fixture, NULL, set_up, test_cancelled, tear_down);
  g_test_add ("/horovod/progress", Fixture, NULL, set_up, test_progress, tear_down);
  return g_test_run ();
}
