/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-analysis-tables.h: makes the data frame of a timeline only once. Other threads that need it wait
 * until it is made.
 */
#include "loom-analysis-tables.h"

#include "loom-deferred-free.h"
#include "loom-progress-cancellable.h"

/* The tables of one timeline. The reference count is atomic, because the main thread and worker threads share the
 * tables. */
struct _LoomAnalysisTables {
  GMutex lock;
  LoomTimeline *timeline;
  LoomNumberConvention numbers;
  LoomDataFrame *frame; /* the data frame of the timeline; NULL until it is made */
  gint is_made;         /* TRUE when `frame` has been made; accessed atomically */
  LoomProgressCancellable *progress;
};

LoomNumberConvention
loom_analysis_tables_choose_numbers (LoomNumberConvention wanted, LoomRun *run)
{
  for (guint i = 0; wanted != LOOM_NUMBER_CONVENTION_INTENDED && i < loom_run_get_n_sources (run); i++)
    if (g_str_has_prefix (loom_run_get_source (run, i)->format, "smdebug"))
      return wanted;
  return LOOM_NUMBER_CONVENTION_INTENDED;
}

LoomAnalysisTables *
loom_analysis_tables_new (LoomTimeline *timeline, LoomNumberConvention numbers)
{
  LoomAnalysisTables *self = g_atomic_rc_box_new0 (LoomAnalysisTables);
  g_mutex_init (&self->lock);
  self->timeline = loom_timeline_ref (timeline);
  self->numbers = numbers;
  self->progress = loom_progress_cancellable_new ();
  return self;
}

LoomAnalysisTables *
loom_analysis_tables_ref (LoomAnalysisTables *self)
{
  return g_atomic_rc_box_acquire (self);
}

/* Frees the timeline and the data frame on another thread. It is often the main thread that releases the last
 * reference, and freeing large data would block it. */
static void
clear (gpointer data)
{
  LoomAnalysisTables *self = data;
  g_mutex_clear (&self->lock);
  loom_deferred_free ((GDestroyNotify) loom_timeline_unref, self->timeline);
  if (self->frame != NULL)
    loom_deferred_free ((GDestroyNotify) loom_data_frame_unref, self->frame);
  g_object_unref (self->progress);
}

void
loom_analysis_tables_unref (LoomAnalysisTables *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

LoomDataFrame *
loom_analysis_tables_get_frame (LoomAnalysisTables *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  if (self->frame == NULL)
    self->frame = loom_data_frame_new (self->timeline, self->numbers, G_CANCELLABLE (self->progress));
  g_atomic_int_set (&self->is_made, TRUE);
  return self->frame != NULL ? loom_data_frame_ref (self->frame) : NULL;
}

LoomTimeline *
loom_analysis_tables_get_timeline (LoomAnalysisTables *self)
{
  return self->timeline;
}

gboolean
loom_analysis_tables_are_made (LoomAnalysisTables *self)
{
  return g_atomic_int_get (&self->is_made);
}

GCancellable *
loom_analysis_tables_get_progress (LoomAnalysisTables *self)
{
  return G_CANCELLABLE (self->progress);
}
