/* SPDX-License-Identifier: Apache-2.0
 *
 * The progress of a long job: a total amount, a completed amount, and a label. The interface is described in
 * loom-progress.h.
 */
#include "loom-progress.h"

#include <stdatomic.h>

struct _LoomProgress {
  gatomicrefcount refs;
  GCancellable *cancellable;
  _Atomic guint64 total;
  _Atomic guint64 done;
  GMutex lock;
  char *label;
};

LoomProgress *
loom_progress_new (GCancellable *cancellable)
{
  LoomProgress *progress = g_new0 (LoomProgress, 1);
  g_atomic_ref_count_init (&progress->refs);
  g_set_object (&progress->cancellable, cancellable);
  g_mutex_init (&progress->lock);
  return progress;
}

LoomProgress *
loom_progress_ref (LoomProgress *progress)
{
  if (progress != NULL)
    g_atomic_ref_count_inc (&progress->refs);
  return progress;
}

void
loom_progress_unref (LoomProgress *progress)
{
  if (progress == NULL || !g_atomic_ref_count_dec (&progress->refs))
    return;
  g_clear_object (&progress->cancellable);
  g_mutex_clear (&progress->lock);
  g_free (progress->label);
  g_free (progress);
}

GCancellable *
loom_progress_get_cancellable (LoomProgress *progress)
{
  return progress != NULL ? progress->cancellable : NULL;
}

gboolean
loom_progress_is_cancelled (LoomProgress *progress)
{
  return progress != NULL && g_cancellable_is_cancelled (progress->cancellable);
}

void
loom_progress_add_total (LoomProgress *progress, guint64 n)
{
  if (progress != NULL)
    atomic_fetch_add_explicit (&progress->total, n, memory_order_relaxed);
}

void
loom_progress_add_done (LoomProgress *progress, guint64 n)
{
  if (progress != NULL)
    atomic_fetch_add_explicit (&progress->done, n, memory_order_relaxed);
}

guint64
loom_progress_get_total (LoomProgress *progress)
{
  return progress != NULL ? atomic_load_explicit (&progress->total, memory_order_relaxed) : 0;
}

guint64
loom_progress_get_done (LoomProgress *progress)
{
  return progress != NULL ? atomic_load_explicit (&progress->done, memory_order_relaxed) : 0;
}

void
loom_progress_set_label (LoomProgress *progress, const char *label)
{
  if (progress == NULL)
    return;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&progress->lock);
  g_free (progress->label);
  progress->label = g_strdup (label);
}

char *
loom_progress_dup_label (LoomProgress *progress)
{
  if (progress == NULL)
    return NULL;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&progress->lock);
  return g_strdup (progress->label);
}
