/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls a function for each of several independent items, on several threads at the same time. The interface is
 * described in loom-parallel.h.
 */
#include "loom-parallel.h"

#include <locale.h>
#include <stdatomic.h>

#define MOST_THREADS 64

typedef struct {
  LoomItemFunc func;
  gpointer user_data;
  LoomProgress *progress;
  guint n_items;
  _Atomic guint next_item;
  _Atomic guint next_worker;
  locale_t locale; /* locale of the calling thread; all threads use it, because items may make texts in it */
} Job;

guint
loom_parallel_resolve (guint n_threads)
{
  static gsize n_processors; /* cached, because reading it from files takes 0.07 ms, which is too long for each frame */
  if (g_once_init_enter (&n_processors))
    g_once_init_leave (&n_processors, g_get_num_processors ());
  return CLAMP (n_threads > 0 ? n_threads : (guint) n_processors, 1, MOST_THREADS);
}

static gpointer
work (gpointer data)
{
  Job *job = data;
  guint worker = atomic_fetch_add (&job->next_worker, 1);
  for (;;) {
    guint item = atomic_fetch_add (&job->next_item, 1);
    if (item >= job->n_items || loom_progress_is_cancelled (job->progress))
      return NULL;
    job->func (item, worker, job->user_data);
  }
}

static gpointer
work_in_locale (gpointer data)
{
  uselocale (((const Job *) data)->locale);
  return work (data);
}

gboolean
loom_parallel_for (guint n_items, guint n_threads, LoomItemFunc func, gpointer user_data, LoomProgress *progress)
{
  Job job = { func, user_data, progress, n_items, 0, 0, uselocale ((locale_t) 0) };
  GThread *threads[MOST_THREADS];
  guint n_extra = MIN (loom_parallel_resolve (n_threads), MAX (n_items, 1)) - 1;
  guint n_started = 0;
  while (n_started < n_extra) {
    GThread *thread = g_thread_try_new ("loom-parallel", work_in_locale, &job, NULL);
    if (thread == NULL)
      break;
    threads[n_started++] = thread;
  }
  work (&job);
  for (guint i = 0; i < n_started; i++)
    g_thread_join (threads[i]);
  return !loom_progress_is_cancelled (progress);
}
