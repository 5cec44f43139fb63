/* SPDX-License-Identifier: Apache-2.0
 *
 * A GCancellable that also measures progress. The interface is described in loom-progress-cancellable.h.
 */
#include "loom-progress-cancellable.h"

#include <stdatomic.h>

struct _LoomProgressCancellable {
  GCancellable parent;
  LoomProgressCancellable *before; /* progress of other work that is done first; NULL if there is no such work */
  _Atomic guint64 total, done;
};

G_DEFINE_FINAL_TYPE (LoomProgressCancellable, loom_progress_cancellable, G_TYPE_CANCELLABLE)

static void
dispose (GObject *object)
{
  g_clear_object (&LOOM_PROGRESS_CANCELLABLE (object)->before);
  G_OBJECT_CLASS (loom_progress_cancellable_parent_class)->dispose (object);
}

static void
loom_progress_cancellable_class_init (LoomProgressCancellableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
}

static void
loom_progress_cancellable_init (LoomProgressCancellable *self)
{
}

LoomProgressCancellable *
loom_progress_cancellable_new (void)
{
  return g_object_new (LOOM_TYPE_PROGRESS_CANCELLABLE, NULL);
}

void
loom_progress_cancellable_set_before (LoomProgressCancellable *self, LoomProgressCancellable *before)
{
  g_return_if_fail (LOOM_IS_PROGRESS_CANCELLABLE (self) && LOOM_IS_PROGRESS_CANCELLABLE (before) &&
                    self->before == NULL);
  self->before = g_object_ref (before);
}

void
loom_progress_cancellable_add_total (GCancellable *meter, guint64 n)
{
  if (meter != NULL && LOOM_IS_PROGRESS_CANCELLABLE (meter))
    atomic_fetch_add_explicit (&LOOM_PROGRESS_CANCELLABLE (meter)->total, n, memory_order_relaxed);
}

void
loom_progress_cancellable_add_done (GCancellable *meter, guint64 n)
{
  if (meter != NULL && LOOM_IS_PROGRESS_CANCELLABLE (meter))
    atomic_fetch_add_explicit (&LOOM_PROGRESS_CANCELLABLE (meter)->done, n, memory_order_relaxed);
}

double
loom_progress_cancellable_get_fraction (GCancellable *meter)
{
  double total = 0, done = 0;
  LoomProgressCancellable *self =
    meter != NULL && LOOM_IS_PROGRESS_CANCELLABLE (meter) ? LOOM_PROGRESS_CANCELLABLE (meter) : NULL;
  for (; self != NULL; self = self->before) {
    total += (double) atomic_load_explicit (&self->total, memory_order_relaxed);
    done += (double) atomic_load_explicit (&self->done, memory_order_relaxed);
  }
  return total > 0 ? CLAMP (done / total, 0, 1) : -1;
}
