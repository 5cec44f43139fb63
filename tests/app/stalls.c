/* SPDX-License-Identifier: Apache-2.0 */
#include "stalls.h"

#include <string.h>
#include <time.h>

#define MOST_TRIES 5
#define MOST_FIRSTS 32
#define N_TRIES 4
#define ABOUT_US 12000 /* main loop time to open an About window on the machine for which LIMIT_US was chosen */
#define NOTICED_US 250000
#define QUIET_US 40000
#define QUIET_LIMIT_US G_USEC_PER_SEC /* maximum wait for an idle window; a widget may redraw for ever */

static LoomWindow *window;
static gint64 limit_us = LIMIT_US;

LoomWindow *
stalls_window (void)
{
  return window;
}

void
stalls_renew (void)
{
  fixture_close (window);
  window = fixture_window ();
}

static gint64
process_cpu_us (void)
{
  struct timespec now;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

/* Returns TRUE if the main loop has nothing to do for QUIET_US. */
static gboolean
is_quiet (void)
{
  for (gint64 end_us = g_get_monotonic_time () + QUIET_US; g_get_monotonic_time () < end_us; g_usleep (1000))
    if (g_main_context_iteration (NULL, FALSE))
      return FALSE;
  return TRUE;
}

void
stalls_settle (void)
{
  gint64 end_us = g_get_monotonic_time () + QUIET_LIMIT_US, cpu_us;
  do
    cpu_us = process_cpu_us ();
  while ((!is_quiet () || process_cpu_us () - cpu_us > QUIET_US / 2) && g_get_monotonic_time () < end_us);
}

void
stalls_load (gconstpointer data)
{
  stalls_renew ();
  stalls_settle ();
  loom_main_loop_watchdog_reset ();
  fixture_open (window, fixture_sample ());
  stalls_settle ();
}

void
stalls_close_others (void)
{
  g_autoptr (GList) all = gtk_window_list_toplevels ();
  for (GList *l = all; l != NULL; l = l->next)
    if (l->data != (gpointer) window && gtk_widget_get_visible (l->data))
      gtk_window_close (l->data);
  stalls_settle ();
}

/* --- scrolling --- */

typedef struct {
  GtkAdjustment *adjustment;
  double value;
  gboolean done;
} Scroll;

static void
laid_out (GdkFrameClock *clock, Scroll *scroll)
{
  if (!scroll->done)
    gtk_adjustment_set_value (scroll->adjustment, scroll->value);
  scroll->done = TRUE;
}

static gboolean
has_scrolled (gpointer scroll)
{
  return ((Scroll *) scroll)->done;
}

void
stalls_scroll_to (GtkAdjustment *adjustment, double value)
{
  Scroll scroll = { adjustment, value, FALSE };
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  gulong id = g_signal_connect (clock, "after-paint", G_CALLBACK (laid_out), &scroll);
  gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_PAINT);
  g_assert_true (fixture_wait (has_scrolled, &scroll));
  g_signal_handler_disconnect (clock, id);
  fixture_spin (100);
}

/* --- speed of the machine --- */

gint64
stalls_least_us (StallsPlay play, gconstpointer data, gint64 enough_us)
{
  gint64 least_us = G_MAXINT64;
  for (guint i = 0; i < N_TRIES && least_us > enough_us; i++) {
    loom_main_loop_watchdog_reset ();
    play (data);
    least_us = MIN (least_us, loom_main_loop_watchdog_get_longest_handler_us ());
    stalls_close_others ();
  }
  return least_us;
}

static int
compare_us (gconstpointer a, gconstpointer b)
{
  return *(const gint64 *) a < *(const gint64 *) b ? -1 : *(const gint64 *) a > *(const gint64 *) b;
}

gint64
stalls_middle_us (StallsPlay play, gconstpointer data)
{
  gint64 each_us[N_TRIES + 1];
  for (guint i = 0; i < G_N_ELEMENTS (each_us); i++) {
    loom_main_loop_watchdog_reset ();
    play (data);
    each_us[i] = loom_main_loop_watchdog_get_longest_handler_us ();
    stalls_close_others ();
  }
  qsort (each_us, G_N_ELEMENTS (each_us), sizeof *each_us, compare_us);
  return each_us[G_N_ELEMENTS (each_us) / 2];
}

static void
show_about (gconstpointer data)
{
  gtk_window_present (GTK_WINDOW (adw_about_window_new ()));
  stalls_settle ();
}

/* The same work takes main loop iterations of very different lengths, even on one machine: on one virtual machine, the
 * same build once took 8 ms and once 57 ms to jump through the rows of a table. So only the benchmark uses LIMIT_US;
 * tests use a limit that users would notice. */
static void
measure_machine (void)
{
  if (g_getenv ("LOOM_STALLS_STRICT") == NULL) {
    limit_us = NOTICED_US;
    return;
  }
  gint64 about_us = stalls_least_us (show_about, NULL, 0);
  limit_us = MAX (LIMIT_US, LIMIT_US * about_us / ABOUT_US);
  g_test_message ("an empty window About: %.1f ms in handlers, so the limit is %.1f ms", (double) about_us / 1000,
                  (double) limit_us / 1000);
}

gint64
stalls_limit_us (void)
{
  return limit_us;
}

gint64
stalls_first_limit_us (void)
{
  return 2 * limit_us;
}

/* --- checking --- */

/* Resolves an address in this program, such as "program(+0x1234) [0x…]", with addr2line; lines of libraries already
 * contain names. */
char *
stalls_dup_named (const char *line)
{
  const char *from = strstr (line, "(+0x"), *to = from != NULL ? strchr (from, ')') : NULL;
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL), *out = NULL;
  g_autofree char *base = program != NULL ? g_path_get_basename (program) : NULL;
  if (to == NULL || base == NULL || g_strstr_len (line, from - line, base) == NULL)
    return g_strdup (line);
  g_autofree char *offset = g_strndup (from + 2, (gsize) (to - from - 2));
  const char *argv[] = { "addr2line", "-f", "-p", "-s", "-e", program, offset, NULL };
  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out,
                     NULL, NULL, NULL))
    return g_strdup (line);
  return g_strdup (g_strstrip (out));
}

/* Prints the functions that were running in the slowest iteration of the main loop. Names are
 * resolved only for failures, because resolving starts a process for each line. */
static void
tell (char *worst)
{
  g_auto (GStrv) lines = g_strsplit (g_strstrip (worst), "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    g_autofree char *named = stalls_dup_named (lines[i]);
    g_test_message ("  %s", named);
  }
}

void
stalls_check (const char *what, StallsPlay play, gconstpointer data)
{
  gint64 longest_us = G_MAXINT64;
  g_autofree char *worst = NULL;
  for (guint i = 0; i < MOST_TRIES && longest_us > limit_us; i++) {
    g_free (worst);
    loom_main_loop_watchdog_reset ();
    play (data);
    longest_us = loom_main_loop_watchdog_get_longest_handler_us ();
    g_test_message ("%s: at most %.1f ms in handlers", what, (double) longest_us / 1000);
    worst = loom_main_loop_watchdog_dup_worst ();
    stalls_close_others ();
  }
  if (longest_us <= limit_us)
    return;
  tell (worst);
  g_test_fail_printf ("%s: %.1f ms of computing in one turn, more than %.1f ms", what, (double) longest_us / 1000,
                      (double) limit_us / 1000);
}

typedef struct {
  const char *const *names;
  guint n;
  void (*play) (gconstpointer name);
  /* for each name, the longest time that a handler took; the minimum over all windows so far */
  gint64 least_us[MOST_FIRSTS];
  char *worst[MOST_FIRSTS]; /* for each name, the functions that ran during the time in least_us */
} Firsts;

/* Shows each name in a new window. Returns TRUE if for each name, the handlers took less than the
 * limit in this window or in an earlier one. */
static gboolean
play_firsts (Firsts *firsts)
{
  gboolean good = TRUE;
  stalls_load (NULL);
  for (guint i = 0; i < firsts->n; i++) {
    loom_main_loop_watchdog_reset ();
    firsts->play (firsts->names[i]);
    gint64 longest_us = loom_main_loop_watchdog_get_longest_handler_us ();
    g_test_message ("%s, for the first time: %.1f ms in handlers, %.1f ms in all", firsts->names[i],
                    (double) longest_us / 1000, (double) loom_main_loop_watchdog_get_longest_cpu_us () / 1000);
    if (longest_us < firsts->least_us[i]) {
      firsts->least_us[i] = longest_us;
      g_free (firsts->worst[i]);
      firsts->worst[i] = loom_main_loop_watchdog_dup_worst ();
    }
    stalls_close_others ();
    good = good && firsts->least_us[i] <= stalls_first_limit_us ();
  }
  return good;
}

/* Each attempt uses a new window, because a widget is built only at the first time. */
void
stalls_check_firsts (const char *const *names, guint n, void (*play) (gconstpointer name))
{
  Firsts firsts = { .names = names, .n = n, .play = play };
  g_assert_cmpuint (n, <=, MOST_FIRSTS);
  for (guint i = 0; i < n; i++)
    firsts.least_us[i] = G_MAXINT64;
  for (guint i = 0; i < MOST_TRIES; i++)
    if (play_firsts (&firsts))
      break;
  for (guint i = 0; i < n; i++) {
    if (firsts.least_us[i] > stalls_first_limit_us ()) {
      tell (firsts.worst[i]);
      g_test_fail_printf ("%s, for the first time: %.1f ms of computing in one turn, more than %.1f ms", names[i],
                          (double) firsts.least_us[i] / 1000, (double) stalls_first_limit_us () / 1000);
    }
    g_free (firsts.worst[i]);
  }
}

void
stalls_init (int *argc, char ***argv)
{
  g_setenv ("LOOM_WATCH_STALLS", G_STRINGIFY (LIMIT_MS), TRUE);
  fixture_init (argc, argv);
  loom_main_loop_watchdog_watch ();
  window = fixture_window ();
  measure_machine ();
}

int
stalls_run (void)
{
  int result = fixture_run ();
  fixture_close (window);
  return result;
}
