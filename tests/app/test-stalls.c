/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that the main loop is not blocked for long by any handler of events, timers or idle callbacks while the sample
 * run is being used.
 */
#include "groups.h"
#include "stalls.h"

#include <string.h>

static void
press (guint keyval, guint keycode)
{
  fixture_press (stalls_window (), keyval, keycode, 0);
  fixture_spin (150);
  fixture_release (stalls_window (), keyval, keycode, 0);
  fixture_spin (150);
}

static void
test_loading (void)
{
  stalls_check ("loading", stalls_load, NULL);
}

static void
fly (gconstpointer data)
{
  press (GDK_KEY_w, 25);
  press (GDK_KEY_d, 40);
  press (GDK_KEY_a, 38);
  press (GDK_KEY_s, 39);
}

static void
select_and_drop (gconstpointer data)
{
  fixture_type (stalls_window (), GDK_KEY_Right, 0, 0);
  fixture_spin (150);
  gtk_widget_activate_action (GTK_WIDGET (stalls_window ()), "win.select-all", NULL);
  fixture_spin (300);
  loom_timeline_state_select_nothing (fixture_state (stalls_window ()));
  fixture_spin (150);
}

static void
search (gconstpointer data)
{
  gtk_widget_activate_action (GTK_WIDGET (stalls_window ()), "win.search", NULL);
  for (const char *letter = "gemm"; *letter != '\0'; letter++) {
    fixture_type (stalls_window (), (guint) *letter, 0, 0);
    fixture_spin (50);
  }
  fixture_type (stalls_window (), GDK_KEY_Escape, 9, 0);
  fixture_spin (100);
}

static void
test_timeline (void)
{
  stalls_check ("flying", fly, NULL);
  stalls_check ("selecting", select_and_drop, NULL);
  stalls_check ("searching", search, NULL);
}

/* --- a table with very many rows --- */

/* Number of events; a list view creates widgets only for visible rows, so more events would not change the result. */
#define N_EVENTS 200000
#define N_STRIDES 12

static char *
new_events (void)
{
  g_autoptr (GString) text = g_string_new ("[\n");
  g_autofree char *folder = fixture_folder ();
  for (guint i = 0; i < N_EVENTS; i++)
    g_string_append_printf (text, "{\"ph\":\"X\",\"name\":\"gemm %u\",\"ts\":%u,\"dur\":1,\"pid\":1,\"tid\":%u}%s\n",
                            i % 7, 1000 + 2 * i, i % 8, i + 1 < N_EVENTS ? "," : "]");
  return fixture_file (folder, "many.json", text->str);
}

static GtkAdjustment *
events_adjustment (void)
{
  GtkWidget *view = GTK_WIDGET (GTK_COLUMN_VIEW (gtk_widget_get_template_child (
    GTK_WIDGET (loom_run_views_get_events (loom_run_page_get_panels (loom_window_get_run_view (stalls_window ())))),
    LOOM_TYPE_RECORD_TABLE, "view")));
  return gtk_scrolled_window_get_vadjustment (
    GTK_SCROLLED_WINDOW (gtk_widget_get_ancestor (view, GTK_TYPE_SCROLLED_WINDOW)));
}

static void
scroll_to (double value)
{
  stalls_scroll_to (events_adjustment (), value);
}

/* Scrolls the table by a few rows at a time, like a wheel. */
static void
roll (gconstpointer data)
{
  for (guint i = 0; i < N_STRIDES; i++)
    scroll_to (gtk_adjustment_get_value (events_adjustment ()) + 66);
}

static void
page (gconstpointer data)
{
  for (guint i = 0; i < N_STRIDES; i++)
    scroll_to (gtk_adjustment_get_value (events_adjustment ()) + gtk_adjustment_get_page_size (events_adjustment ()));
}

/* Moves the scroll bar of the table from the top to the bottom and back. */
static void
drag (gconstpointer data)
{
  for (guint i = 0; i <= N_STRIDES; i++)
    scroll_to (gtk_adjustment_get_upper (events_adjustment ()) * i / N_STRIDES);
  scroll_to (0);
}

static gboolean
all_came (gpointer data)
{
  return gtk_adjustment_get_upper (events_adjustment ()) > 10 * N_EVENTS;
}

static gboolean
first_came (gpointer data)
{
  return gtk_adjustment_get_upper (events_adjustment ()) > gtk_adjustment_get_page_size (events_adjustment ()) + 66;
}

static void
test_rows (void)
{
  g_autofree char *given = g_strdup (g_getenv ("LOOM_TEST_EVENTS")),
                  *path = given != NULL ? g_steal_pointer (&given) : new_events ();
  stalls_renew ();
  fixture_open (stalls_window (), path);
  loom_run_state_set_page (loom_window_get_run_state (stalls_window ()), "events");
  g_assert_true (fixture_wait (first_came, NULL));
  scroll_to (44); /* scrolling makes the table load all rows */
  g_assert_true (fixture_wait (all_came, NULL));
  g_test_message ("%.0f pixels of rows", gtk_adjustment_get_upper (events_adjustment ()));
  stalls_check ("rows, by the wheel", roll, NULL);
  stalls_check ("rows, by pages", page, NULL);
  stalls_check ("rows, by the scroll bar", drag, NULL);
}

int
main (int argc, char **argv)
{
  stalls_init (&argc, &argv);
  g_test_add_func ("/app/stalls/loading", test_loading);
  g_test_add_func ("/app/stalls/timeline", test_timeline);
  g_test_add_func ("/app/stalls/rows", test_rows);
  groups_add_stalls_query ();
  groups_add_stalls_firsts ();
  return stalls_run ();
}
