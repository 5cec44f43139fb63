/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of a run, from whatever its sources say: smdebug `Step:ModeKeys.*` spans, kineto `ProfilerStep#n`,
 * Composer `event/batch`, the `Steps` line of TensorFlow and JAX. Where Composer did not record a batch and ProfilerStep
 * says nothing of it either, it is what lies between its callbacks. Immutable, ref-counted atomically, any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"

G_BEGIN_DECLS

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
  const char *node; /* borrowed from the run; NULL unknown */
  gint rank;        /* −1 unknown */
  LoomStepMode mode;
  const char *format; /* of the source, static: "smdebug", "kineto", … */
  LoomSpanId span;
} LoomStep;

typedef struct _LoomSteps LoomSteps;

/* Reads the args of step spans where the number stands there (a few hundred bytes each). Cost O(names + steps · log).
 * A span whose args cannot be read has number −1. NULL only when cancelled. */
LoomSteps *loom_steps_new (LoomTimeline *timeline, GCancellable *cancellable);
LoomSteps *loom_steps_ref (LoomSteps *steps);
void loom_steps_unref (LoomSteps *steps);

/* All steps, sorted by begin, then rank, then number. */
const LoomStep *loom_steps_get (const LoomSteps *steps, guint *n);

/* The steps of one line (the lowest rank of the format that has most; training before evaluation), sorted by begin:
 * what a ruler shows. */
const LoomStep *loom_steps_get_reference (const LoomSteps *steps, guint *n);
/* The reference step that holds the instant, or the last one before it; NULL before the first. O(log n). */
const LoomStep *loom_steps_at (const LoomSteps *steps, gint64 time_ns);

/* How many ranks (of nodes) have steps of their own. */
guint loom_steps_get_n_ranks (const LoomSteps *steps);
/* The same question to a rank: of its steps, which may be counted by several formats and by training and evaluation apart,
 * the one that holds the instant, of `format` (may be NULL) if one does; else the last one before it, again of the format
 * if it can be, then of the main format, training before evaluation. A node that is NULL, here or there, fits every
 * other. FALSE when the rank has no steps; else `step`, NULL before its first. O(ranks + log n). */
gboolean loom_steps_at_rank (const LoomSteps *steps, const char *node, gint rank, const char *format, gint64 time_ns,
                             const LoomStep **step);

/* Lowest and highest number over all ranks; FALSE when no step has one. */
gboolean loom_steps_get_numbers (const LoomSteps *steps, gint64 *first, gint64 *last);

/* [earliest begin of the steps numbered `first`, earliest begin of those numbered `last`): `last` is exclusive, as the
 * command line counts. A `last` one beyond the highest number, or one that does not exist, ends with the latest end of
 * the steps below it. FALSE when no step is in [first, last). */
gboolean loom_steps_range (const LoomSteps *steps, gint64 first, gint64 last, LoomRange *range);

/* Both ends inclusive, as the window says it: up to the latest end of the steps numbered first … last. */
gboolean loom_steps_range_inclusive (const LoomSteps *steps, gint64 first, gint64 last, LoomRange *range);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSteps, loom_steps_unref)

G_END_DECLS
