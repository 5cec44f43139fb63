/* SPDX-License-Identifier: Apache-2.0
 *
 * Another file, and closing, wait for the answer about changes and for the file that is saved.
 */
#include "fixture.h"
#include "loom-unsaved-changes.h"

static LoomUnsavedChanges changes;
static gboolean is_changed, cannot_save;
static GString *opened; /* what was opened: "a.json " */
static guint n_saves;

static gboolean
get_changed (gpointer window)
{
  return is_changed;
}

static gboolean
save (gpointer window)
{
  n_saves++;
  return !cannot_save;
}

static void
open_path (gpointer window, const char *path, gboolean as_new)
{
  g_string_append_printf (opened, "%s%s ", path != NULL ? path : "-", as_new ? "!" : "");
}

static const LoomUnsavedChangesKind kind = { .is_changed = get_changed, .save = save, .open = open_path };

static GtkWindow *
new_editor (void)
{
  GtkWindow *window = GTK_WINDOW (gtk_window_new ());
  is_changed = cannot_save = FALSE;
  n_saves = 0;
  g_string_truncate (opened, 0);
  loom_unsaved_changes_init (&changes, &kind, window);
  gtk_window_present (window);
  return window;
}

static void
drop (GtkWindow *window)
{
  loom_unsaved_changes_clear (&changes);
  gtk_window_destroy (window);
}

static void
answer (const char *response)
{
  g_assert_nonnull (changes.question);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (changes.question), response);
  g_assert_null (changes.question);
}

static void
test_open (void)
{
  GtkWindow *window = new_editor ();
  loom_unsaved_changes_open (&changes, "a", FALSE);
  g_assert_cmpstr (opened->str, ==, "a ");
  is_changed = TRUE;
  loom_unsaved_changes_open (&changes, "b", FALSE);
  answer ("cancel");
  loom_unsaved_changes_saved (&changes); /* by the person later: nothing follows */
  g_assert_cmpstr (opened->str, ==, "a ");
  loom_unsaved_changes_open (&changes, "c", TRUE);
  answer ("discard");
  g_assert_cmpstr (opened->str, ==, "a c! ");
  loom_unsaved_changes_open (&changes, NULL, FALSE);
  answer ("save");
  g_assert_cmpuint (n_saves, ==, 1);
  g_assert_cmpstr (opened->str, ==, "a c! ");
  loom_unsaved_changes_saved (&changes);
  loom_unsaved_changes_saved (&changes);
  g_assert_cmpstr (opened->str, ==, "a c! - ");
  drop (window);
}

/* What failed to be saved, or could not begin, is followed by nothing. */
static void
test_failed (void)
{
  GtkWindow *window = new_editor ();
  is_changed = TRUE;
  loom_unsaved_changes_open (&changes, "a", FALSE);
  answer ("save");
  loom_unsaved_changes_stay (&changes);
  loom_unsaved_changes_saved (&changes);
  cannot_save = TRUE;
  loom_unsaved_changes_open (&changes, "a", FALSE);
  answer ("save");
  loom_unsaved_changes_saved (&changes);
  g_assert_cmpuint (n_saves, ==, 2);
  g_assert_cmpstr (opened->str, ==, "");
  drop (window);
}

static void
test_close (void)
{
  GtkWindow *window = new_editor ();
  g_object_add_weak_pointer (G_OBJECT (window), (gpointer *) &window);
  g_assert_false (loom_unsaved_changes_close (&changes));
  is_changed = TRUE;
  g_assert_true (loom_unsaved_changes_close (&changes));
  answer ("cancel");
  loom_unsaved_changes_open (&changes, "a", FALSE); /* closing is forgotten */
  answer ("discard");
  g_assert_cmpstr (opened->str, ==, "a ");
  g_assert_true (loom_unsaved_changes_close (&changes));
  answer ("save");
  g_assert_nonnull (window);
  loom_unsaved_changes_saved (&changes);
  fixture_spin (20);
  g_assert_null (window);
  loom_unsaved_changes_clear (&changes);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  opened = g_string_new (NULL);
  g_test_add_func ("/app/unsaved-changes/open", test_open);
  g_test_add_func ("/app/unsaved-changes/failed", test_failed);
  g_test_add_func ("/app/unsaved-changes/close", test_close);
  return fixture_run ();
}
