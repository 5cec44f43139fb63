/* SPDX-License-Identifier: Apache-2.0
 *
 * Sources removed, described, muted and alone; all of it can be taken back, and is kept in the session.
 */
#include "fixture.h"

#include "loom-common-affixes.h"
#include "loom-rank-pattern-dialog.h"
#include "loom-session-state.h"
#include "loom-source-commands.h"
#include "loom-source-dialog.h"

#include <adwaita.h>
#include <glib/gstdio.h>
#include <string.h>

typedef struct {
  LoomWindow *window;
  LoomDocument *document;
  char *folder, *a, *b; /* a file with two spans, and one with three */
} Fixture;

static gboolean
is_idle (gpointer document)
{
  return !loom_document_is_loading (document);
}

static void
settle (Fixture *fixture)
{
  g_assert_true (fixture_wait (is_idle, fixture->document));
  fixture_spin (60);
}

static char *
write_file (const char *folder, const char *name, guint n, guint pid)
{
  g_autoptr (GString) text = g_string_new ("[\n");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "{\"ph\":\"X\",\"pid\":%u,\"tid\":1,\"ts\":%u,\"dur\":500,\"name\":\"n%u\"},\n", pid,
                            i * 1000, i);
  return fixture_file (folder, name, text->str);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = fixture_folder ();
  fixture->a = write_file (fixture->folder, "part-4.json", 2, 1);
  fixture->b = write_file (fixture->folder, "part-5.json", 3, 2);
  fixture->window = fixture_window ();
  fixture_open (fixture->window, fixture->folder);
  fixture->document = loom_window_get_document (fixture->window);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 5);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  fixture_close (fixture->window);
  g_free (fixture->folder);
  g_free (fixture->a);
  g_free (fixture->b);
}

static void
act (Fixture *fixture, const char *name)
{
  g_action_group_activate_action (G_ACTION_GROUP (fixture->window), name, NULL);
  settle (fixture);
}

/* As a line's menu does it. */
static void
act_on (Fixture *fixture, const char *action, const char *path)
{
  const char *paths[] = { path, NULL };
  g_assert_true (gtk_widget_activate_action_variant (
    GTK_WIDGET (loom_run_page_get_sources (loom_window_get_run_view (fixture->window))), action,
    g_variant_new_bytestring_array (paths, -1)));
  settle (fixture);
}

static guint
count_shown (Fixture *fixture)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (fixture_state (fixture->window));
  guint n = 0;
  for (guint i = 0; i < loom_row_list_get_n_rows (outline); i++)
    n += loom_row_list_get_row (outline, i)->kind == LOOM_ROW_SPANS;
  return n;
}

static int
rank_of (Fixture *fixture, const char *path)
{
  LoomRun *run = loom_document_get_run (fixture->document);
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    if (g_str_equal (loom_run_get_source (run, i)->path, path))
      return loom_run_get_source (run, i)->rank;
  return -2;
}

/* rows: ../README.md §sources a source is removed | all of it can be taken back */
static void
test_remove (Fixture *fixture, gconstpointer data)
{
  LoomTrace *kept = loom_run_get_trace (loom_document_get_run (fixture->document), 1);
  act_on (fixture, "source.remove", fixture->a);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 3);
  g_assert_true (loom_run_get_trace (loom_document_get_run (fixture->document), 0) == kept); /* not read again */
  act (fixture, "reload");
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 3);
  act (fixture, "undo");
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 5);
  act (fixture, "redo");
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 3);
  act (fixture, "bring-back-sources");
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 5);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), "bring-back-sources"));
}

/* rows: ../README.md §sources only one source is shown | a source is muted | all of it can be taken back */
static void
test_mute_and_solo (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpuint (count_shown (fixture), ==, 2);
  act_on (fixture, "source.mute", fixture->a);
  g_assert_cmpuint (count_shown (fixture), ==, 1);
  act (fixture, "undo");
  g_assert_cmpuint (count_shown (fixture), ==, 2);
  act_on (fixture, "source.solo", fixture->b);
  g_assert_cmpuint (count_shown (fixture), ==, 1);
  g_autofree char *other = write_file (fixture->folder, "part-6.json", 1, 3);
  act (fixture, "reload"); /* what came is not alone */
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 6);
  g_assert_cmpuint (count_shown (fixture), ==, 1);
  act (fixture, "show-all-sources");
  g_assert_cmpuint (count_shown (fixture), ==, 3);
}

static LoomSourceItem *
line (Fixture *fixture, const char *path)
{
  g_autoptr (GListStore) top = loom_source_item_tree_new (loom_document_get_timeline (fixture->document),
                                                          loom_document_get_source_edits (fixture->document));
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (top)); i++) {
    g_autoptr (LoomSourceItem) item = g_list_model_get_item (G_LIST_MODEL (top), i);
    if (g_str_equal (loom_source_item_get_paths (item)[0], path))
      return g_steal_pointer (&item);
  }
  g_assert_not_reached ();
}

static GtkWidget *
find_widget (GtkWidget *widget, GType type, guint *nth)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type) && (*nth)-- == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_widget (child, type, nth);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static void
type_into (GtkWindow *dialog, guint nth, const char *text)
{
  GtkWidget *row = find_widget (GTK_WIDGET (dialog), ADW_TYPE_ENTRY_ROW, &nth);
  gtk_editable_set_text (GTK_EDITABLE (row), text);
}

/* One that is called so, or begins so. */
static gboolean
has_row (Fixture *fixture, const char *label)
{
  const LoomRowList *outline = loom_timeline_state_get_row_list (fixture_state (fixture->window));
  for (guint i = 0; i < loom_row_list_get_n_rows (outline); i++)
    if (g_str_has_prefix (loom_row_list_get_row (outline, i)->label, label))
      return TRUE;
  return FALSE;
}

/* rows: ../README.md §sources a source gets a name, a rank or a node | all of it can be taken back */
static void
test_describe (Fixture *fixture, gconstpointer data)
{
  GtkWindow *dialog = loom_source_dialog_present (GTK_WINDOW (fixture->window), fixture->document,
                                                  (const char *const[]) { fixture->a, NULL });
  GtkWidget *apply = gtk_window_get_default_widget (dialog);
  type_into (dialog, 0, "the first");
  type_into (dialog, 1, "seven");
  g_assert_false (gtk_widget_get_sensitive (apply));
  type_into (dialog, 1, "7");
  type_into (dialog, 2, "box");
  g_assert_true (gtk_widget_get_sensitive (apply));
  g_signal_emit_by_name (apply, "clicked");
  settle (fixture);
  g_assert_cmpint (rank_of (fixture, fixture->a), ==, 7);
  g_assert_cmpint (rank_of (fixture, fixture->b), ==, -1);
  const LoomTrace *trace = loom_run_get_trace (loom_document_get_run (fixture->document), 0);
  g_assert_cmpint (loom_trace_get_track (trace, 0)->rank, ==, 7); /* the rows know too */
  g_assert_cmpstr (loom_trace_get_track (trace, 0)->node, ==, "box");
  loom_source_commands_describe (fixture->document, (const char *const[]) { fixture->a, NULL }, LOOM_SOURCE_NODE, NULL,
                                 -1, "");
  settle (fixture);
  g_autoptr (LoomSourceItem) item = line (fixture, fixture->a);
  g_assert_cmpstr (loom_source_item_get_label (item), ==, "the first");
  g_assert_true (has_row (fixture, "rank 7 · the first"));
  act (fixture, "undo");
  act (fixture, "undo");
  g_assert_cmpint (rank_of (fixture, fixture->a), ==, -1);
}

/* What is not touched stays with each of them, and is empty where they differ. */
static void
test_describe_several (Fixture *fixture, gconstpointer data)
{
  loom_source_commands_describe (fixture->document, (const char *const[]) { fixture->a, NULL }, LOOM_SOURCE_RANK, NULL,
                                 7, NULL);
  loom_source_commands_describe (fixture->document, (const char *const[]) { fixture->b, NULL }, LOOM_SOURCE_RANK, NULL,
                                 8, NULL);
  settle (fixture);
  GtkWindow *dialog = loom_source_dialog_present (GTK_WINDOW (fixture->window), fixture->document,
                                                  (const char *const[]) { fixture->a, fixture->b, NULL });
  guint nth = 0;
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (find_widget (GTK_WIDGET (dialog), ADW_TYPE_ENTRY_ROW, &nth))),
                   ==, "");
  type_into (dialog, 1, "box");
  g_signal_emit_by_name (gtk_window_get_default_widget (dialog), "clicked");
  settle (fixture);
  g_assert_cmpint (rank_of (fixture, fixture->a), ==, 7);
  g_assert_cmpint (rank_of (fixture, fixture->b), ==, 8);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpstr (loom_run_get_source (loom_document_get_run (fixture->document), i)->node, ==, "box");
}

/* All that is there: nothing is shown, and it is no loss. */
static void
test_remove_all (Fixture *fixture, gconstpointer data)
{
  act_on (fixture, "source.remove", fixture->a);
  act_on (fixture, "source.remove", fixture->b);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 0);
  g_assert_no_error (loom_document_get_error (fixture->document));
  g_assert_cmpstr (loom_window_get_page (fixture->window), ==, "nothing");
  act (fixture, "undo");
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 3);
  act (fixture, "redo");
  act (fixture, "bring-back-sources");
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 5);
}

/* What is gone from the disk stays to be seen until it is removed by hand. */
static void
test_remove_gone (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (g_unlink (fixture->a), ==, 0);
  loom_document_follow (fixture->document);
  settle (fixture);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 5);
  act_on (fixture, "source.remove", fixture->a);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 3);
}

/* rows: ../README.md §sources ranks and nodes are taken from the paths | all of it can be taken back */
static void
test_pattern (Fixture *fixture, gconstpointer data)
{
  GtkWindow *dialog = loom_rank_pattern_dialog_present (GTK_WINDOW (fixture->window), fixture->document);
  GtkWidget *apply = gtk_window_get_default_widget (dialog);
  type_into (dialog, 0, "part-(?<rank>");
  g_assert_false (gtk_widget_get_sensitive (apply));
  type_into (dialog, 0, "part-(?<rank>\\d+)");
  fixture_spin (30);
  guint nth = 0;
  GtkListView *preview = GTK_LIST_VIEW (find_widget (GTK_WIDGET (dialog), GTK_TYPE_LIST_VIEW, &nth));
  g_autoptr (GtkStringObject) first = g_list_model_get_item (G_LIST_MODEL (gtk_list_view_get_model (preview)), 0);
  g_assert_true (g_str_has_suffix (gtk_string_object_get_string (first), "→ rank 4"));
  g_signal_emit_by_name (apply, "clicked");
  settle (fixture);
  g_assert_cmpint (rank_of (fixture, fixture->a), ==, 4);
  g_assert_cmpint (rank_of (fixture, fixture->b), ==, 5);
  act (fixture, "undo");
  g_assert_cmpint (rank_of (fixture, fixture->b), ==, -1);
}

/* Everything comes back with the session.
   rows: ../README.md §sources all of it is kept in the session */
static void
test_session (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "s.traceloom", NULL);
  loom_source_commands_set_pattern (fixture->document, "part-(?<rank>\\d+)");
  settle (fixture);
  act_on (fixture, "source.remove", fixture->a);
  loom_source_commands_describe (fixture->document, (const char *const[]) { fixture->b, NULL }, LOOM_SOURCE_NAME,
                                 "second", -1, NULL);
  act_on (fixture, "source.mute", fixture->b);
  g_autoptr (LoomSession) session = loom_session_state_collect (loom_window_get_run_state (fixture->window));
  g_assert_true (loom_session_file_write (session, path, NULL));
  LoomWindow *window = fixture_window ();
  fixture_open (window, path);
  LoomDocument *document = loom_window_get_document (window);
  g_assert_cmpuint (loom_document_count_spans (document), ==, 3);
  g_assert_true (loom_source_overrides_equal (loom_document_get_source_edits (document),
                                              loom_document_get_source_edits (fixture->document)));
  g_assert_cmpint (loom_run_get_source (loom_document_get_run (document), 0)->rank, ==, 5);
  fixture_close (window);
}

/* Of long names what tells them apart is seen, in whole words; short ones and a single one are as they are. */
static void
test_shared_ends (void)
{
  static const struct {
    const char *names[3], *shown[3];
  } cases[] = {
    { { "dlrm_kineto_job_41_worker_0.pt.trace.json", "dlrm_kineto_job_41_worker_12.pt.trace.json" },
      { "…41_worker_0.pt.trace…", "…41_worker_12.pt.trace…" } },
    { { "host_may_2023_step_17000_of_it.pt.trace.json", "host_june_2023_step_9_of_it.pt.trace.json" },
      { "…may_2023_step_17000_of…", "…june_2023_step_9_of_it…" } },
    { { "part-4.json", "part-5.json" }, { "part-4.json", "part-5.json" } },
    { { "the_only_one_with_a_name_so_long.json" }, { "the_only_one_with_a_name_so_long.json" } },
    { { "abcdefghijklmnopqrstuvwxyz1", "abcdefghijklmnopqrstuvwxyz2", "other" },
      { "abcdefghijklmnopqrstuvwxyz1", "abcdefghijklmnopqrstuvwxyz2", "other" } },
    { { "größe_der_schritte_ä_und_so_weiter", "größe_der_schritte_ö_und_so_weiter" },
      { "…schritte_ä_und_so…", "…schritte_ö_und_so…" } },
    { { "the same name of many letters", "the same name of many letters" },
      { "the same name of many letters", "the same name of many letters" } },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint n = 0;
    while (n < 3 && cases[i].names[n] != NULL)
      n++;
    LoomCommonAffixes ends = loom_common_affixes_find (cases[i].names, n);
    for (guint k = 0; k < n; k++) {
      g_autofree char *shown = loom_common_affixes_cut (ends, cases[i].names[k], 24);
      g_assert_cmpstr (shown, ==, cases[i].shown[k]);
    }
  }
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*test) (Fixture *fixture, gconstpointer data);
  } tests[] = {
    { "/app/sources/remove", test_remove },         { "/app/sources/mute-and-solo", test_mute_and_solo },
    { "/app/sources/describe", test_describe },     { "/app/sources/pattern", test_pattern },
    { "/app/sources/session", test_session },       { "/app/sources/describe-several", test_describe_several },
    { "/app/sources/remove-all", test_remove_all }, { "/app/sources/remove-gone", test_remove_gone },
  };
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/sources/shared-ends", test_shared_ends);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Fixture, NULL, set_up, tests[i].test, tear_down);
  return fixture_run ();
}
