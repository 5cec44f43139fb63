/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests a window during loading: it shows sources that are ready, the main loop keeps running, and the process keeps
 * its priority.
 */
#include "groups.h"

#include "loom-main-loop-watchdog.h"
#include "loom-progress-bar.h"

#include <string.h>

#define N_FILES 600
#define N_EVENTS 500 /* number of events in each file */

/* Number of attempts: a busy machine may delay the moment when the first source is ready, but hardly in every
 * attempt. */
#define MOST_TRIES 6

/* Minimum number of iterations of the main loop during the load. If the main loop waited for the load, it would iterate
 * only once or twice. */
#define LEAST_TURNS 10

/* Maximum CPU time of the main thread during the load; long, because sanitizers make the thread about ten times
 * slower. */
#define MOST_COMPUTING_US (1500 * G_GINT64_CONSTANT (1000))

typedef struct {
  LoomWindow *window;
  guint n_turns;
  guint n_changes;    /* number of changes of the timeline during the load */
  guint n_first;      /* number of sources that the window shows at first */
  gboolean was_early; /* TRUE if the window showed the first sources before all sources were loaded */
  gboolean drawn;     /* TRUE if a frame was drawn before the end of the load */
} Load;

/* Returns the first widget of a type in the widget. */
static GtkWidget *
find_inside (GtkWidget *widget, GType type)
{
  GtkWidget *found = g_type_is_a (G_OBJECT_TYPE (widget), type) ? widget : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_inside (child, type);
  return found;
}

static char *
many_files (void)
{
  char *folder = fixture_folder ();
  for (guint i = 0; i < N_FILES; i++) {
    g_autoptr (GString) text = g_string_new ("[");
    for (guint k = 0; k < N_EVENTS; k++)
      g_string_append_printf (text, "%s{\"ph\":\"X\",\"name\":\"f%u\",\"pid\":%u,\"tid\":1,\"ts\":%u,\"dur\":5}",
                              k > 0 ? "," : "", k % 7, i, k * 10);
    g_string_append_c (text, ']');
    g_autofree char *name = g_strdup_printf ("rank-%03u.json", i);
    g_free (fixture_file (folder, name, text->str));
  }
  return folder;
}

static void
timeline_changed (LoomDocument *document, Load *load)
{
  if (loom_document_get_timeline (document) == NULL)
    return;
  load->n_changes++;
  if (load->n_first > 0)
    return;
  load->n_first = loom_run_get_n_sources (loom_document_get_run (document));
  load->was_early = loom_document_is_loading (document) && load->n_first < N_FILES;
}

static void
painted (GdkFrameClock *clock, Load *load)
{
  GtkWidget *timeline = GTK_WIDGET (loom_run_page_get_timeline_view (loom_window_get_run_view (load->window)));
  if (loom_document_is_loading (loom_window_get_document (load->window)) && gtk_widget_get_mapped (timeline))
    load->drawn = TRUE;
}

static gboolean
has_loaded (gpointer data)
{
  Load *load = data;
  load->n_turns++;
  return !loom_document_is_loading (loom_window_get_document (load->window));
}

static Load
watch_load (LoomWindow *window, const char *folder)
{
  Load load = { .window = window };
  const char *paths[] = { folder, NULL };
  LoomDocument *document = loom_window_get_document (window);
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  gulong changed_id = g_signal_connect (document, "timeline-changed", G_CALLBACK (timeline_changed), &load);
  gulong painted_id = g_signal_connect (clock, "after-paint", G_CALLBACK (painted), &load);
  loom_main_loop_watchdog_reset ();
  loom_window_open_paths (window, paths, FALSE);
  g_assert_true (fixture_wait (has_loaded, &load));
  g_signal_handler_disconnect (document, changed_id);
  g_signal_handler_disconnect (clock, painted_id);
  return load;
}

/* A source is shown as soon as it is ready, the timeline does not change once for each source, and the main loop keeps
 * running. */
static void
test_first_is_early (void)
{
  LoomWindow *window = fixture_window ();
  g_autofree char *folder = many_files ();
  gboolean early = FALSE;
  guint n_turns = 0;
  g_assert_true (loom_main_loop_watchdog_are_watched ());
  for (guint i = 0; i < MOST_TRIES && (!early || n_turns < LEAST_TURNS); i++) {
    Load load = watch_load (window, folder);
    early |= load.was_early && load.drawn;
    n_turns = MAX (n_turns, load.n_turns);
    g_test_message ("shown first: %u of %u sources; %u changes; %u turns, longest %.1f ms, most computing %.1f ms",
                    load.n_first, N_FILES, load.n_changes, load.n_turns,
                    (double) loom_main_loop_watchdog_get_longest_us () / 1000,
                    (double) loom_main_loop_watchdog_get_longest_cpu_us () / 1000);
    g_assert_cmpuint (loom_run_get_n_sources (loom_document_get_run (loom_window_get_document (window))), ==, N_FILES);
    g_assert_cmpuint (load.n_changes, <, N_FILES / 4);
    g_assert_cmpint (loom_document_get_ready_time (loom_window_get_document (window)), >, 0);
    g_assert_cmpint (loom_main_loop_watchdog_get_longest_cpu_us (), <, MOST_COMPUTING_US);
  }
  g_assert_true (early);
  g_assert_cmpuint (n_turns, >=, LEAST_TURNS);
  fixture_close (window);
}

typedef struct {
  GtkListView *list;
  guint n_least, n_steps, n_seen;
} Lines;

static gboolean
has_lines (gpointer data)
{
  Lines *lines = data;
  GListModel *model = G_LIST_MODEL (gtk_list_view_get_model (lines->list));
  guint n = model != NULL ? g_list_model_get_n_items (model) : 0;
  lines->n_steps += n != lines->n_seen;
  lines->n_seen = n;
  return n >= lines->n_least;
}

static gboolean
has_few_lines (gpointer list)
{
  GListModel *model = G_LIST_MODEL (gtk_list_view_get_model (list));
  return model != NULL && g_list_model_get_n_items (model) > 0 && g_list_model_get_n_items (model) < 100;
}

/* The source list is filled in several steps, completely. */
static void
test_lines (void)
{
  LoomWindow *window = fixture_window ();
  g_autofree char *folder = many_files ();
  GtkWidget *panel = fixture_sources (window);
  Lines lines = { GTK_LIST_VIEW (find_inside (panel, GTK_TYPE_LIST_VIEW)), N_FILES, 0, 0 };
  const char *paths[] = { folder, NULL };
  loom_window_open_paths (window, paths, FALSE);
  g_assert_true (fixture_wait (has_lines, &lines));
  fixture_wait_loaded (window);
  fixture_spin (300);
  has_lines (&lines);
  g_assert_cmpuint (lines.n_seen, ==, N_FILES);
  g_assert_cmpuint (lines.n_steps, >, 2);
  loom_window_open_paths (window, paths, FALSE); /* a second load begins while the source list is still being filled:
                                                  * lines of the first load disappear */
  fixture_spin (60);
  fixture_open (window, fixture_sample ());
  g_assert_true (fixture_wait (has_few_lines, lines.list));
  fixture_spin (300); /* lines of the first load must not be added later */
  g_assert_true (has_few_lines (lines.list));
  fixture_close (window);
}

/* A run appears without a fade, which would draw the timeline twice for each frame. */
static void
test_no_fade (void)
{
  LoomWindow *window = fixture_window ();
  GtkStack *pages = NULL;
  for (GtkWidget *widget = GTK_WIDGET (loom_window_get_run_view (window)); pages == NULL;
       widget = gtk_widget_get_parent (widget))
    pages = GTK_IS_STACK (widget) ? GTK_STACK (widget) : NULL;
  fixture_spin (300);
  const char *paths[] = { fixture_sample (), NULL };
  loom_window_open_paths (window, paths, FALSE);
  while (!g_str_equal (loom_tab_get_page (loom_window_get_tab (window)), "run"))
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (gtk_stack_get_transition_running (pages));
  fixture_wait_loaded (window);
  fixture_close (window);
}

static gboolean
is_revealed (gpointer revealer)
{
  return gtk_revealer_get_reveal_child (revealer);
}

/* The progress bar appears only after a delay, because its appearance moves all widgets below it down. */
static void
test_bar_waits (void)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *bar = g_object_new (LOOM_TYPE_PROGRESS_BAR, NULL);
  GtkWidget *revealer = find_inside (bar, GTK_TYPE_REVEALER);
  g_autoptr (LoomProgress) progress = loom_progress_new (NULL);
  gtk_window_set_child (GTK_WINDOW (window), bar);
  for (guint i = 0; i < 2; i++) {
    loom_progress_bar_follow (LOOM_PROGRESS_BAR (bar), progress, LOOM_PROGRESS_KIND_READING);
    g_assert_false (is_revealed (revealer));
    g_assert_true (fixture_wait (is_revealed, revealer));
    loom_progress_bar_follow (LOOM_PROGRESS_BAR (bar), NULL, LOOM_PROGRESS_KIND_READING);
    g_assert_false (is_revealed (revealer));
  }
  gtk_window_destroy (GTK_WINDOW (window));
}

typedef struct {
  GtkWidget *window;
  const char *title;
} Telling;

static GtkWidget *
find_page (GtkWidget *widget, const char *title)
{
  gboolean is_it = ADW_IS_STATUS_PAGE (widget) && gtk_widget_get_mapped (widget) &&
                   g_strcmp0 (adw_status_page_get_title (ADW_STATUS_PAGE (widget)), title) == 0;
  GtkWidget *found = is_it ? widget : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_page (child, title);
  return found;
}

static gboolean
is_told (gpointer data)
{
  Telling *telling = data;
  return find_page (telling->window, telling->title) != NULL;
}

/* Asserts the title and the text of the page that is shown instead of a run when `path` cannot be shown. */
static void
check_nothing (const char *path, const char *title, const char *what)
{
  LoomWindow *window = fixture_window ();
  Telling telling = { GTK_WIDGET (window), title };
  fixture_open (window, path);
  g_assert_true (fixture_wait (is_told, &telling));
  g_assert_nonnull (
    strstr (adw_status_page_get_description (ADW_STATUS_PAGE (find_page (telling.window, title))), what));
  fixture_close (window);
}

/* If nothing can be shown, a page says what is wrong and what to do. Files recorded hours apart are shown, with a
 * message above them. */
static void
test_messages (void)
{
  check_nothing ("/nonexistent/nowhere.json", "“nowhere.json” Not Found", "open it from its new location");
  g_autofree char *folder = fixture_folder ();
  for (guint i = 0; i < 2; i++) {
    g_autofree char *name = g_strdup_printf ("%u.pt.trace.json", i),
                    *text = g_strdup_printf (
                      "{\"schemaVersion\":1,\"baseTimeNanoseconds\":%u000000000,\"traceEvents\":["
                      "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":5,\"dur\":9,\"name\":\"op\"}]}",
                      1700000000 + i * 13 * 3600 + 60 * i);
    g_free (fixture_file (folder, name, text));
  }
  LoomWindow *window = fixture_window ();
  fixture_open (window, folder);
  const char *message = loom_tab_get_load_error (loom_window_get_tab (window));
  g_assert_true (message != NULL && strstr (message, "13 hours") != NULL);
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  g_setenv ("LOOM_WATCH_STALLS", "60000", TRUE);
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/loading/first-is-early", test_first_is_early);
  g_test_add_func ("/app/loading/lines", test_lines);
  g_test_add_func ("/app/loading/no-fade", test_no_fade);
  g_test_add_func ("/app/loading/bar-waits", test_bar_waits);
  g_test_add_func ("/app/loading/messages", test_messages);
  groups_add_location ();
  return fixture_run ();
}
