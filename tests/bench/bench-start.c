/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures the start of a program by the damage events of the X screen: the time until a large area is first painted,
 * and the time of the last painting before a pause. Then ends the program. Prints one line of JSON, in seconds since
 * the start.
 *
 * Usage: bench-start [--rest=SECONDS] PROGRAM [ARGUMENT…]
 */
#include <X11/extensions/Xdamage.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LARGE_PX (300 * 200) /* minimum area in px² of a painting that counts; smaller ones are spinners and carets */
#define REST_S 1.5
#define LIMIT_US 30000000

typedef struct {
  gint64 begin_us, first_us, last_us, rest_us;
  guint n_paintings;
} Seen;

static void
take_events (Display *display, int damage_event, Seen *seen)
{
  while (XPending (display) > 0) {
    XEvent event;
    XNextEvent (display, &event);
    const XDamageNotifyEvent *damage = (const XDamageNotifyEvent *) &event;
    if (event.type != damage_event || damage->area.width * damage->area.height < LARGE_PX)
      continue;
    seen->last_us = g_get_monotonic_time ();
    if (seen->n_paintings++ == 0)
      seen->first_us = seen->last_us;
  }
}

static void
watch (Display *display, int damage_event, Seen *seen)
{
  struct pollfd fd = { ConnectionNumber (display), POLLIN, 0 };
  for (gint64 now_us = seen->begin_us;; now_us = g_get_monotonic_time ()) {
    take_events (display, damage_event, seen);
    if (now_us - seen->begin_us > LIMIT_US || (seen->n_paintings > 0 && now_us - seen->last_us > seen->rest_us))
      return;
    poll (&fd, 1, 20);
  }
}

/* Removes the option --rest from the arguments and returns its value. */
static double
take_rest (int *argc, char ***argv)
{
  static const char option[] = "--rest=";
  if (*argc < 2 || !g_str_has_prefix ((*argv)[1], option))
    return REST_S;
  (*argc)--;
  (*argv)++;
  return g_ascii_strtod ((*argv)[0] + strlen (option), NULL);
}

int
main (int argc, char **argv)
{
  int damage_base, error_base;
  double rest_s = take_rest (&argc, &argv);
  Display *display = XOpenDisplay (NULL);
  if (argc < 2 || display == NULL || !XDamageQueryExtension (display, &damage_base, &error_base)) {
    fputs ("Needs a program, and an X display with the damage extension\n", stderr);
    return 1;
  }
  XDamageCreate (display, DefaultRootWindow (display), XDamageReportRawRectangles);
  XSync (display, True);

  Seen seen = { .begin_us = g_get_monotonic_time (), .rest_us = (gint64) (rest_s * G_USEC_PER_SEC) };
  pid_t child = fork ();
  if (child == 0) {
    execv (argv[1], argv + 1);
    _exit (127);
  }
  watch (display, damage_base + XDamageNotify, &seen);
  gboolean alive = waitpid (child, NULL, WNOHANG) == 0;
  kill (child, SIGTERM);
  if (alive)
    waitpid (child, NULL, 0);
  if (!alive || seen.n_paintings == 0) {
    fputs (alive ? "No window appeared\n" : "The program ended\n", stderr);
    return 1;
  }
  printf ("{\"first\": %.4f, \"shown\": %.4f, \"paintings\": %u}\n", (double) (seen.first_us - seen.begin_us) / 1e6,
          (double) (seen.last_us - seen.begin_us) / 1e6, seen.n_paintings);
  return 0;
}
