/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the bar that is shown above the timeline of a job that hangs: it names the rank for which the job waits.
 */
#include "fixture.h"
#include "groups.h"
#include "loom-hang-bar.h"

#include <glib/gstdio.h>
#include <string.h>

#define HANG_RANKS 3

/* Writes the dump of a flight recorder: the rank has called `n` all_reduce, and completed 2 of them. */
static void
write_dump (const char *folder, guint rank, guint n)
{
  g_autoptr (GString) dump = g_string_new (
    "{\"version\": \"2.9\", \"nccl_version\": \"2.27.3\", \"pg_config\": {\"0\": {\"name\": \"0\", \"desc\": \"world\", "
    "\"ranks\": \"[0, 1, 2]\"}}, \"entries\": [");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (
      dump,
      "%s{\"record_id\": %u, \"pg_id\": 0, \"process_group\": [\"0\", \"world\"], \"collective_seq_id\": %u, "
      "\"p2p_seq_id\": 0, \"op_id\": %u, \"profiling_name\": \"nccl:all_reduce\", "
      "\"time_created_ns\": %" G_GINT64_FORMAT ", \"input_sizes\": [[8]], \"input_dtypes\": [\"Float\"], "
      "\"output_sizes\": [[8]], \"output_dtypes\": [\"Float\"], \"state\": \"%s\", \"retired\": false, "
      "\"timeout_ms\": 600000, \"is_p2p\": false, \"frames\": []}",
      i > 0 ? ", " : "", i, i + 1, i + 1, G_GINT64_CONSTANT (1758610505880883597) + i * LOOM_NS_PER_MS,
      i < 2 ? "completed" : "scheduled");
  g_string_append_printf (dump,
                          "], \"pg_status\": {\"0\": {\"last_enqueued_collective\": %u, "
                          "\"last_started_collective\": -1, \"last_completed_collective\": 2}}}",
                          n);
  g_autofree char *name = g_strdup_printf ("trace_%u.json", rank), *path = g_build_filename (folder, name, NULL);
  g_assert_true (g_file_set_contents (path, dump->str, (gssize) dump->len, NULL));
}

static gboolean
has_hang (gpointer bar)
{
  return loom_hang_bar_get_text (bar)[0] != '\0';
}

static gboolean
is_evaluated (gpointer window)
{
  LoomFindingsState *state = loom_run_state_get_findings (loom_window_get_run_state (window));
  return !loom_findings_state_is_working (state) && loom_findings_state_get_findings (state) != NULL;
}

/* A bar above the run says for which rank the job waits, and its button opens the page about it. A run that does not hang
 * has no bar. */
static void
test_hang_bar (void)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  g_assert_true (fixture_wait (is_evaluated, window));
  g_assert_false (has_hang (fixture_find_type (GTK_WIDGET (window), LOOM_TYPE_HANG_BAR)));
  fixture_close (window);
  g_autofree char *folder = g_dir_make_tmp ("loom-hang-XXXXXX", NULL);
  for (guint rank = 0; rank < HANG_RANKS; rank++)
    write_dump (folder, rank, rank == 1 ? 2 : 4);
  window = fixture_window ();
  fixture_open (window, folder);
  GtkWidget *bar = fixture_find_type (GTK_WIDGET (window), LOOM_TYPE_HANG_BAR);
  g_assert_true (fixture_wait (has_hang, bar));
  g_assert_nonnull (strstr (loom_hang_bar_get_text (LOOM_HANG_BAR (bar)), "rank 1"));
  g_signal_emit_by_name (fixture_find_type (bar, GTK_TYPE_BUTTON), "clicked");
  fixture_frames (window);
  g_assert_cmpstr (loom_run_state_get_page (loom_window_get_run_state (window)), ==, "hang");
  g_assert_false (has_hang (bar)); /* the open page already names the rank, so the bar is hidden */
  loom_run_state_open_page (loom_window_get_run_state (window), "steps");
  g_assert_true (has_hang (bar));
  loom_findings_state_close_hang (loom_run_state_get_findings (loom_window_get_run_state (window)));
  g_assert_false (has_hang (bar));
  fixture_close (window);
  for (guint rank = 0; rank < HANG_RANKS; rank++) {
    g_autofree char *name = g_strdup_printf ("trace_%u.json", rank), *path = g_build_filename (folder, name, NULL);
    g_assert_cmpint (g_unlink (path), ==, 0);
  }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

void
groups_add_hang_bar (void)
{
  g_test_add_func ("/hang-bar/run", test_hang_bar);
}
