/* SPDX-License-Identifier: Apache-2.0
 *
 * The ruler in steps: a tick at the begin of every 1st, 2nd, 5th … step with its number; inside wide steps, ticks with
 * the time since the begin of the step.
 */
#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#include "loom-ruler-private.h"
#include "loom-time-bsearch.h"

#define LABEL_GAP_PX 10.0
#define MIN_TICK_PX 4.0
#define INSIDE_STEP_PX 90.0

static gint64
begin_at (gconstpointer steps, guint32 at)
{
  return ((const LoomStep *) steps)[at].begin_ns;
}

/* First step that begins at or after the time. */
static guint
first_from (const LoomStep *steps, guint n, gint64 time_ns)
{
  return loom_time_bsearch_by (begin_at, steps, 0, n, time_ns);
}

static void
format_step (const LoomStep *step, char *label, gsize size)
{
  if (step->number >= 0)
    g_snprintf (label, size, _ ("step %" PRId64), step->number);
  else
    g_strlcpy (label, C_ ("ruler", "step"), size);
}

static gint64
nice_stride (gint64 at_least)
{
  for (gint64 unit = 1;; unit *= 10)
    for (gint64 k = 1; k <= 5; k += k == 1 ? 1 : 3)
      if (unit * k >= at_least)
        return unit * k;
}

/* Adds ticks with the time since the step's begin, between the step's label and the next step's. */
static void
add_inside (LoomRuler *ruler, const LoomViewport *viewport, const LoomStep *step, gint64 until_ns, double free_from,
            LoomTextCache *text)
{
  gint64 stride = loom_ruler_nice_step ((gint64) (INSIDE_STEP_PX * loom_viewport_get_ns_per_px (viewport)));
  gint64 skipped = MAX (loom_time_sub (viewport->begin_ns, step->begin_ns) / stride, 0);
  double limit = loom_viewport_x (viewport, until_ns);
  for (gint64 k = skipped + 1;; k++) {
    gint64 at = loom_time_add (step->begin_ns, k * stride);
    double x = loom_viewport_x (viewport, at);
    if (at >= until_ns || x > viewport->width_px)
      return;
    g_autofree char *label = loom_time_format_offset (k * stride, stride);
    double width = loom_text_cache_width (text, LOOM_TEXT_SMALL, label);
    gboolean room = x + LOOM_RULER_LABEL_PX >= free_from && x + LOOM_RULER_LABEL_PX + width + LABEL_GAP_PX <= limit;
    loom_ruler_add (ruler, at, x, room ? label : NULL, text);
    if (room)
      free_from = x + LOOM_RULER_LABEL_PX + width + LABEL_GAP_PX;
  }
}

/* The reference step whose rank must be named; NULL if the run has only one rank with steps, or the rank is unknown. */
static const LoomStep *
named_reference (const LoomSteps *steps)
{
  guint n;
  const LoomStep *reference = loom_steps_get_reference (steps, &n);
  return n > 0 && reference->rank >= 0 && loom_steps_get_n_ranks (steps) > 1 ? reference : NULL;
}

static char *
dup_corner (const LoomSteps *steps)
{
  const LoomStep *reference = named_reference (steps);
  if (reference == NULL)
    return g_strdup (C_ ("ruler", "step"));
  g_autofree char *rank = loom_rank_label_dup_words (reference->format, reference->rank);
  return g_strdup_printf (/* Translators: %s is “rank 3” or “process 812” */ _ ("step of %s"), rank);
}

void
loom_ruler_update_steps (LoomRuler *ruler, const LoomSteps *all, const LoomViewport *viewport, LoomTextCache *text)
{
  guint n;
  const LoomStep *steps = loom_steps_get_reference (all, &n);
  guint first = first_from (steps, n, viewport->begin_ns), end = first_from (steps, n, viewport->end_ns);
  first = first > 0 ? first - 1 : 0;
  double px = (double) viewport->width_px / MAX (end - first, 1);
  double label_px = loom_text_cache_width (text, LOOM_TEXT_SMALL, "step 00000") + LABEL_GAP_PX;
  gint64 stride = nice_stride ((gint64) ceil (label_px / px));
  double free_from = -G_MAXDOUBLE, tick_from = -G_MAXDOUBLE;
  for (guint i = first; i < end; i++) {
    char label[48];
    double x = loom_viewport_x (viewport, steps[i].begin_ns), label_x = MAX (x, 0) + LOOM_RULER_LABEL_PX;
    gint64 until = i + 1 < n ? steps[i + 1].begin_ns : G_MAXINT64;
    double next_x = i + 1 < end ? loom_viewport_x (viewport, until) : viewport->width_px * 2;
    format_step (&steps[i], label, sizeof label);
    double width = loom_text_cache_width (text, LOOM_TEXT_SMALL, label);
    gboolean room = label_x >= free_from && (x >= 0 || label_x + width + LABEL_GAP_PX <= next_x);
    gboolean major = room && (stride == 1 || steps[i].number % stride == 0);
    if (!major && x < tick_from)
      continue;
    LoomTick *tick = loom_ruler_add (ruler, steps[i].begin_ns, x, major ? label : NULL, text);
    tick_from = x + MIN_TICK_PX;
    if (!major)
      continue;
    tick->label_x = label_x;
    free_from = label_x + width + LABEL_GAP_PX;
    if (next_x - x > 2 * INSIDE_STEP_PX)
      add_inside (ruler, viewport, &steps[i], until, free_from, text);
    if (next_x - x > 2 * INSIDE_STEP_PX)
      free_from = next_x;
  }
  ruler->corner = dup_corner (all);
}

static gboolean
find_own_step (const LoomTimeline *timeline, const LoomSteps *steps, const LoomTrackId *id, gint64 time_ns,
               const LoomStep **step)
{
  if (id == NULL)
    return FALSE;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), id->trace);
  const LoomTrack *track = loom_trace_get_track (trace, id->track);
  const char *format = loom_trace_get_source (trace, track->source)->format;
  return loom_steps_at_rank (steps, track->node, track->rank, format, time_ns, step);
}

static gboolean
is_training (const LoomStep *step)
{
  return step->mode == LOOM_STEP_TRAIN || step->mode == LOOM_STEP_GLOBAL;
}

char *
loom_ruler_format_step (const LoomTimeline *timeline, const LoomSteps *steps, const LoomTrackId *track, gint64 time_ns)
{
  const LoomStep *step = NULL;
  char label[48];
  if (steps == NULL)
    return NULL;
  gboolean own = find_own_step (timeline, steps, track, time_ns, &step);
  if (!own)
    step = loom_steps_at (steps, time_ns);
  if (step == NULL)
    return NULL;
  format_step (step, label, sizeof label);
  gint64 offset_ns = loom_time_sub (time_ns, step->begin_ns);
  g_autofree char *exact = loom_time_format_exact (offset_ns);
  g_autofree char *offset = offset_ns != 0 ? g_strconcat (" + ", exact, NULL) : g_strdup ("");
  g_autofree char *mode =
    is_training (step) ? g_strdup ("") : g_strdup_printf ("%s ", loom_step_mode_to_string (step->mode));
  g_autofree char *text = g_strdup_printf ("%s%s%s", mode, label, offset);
  g_autofree char *rank = loom_rank_label_dup_words (step->format, step->rank);
  return own || named_reference (steps) == NULL
           ? g_steal_pointer (&text)
           : g_strdup_printf (/* Translators: a step, and “rank 3” */ _ ("%s (%s)"), text, rank);
}

char *
loom_ruler_format_for (const LoomTimeline *timeline, const LoomSteps *steps, LoomRulerUnit reading,
                       const LoomTrackId *track, gint64 time_ns)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  reading = loom_ruler_get_effective_unit (timeline, steps, reading);
  if (reading == LOOM_RULER_UNIT_UTC || reading == LOOM_RULER_UNIT_LOCAL) {
    g_autofree char *clock = loom_time_format_clock (time_ns, 9, reading == LOOM_RULER_UNIT_LOCAL);
    return reading == LOOM_RULER_UNIT_UTC ? g_strconcat (clock, " UTC", NULL) : g_steal_pointer (&clock);
  }
  g_autofree char *step =
    reading == LOOM_RULER_UNIT_STEP ? loom_ruler_format_step (timeline, steps, track, time_ns) : NULL;
  if (step != NULL)
    return g_steal_pointer (&step);
  gint64 offset_ns = loom_time_sub (time_ns, loom_timeline_get_origin (timeline));
  g_autofree char *offset = loom_time_format_exact (offset_ns);
  return offset_ns < 0 ? g_steal_pointer (&offset) : g_strconcat ("+", offset, NULL);
}

char *
loom_ruler_format (const LoomTimeline *timeline, const LoomSteps *steps, LoomRulerUnit reading, gint64 time_ns)
{
  return loom_ruler_format_for (timeline, steps, reading, NULL, time_ns);
}
