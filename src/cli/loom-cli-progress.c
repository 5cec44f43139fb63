/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread that waits for signals and draws the progress bar. SIGINT and SIGTERM cancel the job, which then stops and
 * deletes its incomplete output.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "loom-archive-path.h"
#include "loom-cli.h"
#include "loom-ellipsize.h"

#define TICK_NS (100 * 1000 * 1000)
#define BAR_CELLS 30
#define LABEL_LETTERS 40
/* After this number of SIGINT or SIGTERM signals, the program exits immediately, because a job that is blocked in
 * the kernel does not check its cancellable. */
#define PATIENCE 3

struct _LoomCliWatch {
  pthread_t thread; /* a pthread, not a GThread, because signals cannot be sent to a GThread */
  gboolean has_thread;
  GMutex lock;
  LoomProgress *progress;
  /* LoomProgress *: progress objects of completed parts of the work; freed at the end, because worker threads may
   * still use them */
  GPtrArray *old;
  GCancellable *cancellable;
  gboolean show;
  gboolean drawn;
  gint stopped; /* accessed atomically; TRUE if the thread must end */
};

static void
clear_bar (LoomCliWatch *watch)
{
  if (watch->drawn)
    fputs ("\r\033[K", stderr);
  watch->drawn = FALSE;
}

static void
draw_bar (LoomCliWatch *watch)
{
  g_mutex_lock (&watch->lock);
  guint64 total = loom_progress_get_total (watch->progress),
          done = MIN (loom_progress_get_done (watch->progress), total);
  if (total > 0) {
    g_autofree char *label = loom_progress_dup_label (watch->progress);
    g_autofree char *valid = label != NULL ? loom_archive_path_dup_printable (label) : g_strdup ("");
    g_autofree char *shown = loom_ellipsize_head (valid, LABEL_LETTERS);
    guint cells = (guint) ((double) done / (double) total * BAR_CELLS);
    char bar[BAR_CELLS + 1];
    memset (bar, ' ', BAR_CELLS);
    memset (bar, '#', cells);
    bar[BAR_CELLS] = '\0';
    fprintf (stderr, "\r[%s] %3u%% %s\033[K", bar, (guint) ((double) done / (double) total * 100.0), shown);
    watch->drawn = TRUE;
  }
  g_mutex_unlock (&watch->lock);
}

static void
fill_signals (sigset_t *signals)
{
  sigemptyset (signals);
  sigaddset (signals, SIGINT);
  sigaddset (signals, SIGTERM);
}

static void *
run_watch (void *data)
{
  LoomCliWatch *watch = data;
  const struct timespec tick = { 0, TICK_NS };
  sigset_t signals;
  guint n_asked = 0;
  fill_signals (&signals);
  while (!g_atomic_int_get (&watch->stopped)) {
    int number = sigtimedwait (&signals, NULL, &tick);
    if (g_atomic_int_get (&watch->stopped))
      break;
    if (number > 0 && ++n_asked >= PATIENCE)
      _exit (LOOM_EXIT_STATUS_FAILED);
    if (number > 0)
      g_cancellable_cancel (watch->cancellable);
    else if (watch->show && number < 0 && errno == EAGAIN)
      draw_bar (watch);
  }
  return NULL;
}

LoomCliWatch *
loom_cli_watch_start (gboolean show_progress)
{
  LoomCliWatch *watch = g_new0 (LoomCliWatch, 1);
  sigset_t signals;
  fill_signals (&signals);
  pthread_sigmask (SIG_BLOCK, &signals, NULL);
  g_mutex_init (&watch->lock);
  watch->show = show_progress && isatty (STDERR_FILENO);
  watch->cancellable = g_cancellable_new ();
  watch->old = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_progress_unref);
  watch->progress = loom_progress_new (watch->cancellable);
  watch->has_thread = pthread_create (&watch->thread, NULL, run_watch, watch) == 0;
  /* if there is no thread that handles the signals, restore the default effect of the signals */
  if (!watch->has_thread)
    pthread_sigmask (SIG_UNBLOCK, &signals, NULL);
  return watch;
}

void
loom_cli_watch_stop (LoomCliWatch *watch)
{
  if (watch == NULL)
    return;
  g_atomic_int_set (&watch->stopped, TRUE);
  if (watch->has_thread) {
    pthread_kill (watch->thread, SIGTERM); /* wake up the thread, so that it ends at once and not at its next tick */
    pthread_join (watch->thread, NULL);
  }
  clear_bar (watch);
  loom_progress_unref (watch->progress);
  g_ptr_array_unref (watch->old);
  g_object_unref (watch->cancellable);
  g_mutex_clear (&watch->lock);
  g_free (watch);
}

LoomProgress *
loom_cli_watch_begin (LoomCliWatch *watch, const char *label)
{
  LoomProgress *fresh = loom_progress_new (watch->cancellable);
  loom_progress_set_label (fresh, label);
  g_mutex_lock (&watch->lock);
  g_ptr_array_add (watch->old, watch->progress);
  watch->progress = fresh;
  g_mutex_unlock (&watch->lock);
  return fresh;
}

void
loom_cli_watch_clear (LoomCliWatch *watch)
{
  g_mutex_lock (&watch->lock);
  g_ptr_array_add (watch->old, watch->progress);
  /* the new progress has no total, so no bar is drawn for it */
  watch->progress = loom_progress_new (watch->cancellable);
  clear_bar (watch);
  g_mutex_unlock (&watch->lock);
}
