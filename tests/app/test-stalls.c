/* SPDX-License-Identifier: Apache-2.0
 *
 * No handler of events, timers or idles keeps the main loop for long while the sample run is looked at. What counts is the
 * processor time of the main thread in one turn of its loop, so that a busy machine changes nothing; laying out and drawing a frame is left
 * out, which is GTK's work and, with the software renderer of the tests, slower than on a screen. So is the opening of a window;
 * how long that takes of the dialogs is only told.
 */
#include "fixture.h"

#include "loom-stalls.h"

#include <string.h>

#define LIMIT_US (LIMIT_MS * 1000)
#define LIMIT_MS 8
#define MOST_TRIES 5

static LoomWindow *window;

/* Names of the program's own functions; others have theirs. "program(+0x1234) [0x…]" */
static char *
dup_named (const char *line)
{
  const char *from = strstr (line, "(+0x"), *to = from != NULL ? strchr (from, ')') : NULL;
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL), *out = NULL;
  g_autofree char *base = program != NULL ? g_path_get_basename (program) : NULL;
  if (to == NULL || base == NULL || g_strstr_len (line, from - line, base) == NULL)
    return g_strdup (line);
  g_autofree char *offset = g_strndup (from + 2, (gsize) (to - from - 2));
  const char *argv[] = { "addr2line", "-f", "-p", "-s", "-e", program, offset, NULL };
  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out, NULL, NULL, NULL))
    return g_strdup (line);
  return g_strdup (g_strstrip (out));
}

/* Names are looked up by a program of their own, one by one: only of what failed. */
static void
tell (char *worst)
{
  g_auto (GStrv) lines = g_strsplit (g_strstrip (worst), "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    g_autofree char *named = dup_named (lines[i]);
    g_test_message ("  %s", named);
  }
}

/* What is slow is slow each time; what the processor was slow at only once. */
static void
check (const char *what, void (*play) (gconstpointer data), gconstpointer data)
{
  gint64 longest_us = G_MAXINT64;
  g_autofree char *worst = NULL;
  for (guint i = 0; i < MOST_TRIES && longest_us > LIMIT_US; i++) {
    g_free (worst);
    loom_stalls_reset ();
    play (data);
    longest_us = loom_stalls_get_longest_handler_us ();
    g_test_message ("%s: at most %.1f ms in handlers", what, (double) longest_us / 1000);
    worst = loom_stalls_dup_worst ();
  }
  if (longest_us <= LIMIT_US)
    return;
  tell (worst);
  g_test_fail_printf ("%s: %.1f ms of computing in one turn, more than %d ms", what, (double) longest_us / 1000, LIMIT_MS);
}

static void
press (guint keyval, guint keycode)
{
  fixture_press (window, keyval, keycode, 0);
  fixture_spin (150);
  fixture_release (window, keyval, keycode, 0);
  fixture_spin (150);
}

static void
load (gconstpointer data)
{
  fixture_close (window);
  window = fixture_window ();
  fixture_spin (300);
  loom_stalls_reset ();
  fixture_open (window, fixture_sample ());
  fixture_spin (500);
}

static void
test_loading (void)
{
  check ("loading", load, NULL);
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
test_flying (void)
{
  check ("flying", fly, NULL);
}

static void
select_and_drop (gconstpointer data)
{
  fixture_type (window, GDK_KEY_Right, 0, 0);
  fixture_spin (150);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.select-all", NULL);
  fixture_spin (300);
  loom_view_state_select_nothing (fixture_state (window));
  fixture_spin (150);
}

static void
test_selecting (void)
{
  check ("selecting", select_and_drop, NULL);
}

static void
search (gconstpointer data)
{
  gtk_widget_activate_action (GTK_WIDGET (window), "win.search", NULL);
  for (const char *letter = "gemm"; *letter != '\0'; letter++) {
    fixture_type (window, (guint) *letter, 0, 0);
    fixture_spin (50);
  }
  fixture_type (window, GDK_KEY_Escape, 9, 0);
  fixture_spin (100);
}

static void
test_searching (void)
{
  check ("searching", search, NULL);
}

/* --- what is made when it is seen for the first time ------------------------------------------------------------------ */

static void
show (gconstpointer page)
{
  gtk_stack_set_visible_child_name (loom_panels_get_stack (loom_run_view_get_panels (loom_window_get_run_view (window))), page);
  fixture_spin (300);
}

/* Whatever stands beside the window is closed again. */
static void
close_others (void)
{
  g_autoptr (GList) all = gtk_window_list_toplevels ();
  for (GList *l = all; l != NULL; l = l->next)
    if (l->data != (gpointer) window && gtk_widget_get_visible (l->data))
      gtk_window_close (l->data);
  fixture_spin (50);
}

static void
ask (gconstpointer action)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;
  g_assert_true (g_action_parse_detailed_name (action, &name, &target, NULL));
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (window), name, target));
  fixture_spin (300);
}

static const char *const pages[] = { "selection", "events", "findings", "overview", "utilization", "steps", "bottlenecks", "balance",
                                     "stragglers", "loading", "work", "clocks" };
static const char *const dialogs[] = { "app.preferences", "app.help", "win.command-palette",
                                       "win.search", "win.open-location", "win.export", "win.edit-rules", "win.edit-config",
                                       "win.problems", "win.profile-range((@x 0, @x 0))", "win.source-pattern" };

typedef struct {
  const char *const *names;
  guint n;
  void (*play) (gconstpointer name);
  gint64 least_us[G_N_ELEMENTS (pages)]; /* by name: of all windows so far */
  char *worst[G_N_ELEMENTS (pages)];     /* who it was there */
} Firsts;

/* TRUE when all of them kept below the limit in this window or one before. */
static gboolean
play_firsts (Firsts *firsts)
{
  gboolean good = TRUE;
  load (NULL);
  for (guint i = 0; i < firsts->n; i++) {
    loom_stalls_reset ();
    firsts->play (firsts->names[i]);
    gint64 longest_us = loom_stalls_get_longest_handler_us ();
    g_test_message ("%s, for the first time: %.1f ms in handlers, %.1f ms in all", firsts->names[i], (double) longest_us / 1000,
                    (double) loom_stalls_get_longest_cpu_us () / 1000);
    if (longest_us < firsts->least_us[i]) {
      firsts->least_us[i] = longest_us;
      g_free (firsts->worst[i]);
      firsts->worst[i] = loom_stalls_dup_worst ();
    }
    close_others ();
    good = good && firsts->least_us[i] <= LIMIT_US;
  }
  return good;
}

/* In a window of its own each time: what was made stays. */
static void
check_firsts (const char *const *names, guint n, void (*play) (gconstpointer name))
{
  Firsts firsts = { .names = names, .n = n, .play = play };
  for (guint i = 0; i < n; i++)
    firsts.least_us[i] = G_MAXINT64;
  for (guint i = 0; i < MOST_TRIES; i++)
    if (play_firsts (&firsts))
      break;
  for (guint i = 0; i < n; i++) {
    if (firsts.least_us[i] > LIMIT_US) {
      tell (firsts.worst[i]);
      g_test_fail_printf ("%s, for the first time: %.1f ms of computing in one turn, more than %d ms", names[i],
                          (double) firsts.least_us[i] / 1000, LIMIT_MS);
    }
    g_free (firsts.worst[i]);
  }
}

/* From another one, and back there. */
static void
show_again (gconstpointer page)
{
  show (page);
  show (g_str_equal (page, "selection") ? "findings" : "selection");
}

static void
test_pages (void)
{
  check_firsts (pages, G_N_ELEMENTS (pages), show);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    check (pages[i], show_again, pages[i]);
}

/* GTK makes a window whole, or not at all: what that takes is told. */
static void
test_dialogs (void)
{
  load (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (dialogs); i++) {
    loom_stalls_reset ();
    ask (dialogs[i]);
    g_test_message ("%s, for the first time: %.1f ms in handlers", dialogs[i], (double) loom_stalls_get_longest_handler_us () / 1000);
    close_others ();
  }
}

/* --- a table of very many rows --------------------------------------------------------------------------------------- */

#define N_EVENTS 200000 /* a view does not know how many more there are */
#define N_STRIDES 12

static char *
new_events (void)
{
  g_autoptr (GString) text = g_string_new ("[\n");
  g_autofree char *folder = fixture_folder ();
  for (guint i = 0; i < N_EVENTS; i++)
    g_string_append_printf (text, "{\"ph\":\"X\",\"name\":\"gemm %u\",\"ts\":%u,\"dur\":1,\"pid\":1,\"tid\":%u}%s\n", i % 7, 1000 + 2 * i, i % 8,
                            i + 1 < N_EVENTS ? "," : "]");
  return fixture_file (folder, "many.json", text->str);
}

static GtkAdjustment *
events_adjustment (void)
{
  GtkWidget *view = GTK_WIDGET (loom_events_panel_get_view (loom_panels_get_events (loom_run_view_get_panels (loom_window_get_run_view (window)))));
  return gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (gtk_widget_get_ancestor (view, GTK_TYPE_SCROLLED_WINDOW)));
}

static void
scroll_to (double value)
{
  gtk_adjustment_set_value (events_adjustment (), value);
  fixture_spin (100);
}

/* Some rows at a time, as the wheel does. */
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

/* The scroll bar from one end to the other, and back at once. */
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

static void
test_rows (void)
{
  g_autofree char *given = g_strdup (g_getenv ("LOOM_TEST_EVENTS")), *path = given != NULL ? g_steal_pointer (&given) : new_events ();
  fixture_close (window);
  window = fixture_window ();
  fixture_open (window, path);
  show ("events");
  scroll_to (44); /* somebody turned to them: all of them come */
  g_assert_true (fixture_wait (all_came, NULL));
  check ("rows, by the wheel", roll, NULL);
  check ("rows, by pages", page, NULL);
  check ("rows, by the scroll bar", drag, NULL);
}

/* So that a test which sees nothing is seen: work of ours in the main loop is found, and named. */
static gboolean
dawdle (gpointer user_data)
{
  g_autoptr (GTimer) timer = g_timer_new ();
  volatile guint n = 0;
  gint64 until_us = g_get_monotonic_time () + 60000;
  while (g_get_monotonic_time () < until_us)
    n++;
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

static gboolean
is_set (gpointer flag)
{
  return *(gboolean *) flag;
}

static void
test_seen (void)
{
  gboolean done = FALSE;
  loom_stalls_reset ();
  g_idle_add (dawdle, &done);
  g_assert_true (fixture_wait (is_set, &done));
  fixture_spin (50);
  g_assert_cmpint (loom_stalls_get_longest_handler_us (), >, LIMIT_US);
  g_autofree char *worst = loom_stalls_dup_worst ();
  g_auto (GStrv) lines = g_strsplit (worst, "\n", -1);
  gboolean found = FALSE;
  for (guint i = 0; lines[i] != NULL && !found; i++) {
    g_autofree char *named = dup_named (lines[i]);
    found = strstr (named, "dawdle") != NULL;
  }
  g_assert_true (found);
}

int
main (int argc, char **argv)
{
  g_setenv ("LOOM_WATCH_STALLS", G_STRINGIFY (LIMIT_MS), TRUE);
  fixture_init (&argc, &argv);
  loom_stalls_watch ();
  window = fixture_window ();
  g_test_add_func ("/app/stalls/loading", test_loading);
  g_test_add_func ("/app/stalls/flying", test_flying);
  g_test_add_func ("/app/stalls/selecting", test_selecting);
  g_test_add_func ("/app/stalls/searching", test_searching);
  g_test_add_func ("/app/stalls/pages", test_pages);
  g_test_add_func ("/app/stalls/dialogs", test_dialogs);
  g_test_add_func ("/app/stalls/rows", test_rows);
  g_test_add_func ("/app/stalls/seen", test_seen);
  int result = fixture_run ();
  fixture_close (window);
  return result;
}
