/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-frame-collectives.h"

static gboolean
have_range (const LoomCollectives *collectives, LoomRange range)
{
  return collectives != NULL && collectives->range.begin_ns == range.begin_ns &&
         collectives->range.end_ns == range.end_ns;
}

static LoomRange
widen (LoomTimeline *timeline, LoomRange range)
{
  LoomRange all;
  gboolean holds_all =
    loom_timeline_get_extent (timeline, &all) && range.begin_ns <= all.begin_ns && range.end_ns > all.end_ns;
  return holds_all ? (LoomRange) { G_MININT64, G_MAXINT64 } : range;
}

LoomCollectives *
loom_frame_collectives_get (LoomDataFrame *frame, LoomRange range, GCancellable *cancellable)
{
  g_return_val_if_fail (frame != NULL, NULL);
  LoomDataFrame *base = frame->base != NULL ? frame->base : frame;
  range = widen (base->timeline, range);
  g_mutex_lock (&base->lock);
  if (!have_range (base->shared, range)) {
    g_clear_pointer (&base->shared, base->free_shared);
    base->shared = loom_collectives_new (base->timeline, &range, cancellable);
    base->free_shared = (GDestroyNotify) loom_collectives_unref;
  }
  LoomCollectives *collectives = base->shared != NULL ? loom_collectives_ref (base->shared) : NULL;
  g_mutex_unlock (&base->lock);
  return collectives;
}
