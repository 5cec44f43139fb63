/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of a run, from all of its sources: smdebug `Step:ModeKeys.*` spans, kineto `ProfilerStep#n`, Composer
 * `event/batch`, the `Steps` track of TensorFlow and JAX. A batch that Composer did not record, and that no
 * ProfilerStep covers, is inferred from Composer's callbacks. Immutable, ref-counted atomically, any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"

typedef enum {
  LOOM_STEP_TRAIN,
  LOOM_STEP_EVAL,
  LOOM_STEP_PREDICT,
  LOOM_STEP_GLOBAL, /* mode that smdebug states if the script set no mode */
} LoomStepMode;

/* Returns the untranslated name of a mode, such as "train". */
const char *loom_step_mode_to_string (LoomStepMode mode);

typedef struct {
  gint64 number;   /* −1 if not stated */
  gint64 begin_ns; /* on the timeline */
  gint64 end_ns;
  const char *node; /* borrowed from the run; NULL if unknown */
  gint rank;        /* −1 if unknown */
  LoomStepMode mode;
  const char *format; /* format of the source, static: "smdebug", "kineto", … */
  LoomSpanId span;
  /* Several ranks may take a step of the run together. `run_step` is the index of the step of the run to which this
   * rank's step belongs; it is less than LoomSteps.n. The steps of the run are sorted by their earliest start on any
   * rank. `run_step` is LOOM_NO_RUN_STEP if the step has no number.
   *
   * The steps of two ranks are joined to one step of the run if they have equal numbers, were recorded in the same
   * format, and are either both training steps or both steps of other modes. Numbers repeat if a job resumes, or if
   * each epoch or profiler counts from 0. Steps with the same number are then joined in order of time: the first step
   * of each rank, the second step of each rank, and so on. If rank A has fewer steps with this number than rank B, each
   * step of A is joined with the step of B that it overlaps most. */
  guint32 run_step;
} LoomStep;

#define LOOM_NO_RUN_STEP G_MAXUINT32

/* Returns TRUE for a training step, and for a step for which the script set no mode. */
gboolean loom_steps_is_training (const LoomStep *step);

typedef struct _LoomSteps {
  const LoomStep *all; /* sorted by start, then rank, then number */
  /* The steps that the time ruler above the timeline shows, sorted by start. They are recorded in the main format,
   * which is the format with most steps. They are steps of the lowest rank that has steps in this format: its training
   * steps or, if it has none, its steps of other modes. */
  const LoomStep *reference;
  guint n, n_reference;
  guint n_ranks; /* number of ranks (over all nodes) that have steps */
  /* The members below are private. */
  gatomicrefcount refs;
  LoomTimeline *timeline;
  GArray *all_steps, *all_reference; /* LoomStep: the arrays that contain the elements of `all` and `reference` */
  GArray *by_line;                   /* LoomStep: all steps, grouped by the elements of `lines`, then sorted by start */
  GArray *lines;                     /* Line: each element is the steps of one rank, format and mode; sorted by rank */
  /* the LoomSteps from which loom_steps_select() made this one; NULL if loom_steps_select() did not make it, so that it
   * has all steps of the run */
  struct _LoomSteps *whole;
} LoomSteps;

/* Finds all steps of the run. If a format states the number of a step in the args of the span, the args are read (a
 * few hundred bytes for each step); the number is −1 if they cannot be read. O(names + steps · log steps). Returns
 * NULL only when cancelled. */
LoomSteps *loom_steps_new (LoomTimeline *timeline, GCancellable *cancellable);
LoomSteps *loom_steps_ref (LoomSteps *steps);
void loom_steps_unref (LoomSteps *steps);

/* Returns the last step in steps->reference that begins at or before the instant; NULL if the instant is before the
 * first step. O(log n). */
const LoomStep *loom_steps_at (const LoomSteps *steps, gint64 time_ns);

/* Returns all steps, sorted by rank (unknown ranks first), then by node (unknown nodes first), then grouped by format and
 * by the kind of mode, then sorted by start. Borrowed from `steps`. `n`: is set to their number. */
const LoomStep *loom_steps_get_by_rank (const LoomSteps *steps, guint *n);

/* Finds the step of a rank at an instant. A rank may have steps of several formats and modes at the same time. Prefers
 * a step that contains the instant; if there is none, takes the last step before the instant. Of several such steps,
 * prefers one of `format` (may be NULL), then one of the main format (the format with most steps), then a training
 * step. If the node is NULL, in the query or in a step, it matches every node. Returns FALSE if the rank has no steps.
 * Otherwise returns TRUE, and sets `step`; sets it to NULL if the instant is before the first step of the rank. O(ranks
 * + log n). */
gboolean loom_steps_at_rank (const LoomSteps *steps, const char *node, gint rank, const char *format, gint64 time_ns,
                             const LoomStep **step);

/* Steps that are chosen by their numbers, first to end − 1. */
typedef struct {
  const char *format; /* the format of the steps, static; NULL for all formats */
  gint64 first, end;  /* step numbers; `end` is the number after the last one */
} LoomStepNumbers;

/* Sets `first` and `last` to the lowest and highest step number over all ranks. Returns FALSE if no step has a
 * number. */
gboolean loom_steps_get_numbers (const LoomSteps *steps, gint64 *first, gint64 *last);

/* Sets `range` to the time of the steps with numbers first to last − 1; as on the command line, step `last` is
 * excluded. The range begins with the earliest start of step `first` on any rank. It ends with the earliest start of
 * step `last` on any rank; if no rank has step `last`, it ends with the latest end of the steps before it. Ranks take a
 * step at different times, so steps with other numbers may overlap the range. Therefore, sets `numbers` (may be NULL)
 * to the numbers of the selected steps. Returns FALSE if there are no steps with these numbers. */
gboolean loom_steps_range (const LoomSteps *steps, gint64 first, gint64 last, LoomRange *range,
                           LoomStepNumbers *numbers);

/* Like loom_steps_range(), but the range includes the step `last`: the range ends with the latest end of the steps with
 * the numbers `first` to `last`. The graphical program also selects steps in this way. */
gboolean loom_steps_range_inclusive (const LoomSteps *steps, gint64 first, gint64 last, LoomRange *range);

/* Returns some of the steps. If `numbers` is NULL, returns the steps that are completely in the range, because a cut
 * step would have a wrong length. If `numbers` is not NULL, returns the steps with these numbers that overlap the
 * range. The caller owns the result. O(steps · log steps). */
LoomSteps *loom_steps_select (LoomSteps *steps, LoomRange range, const LoomStepNumbers *numbers);
/* Returns the LoomSteps with all steps of the run: if loom_steps_select() made `steps`, the LoomSteps from which it was
 * made; otherwise `steps` itself. Borrowed. */
LoomSteps *loom_steps_get_whole (LoomSteps *steps);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSteps, loom_steps_unref)
