/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-meter.h"

#include <stdatomic.h>

struct _LoomMeter {
  GCancellable parent;
  LoomMeter *before; /* NULL: nothing */
  _Atomic guint64 total, done;
};

G_DEFINE_FINAL_TYPE (LoomMeter, loom_meter, G_TYPE_CANCELLABLE)

static void
dispose (GObject *object)
{
  g_clear_object (&LOOM_METER (object)->before);
  G_OBJECT_CLASS (loom_meter_parent_class)->dispose (object);
}

static void
loom_meter_class_init (LoomMeterClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
}

static void
loom_meter_init (LoomMeter *self)
{
}

LoomMeter *
loom_meter_new (void)
{
  return g_object_new (LOOM_TYPE_METER, NULL);
}

void
loom_meter_set_before (LoomMeter *self, LoomMeter *before)
{
  g_return_if_fail (LOOM_IS_METER (self) && LOOM_IS_METER (before) && self->before == NULL);
  self->before = g_object_ref (before);
}

void
loom_meter_add_total (GCancellable *meter, guint64 n)
{
  if (meter != NULL && LOOM_IS_METER (meter))
    atomic_fetch_add_explicit (&LOOM_METER (meter)->total, n, memory_order_relaxed);
}

void
loom_meter_add_done (GCancellable *meter, guint64 n)
{
  if (meter != NULL && LOOM_IS_METER (meter))
    atomic_fetch_add_explicit (&LOOM_METER (meter)->done, n, memory_order_relaxed);
}

double
loom_meter_get_fraction (GCancellable *meter)
{
  double total = 0, done = 0;
  LoomMeter *self = meter != NULL && LOOM_IS_METER (meter) ? LOOM_METER (meter) : NULL;
  for (; self != NULL; self = self->before) {
    total += (double) atomic_load_explicit (&self->total, memory_order_relaxed);
    done += (double) atomic_load_explicit (&self->done, memory_order_relaxed);
  }
  return total > 0 ? CLAMP (done / total, 0, 1) : -1;
}
