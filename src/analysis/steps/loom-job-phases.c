/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-job-phases.h"

typedef struct {
  gint32 first_step;   /* lowest number of a training step; G_MAXINT32: no training step has a number */
  gint64 begin_ns;     /* start of the earliest row of the training step with the number `first_step` */
  gint64 any_begin_ns; /* start of the earliest row of any training step, with or without a number */
  gint64 end_ns;
  gboolean any, any_train, is_loose;
} Loop;

/* Extends the training loop so that it contains a row with a step. If `as_written` is TRUE, numbers are computed as
 * smdebug does: the loop begins with training step 0 and ends with the last training step. If it is FALSE, the loop
 * begins with the training step that has the lowest number, and ends with the last step of any mode. */
static void
look_at_row (const LoomDataFrameRows *rows, guint32 i, gboolean as_written, Loop *loop)
{
  gboolean train = (rows->flags[i] & LOOM_ROW_TRAIN) != 0;
  if (train || !as_written) {
    loop->end_ns = loop->any ? MAX (loop->end_ns, rows->end_ns[i]) : rows->end_ns[i];
    loop->any = TRUE;
  }
  if (!train)
    return;
  loop->any_begin_ns = loop->any_train ? MIN (loop->any_begin_ns, rows->start_ns[i]) : rows->start_ns[i];
  loop->any_train = TRUE;
  if (rows->step[i] < 0 || rows->step[i] > loop->first_step || (as_written && rows->step[i] != 0))
    return;
  loop->begin_ns = rows->step[i] < loop->first_step ? rows->start_ns[i] : MIN (loop->begin_ns, rows->start_ns[i]);
  loop->first_step = rows->step[i];
}

static Loop
find_loop (const LoomDataFrame *frame, gboolean as_written, gboolean has_samples)
{
  const LoomDataFrameRows *rows = &frame->rows;
  Loop loop = { .first_step = G_MAXINT32 };
  for (guint32 i = 0; i < rows->n; i++) {
    if ((rows->flags[i] & LOOM_ROW_STEP) == 0)
      continue;
    if ((rows->flags[i] & LOOM_ROW_LOOSE) != 0 && has_samples && !as_written)
      loop.is_loose = TRUE;
    else
      look_at_row (rows, i, as_written, &loop);
  }
  if (loop.first_step == G_MAXINT32 && !as_written)
    loop.begin_ns = loop.any_begin_ns;
  return loop;
}

/* Finds the phases of the job in `frame`, which may contain the whole run or a part of it. `as_written`: see
 * look_at_row(). */
static LoomJobPhases
find_phases (const LoomDataFrame *frame, gboolean as_written)
{
  LoomJobPhases phases = { 0 };
  phases.has_samples = loom_data_frame_get_sample_extent (frame, &phases.job_begin_ns, &phases.job_end_ns);
  Loop loop = find_loop (frame, as_written, phases.has_samples);
  phases.has_loop = as_written ? loop.first_step == 0 : loop.any_train;
  phases.is_loose = !phases.has_loop && loop.is_loose;
  if (phases.has_loop) {
    phases.loop_begin_ns = loop.begin_ns;
    phases.loop_end_ns = loop.end_ns;
  }
  return phases;
}

/* Clips the training loop to the range. If the loop is completely before or after the range, replaces it by an instant
 * just before or just after the range, so that no sample in the range is in the loop. */
static void
cut_loop (LoomJobPhases *phases, LoomRange range)
{
  phases->is_loop_outside = phases->loop_end_ns < range.begin_ns || phases->loop_begin_ns > range.end_ns;
  if (phases->loop_end_ns < range.begin_ns) {
    phases->loop_begin_ns = phases->loop_end_ns = range.begin_ns - 1;
  } else if (phases->loop_begin_ns > range.end_ns) {
    phases->loop_begin_ns = phases->loop_end_ns = range.end_ns + 1;
  } else {
    phases->loop_begin_ns = MAX (phases->loop_begin_ns, range.begin_ns);
    phases->loop_end_ns = MIN (phases->loop_end_ns, range.end_ns);
  }
}

static void
cut (LoomJobPhases *phases, LoomRange range)
{
  phases->job_begin_ns = MAX (phases->job_begin_ns, range.begin_ns);
  phases->job_end_ns = MIN (phases->job_end_ns, range.end_ns);
  phases->has_samples = phases->has_samples && phases->job_begin_ns <= phases->job_end_ns;
  if (phases->has_loop)
    cut_loop (phases, range);
}

static void
measure (LoomJobPhases *phases)
{
  phases->training_loop_ns = loom_time_sub (phases->loop_end_ns, phases->loop_begin_ns);
  if (!phases->has_samples)
    return;
  gint64 before_end_ns =
    phases->is_loop_outside ? MIN (phases->loop_begin_ns, phases->job_end_ns) : phases->loop_begin_ns;
  gint64 after_begin_ns =
    phases->is_loop_outside ? MAX (phases->loop_end_ns, phases->job_begin_ns) : phases->loop_end_ns;
  phases->initialization_ns = MAX (0, before_end_ns - phases->job_begin_ns);
  phases->finalization_ns = MAX (0, phases->job_end_ns - after_begin_ns);
}

LoomJobPhases
loom_job_phases_compute (const LoomDataFrame *frame)
{
  gboolean as_written = frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG;
  LoomJobPhases phases = find_phases (as_written ? frame : loom_data_frame_get_whole (frame), as_written);
  if (!as_written)
    cut (&phases, frame->range);
  if (!phases.has_samples)
    phases.job_begin_ns = phases.job_end_ns = 0;
  if (phases.has_loop)
    measure (&phases);
  if (phases.has_loop && as_written)
    phases.initialization_ns = phases.loop_begin_ns - frame->origin_ns;
  return phases;
}

gboolean
loom_job_phases_in_loop (const LoomJobPhases *phases, LoomNumberConvention numbers, gint64 time_ns)
{
  if (!phases->has_loop)
    return FALSE;
  if (numbers == LOOM_NUMBER_CONVENTION_SMDEBUG)
    return time_ns > phases->loop_begin_ns && time_ns < phases->loop_end_ns;
  return time_ns >= phases->loop_begin_ns && time_ns <= phases->loop_end_ns;
}
