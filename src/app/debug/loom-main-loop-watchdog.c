/* SPDX-License-Identifier: Apache-2.0
 *
 * Detects long iterations of the main loop. An iteration is measured from the return of one poll() to the next call of
 * poll(); during this time the program does not react. A timer measures the CPU time of the main thread. When the main
 * thread has used much CPU time in an iteration, the timer sends signals, and the signal handler records backtraces.
 */
#include "loom-main-loop-watchdog.h"

#include <execinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_LIMIT_MS 50
#define MAX_FRAMES 64
#define SIGNAL (SIGRTMIN + 3)

typedef struct {
  void *frames[MAX_FRAMES];
  int n; /* number of stack frames; 0 if there is no backtrace */
} Backtrace;

static GPollFunc real_poll;
static gint64 limit_us, woke_us, woke_cpu_us, longest_us, longest_cpu_us;
static const char *note;

static timer_t timer;
static gboolean has_timer;
static guint n_drawing; /* number of nested calls of begin_drawing() that end_drawing() has not ended yet */
/* `drawing_cpu_us`: CPU time of the main thread when the current drawing began. `drawn_us`: CPU time of all drawing
 * in this iteration of the main loop. */
static gint64 drawing_cpu_us, drawn_us;
static gint64 longest_handler_us;
static volatile guint n_signals; /* number of signals that the timer sent in this iteration of the main loop */
/* The two latest backtraces of this iteration of the main loop. Only signals 1, 2, 4, 8, … record a backtrace. */
static Backtrace earlier, later;
static Backtrace worst; /* the backtrace of the iteration of the main loop with the longest handlers */

/* Returns the CPU time of the main thread so far, in µs. It excludes time in which the thread waited for the
 * processor. */
static gint64
cpu_time_us (void)
{
  struct timespec now;
  if (clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now) != 0)
    return 0;
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

/* --- backtraces --------------------------------------------------------------------------------------------------- */

static gboolean
is_power_of_two (guint n)
{
  return n > 0 && (n & (n - 1)) == 0;
}

static void
catch_frames (int number)
{
  if (!is_power_of_two (++n_signals))
    return;
  earlier = later;
  later.n = backtrace (later.frames, MAX_FRAMES);
}

/* Returns a backtrace from the middle of the iteration of the main loop, not that of the last signal. The last signal
 * often arrives after the slow handler has ended: on a busy machine, after handlers that computed for 60 ms, 3 % of the
 * backtraces of last signals did not contain the handler. */
static const Backtrace *
get_backtrace (void)
{
  return n_signals > 1 && is_power_of_two (n_signals) ? &earlier : &later;
}

/* Clears the backtraces of the ended iteration of the main loop. */
static void
clear_backtraces (void)
{
  n_signals = 0;
  earlier.n = later.n = 0;
}

static void
arm (gint64 left_us)
{
  /* The timer sends the first signal after half of `left_us`, and then one every ms. So at least one signal arrives
   * before `left_us` has passed, although the operating system checks CPU timers only every few ms. */
  gint64 first_us = (left_us + 1) / 2;
  struct itimerspec when = { .it_value = { first_us / G_USEC_PER_SEC, first_us % G_USEC_PER_SEC * 1000 },
                             .it_interval = { 0, 1000000 } };
  if (has_timer)
    timer_settime (timer, 0, &when, NULL);
}

static void
make_timer (void)
{
  struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGNAL };
  struct sigaction action = { .sa_handler = catch_frames, .sa_flags = SA_RESTART };
  event._sigev_un._tid = (pid_t) syscall (SYS_gettid);
  /* backtrace() is called here because its first call loads a library, which a signal handler must not do */
  backtrace (later.frames, MAX_FRAMES);
  sigaction (SIGNAL, &action, NULL);
  has_timer = timer_create (CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0;
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

static void
begin_drawing (void)
{
  if (n_drawing++ > 0)
    return;
  drawing_cpu_us = cpu_time_us ();
  arm (0);
}

static void
end_drawing (void)
{
  gint64 now_us = cpu_time_us ();
  if (n_drawing == 0 || --n_drawing > 0)
    return;
  drawn_us += now_us - drawing_cpu_us;
  arm (MAX (limit_us - (now_us - woke_cpu_us - drawn_us), 1));
}

static gboolean
size_asked (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer user_data)
{
  GdkSurface *surface = g_value_get_object (&values[0]);
  if (g_object_get_data (G_OBJECT (surface), "loom-stalls") != NULL)
    begin_drawing ();
  return TRUE;
}

/* Called when any widget is realized. If the widget is a window, the CPU time for drawing this window no longer counts
 * as time of handlers. */
static gboolean
widget_realized (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer user_data)
{
  GtkWidget *widget = g_value_get_object (&values[0]);
  if (GTK_IS_WINDOW (widget))
    loom_main_loop_watchdog_leave_out_drawing (gtk_native_get_surface (GTK_NATIVE (widget)));
  return TRUE;
}

void
loom_main_loop_watchdog_leave_out_drawing (GdkSurface *surface)
{
  static gulong hook;
  GdkFrameClock *clock = gdk_surface_get_frame_clock (surface);
  if (real_poll == NULL || !GDK_IS_TOPLEVEL (surface) || g_object_get_data (G_OBJECT (surface), "loom-stalls") != NULL)
    return;
  g_object_set_data (G_OBJECT (surface), "loom-stalls", clock);
  g_signal_connect_after (clock, "before-paint", G_CALLBACK (begin_drawing), NULL);
  /* GTK runs tick callbacks during "update". They are code of this program, so their time counts as time of
   * handlers: the measurement of drawing ends before they run and begins again afterwards. */
  g_signal_connect (clock, "update", G_CALLBACK (end_drawing), NULL);
  g_signal_connect_after (clock, "update", G_CALLBACK (begin_drawing), NULL);
  g_signal_connect (clock, "after-paint", G_CALLBACK (end_drawing), NULL);
  if (hook == 0) {
    g_signal_add_emission_hook (g_signal_lookup ("realize", GTK_TYPE_WIDGET), 0, widget_realized, NULL, NULL);
    /* On X11, GTK computes the layout of a window in an idle callback, outside the phases of the frame clock.
     * "compute-size" is the only signal that GTK emits before it, so the measurement of drawing starts there. */
    hook = g_signal_add_emission_hook (g_signal_lookup ("compute-size", GDK_TYPE_TOPLEVEL), 0, size_asked, NULL, NULL);
  }
  g_signal_connect_after (surface, "compute-size", G_CALLBACK (end_drawing), NULL);
}

static void
look_at_handlers (gint64 cpu_us)
{
  if (cpu_us <= longest_handler_us)
    return;
  longest_handler_us = cpu_us;
  worst = *get_backtrace ();
}

static void
print_frames (void)
{
  const Backtrace *caught = get_backtrace ();
  char **lines = caught->n > 0 ? backtrace_symbols (caught->frames, caught->n) : NULL;
  for (int i = 0; lines != NULL && i < caught->n; i++)
    g_printerr ("stall:   %s\n", lines[i]);
  free (lines);
}

static void
look_at_turn (void)
{
  gint64 busy_us = g_get_monotonic_time () - woke_us, cpu_us = cpu_time_us () - woke_cpu_us;
  longest_us = MAX (longest_us, busy_us);
  longest_cpu_us = MAX (longest_cpu_us, cpu_us);
  look_at_handlers (cpu_us - drawn_us);
  if (busy_us <= limit_us)
    return;
  g_printerr ("stall: %.1f ms in one turn of the main loop, %.1f ms of them computing%s%s\n", busy_us / 1000.0,
              cpu_us / 1000.0, note != NULL ? ", last: " : "", note != NULL ? note : "");
  print_frames ();
}

static int
watching_poll (GPollFD *fds, guint n_fds, int timeout_ms)
{
  arm (0);
  if (woke_us != 0)
    look_at_turn ();
  note = NULL;
  int result = real_poll (fds, n_fds, timeout_ms);
  woke_us = g_get_monotonic_time ();
  woke_cpu_us = cpu_time_us ();
  drawn_us = n_drawing = 0;
  clear_backtraces ();
  arm (limit_us);
  return result;
}

void
loom_main_loop_watchdog_watch (void)
{
  const char *wish = g_getenv ("LOOM_WATCH_STALLS");
  if (wish == NULL || real_poll != NULL)
    return;
  int ms = (int) CLAMP (g_ascii_strtoll (wish, NULL, 10), 0, 60000);
  limit_us = (ms > 0 ? ms : DEFAULT_LIMIT_MS) * G_GINT64_CONSTANT (1000);
  make_timer ();
  real_poll = g_main_context_get_poll_func (NULL);
  g_main_context_set_poll_func (NULL, watching_poll);
}

gboolean
loom_main_loop_watchdog_are_watched (void)
{
  return real_poll != NULL;
}

void
loom_main_loop_watchdog_reset (void)
{
  longest_us = longest_cpu_us = longest_handler_us = 0;
  woke_us = g_get_monotonic_time ();
  woke_cpu_us = cpu_time_us ();
  drawn_us = n_drawing = worst.n = 0;
  clear_backtraces ();
  arm (limit_us);
}

void
loom_main_loop_watchdog_note (const char *what)
{
  note = what;
}

gint64
loom_main_loop_watchdog_get_longest_us (void)
{
  return longest_us;
}

gint64
loom_main_loop_watchdog_get_longest_cpu_us (void)
{
  return longest_cpu_us;
}

gint64
loom_main_loop_watchdog_get_longest_handler_us (void)
{
  return longest_handler_us;
}

char *
loom_main_loop_watchdog_dup_worst (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char **lines = worst.n > 0 ? backtrace_symbols (worst.frames, worst.n) : NULL;
  for (int i = 0; lines != NULL && i < worst.n; i++)
    g_string_append_printf (text, "%s\n", lines[i]);
  free (lines);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
