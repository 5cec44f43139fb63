/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the question about unsaved changes: opening another file or closing waits until the user has answered, and, if
 * the answer is to save, until the file has been saved.
 */
#include "loom-unsaved-changes.h"

static LoomUnsavedChanges changes;
static gboolean is_changed, cannot_save;
static GString *opened; /* names of the opened files, such as "a.json ", in order */
static guint n_saves;

static gboolean
get_changed (gpointer editor)
{
  return is_changed;
}

static gboolean
save (gpointer editor)
{
  n_saves++;
  return !cannot_save;
}

static void
open_path (gpointer editor, const char *path, gboolean as_new)
{
  g_string_append_printf (opened, "%s%s ", path != NULL ? path : "-", as_new ? "!" : "");
}

static const LoomUnsavedChangesKind kind = { .is_changed = get_changed, .save = save, .open = open_path };

static gboolean is_asked, is_closed;

static void
ask (gpointer editor, gboolean can_save)
{
  g_assert_true (can_save);
  is_asked = TRUE;
}

static void
close_editor (gpointer editor)
{
  is_closed = TRUE;
}

static void
set_up (void)
{
  static const LoomUnsavedChangesQuestion question = { ask, close_editor };
  is_changed = cannot_save = is_asked = is_closed = FALSE;
  n_saves = 0;
  g_string_truncate (opened, 0);
  loom_unsaved_changes_init (&changes, &kind, &question, NULL);
}

static void
answer (const char *response)
{
  g_assert_true (is_asked);
  is_asked = FALSE;
  loom_unsaved_changes_answer (&changes, response);
  g_assert_false (is_asked);
}

static void
test_open (void)
{
  set_up ();
  loom_unsaved_changes_open (&changes, "a", FALSE);
  g_assert_cmpstr (opened->str, ==, "a ");
  is_changed = TRUE;
  loom_unsaved_changes_open (&changes, "b", FALSE);
  answer ("cancel");
  loom_unsaved_changes_saved (&changes); /* the answer was to cancel, so saving later does not open "b" */
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
  loom_unsaved_changes_clear (&changes);
}

/* If saving fails or cannot begin, the action that waits for it (opening another file or closing) is dropped. */
static void
test_failed (void)
{
  set_up ();
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
  loom_unsaved_changes_clear (&changes);
}

static void
test_close (void)
{
  set_up ();
  g_assert_false (loom_unsaved_changes_close (&changes));
  is_changed = TRUE;
  g_assert_true (loom_unsaved_changes_close (&changes));
  answer ("cancel");
  loom_unsaved_changes_open (&changes, "a", FALSE); /* replaces the request to close, whose question was cancelled */
  answer ("discard");
  g_assert_cmpstr (opened->str, ==, "a ");
  g_assert_true (loom_unsaved_changes_close (&changes));
  answer ("save");
  g_assert_false (is_closed);
  loom_unsaved_changes_saved (&changes);
  g_assert_true (is_closed);
  loom_unsaved_changes_clear (&changes);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  opened = g_string_new (NULL);
  g_test_add_func ("/core/unsaved-changes/open", test_open);
  g_test_add_func ("/core/unsaved-changes/failed", test_failed);
  g_test_add_func ("/core/unsaved-changes/close", test_close);
  int status = g_test_run ();
  g_string_free (opened, TRUE);
  return status;
}
