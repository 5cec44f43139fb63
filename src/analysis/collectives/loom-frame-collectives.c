/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-frame-collectives.h"

#include "loom-cancellable-lock.h"

/* Results that are kept for all LoomDataFrames of a run. `whole`: the collectives of the whole run. `part`: the
 * collectives of the range that was requested last. NULL: not requested yet. */
typedef struct {
  LoomCollectives *whole, *part;
} Shared;

static void
free_shared (gpointer data)
{
  Shared *shared = data;
  g_clear_pointer (&shared->whole, loom_collectives_unref);
  g_clear_pointer (&shared->part, loom_collectives_unref);
  g_free (shared);
}

static LoomCollectives **
find_place (LoomDataFrame *base, LoomRange range)
{
  if (base->shared == NULL) {
    base->shared = g_new0 (Shared, 1);
    base->free_shared = free_shared;
  }
  Shared *shared = base->shared;
  return range.begin_ns == G_MININT64 && range.end_ns == G_MAXINT64 ? &shared->whole : &shared->part;
}

static gboolean
have_same_steps (const LoomCollectives *collectives, const LoomStepNumbers *numbers)
{
  const LoomStepNumbers *own = &collectives->step_numbers;
  if (!collectives->has_numbered_steps || numbers == NULL)
    return collectives->has_numbered_steps == (numbers != NULL);
  return own->first == numbers->first && own->end == numbers->end && g_strcmp0 (own->format, numbers->format) == 0;
}

static gboolean
have_range (const LoomCollectives *collectives, LoomRange range, const LoomStepNumbers *numbers)
{
  return collectives != NULL && collectives->range.begin_ns == range.begin_ns &&
         collectives->range.end_ns == range.end_ns && have_same_steps (collectives, numbers);
}

static LoomCollectives *
make (LoomTimeline *timeline, LoomRange range, const LoomStepNumbers *numbers, GCancellable *cancellable)
{
  LoomCollectives *made = loom_collectives_new (timeline, &range, cancellable);
  if (made == NULL || numbers == NULL)
    return made;
  made->has_numbered_steps = TRUE;
  made->step_numbers = *numbers;
  return made;
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
  const LoomStepNumbers *numbers =
    frame->has_numbered_steps && frame->range.begin_ns == range.begin_ns ? &frame->step_numbers : NULL;
  range = widen (base->timeline, range);
  if (!loom_cancellable_lock (&base->lock, cancellable))
    return NULL;
  LoomCollectives **place = find_place (base, range);
  if (place == &((Shared *) base->shared)->whole)
    numbers = NULL; /* needed only if steps end after the range, but no step ends after the whole run */
  if (!have_range (*place, range, numbers)) {
    g_clear_pointer (place, loom_collectives_unref);
    *place = make (base->timeline, range, numbers, cancellable);
  }
  LoomCollectives *collectives = *place != NULL ? loom_collectives_ref (*place) : NULL;
  g_mutex_unlock (&base->lock);
  return collectives;
}
