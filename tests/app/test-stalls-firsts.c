/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that the main loop is not blocked for long when a page, window or dialog is shown for the first time. GTK
 * builds some dialogs in one piece; for these, only the time in excess of an empty dialog counts.
 */
#include "groups.h"
#include "stalls.h"

#include <string.h>

#define STYLES_US 30000 /* time that GTK needs for the styles of the shortcuts window */

/* Stops fading scroll bars and blinking carets, because they draw frames for ever, and then the main loop never becomes
 * idle. */
static void
stop_animations (void)
{
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, "gtk-cursor-blink", FALSE, NULL);
}

static void
show (gconstpointer page)
{
  loom_run_state_set_page (loom_window_get_run_state (stalls_window ()), page);
  stalls_settle ();
}

static const char *const pages[] = { "selection", "events",      "findings", "overview",   "utilization",
                                     "steps",     "bottlenecks", "balance",  "stragglers", "loading",
                                     "work",      "operators",   "clocks" };
/* Shows the page again, and then another page. */
static void
show_again (gconstpointer page)
{
  show (page);
  show (g_str_equal (page, "selection") ? "findings" : "selection");
}

static void
test_pages (void)
{
  stop_animations ();
  stalls_check_firsts (pages, G_N_ELEMENTS (pages), show);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    stalls_check (pages[i], show_again, pages[i]);
}

/* --- dialogs --------------------------------------------------------------------------------------------------------- */

/* Returns TRUE for actions that open no window or dialog. */
static gboolean
is_within (const char *action)
{
  return g_str_equal (action, "win.search") || g_str_equal (action, "win.new-tab");
}

static gboolean
has_other (gpointer data)
{
  g_autoptr (GList) all = gtk_window_list_toplevels ();
  for (GList *l = all; l != NULL; l = l->next)
    if (l->data != (gpointer) stalls_window () && gtk_widget_get_mapped (l->data))
      return TRUE;
  return FALSE;
}

static void
ask (gconstpointer action)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;
  g_assert_true (g_action_parse_detailed_name (action, &name, &target, NULL));
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (stalls_window ()), name, target));
  g_assert_true (is_within (action) || fixture_wait (has_other, NULL));
  stalls_settle ();
}

static void
test_dialogs (void)
{
  static const char *const dialogs[] = {
    "app.preferences",    "app.help",       "win.command-palette", "win.search",   "win.open-location",
    "win.export",         "win.edit-rules", "win.edit-config",     "win.problems", "win.profile-range((@x 0, @x 0))",
    "win.source-pattern", "win.new-tab"
  };
  stop_animations ();
  stalls_check_firsts (dialogs, G_N_ELEMENTS (dialogs), ask);
}

/* Opens the second run in a new tab and compares it with the first run. */
static void
compare (gconstpointer data)
{
  ask ("win.new-tab");
  loom_main_loop_watchdog_reset ();
  fixture_open (stalls_window (), fixture_sample ());
  stalls_settle ();
  ask ("win.compare");
}

static void
test_compare (void)
{
  static const char *const names[] = { "a second tab and win.compare" };
  stop_animations ();
  stalls_check_firsts (names, G_N_ELEMENTS (names), compare);
}

/* --- dialogs built by GTK --- */

static GtkWidget *
new_chooser (void)
{
  return gtk_file_chooser_dialog_new ("", GTK_WINDOW (stalls_window ()), GTK_FILE_CHOOSER_ACTION_SAVE, "Save",
                                      GTK_RESPONSE_ACCEPT, NULL);
}

static void
show_bare (gconstpointer make)
{
  gtk_window_present (GTK_WINDOW ((*(GtkWidget * (*const *) (void) ) make) ()));
  stalls_settle ();
}

static void
check_theirs (const char *action, gint64 bare_us)
{
  gint64 ours_us = stalls_least_us (ask, action, bare_us + stalls_first_limit_us ());
  g_test_message ("%s: %.1f ms in handlers, with nothing in it %.1f ms", action, (double) ours_us / 1000,
                  (double) bare_us / 1000);
  if (ours_us - bare_us > stalls_first_limit_us ())
    g_test_fail_printf ("%s computes %.1f ms more in one turn than with nothing in it", action,
                        (double) (ours_us - bare_us) / 1000);
}

static void
test_theirs (void)
{
  static const struct {
    GtkWidget *(*make) (void);
    const char *actions[6];
  } theirs[] = { { adw_about_window_new, { "app.about" } },
                 { new_chooser,
                   { "win.open-folder", "win.save-report", "win.save-events", "win.save-picture",
                     "win.save-session-as" } } };
  stop_animations ();
  stalls_load (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (theirs); i++) {
    gint64 bare_us = stalls_middle_us (show_bare, &theirs[i].make);
    for (const char *const *action = theirs[i].actions; *action != NULL; action++)
      check_theirs (*action, bare_us);
  }
}

static void
show_overlay (gconstpointer data)
{
  stalls_load (NULL);
  loom_main_loop_watchdog_reset ();
  ask ("win.show-help-overlay");
}

/* Before GTK shows a window, it computes the styles of all its widgets. The shortcuts window has about a hundred lines
 * of six widgets, and contains them twice because it is searchable. Therefore the limit applies only to the code that
 * builds the window. */
static void
test_overlay (void)
{
  stop_animations ();
  gint64 most_us = STYLES_US * stalls_limit_us () / LIMIT_US,
         least_us = stalls_least_us (show_overlay, NULL, most_us - 1);
  g_test_message ("the overlay of keys: %.1f ms in handlers", (double) least_us / 1000);
  g_assert_cmpint (least_us, <, most_us);
}

void
groups_add_stalls_firsts (void)
{
  g_test_add_func ("/app/stalls-firsts/pages", test_pages);
  g_test_add_func ("/app/stalls-firsts/dialogs", test_dialogs);
  g_test_add_func ("/app/stalls-firsts/compare", test_compare);
  g_test_add_func ("/app/stalls-firsts/theirs", test_theirs);
  g_test_add_func ("/app/stalls-firsts/overlay", test_overlay);
}
