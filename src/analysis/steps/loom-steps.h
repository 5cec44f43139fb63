/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of a run, from all of its sources: smdebug `Step:ModeKeys.*` spans, kineto `ProfilerStep#n`, Composer
 * `event/batch`, the `Steps` track of TensorFlow and JAX. A batch that Composer did not record and that no ProfilerStep
 * covers is inferred from Composer's callbacks. Immutable, ref-counted atomically, any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"

typedef enum {
  LOOM_STEP_TRAIN,
  LOOM_STEP_EVAL,
  LOOM_STEP_PREDICT,
  LOOM_STEP_GLOBAL, /* smdebug's name for "no mode set" */
} LoomStepMode;

const char *loom_step_mode_to_string (LoomStepMode mode); /* "train" … */

typedef struct {
  gint64 number;   /* −1: not stated */
  gint64 begin_ns; /* timeline */
  gint64 end_ns;
  const char *node; /* borrowed from the run; NULL: unknown */
  gint rank;        /* −1: unknown */
  LoomStepMode mode;
  const char *format; /* format of the source, static: "smdebug", "kineto", … */
  LoomSpanId span;
} LoomStep;

typedef struct {
  const LoomStep *all; /* sorted by start, then rank, then number */
  /* The steps that a ruler shows, sorted by start: of the format with most steps, the steps of the lowest rank; of
   * training if it has any, else of other modes. */
  const LoomStep *reference;
  guint n, n_reference;
  guint n_ranks; /* ranks (over all nodes) that have steps of their own */
  /* Private: */
  gatomicrefcount refs;
  LoomTimeline *timeline;
  GArray *all_steps, *all_reference; /* LoomStep */
  GArray *by_line;                   /* LoomStep: all steps grouped by element of `lines`, sorted by start */
  GArray *lines;                     /* sorted by rank */
} LoomSteps;

/* Finds all steps. Reads the args of step spans that contain the number there (a few hundred bytes each).
 * O(names + steps · log). A span whose args cannot be read has number −1. NULL only when cancelled. */
LoomSteps *loom_steps_new (LoomTimeline *timeline, GCancellable *cancellable);
LoomSteps *loom_steps_ref (LoomSteps *steps);
void loom_steps_unref (LoomSteps *steps);

/* The reference step that contains the instant, or else the last one before it; NULL before the first. O(log n). */
const LoomStep *loom_steps_at (const LoomSteps *steps, gint64 time_ns);

/* Finds the step of a rank at an instant. A rank may have steps of several formats, and of training and evaluation
 * separately. Prefers a step that contains the instant, of `format` (may be NULL) if possible; else the last step
 * before it, again of `format` if possible, then of the main format, training before evaluation. A NULL node, of the
 * query or of a step, matches every node. Returns FALSE if the rank has no steps; else sets `step`, NULL before its
 * first step. O(ranks + log n). */
gboolean loom_steps_at_rank (const LoomSteps *steps, const char *node, gint rank, const char *format, gint64 time_ns,
                             const LoomStep **step);

/* Steps chosen by their numbers. */
typedef struct {
  const char *format; /* the steps of this format, static; NULL: of all formats */
  gint64 first, end;  /* `end` is excluded */
} LoomStepNumbers;

/* Lowest and highest number over all ranks; returns FALSE if no step has a number. */
gboolean loom_steps_get_numbers (const LoomSteps *steps, gint64 *first, gint64 *last);

/* The range from the earliest start of the steps numbered `first` to the earliest start of those numbered `last`,
 * exclusive, as on the command line. If no step has the number `last`, the range ends with the latest end of the steps
 * below it. Ranks take a step at different times, so that the range may touch steps of other numbers; `numbers` (may be
 * NULL) receives which steps are meant. Returns FALSE if no step is in [first, last). */
gboolean loom_steps_range (const LoomSteps *steps, gint64 first, gint64 last, LoomRange *range,
                           LoomStepNumbers *numbers);

/* Like loom_steps_range(), with `last` inclusive, as in the window: the range ends with the latest end of the steps
 * numbered first … last. */
gboolean loom_steps_range_inclusive (const LoomSteps *steps, gint64 first, gint64 last, LoomRange *range);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSteps, loom_steps_unref)
