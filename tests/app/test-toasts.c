/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests toasts. A visible toast with the same key is changed instead of replaced. The program dismisses no toast. After
 * a toast has disappeared, a new toast is created for its key.
 */
#include "groups.h"
#include "loom-session-autosave.h"
#include "loom-settings.h"
#include "loom-toasts.h"

static guint n_dismissed;

static void
count (void)
{
  n_dismissed++;
}

static gboolean
has_left (gpointer owner)
{
  return loom_toasts_get_shown (owner, "one") == NULL;
}

static void
test_same_key (void)
{
  LoomWindow *window = fixture_window ();
  GtkWidget *overlay = adw_toast_overlay_new ();
  g_autoptr (GObject) owner = g_object_new (G_TYPE_OBJECT, NULL);
  gtk_window_set_child (GTK_WINDOW (gtk_window_new ()), overlay);
  gboolean fresh;
  n_dismissed = 0;
  AdwToast *one = loom_toasts_show (owner, "one", ADW_TOAST_OVERLAY (overlay),
                                    &(LoomToast) { "first", "_Undo", "win.undo", 5 }, &fresh);
  g_assert_true (fresh);
  g_signal_connect (one, "dismissed", G_CALLBACK (count), NULL);
  AdwToast *other =
    loom_toasts_show (owner, "other", ADW_TOAST_OVERLAY (overlay), &(LoomToast) { .title = "other" }, &fresh);
  g_assert_true (fresh && other != one);
  g_assert_true (loom_toasts_show (owner, "one", ADW_TOAST_OVERLAY (overlay),
                                   &(LoomToast) { "second", "_Undo", "win.undo", 5 }, &fresh) == one);
  g_assert_false (fresh);
  g_assert_cmpstr (adw_toast_get_title (one), ==, "second");
  loom_toasts_take_back (owner, "one", "taken back");
  g_assert_cmpstr (adw_toast_get_title (one), ==, "taken back");
  g_assert_null (adw_toast_get_button_label (one));
  g_assert_null (adw_toast_get_action_name (one));
  g_assert_cmpuint (n_dismissed, ==, 0);
  g_assert_nonnull (loom_toasts_get_shown (owner, "one"));
  loom_toasts_take_back (owner, "none", "nothing happens");
  gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (overlay)));
  fixture_close (window);
}

/* After a toast has timed out, its key finds no toast. */
static void
test_leaves (void)
{
  LoomWindow *window = fixture_window ();
  GtkWidget *overlay = adw_toast_overlay_new (), *place = gtk_window_new ();
  g_autoptr (GObject) owner = g_object_new (G_TYPE_OBJECT, NULL);
  gtk_window_set_child (GTK_WINDOW (place), overlay);
  gtk_window_present (GTK_WINDOW (place));
  loom_toasts_show (owner, "one", ADW_TOAST_OVERLAY (overlay), &(LoomToast) { .title = "first", .seconds = 1 }, NULL);
  g_assert_nonnull (loom_toasts_get_shown (owner, "one"));
  g_assert_true (fixture_wait (has_left, owner));
  gboolean fresh;
  loom_toasts_show (owner, "one", ADW_TOAST_OVERLAY (overlay), &(LoomToast) { .title = "again" }, &fresh);
  g_assert_true (fresh);
  gtk_window_destroy (GTK_WINDOW (place));
  fixture_close (window);
}

/* Restoring a run whose clocks were fitted earlier shows no toast about the clocks. */
static void
check_restored (const char *path)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, path);
  g_assert_null (loom_toasts_get_shown (G_OBJECT (loom_window_get_tab (window)), "fit"));
  fixture_close (window);
}

/* Fitting clocks and undoing it in quick succession keeps one toast, which describes the current state. */
static void
test_fit_and_back (void)
{
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, TRUE);
  loom_session_autosave_flush ();
  LoomWindow *window = fixture_window ();
  g_autofree char *path = g_build_filename (fixture_sample (), "llama-8b", NULL);
  fixture_open (window, path);
  GObject *tab = G_OBJECT (loom_window_get_tab (window));
  g_assert_nonnull (loom_toasts_get_shown (tab, "fit"));
  for (guint i = 0; i < 6; i++) {
    g_action_group_activate_action (G_ACTION_GROUP (window), "use-declared-clocks", NULL);
    fixture_spin (20);
    g_action_group_activate_action (G_ACTION_GROUP (window), "undo", NULL);
    fixture_spin (20);
  }
  g_assert_nonnull (loom_toasts_get_shown (tab, "fit"));
  fixture_close (window);
  loom_session_autosave_flush ();
  check_restored (path);
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, FALSE);
}

void
groups_add_toasts (void)
{
  g_test_add_func ("/app/toasts/same-key", test_same_key);
  g_test_add_func ("/app/toasts/leaves", test_leaves);
  g_test_add_func ("/app/toasts/fit-and-back", test_fit_and_back);
}
