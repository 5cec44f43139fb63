/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the tables with which the events of an XSpace are read: names and statistics by id, and links between events.
 */
#include "loom-int64-hash.h"
#include "loom-xplane-kinds.h"
#include "loom-xplane-links.h"
#include "put-packets.h"

#define N_LINKED 1000
#define CORRELATION 3

static void
clear_plane (LoomXplane *plane)
{
  g_hash_table_unref (plane->names);
  g_hash_table_unref (plane->stats);
}

static LoomXplane
new_plane (LoomXplaneKind kind)
{
  return (LoomXplane) { .kind = kind,
                        .names = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL),
                        .stats = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, g_free),
                        .links = { .correlation = CORRELATION } };
}

/* Names and kinds of statistics are found by their ids, small or large, and other ids are not found. */
static void
test_kinds (void)
{
  static const gint64
    ids[] = { 0, 1, LOOM_XPLANE_KINDS_DENSE - 1, LOOM_XPLANE_KINDS_DENSE, -1, G_MAXINT64, G_MININT64 },
    others[] = { 2, LOOM_XPLANE_KINDS_DENSE - 2, LOOM_XPLANE_KINDS_DENSE + 1, -2 };
  LoomXplaneName names[G_N_ELEMENTS (ids)] = { { NULL } };
  LoomXplane plane = new_plane (LOOM_XPLANE_DEVICE);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++) {
    g_hash_table_insert (plane.names, g_memdup2 (&ids[i], sizeof ids[i]), &names[i]);
    g_hash_table_insert (plane.stats, g_memdup2 (&ids[i], sizeof ids[i]), g_strdup_printf ("stat %u", i));
  }
  g_autoptr (LoomXplaneKinds) kinds = loom_xplane_kinds_new (&plane);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++) {
    g_autofree char *name = g_strdup_printf ("stat %u", i);
    g_assert_true (loom_xplane_kinds_find_name (kinds, ids[i])->name == &names[i]);
    g_assert_cmpstr (loom_xplane_kinds_find_stat (kinds, ids[i])->name, ==, name);
  }
  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    g_assert_null (loom_xplane_kinds_find_name (kinds, others[i]));
    g_assert_null (loom_xplane_kinds_find_stat (kinds, others[i]));
  }
  clear_plane (&plane);
}

/* Adds an event with a correlation id to the links. */
static void
add_event (LoomXplaneLinks *links, const LoomXplane *plane, guint64 number, guint64 id)
{
  g_autoptr (GByteArray) event = g_byte_array_new (), stat = g_byte_array_new ();
  put_number (stat, 1, CORRELATION);
  put_number (stat, LOOM_XPLANE_STAT_UNSIGNED, id);
  put_number (event, 1, 1);
  put_bytes (event, 4, stat->data, stat->len);
  loom_xplane_links_add (links, plane, number, event->data, event->len);
}

/* All of many device events are linked to the calls with their ids. Two ids in three have 32 bits. */
static void
test_links (void)
{
  LoomXplane device = new_plane (LOOM_XPLANE_DEVICE), host = new_plane (LOOM_XPLANE_HOST);
  for (guint n_large = 0; n_large <= 3; n_large += 3) {
    LoomXplaneLinks *links = loom_xplane_links_new ();
    LoomLaunchLinks *launches, *tasks;
    guint64 n_without;
    for (guint64 i = 0; i < N_LINKED; i++)
      add_event (links, &device, i, n_large > 0 && i % n_large == 0 ? G_MAXUINT32 + i : i + 1);
    for (guint64 i = 0; i < N_LINKED; i++)
      add_event (links, &host, N_LINKED + i, n_large > 0 && i % n_large == 0 ? G_MAXUINT32 + i : i + 1);
    loom_xplane_links_finish (links, &launches, &tasks);
    g_assert_cmpuint (loom_launch_links_count (launches, &n_without), ==, N_LINKED);
    g_assert_cmpuint (n_without, ==, 0);
    loom_launch_links_free (launches);
    loom_launch_links_free (tasks);
  }
  clear_plane (&device);
  clear_plane (&host);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/xplane/kinds", test_kinds);
  g_test_add_func ("/xplane/links", test_links);
  return g_test_run ();
}
